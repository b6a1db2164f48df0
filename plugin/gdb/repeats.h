/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Breakpoints that GDB 13 reports twice: where a thread that has stopped at one gets a signal
 * before it has gone on, it comes to the same breakpoint once more.
 */
#ifndef PROF_PLUGIN_GDB_REPEATS_H
#define PROF_PLUGIN_GDB_REPEATS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct prof_registers;

/* Forgets all threads. */
void repeats_clear(void);

/* THREAD, with REGISTERS, was stopped by a signal that GDB has seen. */
void repeats_signal(pid_t thread, const struct prof_registers *registers);

/* It has come to the breakpoint at ADDRESS.  True: it stood there before the signal. */
bool repeats_is_one(pid_t thread, uint64_t address, const struct prof_registers *registers);

#endif
