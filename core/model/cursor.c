/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/cursor.h"

#include "model/experiment.h"
#include "model/samples.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void prof_cursor_deinit(struct prof_cursor *rows)
{
	prof_error_destroy(rows->error);
	free(rows->bytes);
	*rows = (struct prof_cursor){0};
}

struct prof_error *prof_cursor_error(struct prof_cursor *rows)
{
	return steal(&rows->error);
}

static bool fail(struct prof_cursor *rows, struct prof_error *error)
{
	rows->error = error;
	return false;
}

/* Reads the bytes of BLOCK, the NUMBER-th, from the source. */
static bool read_block(
	struct prof_cursor *rows, const struct prof_samples_block *block, size_t number)
{
	const struct prof_samples_source *source = &rows->experiment->samples.source;

	if (block->size > rows->capacity) {
		unsigned char *bytes = realloc(rows->bytes, block->size);
		if (!bytes)
			return fail(rows, prof_error_nomem());
		rows->bytes = bytes;
		rows->capacity = block->size;
	}
	struct prof_error *error = source->read(source->context, number, rows->bytes, block->size);
	return !error || fail(rows, error);
}

/* Begins with the block NUMBER. */
static bool enter_block(struct prof_cursor *rows, size_t number)
{
	const struct prof_samples_block *block = &rows->experiment->samples.blocks.items[number];

	if (!block->bytes && !read_block(rows, block, number))
		return false;
	rows->at = block->bytes ? block->bytes : rows->bytes;
	rows->end = rows->at + block->size;
	rows->row.sample = (struct prof_sample){0};
	return true;
}

/*
 * Unpacks the next row of the current block.  It was correct when it was packed or loaded, but the
 * file may have changed since.
 */
static bool unpack(struct prof_cursor *rows)
{
	const struct prof_experiment *experiment = rows->experiment;

	if (prof_sample_row_unpack(&rows->at, rows->end, &rows->row) &&
		rows->row.sample.path < experiment->paths.count &&
		rows->row.sample.thread < experiment->threads.count)
		return true;
	return fail(rows,
		prof_error_create(PROF_ERROR_DAMAGED,
			"The experiment's file has changed since it was opened: sample %zu is damaged.  Load it again.",
			rows->next));
}

/* The values of traced events can change, so they are in a table of their own. */
static void take_traced(struct prof_cursor *rows)
{
	const struct prof_traced_rows *traced = &rows->experiment->traced;
	const struct prof_traced_row *row = NULL;

	for (; rows->traced < traced->count; rows->traced++) {
		row = prof_traced_rows_get(traced, &rows->place, rows->traced);
		if (row->sample >= rows->next)
			break;
	}
	if (rows->traced == traced->count || row->sample != rows->next)
		return;
	for (int i = 0; i < PROF_TRACED_VALUES; i++)
		prof_sample_row_set(
			&rows->row, PROF_QUANTITY_TRACED + i, prof_value_of(row->values[i]));
}

static bool step(struct prof_cursor *rows)
{
	const struct prof_samples *samples = &rows->experiment->samples;
	const struct prof_sample_row *recent = prof_samples_recent(samples, rows->next);

	if (recent)
		rows->row = *recent;
	else if (rows->next % PROF_SAMPLES_BLOCK == 0 &&
		!enter_block(rows, rows->next / PROF_SAMPLES_BLOCK))
		return false;
	else if (!unpack(rows))
		return false;
	take_traced(rows);
	rows->row.number = (uint32_t)rows->next++;
	return true;
}

/* Skips blocks that are not wanted. */
static void skip(struct prof_cursor *rows)
{
	size_t blocks = rows->experiment->samples.blocks.count;

	if (!rows->blocks || rows->next % PROF_SAMPLES_BLOCK)
		return;
	for (size_t block = rows->next / PROF_SAMPLES_BLOCK;
		block < blocks && !(rows->blocks[block / CHAR_BIT] & 1U << block % CHAR_BIT);
		block++)
		rows->next += PROF_SAMPLES_BLOCK;
}

bool prof_cursor_next(struct prof_cursor *rows)
{
	size_t count = rows->experiment->samples.count;

	skip(rows);
	if (rows->error || rows->next >= count)
		return false;
	if (rows->progress && rows->next % PROF_PROGRESS_STEP == 0) {
		rows->error = prof_progress_report(rows->progress, rows->doing, rows->next, count);
		if (rows->error)
			return false;
	}
	return step(rows);
}

/* Moves to a row at NUMBER or before it, from which single steps lead there. */
static void leap(struct prof_cursor *rows, size_t number)
{
	const struct prof_samples *samples = &rows->experiment->samples;
	bool recent = prof_samples_recent(samples, number);
	size_t begin = recent ? number : number - number % PROF_SAMPLES_BLOCK;

	if (rows->next > begin && rows->next <= number)
		return;
	rows->next = begin;
	rows->traced = prof_traced_rows_find(&rows->experiment->traced, (uint32_t)begin);
}

const struct prof_sample_row *prof_cursor_at(struct prof_cursor *rows, size_t number)
{
	assert(number < rows->experiment->samples.count);
	if (rows->error)
		return NULL;
	if (rows->next == number + 1)
		return &rows->row;
	leap(rows, number);
	while (rows->next <= number) {
		if (!step(rows))
			return NULL;
	}
	return &rows->row;
}
