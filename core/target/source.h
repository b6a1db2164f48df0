/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The places in the source that the code of a program's file comes from, by its debugging
 * information: for each address the file, the line, and the innermost function, inlined or not.
 */
#ifndef PROF_TARGET_SOURCE_H
#define PROF_TARGET_SOURCE_H

#include "base/progress.h"
#include "base/strings.h"

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

/* Code of one line. */
struct prof_source_row {
	uint64_t low, high; /* see base/ranges.h */
	uint32_t file;      /* string, a path */
	uint32_t line;      /* from 1 */
};

/* Code of one function: a function may have several stretches. */
struct prof_source_extent {
	uint64_t low, high; /* likewise */
	uint32_t name;      /* string; PROF_NONE: only the symbol table has it */
	uint32_t order; /* in which they stand in the file: those inlined after what they are in */
};

/* A symbol of code, which names what no function has that the debugging information knows. */
struct prof_source_label {
	uint64_t low, high; /* of its size, at least one byte */
	uint32_t name;      /* string */
	uint32_t order;     /* in which they stand in the file */
	bool function;      /* it is marked as one */
};

struct prof_source {
	struct prof_strings *strings;                /* borrowed */
	PROF_ARRAY(struct prof_source_label) labels; /* the caller adds them, in any order */
	PROF_ARRAY(struct prof_source_row) rows;
	PROF_ARRAY(struct prof_source_extent) extents;
};

/* Adds to SOURCE, whose strings and labels are set, what ELF has, which may be nothing. */
struct prof_error *prof_source_read(
	struct prof_source *source, Elf *elf, const struct prof_progress *progress) PROF_MUST_CHECK;

/* Frees what SOURCE holds. */
void prof_source_deinit(struct prof_source *source);
#define AUTO_SOURCE PROF_AUTO(prof_source_deinit)

/* A place that goes through the addresses, upwards.  All zeroes is before the first. */
struct prof_source_cursor {
	size_t row, extent; /* the next ones to come */
	PROF_ARRAY(uint32_t)
	open; /* extents that the place is in, and some that are over: a heap */
};

void prof_source_cursor_deinit(struct prof_source_cursor *cursor);
#define AUTO_SOURCE_CURSOR PROF_AUTO(prof_source_cursor_deinit)

/*
 * Moves CURSOR up to ADDRESS, not below where it is.  *ROW is its line, borrowed, or NULL;
 * *NAME the string by which its function is known, or PROF_NONE.
 */
struct prof_error *prof_source_move(const struct prof_source *source,
	struct prof_source_cursor *cursor, uint64_t address, const struct prof_source_row **row,
	uint32_t *name) PROF_MUST_CHECK;

#endif
