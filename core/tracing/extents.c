/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/extents.h"

#include "base/ranges.h"

#include <stdlib.h>
#include <string.h>

/* The kernel's default limit is 65,530; more come from a damaged ring. */
enum { EXTENTS_MOST = 1 << 18 };

void prof_extents_deinit(struct prof_extents *extents)
{
	free(extents->list.items);
	free(extents->mappings.items);
	free(extents->unused.items);
	*extents = (struct prof_extents){0};
}

/* The place of the first extent that ends above ADDRESS, where one at ADDRESS would be put. */
static size_t find(const struct prof_extents *extents, uint64_t address)
{
	size_t below = prof_ranges_below(
		extents->list.items, extents->list.count, sizeof *extents->list.items, address);

	return below && extents->list.items[below - 1].high > address ? below - 1 : below;
}

/* There is room for it already. */
static void insert(struct prof_extents *extents, size_t at, struct prof_extent extent)
{
	struct prof_extent *place = &extents->list.items[at];

	memmove(place + 1, place, (extents->list.count - at) * sizeof *place);
	*place = extent;
	extents->list.count++;
}

static void erase(struct prof_extents *extents, size_t at)
{
	struct prof_extent *place = &extents->list.items[at];

	extents->list.count--;
	memmove(place, place + 1, (extents->list.count - at) * sizeof *place);
}

bool prof_extents_add(struct prof_extents *extents, uint64_t address, uint64_t size, uint32_t total)
{
	uint32_t number = (uint32_t)extents->mappings.count;

	/*
	 * A cut in the middle needs room for one more extent, and each number needs room in the
	 * list of unused ones.
	 */
	if (!size || address > UINT64_MAX - size || extents->list.count >= EXTENTS_MOST ||
		!prof_array_reserve(&extents->list, 2) ||
		!prof_array_reserve(&extents->mappings, 1) ||
		!prof_array_reserve(&extents->unused, extents->mappings.count + 1))
		return false;
	if (extents->unused.count)
		number = extents->unused.items[--extents->unused.count];
	else
		extents->mappings.count++;
	extents->mappings.items[number] = (struct prof_extents_mapping){size, total};
	insert(extents, find(extents, address),
		(struct prof_extent){address, address + size, number});
	return true;
}

bool prof_extents_cut(
	struct prof_extents *extents, uint64_t low, uint64_t high, struct prof_extents_cut *ret)
{
	size_t at = find(extents, low);

	if (at == extents->list.count || extents->list.items[at].low >= high)
		return false;
	struct prof_extent *extent = &extents->list.items[at];
	struct prof_extents_mapping *mapping = &extents->mappings.items[extent->mapping];
	uint32_t number = extent->mapping;
	uint64_t begin = extent->low > low ? extent->low : low;
	uint64_t end = extent->high < high ? extent->high : high;
	if (begin > extent->low && end < extent->high) {
		/* Without memory for two, the part behind the cut is dropped too. */
		struct prof_extent behind = {end, extent->high, number};
		bool room = prof_array_reserve(&extents->list, 1);
		end = room ? end : behind.high;
		extents->list.items[at].high = begin;
		if (room)
			insert(extents, at + 1, behind);
	} else if (begin > extent->low) {
		extent->high = begin;
	} else if (end < extent->high) {
		extent->low = end;
	} else {
		erase(extents, at);
	}
	mapping->left -= end - begin;
	*ret = (struct prof_extents_cut){end - begin, mapping->left, mapping->total};
	if (!ret->left) /* there is room: see prof_extents_add() */
		extents->unused.items[extents->unused.count++] = number;
	return true;
}
