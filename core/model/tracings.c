/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/tracings.h"

#include "base/map.h"
#include "base/varint.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What of a packed row is there: bits, of values from VALUES on. */
enum { OBJECT = 1, HOLDER = 2, LONGEST = 4, ARGUMENTS = 8, VALUES = 4 };

enum { MASK = (1 << (VALUES + PROF_TRACED_VALUES)) - 1, ROW_MOST = 18 * PROF_VARINT_MOST };

void prof_tracings_deinit(struct prof_tracings *tracings)
{
	for (size_t i = 0; i < tracings->blocks.count; i++) {
		free(tracings->blocks.items[i].open);
		free(tracings->blocks.items[i].bytes);
	}
	free(tracings->blocks.items);
	free(tracings->changes.blocks.items);
	*tracings = (struct prof_tracings){0};
}

bool prof_tracings_add(struct prof_tracings *tracings, const struct prof_tracing *row)
{
	size_t index = tracings->count % PROF_TRACINGS_BLOCK;

	assert(!tracings->count || tracings->last_sample < row->sample);
	if (!prof_row_changes_cover(&tracings->changes, tracings->count + 1))
		return false;
	if (!index) {
		struct prof_tracings_open *open = calloc(1, sizeof *open);
		struct prof_tracings_block *added =
			open ? prof_array_push(&tracings->blocks) : NULL;
		if (!added) {
			free(open);
			return false;
		}
		*added = (struct prof_tracings_block){.open = open, .sample = row->sample};
		tracings->bytes += sizeof *added + sizeof *open;
	}
	struct prof_tracings_open *open =
		tracings->blocks.items[tracings->count / PROF_TRACINGS_BLOCK].open;
	open->rows[index] = *row;
	open->open++;
	tracings->count++;
	tracings->last_sample = row->sample;
	return true;
}

static unsigned mask_of(const struct prof_tracing *row)
{
	unsigned mask = (row->object != PROF_NONE ? OBJECT : 0) |
		(row->holder != PROF_NONE ? HOLDER : 0) | (row->longest ? LONGEST : 0) |
		(row->arguments ? ARGUMENTS : 0);

	for (unsigned i = 0; i < PROF_TRACED_VALUES; i++)
		mask |= row->values[i] ? 1U << (VALUES + i) : 0;
	return mask;
}

/* Packs ROW, which comes behind BEFORE, to AT.  Returns where it ends. */
static unsigned char *pack_row(
	const struct prof_tracing *row, const struct prof_tracing *before, unsigned char *at)
{
	unsigned mask = mask_of(row);

	at = prof_varint_put(at, mask);
	at = prof_varint_put(at, row->sample - before->sample);
	at = prof_varint_put(at, prof_varint_fold((uint64_t)row->last - (uint64_t)before->last));
	if (mask & OBJECT)
		at = prof_varint_put(at, row->object);
	if (mask & HOLDER)
		at = prof_varint_put(at, row->holder);
	if (mask & LONGEST)
		at = prof_varint_put(at, (uint64_t)row->longest);
	if (mask & ARGUMENTS) {
		at = prof_varint_put(at, row->first_argument);
		at = prof_varint_put(at, row->arguments);
	}
	for (unsigned left = mask >> VALUES; left; left &= left - 1)
		at = prof_varint_put(at, (uint64_t)row->values[__builtin_ctz(left)]);
	return at;
}

/* Has ROW, which was the one before, be the one that is packed at AT.  Returns where it ends. */
static const unsigned char *unpack_row(
	struct prof_tracing *row, const unsigned char *at, const unsigned char *end)
{
	struct prof_varint_input input = {at, end, false};
	struct prof_tracing next = {.object = PROF_NONE, .holder = PROF_NONE};
	unsigned mask = (unsigned)prof_varint_take(&input, MASK);

	next.sample = row->sample + (uint32_t)prof_varint_take(&input, UINT32_MAX);
	next.last = (int64_t)((uint64_t)row->last +
		prof_varint_unfold(prof_varint_take(&input, UINT64_MAX)));
	if (mask & OBJECT)
		next.object = (uint32_t)prof_varint_take(&input, UINT32_MAX);
	if (mask & HOLDER)
		next.holder = (uint32_t)prof_varint_take(&input, UINT32_MAX);
	if (mask & LONGEST)
		next.longest = (int64_t)prof_varint_take(&input, INT64_MAX);
	if (mask & ARGUMENTS) {
		next.first_argument = (uint32_t)prof_varint_take(&input, UINT32_MAX);
		next.arguments = (uint32_t)prof_varint_take(&input, UINT32_MAX);
	}
	for (unsigned left = mask >> VALUES; left; left &= left - 1)
		next.values[__builtin_ctz(left)] = (int64_t)prof_varint_take(&input, INT64_MAX);
	assert(!input.bad);
	*row = next;
	return input.at;
}

