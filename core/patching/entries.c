/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/entries.h"

#include "base/ranges.h"
#include "patching/branches.h"

#include <stdlib.h>
#include <string.h>

/*
 * Bytes of the jump to anywhere within 2 GB, and of the one to a place at most 128 bytes away; of
 * the longest function, and of the longest padding that is looked at.
 */
enum { JUMP = 5, HOP = 2, REACH = 128, LONGEST = 1 << 24, PADDING = 64 };

/* Instructions that do nothing, behind a function. */
struct gap {
	uint64_t low, high; /* what of it is free */
};

struct search {
	struct prof_entries *table;
	const struct prof_entry_code *code;
	struct gap *gaps;                /* behind the function of the same number */
	const struct prof_entry *source; /* whose branches are being looked for */
	unsigned char *bytes;
	size_t capacity;
};

void prof_entries_deinit(struct prof_entries *table)
{
	free(table->items.items);
	*table = (struct prof_entries){0};
}

struct prof_entry *prof_entries_at(const struct prof_entries *table, uint64_t address)
{
	return (struct prof_entry *)prof_ranges_find(
		table->items.items, table->items.count, sizeof *table->items.items, address);
}

/* Notes that something in SOURCE, or in the data if that is NULL, leads to TARGET. */
static void note(void *context, uint64_t target)
{
	struct search *search = context;
	struct prof_entry *entry = prof_entries_at(search->table, target);

	if (!entry || target - entry->low >= 8 * sizeof entry->targets)
		return;
	/* What leads to the beginning from elsewhere calls the function. */
	if (target > entry->low || entry == search->source)
		entry->targets |= UINT32_C(1) << (target - entry->low);
}

/* Reads LENGTH bytes at ADDRESS, borrowed until the next call.  False: no memory; *BYTES is NULL if
 * they cannot be read. */
static bool read_code(
	struct search *search, uint64_t address, size_t length, const unsigned char **bytes)
{
	*bytes = NULL;
	if (length > search->capacity) {
		unsigned char *grown = realloc(search->bytes, length);
		if (!grown)
			return false;
		search->bytes = grown;
		search->capacity = length;
	}
	if (search->code->read(search->code->context, address, search->bytes, length))
		*bytes = search->bytes;
	return true;
}

/* Finds the branches of FUNCTION.  False: no memory. */
static bool find_branches(struct search *search, struct prof_entry *function)
{
	const unsigned char *bytes;
	size_t length = function->high - function->low;

	search->source = function;
	if (length > LONGEST) {
		function->obstacle = PROF_OBSTACLE_UNKNOWN;
		return true;
	}
	if (!read_code(search, function->low, length, &bytes))
		return false;
	if (!bytes || !prof_branches_find(search->code, function, bytes, note, search))
		function->obstacle = PROF_OBSTACLE_UNKNOWN;
	search->source = NULL;
	return true;
}

/* Finds the gap behind the function NUMBER, if there is nothing but padding up to the next one. */
static void find_gap(struct search *search, size_t number)
{
	const struct prof_entry *items = search->table->items.items;
	unsigned char bytes[PADDING];
	uint64_t low = items[number].high;

	search->gaps[number] = (struct gap){low, low};
	if (number + 1 == search->table->items.count)
		return;
	uint64_t length = items[number + 1].low - low;
	if (length && length <= sizeof bytes &&
		search->code->read(search->code->context, low, bytes, length) &&
		prof_branches_padding(bytes, length) == length)
		search->gaps[number].high = items[number + 1].low;
}

/*
 * The bytes that a patch of LEAST bytes takes of ENTRY, behind which is GAP.  0: it does not fit,
 * *OBSTACLE says why.
 */
static size_t fit(const struct search *search, const struct prof_entry *entry,
	const struct gap *gap, size_t least, uint8_t *obstacle)
{
	unsigned char bytes[PROF_RELOCATION_TAKEN] = {0};
	uint64_t end = gap->low == entry->high ? gap->high : entry->high;
	size_t length = end - entry->low < sizeof bytes ? end - entry->low : sizeof bytes;
	struct prof_relocation moved;

	*obstacle = PROF_OBSTACLE_SHORT;
	if (length < least)
		return 0;
	*obstacle = PROF_OBSTACLE_UNKNOWN;
	if (!search->code->read(search->code->context, entry->low, bytes, length))
		return 0;
	*obstacle =
		(uint8_t)prof_relocation_move(bytes, length, entry->low, least, entry->low, &moved);
	if (*obstacle)
		return 0;
	/* Bits 1 to TAKEN - 1. */
	if (entry->targets & ((UINT32_C(1) << moved.taken) - 2)) {
		*obstacle = PROF_OBSTACLE_TARGET;
		return 0;
	}
	return moved.taken;
}

