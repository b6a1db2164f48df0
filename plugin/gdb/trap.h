/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Traps: places in the program whose reaching the plugin learns of.  Internal breakpoints stand
 * there, which `info breakpoints` does not show, the user's `delete` spares, which take no number,
 * and nobody sees stop.
 */
#ifndef PROF_PLUGIN_GDB_TRAP_H
#define PROF_PLUGIN_GDB_TRAP_H

#include "base/error.h"
#include "plugin/gdb/python_object.h"

#include <stdbool.h>
#include <sys/types.h>

struct trap {
	const char *location; /* as a breakpoint's command has it */
	/* The selected thread has come there; it goes on in any case. */
	void (*reached)(const struct trap *trap);

	PyObject *breakpoint; /* private; NULL: not set */
};

/* Adds to MODULE, _prof, what is needed.  False, with an exception: it cannot. */
bool trap_register(PyObject *module);

/* Sets TRAP, which must stay where it is, now and in programs to be loaded. */
struct prof_error *trap_set(struct trap *trap) PROF_MUST_CHECK;

/*
 * OBJFILE, a gdb.Objfile, has come: if it may be one of a child, has GDB read its symbols now.  GDB
 * does that anyway as soon as it looks for the places, and then it prints "Reading symbols from".
 */
void traps_need(PyObject *objfile);

/* Has the program no such place, as far as it is loaded? */
bool trap_is_pending(const struct trap *trap);

/* Nothing happens where it is not set. */
void trap_clear(struct trap *trap);

/* Is it set?  It is while it rests, too. */
bool trap_is_set(const struct trap *trap);

/*
 * PROCESS goes: if GDB has no other, takes the breakpoints out of all traps until traps_return().
 * GDB forgets the libraries of the last process when it is asked for them (info sharedlibrary), and
 * would warn the user of breakpoints there.
 */
void traps_rest(pid_t process);

/* Gives all that rest their breakpoints again, before a process goes on. */
struct prof_error *traps_return(void) PROF_MUST_CHECK;

#endif
