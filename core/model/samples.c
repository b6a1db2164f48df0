/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/samples.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void prof_samples_deinit(struct prof_samples *samples)
{
	for (size_t i = 0; i < samples->blocks.count; i++)
		free(samples->blocks.items[i].bytes);
	free(samples->blocks.items);
	free(samples->tail.items);
	samples->released = 0;
	prof_samples_detach(samples);
	*samples = (struct prof_samples){0};
}

size_t prof_samples_room(const struct prof_samples *samples)
{
	return samples->tail.count * PROF_SAMPLE_ROW_MOST + 1;
}

/* Packs the COUNT ROWS into BYTES. */
static struct prof_samples_block pack(
	const struct prof_sample_row *rows, size_t count, unsigned char *bytes)
{
	struct prof_samples_block block = {.first = INT64_MAX, .last = INT64_MIN};
	struct prof_sample before = {0};
	size_t size = 0;

	for (size_t i = 0; i < count; i++) {
		const struct prof_sample *sample = &rows[i].sample;
		size += prof_sample_row_pack(&rows[i], &before, bytes + size);
		before = *sample;
		block.first = sample->time < block.first ? sample->time : block.first;
		block.last = sample->time > block.last ? sample->time : block.last;
	}
	block.size = (uint32_t)size;
	return block;
}

struct prof_samples_block prof_samples_pack(
	const struct prof_samples *samples, unsigned char *bytes)
{
	return pack(samples->tail.items, samples->tail.count, bytes);
}

/* Packs the COUNT ROWS into *RET.  False: no memory, and *RET is unchanged. */
static bool pack_block(
	const struct prof_sample_row *rows, size_t count, struct prof_samples_block *ret)
{
	unsigned char *bytes = malloc(count * PROF_SAMPLE_ROW_MOST + 1);

	if (!bytes)
		return false;
	struct prof_samples_block block = pack(rows, count, bytes);
	unsigned char *shrunk = realloc(bytes, block.size);
	block.bytes = shrunk ? shrunk : bytes;
	*ret = block;
	return true;
}

/* Makes a block of the tail. */
static bool seal(struct prof_samples *samples)
{
	struct prof_samples_block block;

	if (!prof_array_reserve(&samples->blocks, 1) ||
		!pack_block(samples->tail.items, samples->tail.count, &block))
		return false;
	samples->blocks.items[samples->blocks.count++] = block;
	samples->held += block.size;
	samples->tail.count = 0;
	return true;
}

static void stretch(struct prof_samples *samples, bool any, int64_t first, int64_t last)
{
	samples->first = !any || first < samples->first ? first : samples->first;
	samples->last = !any || last > samples->last ? last : samples->last;
}

/* A new row of the tail, whose values are 0; NULL: no memory. */
static struct prof_sample_row *push(struct prof_samples *samples)
{
	size_t number = samples->tail.count;
	struct prof_sample_row *row = prof_array_push(&samples->tail);

	/* A row has many values, most of which are 0, and is used again for each block. */
	if (row && number < samples->cleared) {
		for (prof_quantities left = row->has; left; left &= left - 1)
			row->values[__builtin_ctzll(left)] = 0;
	} else if (row) {
		*row = (struct prof_sample_row){.has = 0};
		samples->cleared = number + 1;
	}
	return row;
}

bool prof_samples_add(struct prof_samples *samples, const struct prof_sample_row *row)
{
	if (samples->tail.count == PROF_SAMPLES_BLOCK && !seal(samples))
		return false;
	struct prof_sample_row *added = push(samples);
	if (!added)
		return false;
	added->sample = row->sample;
	added->number = row->number;
	added->has = row->has;
	for (prof_quantities left = row->has; left; left &= left - 1) {
		int quantity = __builtin_ctzll(left);
		added->values[quantity] = row->values[quantity];
		if (quantity < PROF_QUANTITY_TRACED)
			samples->totals[quantity] += row->values[quantity];
	}
	stretch(samples, samples->count, row->sample.time, row->sample.time);
	samples->count++;
	samples->changes++;
	return true;
}