/* The address of 5 free bytes of padding that a jump of 2 bytes at LOW reaches; 0: there are none.
 */
static uint64_t take_padding(struct search *search, size_t number)
{
	const struct prof_entry *items = search->table->items.items;
	uint64_t from = items[number].low + HOP;

	for (size_t i = number ? number - 1 : 0; i < search->table->items.count; i++) {
		struct gap *gap = &search->gaps[i];
		if (gap->low >= from + REACH)
			break;
		if (gap->high - gap->low < JUMP || gap->low + REACH < from)
			continue;
		uint64_t taken = gap->low;
		gap->low += JUMP;
		return taken;
	}
	return 0;
}

/* Tries a patch of 5 bytes at the function NUMBER. */
static void try_jump(struct search *search, size_t number)
{
	struct prof_entry *entry = &search->table->items.items[number];
	struct gap *gap = &search->gaps[number];
	uint8_t obstacle = PROF_OBSTACLE_NONE;
	size_t taken = 0;

	if (entry->obstacle)
		return;
	if (entry->targets & 1)
		obstacle = PROF_OBSTACLE_LOOP;
	else
		taken = fit(search, entry, gap, JUMP, &obstacle);
	entry->obstacle = obstacle;
	if (!taken)
		return;
	entry->patch = PROF_PATCH_JUMP;
	entry->taken = (uint8_t)taken;
	if (entry->low + taken > gap->low)
		gap->low = entry->low + taken;
}

/* Tries one of 2 bytes, if 5 bytes do not fit. */
static void try_hop(struct search *search, size_t number)
{
	struct prof_entry *entry = &search->table->items.items[number];
	const struct gap none = {0};
	uint8_t obstacle;

	if (entry->obstacle != PROF_OBSTACLE_SHORT && entry->obstacle != PROF_OBSTACLE_TARGET)
		return;
	size_t taken = fit(search, entry, &none, HOP, &obstacle);
	if (!taken)
		return;
	entry->hop = take_padding(search, number);
	if (!entry->hop)
		return;
	entry->patch = PROF_PATCH_HOP;
	entry->obstacle = PROF_OBSTACLE_NONE;
	entry->taken = (uint8_t)taken;
}

/* Does all of it.  False: no memory. */
static bool search_all(struct search *search, const uint64_t *words, size_t word_count)
{
	struct prof_entries *table = search->table;

	for (size_t i = 0; i < table->items.count; i++) {
		if (!find_branches(search, &table->items.items[i]))
			return false;
		find_gap(search, i);
	}
	for (size_t i = 0; i < word_count; i++)
		note(search, words[i]);
	for (size_t i = 0; i < table->items.count; i++)
		try_jump(search, i);
	for (size_t i = 0; i < table->items.count; i++)
		try_hop(search, i);
	return true;
}

struct prof_error *prof_entries_find(struct prof_entries *table, const struct prof_entry_code *code,
	const struct prof_entry_function *functions, size_t count, const uint64_t *words,
	size_t word_count)
{
	struct search search = {.table = table, .code = code};

	search.gaps = calloc(count + 1, sizeof *search.gaps);
	bool good = search.gaps && prof_array_reserve(&table->items, count);
	for (size_t i = 0; good && i < count; i++)
		table->items.items[table->items.count++] = (struct prof_entry){
			.low = functions[i].low,
			.high = functions[i].high,
			.obstacle = functions[i].part ? PROF_OBSTACLE_PART : PROF_OBSTACLE_NONE,
		};
	good = good && search_all(&search, words, word_count);
	free(search.gaps);
	free(search.bytes);
	if (good)
		return NULL;
	prof_entries_deinit(table);
	return prof_error_nomem();
}
