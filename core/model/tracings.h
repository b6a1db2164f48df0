/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The rows of what was traced, in blocks of PROF_TRACINGS_BLOCK.  A row may change until it is
 * closed; blocks of which all rows are closed are packed.
 */
#ifndef PROF_MODEL_TRACINGS_H
#define PROF_MODEL_TRACINGS_H

#include "base/memory.h"
#include "model/row_changes.h"
#include "model/traced.h"

#include <stdbool.h>
#include <stddef.h>

enum { PROF_TRACINGS_BLOCK = 32 };

/*
 * What is known of a sample that stands for traced events.  Its values of these may change as long
 * as it is recorded: a block that is freed is no leak any more.
 */
struct prof_tracing {
	uint32_t sample; /* larger than that of the row before */
	uint32_t object; /* object; PROF_NONE: none */
	uint32_t holder; /* thread that had it; PROF_NONE: not known */
	int64_t values[PROF_TRACED_VALUES];
	int64_t longest; /* ns of the longest wait or call */
	int64_t last;    /* ns since the experiment's start of the last event; the first is the
			    sample's */
	uint32_t first_argument, arguments; /* rows of the table of arguments */
};

/* Of an open block: its rows, and when each was last changed. */
struct prof_tracings_open {
	struct prof_tracing rows[PROF_TRACINGS_BLOCK];
	uint64_t changed[PROF_TRACINGS_BLOCK];
	unsigned open; /* rows that are not closed */
	bool closed[PROF_TRACINGS_BLOCK];
};

struct prof_tracings_block {
	struct prof_tracings_open *open; /* NULL: it is packed */
	unsigned char *bytes;            /* the packed rows */
	uint32_t size;                   /* bytes */
	uint32_t sample;                 /* that of the first row */
	uint64_t changed;                /* when one of its rows was last changed */
};

/* All zeroes are no rows. */
struct prof_tracings {
	size_t count;         /* of all rows */
	uint32_t last_sample; /* that of the last row */
	PROF_ARRAY(struct prof_tracings_block) blocks;
	struct prof_row_changes changes;
	size_t bytes; /* that the rows take */
};

/* Who reads rows one after the other has one, all zeroes at first: the packed row read last. */
struct prof_tracings_place {
	struct prof_tracing row;
	size_t next; /* the number of the row behind it */
	const unsigned char *at;
};

void prof_tracings_deinit(struct prof_tracings *tracings);

/* Adds ROW, of a later sample than the last.  False: no memory. */
bool prof_tracings_add(struct prof_tracings *tracings, const struct prof_tracing *row);

/* The row NUMBER, valid until PLACE is used again: fast behind the one that was read last. */
const struct prof_tracing *prof_tracings_get(
	const struct prof_tracings *tracings, struct prof_tracings_place *place, size_t number);

/* The row NUMBER, not closed, to be changed by the change CHANGE. */
struct prof_tracing *prof_tracings_change(
	struct prof_tracings *tracings, size_t number, uint64_t change);

/* The row NUMBER, not closed, will not change any more. */
void prof_tracings_close(struct prof_tracings *tracings, size_t number);

/* No row will. */
void prof_tracings_close_all(struct prof_tracings *tracings);

/* No change of the row NUMBER was later. */
uint64_t prof_tracings_changed(const struct prof_tracings *tracings, size_t number);

/* The number of the first row of SAMPLE or a later one. */
size_t prof_tracings_find(const struct prof_tracings *tracings, uint32_t sample);

#endif
