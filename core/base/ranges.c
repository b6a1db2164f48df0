/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/ranges.h"
#include "base/search.h"

static const struct prof_ranges_head *head(const void *items, size_t size, size_t index)
{
	return (const void *)((const char *)items + index * size);
}

size_t prof_ranges_below(const void *items, size_t count, size_t size, uint64_t address)
{
	size_t below;

	PROF_SEARCH(below, count, i, head(items, size, i)->low <= address);
	return below;
}

const void *prof_ranges_find(const void *items, size_t count, size_t size, uint64_t address)
{
	size_t below = prof_ranges_below(items, count, size, address);
	const struct prof_ranges_head *found = below ? head(items, size, below - 1) : NULL;

	return found && address < found->high ? found : NULL;
}
