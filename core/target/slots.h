/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The slots of a load object: words of its memory that the dynamic linker fills with the addresses
 * of other objects' functions, and through which it calls them: its GOT.  Of x86-64.
 *
 * All is read from the memory of the process, which may say anything.
 */
#ifndef PROF_TARGET_SLOTS_H
#define PROF_TARGET_SLOTS_H

#include "base/error.h"
#include "target/target.h"

struct prof_linked;

struct prof_slot {
	uint64_t address; /* of the slot itself */
	uint64_t value;   /* what stands there now */
	size_t name;      /* index of the function's among the names that were asked for */
	/* The function was never called: the slot leads to the object's own stub, which has the
	   linker look for it. */
	bool unbound;
};

/* What is linked of a function of some name. */
struct prof_slots {
	PROF_ARRAY(struct prof_slot) items;
};

void prof_slots_deinit(struct prof_slots *slots);

/*
 * Adds to SLOTS those of LINKED for functions called as one of COUNT NAMES; tables that cannot be
 * read have none.
 */
struct prof_error *prof_slots_find(struct prof_slots *slots, const struct prof_target *target,
	const struct prof_linked *linked, const char *const *names, size_t count) PROF_MUST_CHECK;

/*
 * What RESOLVER, a function of LINKED that returns a function (STT_GNU_IFUNC), has returned to the
 * linker for LINKED's own calls; 0: nothing yet, or LINKED does not call that.
 */
uint64_t prof_slots_chosen(
	const struct prof_target *target, const struct prof_linked *linked, uint64_t resolver);

#endif
