/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Extents: memory that the program has mapped and not unmapped yet.  Any part of a mapping can be
 * unmapped, in its middle too; it is there until its last byte is gone.
 */
#ifndef PROF_TRACING_EXTENTS_H
#define PROF_TRACING_EXTENTS_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* A piece of a mapping that is left. */
struct prof_extent {
	uint64_t low, high; /* first byte, and the byte after the last */
	uint32_t mapping;   /* number of the mapping */
};

struct prof_extents_mapping {
	uint64_t left;  /* bytes of it; 0: its number is free */
	uint32_t total; /* who has mapped it */
};

/* All zeroes is none. */
struct prof_extents {
	PROF_ARRAY(struct prof_extent) list; /* by address, none in another */
	PROF_ARRAY(struct prof_extents_mapping) mappings;
	PROF_ARRAY(uint32_t) unused; /* numbers of mappings */
};

void prof_extents_deinit(struct prof_extents *extents);

/* Adds SIZE bytes at ADDRESS, where nothing is left, of TOTAL.  False: there is no room for it. */
bool prof_extents_add(
	struct prof_extents *extents, uint64_t address, uint64_t size, uint32_t total);

/* The part of one mapping that an unmapping takes. */
struct prof_extents_cut {
	uint64_t bytes; /* that were left, and are not now */
	uint64_t left;  /* of all pieces of the mapping; 0: it is gone */
	uint32_t total;
};

/*
 * Cuts off the first piece of a mapping from LOW to HIGH, the byte after the last; call it until it
 * returns false: there are no more.
 */
bool prof_extents_cut(
	struct prof_extents *extents, uint64_t low, uint64_t high, struct prof_extents_cut *ret);

#endif
