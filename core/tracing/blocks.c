/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/blocks.h"

#include <stdlib.h>

void prof_blocks_deinit(struct prof_blocks *blocks)
{
	free(blocks->slots);
	*blocks = (struct prof_blocks){0};
}

/* Keeps adjacent blocks close together, for programs that walk through them. */
static size_t home(const struct prof_blocks *blocks, uint64_t address)
{
	uint64_t hash = (address >> 4) * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(hash ^ hash >> 32) & (blocks->capacity - 1);
}

static void insert(struct prof_blocks *blocks, const struct prof_block *block)
{
	size_t mask = blocks->capacity - 1;
	size_t i = home(blocks, block->address);

	while (blocks->slots[i].address)
		i = (i + 1) & mask;
	blocks->slots[i] = *block;
	blocks->count++;
}

/* Doubles the table; at most half of it is ever filled. */
static bool grow(struct prof_blocks *blocks)
{
	struct prof_blocks larger = {.capacity = blocks->capacity ? blocks->capacity * 2 : 1024};

	larger.slots = calloc(larger.capacity, sizeof *larger.slots);
	if (!larger.slots)
		return false;
	for (size_t i = 0; i < blocks->capacity; i++) {
		if (blocks->slots[i].address)
			insert(&larger, &blocks->slots[i]);
	}
	free(blocks->slots);
	*blocks = larger;
	return true;
}

bool prof_blocks_add(struct prof_blocks *blocks, const struct prof_block *block)
{
	if ((blocks->count + 1) * 2 > blocks->capacity && !grow(blocks))
		return false;
	insert(blocks, block);
	return true;
}

/*
 * Closes the gap at HOLE: the entries that follow, up to a free slot, may have been placed by
 * probing past it.
 */
static void close_gap(struct prof_blocks *blocks, size_t hole)
{
	size_t mask = blocks->capacity - 1;

	for (size_t i = (hole + 1) & mask; blocks->slots[i].address; i = (i + 1) & mask) {
		size_t wanted = home(blocks, blocks->slots[i].address);
		if (((i - wanted) & mask) < ((i - hole) & mask))
			continue;
		blocks->slots[hole] = blocks->slots[i];
		hole = i;
	}
	blocks->slots[hole].address = 0;
}

bool prof_blocks_take(
	struct prof_blocks *blocks, uint64_t address, uint64_t time, struct prof_block *ret)
{
	if (!blocks->capacity || !address)
		return false;
	size_t mask = blocks->capacity - 1;
	size_t i = home(blocks, address);
	while (blocks->slots[i].address != address) {
		if (!blocks->slots[i].address)
			return false;
		i = (i + 1) & mask;
	}
	*ret = (struct prof_block){0};
	if (blocks->slots[i].time > time)
		return true;
	*ret = blocks->slots[i];
	close_gap(blocks, i);
	blocks->count--;
	return true;
}
