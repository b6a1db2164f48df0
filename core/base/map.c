/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

/* The finalizer of MurmurHash3 (public domain), a bijection that spreads every bit. */
static uint64_t mix(uint64_t key)
{
	key ^= key >> 33;
	key *= UINT64_C(0xff51afd7ed558ccd);
	key ^= key >> 33;
	key *= UINT64_C(0xc4ceb9fe1a85ec53);
	return key ^ key >> 33;
}

void prof_map_deinit(struct prof_map *map)
{
	free(map->slots);
	*map = (struct prof_map){0};
}

uint32_t prof_map_get(const struct prof_map *map, uint64_t key)
{
	if (!map->capacity)
		return PROF_NONE;
	size_t mask = map->capacity - 1;
	for (size_t i = mix(key) & mask;; i = (i + 1) & mask) {
		const struct prof_map_slot *slot = &map->slots[i];
		if (slot->key == key || slot->value == PROF_NONE)
			return slot->value;
	}
}

uint32_t prof_map_find(const struct prof_map *map, uint64_t key,
	bool (*equal)(const void *context, uint32_t value), const void *context)
{
	if (!map->capacity)
		return PROF_NONE;
	size_t mask = map->capacity - 1;
	for (size_t i = mix(key) & mask;; i = (i + 1) & mask) {
		const struct prof_map_slot *slot = &map->slots[i];
		if (slot->value == PROF_NONE)
			return PROF_NONE;
		if (slot->key == key && equal(context, slot->value))
			return slot->value;
	}
}

static void insert(struct prof_map *map, uint64_t key, uint32_t value)
{
	size_t mask = map->capacity - 1;
	size_t i = mix(key) & mask;

	while (map->slots[i].value != PROF_NONE)
		i = (i + 1) & mask;
	map->slots[i] = (struct prof_map_slot){key, value};
	map->count++;
}

/* Doubles the table.  At most two thirds of it are ever filled, so that each probe ends soon. */
static bool grow(struct prof_map *map)
{
	struct prof_map larger = {.capacity = map->capacity ? map->capacity * 2 : 64};

	if (larger.capacity > SIZE_MAX / 2 / sizeof *larger.slots)
		return false;
	larger.slots = malloc(larger.capacity * sizeof *larger.slots);
	if (!larger.slots)
		return false;
	for (size_t i = 0; i < larger.capacity; i++)
		larger.slots[i] = (struct prof_map_slot){0, PROF_NONE};
	for (size_t i = 0; i < map->capacity; i++) {
		if (map->slots[i].value != PROF_NONE)
			insert(&larger, map->slots[i].key, map->slots[i].value);
	}
	free(map->slots);
	*map = larger;
	return true;
}

bool prof_map_add(struct prof_map *map, uint64_t key, uint32_t value)
{
	if ((map->count + 1) * 3 > map->capacity * 2 && !grow(map))
		return false;
	insert(map, key, value);
	return true;
}

void prof_map_remove(struct prof_map *map, uint64_t key, uint32_t value)
{
	size_t mask = map->capacity - 1;
	size_t hole = mix(key) & mask;

	while (map->slots[hole].key != key || map->slots[hole].value != value)
		hole = (hole + 1) & mask;
	/*
	 * The entries that follow, up to a free slot, may have been placed by probing past this
	 * one.
	 */
	for (size_t i = (hole + 1) & mask; map->slots[i].value != PROF_NONE; i = (i + 1) & mask) {
		size_t wanted = mix(map->slots[i].key) & mask;
		if (((i - wanted) & mask) < ((i - hole) & mask))
			continue;
		map->slots[hole] = map->slots[i];
		hole = i;
	}
	map->slots[hole].value = PROF_NONE;
	map->count--;
}

/* Multiplies A by B, and has both halves of the product mixed: as in wyhash (public domain). */
static uint64_t fold(uint64_t a, uint64_t b)
{
	__extension__ typedef unsigned __int128 product_type;
	product_type product = (product_type)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t prof_map_hash(const void *bytes, size_t length)
{
	static const uint64_t first = UINT64_C(0xa0761d6478bd642f);
	static const uint64_t second = UINT64_C(0xe7037ed1a0b428db);
	const unsigned char *at = bytes;
	uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t words[2];

	for (; length > sizeof words; at += sizeof words, length -= sizeof words) {
		memcpy(words, at, sizeof words);
		hash = fold(words[0] ^ first, words[1] ^ second ^ hash);
	}
	words[0] = words[1] = 0;
	if (length) /* BYTES may be NULL if there are none */
		memcpy(words, at, length);
	return fold(words[0] ^ first ^ hash, words[1] ^ second) ^ hash;
}
