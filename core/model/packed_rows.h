/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Rows of a few whole numbers, most of which never change, in blocks of PROF_PACKED_ROWS_BLOCK.  A
 * packed block has the least value of each column, and what each row has more, in as few bytes as
 * the largest needs:
 *
 *	least     1000  5        two columns of four rows, of which
 *	width        1  0        the second has the same value in all
 *	rows     00 01 07 02     1000 5, 1001 5, 1007 5, 1002 5
 *
 * The last rows are not packed yet.
 */
#ifndef PROF_MODEL_PACKED_ROWS_H
#define PROF_MODEL_PACKED_ROWS_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROF_PACKED_ROWS_BLOCK = 256, PROF_PACKED_COLUMNS = 3 };

struct prof_packed_rows_block {
	int64_t least[PROF_PACKED_COLUMNS];
	uint64_t changed;                         /* the last change of one of its rows */
	unsigned char *bytes;                     /* row by row; NULL: they need none */
	unsigned char width[PROF_PACKED_COLUMNS]; /* bytes, 0 to 8 */
};

struct prof_packed_row {
	int64_t values[PROF_PACKED_COLUMNS];
	uint64_t changed; /* number of its last change; 0: none */
};

/* All zeroes are no rows. */
struct prof_packed_rows {
	size_t count; /* of all rows */
	PROF_ARRAY(struct prof_packed_rows_block) blocks;
	PROF_ARRAY(struct prof_packed_row) tail;
	size_t bytes; /* that the packed rows take */
};

void prof_packed_rows_deinit(struct prof_packed_rows *rows);

/* Makes room for one more row, which can then be added.  False: no memory. */
bool prof_packed_rows_prepare(struct prof_packed_rows *rows);

/* Adds a row of VALUES.  False: no memory, ROWS are as they were. */
bool prof_packed_rows_add(struct prof_packed_rows *rows, const int64_t values[PROF_PACKED_COLUMNS]);

/* What the row NUMBER has in COLUMN. */
int64_t prof_packed_rows_get(const struct prof_packed_rows *rows, size_t number, unsigned column);

/*
 * Sets that to VALUE by the change CHANGE, or, where that is 0, by none that counts.  False: no
 * memory, ROWS are as they were.
 */
bool prof_packed_rows_set(struct prof_packed_rows *rows, size_t number, unsigned column,
	int64_t value, uint64_t change);

/* No change of the row NUMBER was later. */
uint64_t prof_packed_rows_changed(const struct prof_packed_rows *rows, size_t number);

/* The bytes of memory that ROWS fill. */
size_t prof_packed_rows_size(const struct prof_packed_rows *rows);

#endif