const struct prof_sample_row *prof_samples_recent(const struct prof_samples *samples, size_t number)
{
	size_t packed = samples->count - samples->tail.count;

	return number < packed ? NULL : &samples->tail.items[number - packed];
}

void prof_samples_extend(struct prof_samples *samples, size_t number, int64_t time,
	const prof_value values[PROF_QUANTITIES])
{
	size_t packed = samples->count - samples->tail.count;

	assert(number >= packed && number < samples->count);
	struct prof_sample_row *row = &samples->tail.items[number - packed];
	row->sample.time = time;
	stretch(samples, true, time, time);
	for (int i = 0; i < PROF_QUANTITY_TRACED; i++) {
		if (values[i])
			prof_sample_row_set(row, i, row->values[i] + values[i]);
		samples->totals[i] += values[i];
	}
	samples->changes++;
}

/* Adds the rows of BLOCK, which was packed by this process, to ALTERED as ALTER changes them. */
static bool alter_block(const struct prof_samples_block *block, struct prof_samples *altered,
	void (*alter)(struct prof_sample_row *row, void *context), void *context)
{
	const unsigned char *at = block->bytes;
	const unsigned char *end = at + block->size;
	struct prof_sample_row row = {.has = 0};
	bool done = true;

	for (size_t i = 0; i < PROF_SAMPLES_BLOCK && done; i++) {
		bool whole = prof_sample_row_unpack(&at, end, &row);
		assert(whole);
		(void)whole;
		const struct prof_sample before = row.sample;
		alter(&row, context);
		done = prof_samples_add(altered, &row);
		row.sample = before;
	}
	return done;
}

bool prof_samples_alter(struct prof_samples *samples,
	void (*alter)(struct prof_sample_row *row, void *context), void *context)
{
	struct prof_samples altered = {0};
	bool done = true;

	assert(!samples->source.read);
	for (size_t i = 0; i < samples->blocks.count && done; i++)
		done = alter_block(&samples->blocks.items[i], &altered, alter, context);
	for (size_t i = 0; i < samples->tail.count && done; i++) {
		alter(&samples->tail.items[i], context);
		done = prof_samples_add(&altered, &samples->tail.items[i]);
	}
	altered.changes += samples->changes;
	struct prof_samples old = done ? *samples : altered;
	if (done)
		*samples = altered;
	prof_samples_deinit(&old);
	return done;
}

bool prof_samples_add_block(struct prof_samples *samples, const struct prof_samples_block *block,
	const prof_value totals[PROF_QUANTITY_TRACED])
{
	assert(!samples->tail.count && block->bytes);
	if (!prof_array_reserve(&samples->blocks, 1))
		return false;
	samples->blocks.items[samples->blocks.count++] = *block;
	samples->held += block->size;
	stretch(samples, samples->count, block->first, block->last);
	for (int i = 0; i < PROF_QUANTITY_TRACED; i++)
		samples->totals[i] += totals[i];
	samples->count += PROF_SAMPLES_BLOCK;
	samples->changes++;
	return true;
}

void prof_samples_release(struct prof_samples *samples, size_t end)
{
	assert(samples->source.read && end <= samples->blocks.count);
	for (; samples->released < end; samples->released++) {
		struct prof_samples_block *block = &samples->blocks.items[samples->released];
		free(block->bytes);
		block->bytes = NULL;
		samples->held -= block->size;
	}
}

void prof_samples_detach(struct prof_samples *samples)
{
	assert(!samples->released);
	if (samples->source.close)
		samples->source.close(samples->source.context);
	samples->source = (struct prof_samples_source){0};
}

uint64_t prof_samples_size(const struct prof_samples *samples)
{
	return samples->held + samples->blocks.count * sizeof *samples->blocks.items +
		samples->tail.count * sizeof *samples->tail.items;
}
