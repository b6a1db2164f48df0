/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Accesses to memory that made a counter overflow. */
#ifndef PROF_MODEL_ACCESS_H
#define PROF_MODEL_ACCESS_H

#include <stdbool.h>

/* How memory is accessed: bits, because an instruction may do both. */
enum prof_access {
	PROF_ACCESS_NONE,
	PROF_ACCESS_LOAD = 1,
	PROF_ACCESS_STORE = 2,
	PROF_ACCESS_LOAD_STORE = PROF_ACCESS_LOAD | PROF_ACCESS_STORE,
	PROF_ACCESS_FETCH = 4, /* of the instruction itself */
	PROF_ACCESSES,
};

/* The words for them: "", "load", "store", "load-store", "fetch". */
extern const char *const prof_access_names[PROF_ACCESSES];

/* What is known of the instruction that caused an event. */
enum prof_trigger {
	PROF_TRIGGER_NONE,  /* it was not looked for */
	PROF_TRIGGER_EXACT, /* the CPU or the kernel has named it */
	PROF_TRIGGER_FOUND, /* the search has found it */
	PROF_TRIGGER_CALL,  /* the kernel's, in a system call of the program */
	/* A jump, a call or a branch target comes before it, or it is too far away. */
	PROF_TRIGGER_UNRESOLVABLE,
	/* The code is not known, or where its jumps lead. */
	PROF_TRIGGER_UNVERIFIABLE,
	/* The CPU has named an instruction that makes no such access. */
	PROF_TRIGGER_UNSPECIFIED,
	PROF_TRIGGERS,
};

/* The words for them, as the Collector's where it has one: "exact", "Unresolvable". */
extern const char *const prof_trigger_names[PROF_TRIGGERS];

/* Is the instruction not known, and why not? */
static inline bool prof_trigger_is_unknown(enum prof_trigger trigger)
{
	return trigger == PROF_TRIGGER_UNRESOLVABLE || trigger == PROF_TRIGGER_UNVERIFIABLE;
}

/* How many instructions back a trigger may be. */
enum { PROF_TRIGGER_REACH = 16 };

#endif
