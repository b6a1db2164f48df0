/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "patching/interrupted.h"

#include "base/ranges.h"

#include <stdlib.h>

/*
 * Words of the registers that the kernel saves: the stack pointer, the program counter, the flags,
 * and a word that begins with the segment of 64-bit code of a program.
 */
enum { SP, PC, FLAGS, SEGMENTS, WORDS };
enum { CODE_64 = 0x33, FLAG_ALWAYS = 2, FLAGS_MOST = 1 << 22 };

/* Bytes of a stack that are searched at the most: it may be in the middle of a heap. */
#define DEPTH (UINT64_C(1) << 26)

/* Words that are read at once, and stacks that handlers are on at the most, one after the other. */
enum { BLOCK = 4096, STACKS = 16 };

struct search {
	struct prof_interrupted *found;
	const struct prof_target *target;
	const struct prof_occupied *mapped;
	uint64_t next; /* a stack pointer on another stack, or 0 */
};

void prof_interrupted_deinit(struct prof_interrupted *interrupted)
{
	free(interrupted->items.items);
	*interrupted = (struct prof_interrupted){0};
}

static bool is_saved(const uint64_t words[WORDS])
{
	return (words[SEGMENTS] & 0xffff) == CODE_64 && words[FLAGS] & FLAG_ALWAYS &&
		words[FLAGS] < FLAGS_MOST;
}

/* Looks at the COUNT WORDS on the stack that is RANGE.  False: no memory. */
static bool look(struct search *search, const uint64_t *words, size_t count,
	const struct prof_island_range *range)
{
	for (size_t i = 0; i + WORDS <= count; i++) {
		if (!is_saved(words + i))
			continue;
		uint64_t *added = prof_array_push(&search->found->items);
		if (!added)
			return false;
		*added = words[i + PC];
		/* The handler has a stack of its own. */
		if (words[i + SP] - range->low >= range->high - range->low)
			search->next = words[i + SP];
	}
	return true;
}

/* Searches the stack from SP up.  False: no memory. */
static bool search_stack(struct search *search, uint64_t sp)
{
	const struct prof_island_range *range = prof_ranges_find(search->mapped->items.items,
		search->mapped->items.count, sizeof *search->mapped->items.items, sp);
	uint64_t words[BLOCK];
	bool good = true;

	if (!range)
		return true;
	sp &= ~UINT64_C(7);
	uint64_t end = range->high - sp < DEPTH ? range->high : sp + DEPTH;
	while (good && sp < end) {
		uint64_t length = end - sp < sizeof words ? end - sp : sizeof words;
		size_t got =
			search->target->read_memory(search->target->context, sp, words, length);
		size_t count = got / sizeof *words;
		good = look(search, words, count, range);
		if (count < WORDS)
			break;
		/* What begins at the end of a block is complete in the next one. */
		sp += (count - (WORDS - 1)) * sizeof *words;
	}
	return good;
}

struct prof_error *prof_interrupted_find(struct prof_interrupted *interrupted,
	const struct prof_target *target, const struct prof_occupied *mapped, uint64_t sp)
{
	struct search search = {interrupted, target, mapped, sp};

	for (int i = 0; search.next && i < STACKS; i++) {
		uint64_t next = search.next;
		search.next = 0;
		if (!search_stack(&search, next))
			return prof_error_nomem();
	}
	return NULL;
}
