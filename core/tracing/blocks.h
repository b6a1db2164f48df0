/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Blocks: what the program has allocated and not freed yet, by address.  For speed this is a hash
 * table without lists, whose walks are short.
 */
#ifndef PROF_TRACING_BLOCKS_H
#define PROF_TRACING_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_block {
	uint64_t address; /* 0: the slot is free */
	uint64_t size;    /* bytes */
	uint64_t time;    /* time stamp: when it was allocated */
	uint32_t total;   /* who has allocated it */
};

/* All zeroes is the empty table. */
struct prof_blocks {
	struct prof_block *slots;
	size_t count, capacity; /* capacity is a power of two, or 0 */
};

void prof_blocks_deinit(struct prof_blocks *blocks);

/* Adds BLOCK, at an address where none is, and not at 0.  False: out of memory. */
bool prof_blocks_add(struct prof_blocks *blocks, const struct prof_block *block);

/*
 * Takes the block at ADDRESS, which was freed at TIME, out into *RET.  A block that was allocated
 * since stays: then *RET is all zeroes.  False: there is none.
 */
bool prof_blocks_take(
	struct prof_blocks *blocks, uint64_t address, uint64_t time, struct prof_block *ret);

#endif
