/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/traced_rows.h"

#include "base/map.h"
#include "base/search.h"
#include "base/varint.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Bits: which fields of a packed row are present; from VALUES on, its values. */
enum { OBJECT = 1, HOLDER = 2, LONGEST = 4, ARGUMENTS = 8, RANKS = 16, VALUES = 5 };

enum {
	ROW_MOST = (10 + PROF_TRACED_VALUES) * PROF_VARINT_MOST,
	BLOCK_MOST = PROF_TRACED_ROWS_BLOCK * ROW_MOST,
};

#define MASK ((UINT64_C(1) << (VALUES + PROF_TRACED_VALUES)) - 1)

_Static_assert(BLOCK_MOST <= UINT16_MAX, "sizes of packed blocks have 16 bits");

void prof_traced_rows_deinit(struct prof_traced_rows *rows)
{
	for (size_t i = 0; i < rows->blocks.count; i++) {
		struct prof_traced_rows_block *block = &rows->blocks.items[i];
		if (block->kind == PROF_TRACED_ROWS_OPEN)
			free(block->open);
		else if (block->kind == PROF_TRACED_ROWS_PACKED)
			free((void *)block->bytes);
	}
	prof_mapped_file_destroy(rows->file);
	free(rows->blocks.items);
	free(rows->changes.blocks.items);
	*rows = (struct prof_traced_rows){0};
}

void prof_traced_rows_file(struct prof_traced_rows *rows, const char *folder)
{
	if (!rows->filed)
		rows->file = prof_mapped_file_create(folder);
	rows->filed = true;
}

bool prof_traced_rows_add(struct prof_traced_rows *rows, const struct prof_traced_row *row)
{
	size_t index = rows->count % PROF_TRACED_ROWS_BLOCK;

	assert(!rows->count || rows->last_sample < row->sample);
	if (!prof_row_changes_cover(&rows->changes, rows->count + 1))
		return false;
	if (!index) {
		struct prof_traced_rows_open *open = calloc(1, sizeof *open);
		struct prof_traced_rows_block *added = open ? prof_array_push(&rows->blocks) : NULL;
		if (!added) {
			free(open);
			return false;
		}
		*added = (struct prof_traced_rows_block){.open = open, .sample = row->sample};
		rows->bytes += sizeof *added + sizeof *open;
	}
	struct prof_traced_rows_open *open =
		rows->blocks.items[rows->count / PROF_TRACED_ROWS_BLOCK].open;
	open->rows[index] = *row;
	open->open++;
	rows->count++;
	rows->last_sample = row->sample;
	return true;
}

static uint64_t mask_of(const struct prof_traced_row *row)
{
	uint64_t mask = (row->object != PROF_NONE ? OBJECT : 0) |
		(row->holder != PROF_NONE ? HOLDER : 0) | (row->longest ? LONGEST : 0) |
		(row->arguments ? ARGUMENTS : 0) | (row->rank || row->peer ? RANKS : 0);

	for (unsigned i = 0; i < PROF_TRACED_VALUES; i++)
		mask |= row->values[i] ? UINT64_C(1) << (VALUES + i) : 0;
	return mask;
}

/* Packs ROW, which follows BEFORE, at AT.  Returns where it ends. */
static unsigned char *pack_row(
	const struct prof_traced_row *row, const struct prof_traced_row *before, unsigned char *at)
{
	uint64_t mask = mask_of(row);

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
	if (mask & RANKS) {
		at = prof_varint_put(at, row->rank);
		at = prof_varint_put(at, row->peer);
	}
	for (uint64_t left = mask >> VALUES; left; left &= left - 1)
		at = prof_varint_put(at, (uint64_t)row->values[__builtin_ctzll(left)]);
	return at;
}

/* Unpacks the row at AT into ROW, which holds the one before.  Returns where it ends. */
static const unsigned char *unpack_row(
	struct prof_traced_row *row, const unsigned char *at, const unsigned char *end)
{
	struct prof_varint_input input = {at, end, false};
	struct prof_traced_row next = {.object = PROF_NONE, .holder = PROF_NONE};
	uint64_t mask = prof_varint_take(&input, MASK);

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
	if (mask & RANKS) {
		next.rank = (uint32_t)prof_varint_take(&input, UINT32_MAX);
		next.peer = (uint32_t)prof_varint_take(&input, UINT32_MAX);
	}
	for (uint64_t left = mask >> VALUES; left; left &= left - 1)
		next.values[__builtin_ctzll(left)] = (int64_t)prof_varint_take(&input, INT64_MAX);
	assert(!input.bad);
	*row = next;
	return input.at;
}

