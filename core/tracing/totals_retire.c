/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Totals that will never change again are dropped once they were reported, and new totals get their
 * numbers.  So there are never more than the threads and blocks of the program need now, however
 * many there were.
 */
#include "tracing/ring.h"
#include "tracing/totals_private.h"

#include <assert.h>

void prof_totals_end(struct prof_totals *totals, uint32_t number)
{
	if (number < totals->threads.count)
		totals->threads.items[number].ended = true;
}

bool prof_totals_has(const struct prof_totals *totals, uint32_t number)
{
	return number < totals->threads.count && totals->threads.items[number].totals;
}

/* Does TOTAL have blocks, or did the recorder see at a mark that it has? */
static bool holds(const struct prof_total *total)
{
	return total->blocks || total->held_blocks;
}

/* Drops totals from the list of those that a mark looks at, if it would find nothing. */
static void settle_moved(struct prof_totals *totals)
{
	size_t left = 0;

	for (size_t i = 0; i < totals->moved.count; i++) {
		uint32_t number = totals->moved.items[i];
		struct prof_total *total = &totals->list.items[number];
		total->moved = holds(total);
		if (total->moved)
			totals->moved.items[left++] = number;
	}
	totals->moved.count = left;
}

/* Was TOTAL reported, and will it never change? */
static bool is_done(const struct prof_totals *totals, const struct prof_total *total)
{
	bool open = total->slice == totals->slices && !totals->threads.items[total->thread].ended;

	if (open || total->dirty || total->moved)
		return false;
	/* What it had at the peak becomes 0 at the next peak. */
	return total->kind != PROF_RING_ALLOC ||
		(!holds(total) && !prof_totals_peak(totals, total) && !total->reported_peak);
}

/* Removes all references to the total NUMBER, and what belongs to it alone. */
static void let_go(struct prof_totals *totals, uint32_t number)
{
	const struct prof_total *total = &totals->list.items[number];
	uint64_t key = prof_totals_key(total->thread, total->what, total->stack);
	uint32_t *arguments = NULL;

	if (total->slice == totals->slices &&
		(total->kind == PROF_RING_WAIT || total->kind == PROF_RING_MPI ||
			total->kind == PROF_RING_OMP))
		prof_map_remove(&totals->waits,
			prof_totals_hash(key, total->object, (uint64_t)total->holder), number);
	else if (total->slice == totals->slices)
		prof_map_remove(&totals->index, key, number);
	/* Without memory the room for its arguments is not used again. */
	if (total->kind == PROF_RING_CALL && total->argument_count)
		arguments = prof_array_push(&totals->unused_arguments[total->argument_count]);
	if (arguments)
		*arguments = total->arguments;
}

void prof_totals_retire(struct prof_totals *totals)
{
	assert(!totals->held.count);
	settle_moved(totals);
	for (uint32_t i = 0; i < totals->list.count; i++) {
		struct prof_total *total = &totals->list.items[i];
		if (total->unused || !is_done(totals, total))
			continue;
		let_go(totals, i);
		totals->threads.items[total->thread].totals--;
		*total = (struct prof_total){.unused = true};
		totals->unused.items[totals->unused.count++] =
			i; /* add_total() has reserved the room */
	}
}
