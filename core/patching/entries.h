/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Entries: where the functions of a load object can be patched, so that whoever calls them comes to
 * other code first.
 *
 * A patch is a jump of 5 bytes in place of the first instructions, or one of 2 bytes to a jump of 5
 * in padding nearby.  It fits if nothing leads to what it replaces but the beginning: no branch of
 * the load object, no table of a switch, and no address in its data.
 */
#ifndef PROF_PATCHING_ENTRIES_H
#define PROF_PATCHING_ENTRIES_H

#include "base/error.h"
#include "base/memory.h"
#include "patching/relocation.h"

enum prof_patch {
	PROF_PATCH_NONE,
	PROF_PATCH_JUMP, /* 5 bytes at the entry */
	PROF_PATCH_HOP,  /* 2 bytes at the entry, and 5 at HOP */
};

struct prof_entry {
	uint64_t low, high; /* the function */
	uint64_t hop;       /* of PROF_PATCH_HOP: where the jump is */
	uint8_t patch;      /* enum prof_patch */
	uint8_t obstacle;   /* of PROF_PATCH_NONE: enum prof_obstacle */
	uint8_t taken;    /* bytes of the instructions that the patch replaces, padding included */
	uint32_t targets; /* 1 << n: a branch leads to LOW + n; n is 0 only for one of its own */
};

/* A function, or, if PART is true, the cold part of one: where its code is. */
struct prof_entry_function {
	uint64_t low, high;
	bool part;
};

struct prof_entry_code {
	/* Reads LENGTH bytes at ADDRESS into BUFFER, as the linker left them; false: it cannot. */
	bool (*read)(void *context, uint64_t address, void *buffer, size_t length);
	void *context;
};

/* All zeroes is the empty table. */
struct prof_entries {
	PROF_ARRAY(struct prof_entry) items; /* by LOW */
};

/* Frees what TABLE holds, and leaves it empty. */
void prof_entries_deinit(struct prof_entries *table);

/*
 * Fills TABLE, which is empty, with the COUNT FUNCTIONS of a load object, which are by LOW and do
 * not overlap.  WORDS has the WORD_COUNT addresses that its data holds (see patching/functions.h).
 * NULL, or that there is no memory.
 */
struct prof_error *prof_entries_find(struct prof_entries *table, const struct prof_entry_code *code,
	const struct prof_entry_function *functions, size_t count, const uint64_t *words,
	size_t word_count) PROF_MUST_CHECK;

/* The function that ADDRESS is in, borrowed, or NULL. */
struct prof_entry *prof_entries_at(const struct prof_entries *table, uint64_t address);

#endif
