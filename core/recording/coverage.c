/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recording/coverage.h"

#include <string.h>

/* Removes COUNT items of COVERAGE, from FIRST on. */
static void take_out(struct prof_coverage *coverage, size_t first, size_t count)
{
	struct prof_stretch_covered *items = coverage->items;

	memmove(items + first, items + first + count,
		(coverage->count - first - count) * sizeof *items);
	coverage->count -= count;
}

int64_t prof_coverage_add(struct prof_coverage *coverage, int64_t begin, int64_t end)
{
	int64_t new = end - begin;
	size_t first = 0;

	if (new <= 0)
		return 0;
	while (first < coverage->count && coverage->items[first].end < begin)
		first++;
	struct prof_stretch_covered whole = {begin, end};
	size_t joined = 0;
	for (size_t i = first; i < coverage->count && coverage->items[i].begin <= end; i++) {
		const struct prof_stretch_covered *item = &coverage->items[i];
		int64_t from = item->begin > begin ? item->begin : begin;
		int64_t to = item->end < end ? item->end : end;
		new -= to - from;
		whole.begin = item->begin < whole.begin ? item->begin : whole.begin;
		whole.end = item->end > whole.end ? item->end : whole.end;
		joined++;
	}
	take_out(coverage, first, joined);
	if (coverage->count == PROF_COVERAGE_STRETCHES) {
		take_out(coverage, 0, 1);
		first -= first > 0;
	}
	struct prof_stretch_covered *place = &coverage->items[first];
	memmove(place + 1, place, (coverage->count - first) * sizeof *place);
	*place = whole;
	coverage->count++;
	return new;
}
