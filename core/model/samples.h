/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The samples of an experiment: rows, packed in blocks of PROF_SAMPLES_BLOCK, and behind them the
 * last ones, the tail, which are not packed yet and may change.
 *
 * Memory need not hold the blocks that a file has: a source reads them when needed.
 */
#ifndef PROF_MODEL_SAMPLES_H
#define PROF_MODEL_SAMPLES_H

#include "base/error.h"
#include "base/memory.h"
#include "model/sample_row.h"

enum { PROF_SAMPLES_BLOCK = 2048 };

struct prof_samples_block {
	unsigned char *bytes; /* NULL: not held, the source has them */
	uint32_t size;        /* bytes */
	int64_t first, last;  /* the least and the greatest time of its rows, in ns */
};

/* Where blocks are that are not held. */
struct prof_samples_source {
	/* Fills BYTES with the SIZE bytes of the block NUMBER. */
	struct prof_error *(*read)(void *context, size_t number, unsigned char *bytes, size_t size);
	void (*close)(void *context);
	void *context;
};

/* All zeroes are no samples. */
struct prof_samples {
	size_t count; /* of all rows */
	PROF_ARRAY(struct prof_samples_block) blocks;
	PROF_ARRAY(struct prof_sample_row) tail;
	size_t cleared;  /* rows of the tail, used or not, whose values are 0 or those they have */
	size_t held;     /* bytes of the blocks that are held */
	size_t released; /* of the blocks, those before it are not held */
	int64_t first, last; /* ns: no time is less or greater */
	uint64_t changes;    /* of rows, how many were added or changed */
	/* The sums of each quantity over all rows, without traced events. */
	prof_value totals[PROF_QUANTITY_TRACED];
	struct prof_samples_source source; /* read is NULL: there is none */
};

/* Frees what SAMPLES holds. */
void prof_samples_deinit(struct prof_samples *samples);

/* Adds ROW: of its values, those that it has.  False: no memory. */
bool prof_samples_add(struct prof_samples *samples, const struct prof_sample_row *row);

/* The row NUMBER, borrowed until rows are added, if it is in the tail; else NULL. */
const struct prof_sample_row *prof_samples_recent(
	const struct prof_samples *samples, size_t number);

/* The row NUMBER, of the tail, gets VALUES more, and its time becomes TIME. */
void prof_samples_extend(struct prof_samples *samples, size_t number, int64_t time,
	const prof_value values[PROF_QUANTITIES]);

/* Has ALTER change each row; the source must have none.  False: no memory. */
bool prof_samples_alter(struct prof_samples *samples,
	void (*alter)(struct prof_sample_row *row, void *context), void *context);

/* Packs the tail into BYTES, which has room for it.  Returns the size, and the times. */
struct prof_samples_block prof_samples_pack(
	const struct prof_samples *samples, unsigned char *bytes);

/* The bytes that the tail needs at most. */
size_t prof_samples_room(const struct prof_samples *samples);

/*
 * Adds BLOCK, of PROF_SAMPLES_BLOCK packed rows that add up to TOTALS, where there is no tail;
 * takes its bytes.  False: no memory, it has not.
 */
bool prof_samples_add_block(struct prof_samples *samples, const struct prof_samples_block *block,
	const prof_value totals[PROF_QUANTITY_TRACED]);

/* Frees the blocks before the number END, which the source has. */
void prof_samples_release(struct prof_samples *samples, size_t end);

/* Closes the source, which has no block that is not held. */
void prof_samples_detach(struct prof_samples *samples);

/* The bytes of memory that the rows take. */
uint64_t prof_samples_size(const struct prof_samples *samples);

#endif
