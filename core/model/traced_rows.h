/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The rows of what was traced, in blocks of PROF_TRACED_ROWS_BLOCK.  A row may change until it is
 * closed; blocks of which all rows are closed are packed, and may be in a file.
 */
#ifndef PROF_MODEL_TRACED_ROWS_H
#define PROF_MODEL_TRACED_ROWS_H

#include "base/mapped_file.h"
#include "base/memory.h"
#include "model/row_changes.h"
#include "model/traced.h"

#include <stdbool.h>
#include <stddef.h>

enum { PROF_TRACED_ROWS_BLOCK = 32 };

/*
 * What is known of a sample that stands for traced events.  Its values of these may change as long
 * as it is recorded: a block that is freed is no leak any more.
 */
struct prof_traced_row {
	uint32_t sample;                    /* larger than that of the row before */
	uint32_t object;                    /* object; PROF_NONE: none */
	uint32_t holder;                    /* thread that had it; PROF_NONE: not known */
	int64_t values[PROF_TRACED_VALUES]; /* whole numbers; times in ns */
	int64_t longest;                    /* ns of the longest wait or call */
	int64_t last; /* ns since the experiment's start of the last event; the first is the
			 sample's */
	uint32_t first_argument, arguments; /* rows of the table of arguments */
	/* Of calls of MPI: the ranks in MPI_COMM_WORLD of the process, and of the one that it sent
	   messages to or received them from, plus 1; 0: not known, or no messages. */
	uint32_t rank, peer;
};

/* An open block: its rows, and when each was last changed. */
struct prof_traced_rows_open {
	struct prof_traced_row rows[PROF_TRACED_ROWS_BLOCK];
	uint64_t changed[PROF_TRACED_ROWS_BLOCK]; /* numbers of changes */
	unsigned open;                            /* rows that are not closed */
	bool closed[PROF_TRACED_ROWS_BLOCK];
};

enum prof_traced_rows_kind {
	PROF_TRACED_ROWS_OPEN,
	PROF_TRACED_ROWS_PACKED,
	PROF_TRACED_ROWS_FILED, /* packed, and in the file */
};

struct prof_traced_rows_block {
	union {
		struct prof_traced_rows_open *open;
		const unsigned char *bytes; /* the packed rows */
	};
	uint64_t changed; /* the last change of one of its rows */
	uint32_t sample;  /* that of the first row */
	uint16_t size;    /* bytes of the packed rows */
	uint8_t kind;     /* enum prof_traced_rows_kind */
};

/* All zeroes are no rows. */
struct prof_traced_rows {
	size_t count;         /* of all rows */
	uint32_t last_sample; /* that of the last row */
	size_t mpi;           /* up to the last row of calls of MPI: how many */
	size_t omp;           /* up to the last row of OpenMP, likewise */
	size_t loops;         /* up to the last row of a loop, likewise */
	PROF_ARRAY(struct prof_traced_rows_block) blocks;
	struct prof_row_changes changes;
	struct prof_mapped_file *file; /* NULL: there is none */
	bool filed;                    /* it was asked for */
	size_t bytes;                  /* of memory that the rows take */
};

/* A reader that goes on row by row has one, all zeroes at first: the packed row read last. */
struct prof_traced_rows_place {
	struct prof_traced_row row;
	size_t next; /* the number of the row behind it */
	const unsigned char *at;
};

void prof_traced_rows_deinit(struct prof_traced_rows *rows);

/*
 * From now on blocks that are packed are put into a file without a name in FOLDER.  If that cannot
 * be created, or written any more, they stay in memory.  Only the first call does anything.
 */
void prof_traced_rows_file(struct prof_traced_rows *rows, const char *folder);

/* Adds ROW, of a later sample than the last.  False: no memory. */
bool prof_traced_rows_add(struct prof_traced_rows *rows, const struct prof_traced_row *row);

/* The row NUMBER, valid until PLACE is used again: fast behind the one that was read last. */
const struct prof_traced_row *prof_traced_rows_get(
	const struct prof_traced_rows *rows, struct prof_traced_rows_place *place, size_t number);

/* The row NUMBER, not closed, to be changed by the change CHANGE; borrowed until it is closed. */
struct prof_traced_row *prof_traced_rows_change(
	struct prof_traced_rows *rows, size_t number, uint64_t change);

/* The row NUMBER, not closed, will not change any more. */
void prof_traced_rows_close(struct prof_traced_rows *rows, size_t number);

/* No row will. */
void prof_traced_rows_close_all(struct prof_traced_rows *rows);

/* No change of the row NUMBER was later. */
uint64_t prof_traced_rows_changed(const struct prof_traced_rows *rows, size_t number);

/* The number of the first row of SAMPLE or a later one. */
size_t prof_traced_rows_find(const struct prof_traced_rows *rows, uint32_t sample);

#endif