/* Packs BLOCK, which has all its rows.  Without memory it stays as it is. */
static void pack(struct prof_tracings *tracings, struct prof_tracings_block *block)
{
	unsigned char room[PROF_TRACINGS_BLOCK * ROW_MOST];
	unsigned char *at = room;
	struct prof_tracing before = {.sample = block->sample};

	for (size_t i = 0; i < PROF_TRACINGS_BLOCK; i++) {
		at = pack_row(&block->open->rows[i], &before, at);
		before = block->open->rows[i];
	}
	block->size = (uint32_t)(at - room);
	block->bytes = malloc(block->size);
	if (!block->bytes)
		return;
	memcpy(block->bytes, room, block->size);
	free(block->open);
	block->open = NULL;
	tracings->bytes += block->size - sizeof *block->open;
}

const struct prof_tracing *prof_tracings_get(
	const struct prof_tracings *tracings, struct prof_tracings_place *place, size_t number)
{
	size_t first = number - number % PROF_TRACINGS_BLOCK;
	const struct prof_tracings_block *block =
		&tracings->blocks.items[number / PROF_TRACINGS_BLOCK];

	assert(number < tracings->count);
	if (block->open)
		return &block->open->rows[number - first];
	if (!place->at || place->next <= first || place->next > number + 1) {
		place->row = (struct prof_tracing){.sample = block->sample};
		place->next = first;
		place->at = block->bytes;
	}
	for (; place->next <= number; place->next++)
		place->at = unpack_row(&place->row, place->at, block->bytes + block->size);
	return &place->row;
}

struct prof_tracing *prof_tracings_change(
	struct prof_tracings *tracings, size_t number, uint64_t change)
{
	struct prof_tracings_block *block = &tracings->blocks.items[number / PROF_TRACINGS_BLOCK];

	assert(number < tracings->count && block->open);
	block->changed = change;
	prof_row_changes_note(&tracings->changes, number, change);
	block->open->changed[number % PROF_TRACINGS_BLOCK] = change;
	return &block->open->rows[number % PROF_TRACINGS_BLOCK];
}

void prof_tracings_close(struct prof_tracings *tracings, size_t number)
{
	struct prof_tracings_block *block = &tracings->blocks.items[number / PROF_TRACINGS_BLOCK];
	bool *closed = &block->open->closed[number % PROF_TRACINGS_BLOCK];

	assert(number < tracings->count && !*closed);
	*closed = true;
	block->open->open--;
	size_t end = (number / PROF_TRACINGS_BLOCK + 1) * PROF_TRACINGS_BLOCK;
	if (!block->open->open && end <= tracings->count)
		pack(tracings, block);
}

void prof_tracings_close_all(struct prof_tracings *tracings)
{
	for (size_t i = 0; i < tracings->count; i++) {
		const struct prof_tracings_open *open =
			tracings->blocks.items[i / PROF_TRACINGS_BLOCK].open;
		if (open && !open->closed[i % PROF_TRACINGS_BLOCK])
			prof_tracings_close(tracings, i);
	}
}

uint64_t prof_tracings_changed(const struct prof_tracings *tracings, size_t number)
{
	const struct prof_tracings_block *block =
		&tracings->blocks.items[number / PROF_TRACINGS_BLOCK];

	return block->open ? block->open->changed[number % PROF_TRACINGS_BLOCK] : block->changed;
}

size_t prof_tracings_find(const struct prof_tracings *tracings, uint32_t sample)
{
	struct prof_tracings_place place = {0};
	size_t low = 0, high = tracings->blocks.count;

	/* The first block of which all rows are later. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (tracings->blocks.items[middle].sample < sample)
			low = middle + 1;
		else
			high = middle;
	}
	size_t number = low ? (low - 1) * PROF_TRACINGS_BLOCK : 0;
	while (number < tracings->count &&
		prof_tracings_get(tracings, &place, number)->sample < sample)
		number++;
	return number;
}
