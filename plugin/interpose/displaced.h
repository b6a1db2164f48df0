/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Where GDB makes threads execute the instructions of breakpoints: displaced stepping, as GDB's
 * calls of ptrace() show it.  On Linux GDB writes such an instruction over the program's first
 * ones, at its entry point and in the bytes that follow (linux_displaced_step_location()).
 */
#ifndef PROF_PLUGIN_INTERPOSE_DISPLACED_H
#define PROF_PLUGIN_INTERPOSE_DISPLACED_H

#include <stdbool.h>
#include <sys/types.h>

struct prof_displaced;
struct prof_registers;
struct prof_walker;

/*
 * Notes that GDB is about to call ptrace() with REQUEST, THREAD, ADDRESS and DATA: see ptrace(2).
 */
void displaced_note(long request, pid_t thread, const void *address, const void *data);

/* GDB's calls are not watched any more. */
void displaced_forget(void);

/* The notes; NULL: there was no memory for them. */
struct prof_displaced *displaced_steps(void);

/*
 * The registers of THREAD, which stands still under GDB and executes the code that WALKER knows, as
 * they are for its program.  False: it was killed in this very moment.
 */
bool displaced_registers(pid_t thread, struct prof_walker *walker, struct prof_registers *ret);

#endif
