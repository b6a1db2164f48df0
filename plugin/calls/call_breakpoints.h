/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The breakpoints at which calls are met: where functions are entered, or left.  They are internal
 * ones of GDB's, which `info breakpoints` does not show, and which nobody sees stop.
 */
#ifndef PROF_PLUGIN_CALLS_CALL_BREAKPOINTS_H
#define PROF_PLUGIN_CALLS_CALL_BREAKPOINTS_H

#include "plugin/gdb/python_object.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Bytes of code: more than a breakpoint takes.  GDB before 12 cannot read fewer of a program that
 * runs. */
enum { CALL_BREAKPOINT_CODE = 8 };

struct call_breakpoint {
	PyObject *breakpoint; /* gdb.Breakpoint; references and texts are its own */
	uint64_t address;     /* where it stands */
	/* With GDB before 12, if KNOWN: the code at ADDRESS, without breakpoints. */
	unsigned char code[CALL_BREAKPOINT_CODE];
	bool known;
	char *name, *object; /* the function's; the file of its load object */
	PyObject *space;     /* gdb.Progspace */
	unsigned long calls; /* so many were counted */
	bool refused;        /* the function is called too often */
	bool patched;        /* its calls are counted by a patch (counted_patches.h) */
	bool lost;           /* a patch would be, but does not: the program changes its code */
	const char *why;     /* they are not, a phrase, borrowed; NULL: patches have no use here */
	bool later;          /* that may have passed when the program stops again */
	size_t traced; /* whose calls are traced here (visits.h); SIZE_MAX: they are counted */
	bool exit;     /* the function is left here */
	/* The function returns the one whose calls are counted (target/indirect.h). */
	bool resolver;
	pid_t awaited; /* at such an exit: the thread that is expected to leave it here; 0: none */
};

/*
 * Adds to MODULE, _prof, what is needed.  The selected thread has reached MET when REACHED is
 * called.  False, with an exception: it cannot.
 */
bool call_breakpoints_register(PyObject *module, void (*reached)(struct call_breakpoint *met));

/*
 * Sets one at ADDRESS, in the function NAME, of the current program space, for the traced function
 * TRACED, or SIZE_MAX. The result is valid until the next one is set or removed.  NULL: it cannot
 * be set.
 */
struct call_breakpoint *call_breakpoints_set(uint64_t address, const char *name, size_t traced);

/* Have there been too many, so that functions are left out? */
bool call_breakpoints_are_crowded(void);

/* How many functions are left in at most. */
size_t call_breakpoints_most(void);

/* The one numbered INDEX, from 0 on, borrowed likewise, and the other way round; NULL: there are no
 * more. */
struct call_breakpoint *call_breakpoints_at(size_t index);
size_t call_breakpoints_number(const struct call_breakpoint *of);

/*
 * Removes those for which IS_OLD holds with CONTEXT.  True: there were any, and the numbers of
 * others have changed.
 */
bool call_breakpoints_remove(
	bool (*is_old)(const struct call_breakpoint *, const void *context), const void *context);

/* Removes all.  May be called twice. */
void call_breakpoints_end(void);

/* For call_breakpoints_remove(): all; does it stand in the program of no process but PROCESS, a
 * pid_t, which is gone?  Is it in the load object of the file OBJECT, a string? */
bool call_breakpoint_is_any(const struct call_breakpoint *of, const void *unused);
bool call_breakpoint_is_unused(const struct call_breakpoint *of, const void *process);
bool call_breakpoint_is_of_object(const struct call_breakpoint *of, const void *object);

#endif