/* Puts the SIZE BYTES of a packed block, which becomes one of KIND, in their place. */
static const unsigned char *keep(
	struct prof_traced_rows *rows, const unsigned char *bytes, size_t size, uint8_t *kind)
{
	const unsigned char *filed =
		rows->file ? prof_mapped_file_put(rows->file, bytes, size) : NULL;
	unsigned char *kept = filed ? NULL : malloc(size);

	*kind = filed ? PROF_TRACED_ROWS_FILED : PROF_TRACED_ROWS_PACKED;
	if (kept) {
		memcpy(kept, bytes, size);
		rows->bytes += size;
	}
	return filed ? filed : kept;
}

/* Packs BLOCK, which is full.  Without memory it stays unpacked. */
static void pack(struct prof_traced_rows *rows, struct prof_traced_rows_block *block)
{
	unsigned char room[BLOCK_MOST];
	unsigned char *at = room;
	struct prof_traced_row before = {.sample = block->sample};

	for (size_t i = 0; i < PROF_TRACED_ROWS_BLOCK; i++) {
		at = pack_row(&block->open->rows[i], &before, at);
		before = block->open->rows[i];
	}
	uint8_t kind;
	const unsigned char *bytes = keep(rows, room, (size_t)(at - room), &kind);
	if (!bytes)
		return;
	free(block->open);
	rows->bytes -= sizeof *block->open;
	block->bytes = bytes;
	block->size = (uint16_t)(at - room);
	block->kind = kind;
}

const struct prof_traced_row *prof_traced_rows_get(
	const struct prof_traced_rows *rows, struct prof_traced_rows_place *place, size_t number)
{
	size_t first = number - number % PROF_TRACED_ROWS_BLOCK;
	const struct prof_traced_rows_block *block =
		&rows->blocks.items[number / PROF_TRACED_ROWS_BLOCK];

	assert(number < rows->count);
	if (block->kind == PROF_TRACED_ROWS_OPEN)
		return &block->open->rows[number - first];
	if (!place->at || place->next <= first || place->next > number + 1) {
		place->row = (struct prof_traced_row){.sample = block->sample};
		place->next = first;
		place->at = block->bytes;
	}
	for (; place->next <= number; place->next++)
		place->at = unpack_row(&place->row, place->at, block->bytes + block->size);
	return &place->row;
}

struct prof_traced_row *prof_traced_rows_change(
	struct prof_traced_rows *rows, size_t number, uint64_t change)
{
	struct prof_traced_rows_block *block = &rows->blocks.items[number / PROF_TRACED_ROWS_BLOCK];

	assert(number < rows->count && block->kind == PROF_TRACED_ROWS_OPEN);
	block->changed = change;
	prof_row_changes_note(&rows->changes, number, change);
	block->open->changed[number % PROF_TRACED_ROWS_BLOCK] = change;
	return &block->open->rows[number % PROF_TRACED_ROWS_BLOCK];
}

void prof_traced_rows_close(struct prof_traced_rows *rows, size_t number)
{
	struct prof_traced_rows_block *block = &rows->blocks.items[number / PROF_TRACED_ROWS_BLOCK];
	bool *closed = &block->open->closed[number % PROF_TRACED_ROWS_BLOCK];

	assert(number < rows->count && block->kind == PROF_TRACED_ROWS_OPEN && !*closed);
	*closed = true;
	block->open->open--;
	size_t end = (number / PROF_TRACED_ROWS_BLOCK + 1) * PROF_TRACED_ROWS_BLOCK;
	if (!block->open->open && end <= rows->count)
		pack(rows, block);
}

void prof_traced_rows_close_all(struct prof_traced_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct prof_traced_rows_block *block =
			&rows->blocks.items[i / PROF_TRACED_ROWS_BLOCK];
		if (block->kind == PROF_TRACED_ROWS_OPEN &&
			!block->open->closed[i % PROF_TRACED_ROWS_BLOCK])
			prof_traced_rows_close(rows, i);
	}
}

uint64_t prof_traced_rows_changed(const struct prof_traced_rows *rows, size_t number)
{
	const struct prof_traced_rows_block *block =
		&rows->blocks.items[number / PROF_TRACED_ROWS_BLOCK];

	return block->kind == PROF_TRACED_ROWS_OPEN
		? block->open->changed[number % PROF_TRACED_ROWS_BLOCK]
		: block->changed;
}

size_t prof_traced_rows_find(const struct prof_traced_rows *rows, uint32_t sample)
{
	struct prof_traced_rows_place place = {0};
	size_t later; /* the first block whose rows are all later */

	PROF_SEARCH(later, rows->blocks.count, i, rows->blocks.items[i].sample < sample);
	size_t number = later ? (later - 1) * PROF_TRACED_ROWS_BLOCK : 0;
	while (number < rows->count && prof_traced_rows_get(rows, &place, number)->sample < sample)
		number++;
	return number;
}
