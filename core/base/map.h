/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A hash map from 64-bit keys to 32-bit numbers: the index of every interning table.
 *
 * Keys are either exact (two ids side by side) or hashes of something longer; for the latter,
 * prof_map_find() is given a function that compares, and walks over the keys that collide.
 */
#ifndef PROF_BASE_MAP_H
#define PROF_BASE_MAP_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No id: what a find that found nothing returns. */
#define PROF_NONE UINT32_MAX

struct prof_map_slot {
	uint64_t key;
	uint32_t value; /* PROF_NONE: the slot is free */
};

/* All zeroes is the empty map. */
struct prof_map {
	struct prof_map_slot *slots;
	size_t count, capacity; /* capacity is a power of two, or 0 */
};

/* The key of the pair HIGH, LOW. */
static inline uint64_t prof_map_pair(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

/* Frees what MAP holds, and leaves it empty. */
void prof_map_deinit(struct prof_map *map);

/* The value of the exact KEY, or PROF_NONE. */
uint32_t prof_map_get(const struct prof_map *map, uint64_t key);

/*
 * The first value under KEY for which EQUAL(CONTEXT, value) holds, or PROF_NONE: for keys that are
 * hashes.
 */
uint32_t prof_map_find(const struct prof_map *map, uint64_t key,
	bool (*equal)(const void *context, uint32_t value), const void *context);

/*
 * Adds VALUE (never PROF_NONE) under KEY, beside others that are there: look first.  False: out of
 * memory, MAP is as it was.
 */
bool prof_map_add(struct prof_map *map, uint64_t key, uint32_t value);

/*
 * A new row of ARRAY, a PROF_ARRAY(), whose number INDEX gets under KEY: look first.  NULL: out of
 * memory, or there are so many rows that its number would be PROF_NONE; both are as they were.
 */
#define prof_map_push(index, key, array)                                               \
	((array)->count < PROF_NONE && prof_array_reserve((array), 1) &&               \
				prof_map_add((index), (key), (uint32_t)(array)->count) \
			? &(array)->items[(array)->count++]                            \
			: NULL)

/* Removes VALUE under KEY, which must be there. */
void prof_map_remove(struct prof_map *map, uint64_t key, uint32_t value);

/* A 64-bit hash of LENGTH bytes, the same on every machine of one byte order. */
uint64_t prof_map_hash(const void *bytes, size_t length);

#endif
