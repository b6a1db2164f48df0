/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How GDB executes the instructions that breakpoints stand at: `set displaced-stepping`.
 *
 * Where a thread gets a signal while it executes the instruction of a breakpoint elsewhere, GDB 13
 * can wait for it for ever, or leave a wrong value in a register.  So the instruction is executed
 * in its place, while all other threads stand still.  Not so with more than one inferior, even one
 * without a process: GDB 13 then waits for ever for a thread that has met a breakpoint in its
 * place.
 */
#ifndef PROF_PLUGIN_GDB_STEPPING_H
#define PROF_PLUGIN_GDB_STEPPING_H

/* In their place, from now on, as long as there is but one inferior. */
void stepping_change(void);

/* Restores the user's setting, if it was changed. */
void stepping_restore(void);

#endif
