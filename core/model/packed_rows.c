/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/packed_rows.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Rows that are not packed, before the older half of them is: new rows are changed most. */
enum { TAIL_MOST = 2 * PROF_PACKED_ROWS_BLOCK };

void prof_packed_rows_deinit(struct prof_packed_rows *rows)
{
	for (size_t i = 0; i < rows->blocks.count; i++)
		free(rows->blocks.items[i].bytes);
	free(rows->blocks.items);
	free(rows->tail.items);
	*rows = (struct prof_packed_rows){0};
}

/* The bytes of a row of BLOCK. */
static size_t row_size(const struct prof_packed_rows_block *block)
{
	size_t size = 0;

	for (int i = 0; i < PROF_PACKED_COLUMNS; i++)
		size += block->width[i];
	return size;
}

/* The bytes that NUMBER needs. */
static unsigned char width_of(uint64_t number)
{
	unsigned char width = 0;

	for (; number; number >>= CHAR_BIT)
		width++;
	return width;
}

/* Finds out the least value of COLUMN of ROWS, a whole block, and the width of it in BLOCK. */
static void measure(
	const struct prof_packed_row *rows, int column, struct prof_packed_rows_block *block)
{
	int64_t least = rows[0].values[column], most = least;

	for (size_t i = 1; i < PROF_PACKED_ROWS_BLOCK; i++) {
		int64_t value = rows[i].values[column];
		least = value < least ? value : least;
		most = value > most ? value : most;
	}
	block->least[column] = least;
	block->width[column] = width_of((uint64_t)most - (uint64_t)least);
}

/* Packs ROWS, a whole block, into *RET.  False: no memory, and *RET is unchanged. */
static bool pack(const struct prof_packed_row *rows, struct prof_packed_rows_block *ret)
{
	struct prof_packed_rows_block block = {.bytes = NULL};

	for (int i = 0; i < PROF_PACKED_COLUMNS; i++)
		measure(rows, i, &block);
	size_t size = row_size(&block);
	block.bytes = size ? malloc(PROF_PACKED_ROWS_BLOCK * size) : NULL;
	if (size && !block.bytes)
		return false;
	unsigned char *at = block.bytes;
	for (size_t i = 0; i < PROF_PACKED_ROWS_BLOCK; i++) {
		block.changed = rows[i].changed > block.changed ? rows[i].changed : block.changed;
		for (int j = 0; j < PROF_PACKED_COLUMNS; j++) {
			uint64_t more = (uint64_t)rows[i].values[j] - (uint64_t)block.least[j];
			for (int k = 0; k < block.width[j]; k++, more >>= CHAR_BIT)
				*at++ = (unsigned char)more;
		}
	}
	*ret = block;
	return true;
}

/* What the row INDEX of BLOCK has in COLUMN. */
static int64_t packed_value(
	const struct prof_packed_rows_block *block, size_t index, unsigned column)
{
	const unsigned char *at = block->bytes + index * row_size(block);
	uint64_t more = 0;

	for (unsigned i = 0; i < column; i++)
		at += block->width[i];
	for (int i = block->width[column]; i-- > 0;)
		more = more << CHAR_BIT | at[i];
	return (int64_t)((uint64_t)block->least[column] + more);
}

/* Makes a block of the older half of the tail. */
static bool seal(struct prof_packed_rows *rows)
{
	struct prof_packed_rows_block block;

	if (!prof_array_reserve(&rows->blocks, 1) || !pack(rows->tail.items, &block))
		return false;
	rows->blocks.items[rows->blocks.count++] = block;
	rows->bytes += PROF_PACKED_ROWS_BLOCK * row_size(&block);
	rows->tail.count -= PROF_PACKED_ROWS_BLOCK;
	memmove(rows->tail.items, rows->tail.items + PROF_PACKED_ROWS_BLOCK,
		rows->tail.count * sizeof *rows->tail.items);
	return true;
}

bool prof_packed_rows_prepare(struct prof_packed_rows *rows)
{
	return (rows->tail.count < TAIL_MOST || seal(rows)) && prof_array_reserve(&rows->tail, 1);
}

bool prof_packed_rows_add(struct prof_packed_rows *rows, const int64_t values[PROF_PACKED_COLUMNS])
{
	struct prof_packed_row row = {.changed = 0};

	if (!prof_packed_rows_prepare(rows))
		return false;
	memcpy(row.values, values, sizeof row.values);
	rows->tail.items[rows->tail.count++] = row;
	rows->count++;
	return true;
}

/* The row NUMBER, or NULL if it is packed. */
static struct prof_packed_row *recent(const struct prof_packed_rows *rows, size_t number)
{
	size_t packed = rows->blocks.count * PROF_PACKED_ROWS_BLOCK;

	assert(number < rows->count);
	return number < packed ? NULL : &rows->tail.items[number - packed];
}

int64_t prof_packed_rows_get(const struct prof_packed_rows *rows, size_t number, unsigned column)
{
	const struct prof_packed_row *row = recent(rows, number);

	assert(column < PROF_PACKED_COLUMNS);
	return row ? row->values[column]
		   : packed_value(&rows->blocks.items[number / PROF_PACKED_ROWS_BLOCK],
			     number % PROF_PACKED_ROWS_BLOCK, column);
}

bool prof_packed_rows_set(struct prof_packed_rows *rows, size_t number, unsigned column,
	int64_t value, uint64_t change)
{
	struct prof_packed_row *row = recent(rows, number);

	assert(column < PROF_PACKED_COLUMNS);
	if (row) {
		row->values[column] = value;
		row->changed = change ? change : row->changed;
		return true;
	}
	struct prof_packed_rows_block *block = &rows->blocks.items[number / PROF_PACKED_ROWS_BLOCK];
	struct prof_packed_row unpacked[PROF_PACKED_ROWS_BLOCK];
	for (size_t i = 0; i < PROF_PACKED_ROWS_BLOCK; i++) {
		unpacked[i].changed = block->changed;
		for (unsigned j = 0; j < PROF_PACKED_COLUMNS; j++)
			unpacked[i].values[j] = packed_value(block, i, j);
	}
	row = &unpacked[number % PROF_PACKED_ROWS_BLOCK];
	row->values[column] = value;
	row->changed = change ? change : row->changed;
	const struct prof_packed_rows_block before = *block;
	if (!pack(unpacked, block))
		return false;
	rows->bytes += PROF_PACKED_ROWS_BLOCK * row_size(block);
	rows->bytes -= PROF_PACKED_ROWS_BLOCK * row_size(&before);
	free(before.bytes);
	return true;
}

uint64_t prof_packed_rows_changed(const struct prof_packed_rows *rows, size_t number)
{
	const struct prof_packed_row *row = recent(rows, number);

	return row ? row->changed : rows->blocks.items[number / PROF_PACKED_ROWS_BLOCK].changed;
}

size_t prof_packed_rows_size(const struct prof_packed_rows *rows)
{
	return rows->bytes + rows->blocks.count * sizeof *rows->blocks.items +
		rows->tail.count * sizeof *rows->tail.items;
}
