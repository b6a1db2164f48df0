/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/durations.h"

#include "base/error.h"

#include <assert.h>
#include <stdlib.h>

enum {
	EVEN_MOST = 20, /* bins of one width, without the first */
	EVEN_RATIO = 20 /* of the longest to the shortest duration: from here on, widths grow */
};

void prof_durations_deinit(struct prof_durations *durations)
{
	free(durations->list.items);
	*durations = (struct prof_durations){0};
}

bool prof_durations_add(struct prof_durations *durations, int64_t duration)
{
	int64_t *added = prof_array_push(&durations->list);

	if (!added)
		return false;
	*added = duration;
	durations->total += prof_value_of(duration);
	return true;
}

static int compare(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

void prof_durations_sort(struct prof_durations *durations)
{
	if (durations->list.count)
		qsort(durations->list.items, durations->list.count, sizeof(int64_t), compare);
}

int64_t prof_durations_percentile(const struct prof_durations *durations, unsigned percent)
{
	size_t count = durations->list.count;

	assert(count && percent >= 1 && percent <= 100);
	/* The count divided by 100 first, which cannot overflow. */
	size_t rank = count / 100 * percent + (count % 100 * percent + 99) / 100;
	return durations->list.items[rank - 1];
}

/* Round numbers: these tenths of powers of 10. */
static const int64_t widths[] = {10, 20, 50, 0}, edges[] = {10, 15, 20, 30, 50, 70, 0};

/* The least round number of TENTHS above NUMBER, which is below 7 * 10^18. */
static int64_t next_round(const int64_t *tenths, int64_t number)
{
	int64_t power = 1;

	while (number / power >= 10)
		power *= 10;
	for (; *tenths; tenths++) {
		int64_t round = power < 10 ? *tenths / 10 : power / 10 * *tenths;
		if (round > number)
			return round;
	}
	return 10 * power;
}

/* The greatest of the edges that is not above DURATION; 0 of 0. */
static int64_t edge_of(int64_t duration)
{
	int64_t edge = 0;

	for (int64_t next = 0; next <= duration; next = next_round(edges, edge))
		edge = next;
	return edge;
}

/* The width of bins that are equal, for durations from LEAST to MOST. */
static int64_t even_width(int64_t least, int64_t most)
{
	int64_t width = 1;

	while ((most - least) / width >= EVEN_MOST)
		width = next_round(widths, width);
	return width;
}

/* Adds the bin from LOW to HIGH, with the durations from *NEXT on; moves *NEXT behind them. */
static bool add_bin(struct prof_duration_bins *bins, const struct prof_durations *durations,
	struct prof_duration_bin bin, size_t *next)
{
	struct prof_duration_bin *added = prof_array_push(&bins->items);

	if (!added)
		return false;
	for (; *next < durations->list.count && durations->list.items[*next] < bin.high; ++*next)
		bin.calls++;
	*added = bin;
	if (bin.calls > bins->most)
		bins->most = bin.calls;
	return true;
}

/* The end of the first bin, where that begins at 0 and widths grow: where the others begin. */
static int64_t edge_of_positive(const struct prof_durations *durations)
{
	size_t first = 0;

	while (!durations->list.items[first])
		first++;
	return edge_of(durations->list.items[first]);
}

struct prof_error *prof_duration_bins_init(
	struct prof_duration_bins *bins, const struct prof_durations *durations)
{
	size_t count = durations->list.count, next = 0;

	*bins = (struct prof_duration_bins){0};
	if (!count)
		return NULL;
	int64_t least = durations->list.items[0], most = durations->list.items[count - 1];
	bool even = most / EVEN_RATIO < least || most < EVEN_MOST;
	int64_t width = even ? even_width(least, most) : 0;
	struct prof_duration_bin bin = {.low = even ? least / width * width : edge_of(least)};
	while (next < count) {
		if (even)
			bin.high = bin.low + width;
		else
			bin.high =
				bin.low ? next_round(edges, bin.low) : edge_of_positive(durations);
		if (!add_bin(bins, durations, bin, &next)) {
			prof_duration_bins_deinit(bins);
			return prof_error_nomem();
		}
		bin.low = bin.high;
	}
	return NULL;
}

void prof_duration_bins_deinit(struct prof_duration_bins *bins)
{
	free(bins->items.items);
	*bins = (struct prof_duration_bins){0};
}
