/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The runtime of the language that a program is written in, by the file that a process executes. */
#ifndef PROF_TARGET_RUNTIME_H
#define PROF_TARGET_RUNTIME_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Is that of PROCESS Go's?  That interrupts goroutines by SIGURG as soon as it runs, and waits for
 * ever if one is lost.  False, too, if the file cannot be read.
 */
bool prof_runtime_is_go(pid_t process);

#endif
