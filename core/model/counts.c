/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/counts.h"

#include "base/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void prof_counts_deinit(struct prof_counts *counts)
{
	free(counts->histograms.items);
	free(counts->bins.items);
	free(counts->arcs.items);
	free(counts->functions.items);
	free(counts->lines.items);
	*counts = (struct prof_counts){0};
}

static bool is_printable(const char *text)
{
	while (*text >= ' ' && *text <= '~')
		text++;
	return !*text;
}

bool prof_counts_is_measure(uint32_t rate, const char *dimension, const char *unit)
{
	size_t length = strlen(dimension);

	return rate && length && length < PROF_COUNTS_DIMENSION && strlen(unit) == 1 &&
		is_printable(dimension) && is_printable(unit);
}

/* Units of code, of two bytes, that each of PARTS stands for. */
static double scale_of(uint64_t low, uint64_t high, uint32_t parts)
{
	return (double)((high - low) / 2) / (double)parts;
}

double prof_counts_scale(const struct prof_counts *counts)
{
	const struct prof_histogram *first = counts->histograms.items;

	return counts->histograms.count ? scale_of(first->low, first->high, first->parts) : 0;
}

/* The number of the histogram; PROF_NONE: it is a new one, unless *WRONG says what is. */
static uint32_t find_histogram(const struct prof_counts *counts, uint64_t low, uint64_t high,
	uint32_t parts, const char **wrong)
{
	for (uint32_t i = 0; i < counts->histograms.count; i++) {
		const struct prof_histogram *other = &counts->histograms.items[i];
		if (low >= other->high || high <= other->low)
			continue;
		if (low == other->low && high == other->high && parts == other->parts)
			return i;
		*wrong = low != other->low || high != other->high
			? "overlaps another histogram"
			: "has other parts than the one of the same addresses";
		return PROF_NONE;
	}
	/* What is printed tells of one scale. */
	if (counts->histograms.count &&
		fabs(scale_of(low, high, parts) - prof_counts_scale(counts)) > 0.000001)
		*wrong = "has parts of another size than the first one";
	else if (counts->histograms.count == PROF_COUNTS_HISTOGRAMS)
		*wrong = "is one more than the 4096 that gdbprof reads";
	return PROF_NONE;
}

struct prof_error *prof_counts_histogram(struct prof_counts *counts, uint64_t low, uint64_t high,
	uint32_t parts, uint32_t *ret, const char **wrong)
{
	*wrong = NULL;
	*ret = find_histogram(counts, low, high, parts, wrong);
	if (*ret != PROF_NONE || *wrong)
		return NULL;
	struct prof_histogram *added = prof_array_push(&counts->histograms);
	if (!added)
		return prof_error_nomem();
	*added = (struct prof_histogram){low, high, parts};
	*ret = (uint32_t)counts->histograms.count - 1;
	return NULL;
}

struct prof_error *prof_counts_tick(
	struct prof_counts *counts, uint32_t histogram, uint32_t part, uint32_t ticks)
{
	if (!ticks)
		return NULL;
	struct prof_bin *added = prof_array_push(&counts->bins);
	if (!added)
		return prof_error_nomem();
	*added = (struct prof_bin){histogram, part, ticks};
	return NULL;
}

static int compare_bins(const void *left, const void *right)
{
	const struct prof_bin *a = left;
	const struct prof_bin *b = right;

	if (a->histogram != b->histogram)
		return a->histogram < b->histogram ? -1 : 1;
	return (a->part > b->part) - (a->part < b->part);
}

bool prof_counts_add_up(struct prof_counts *counts)
{
	struct prof_bin *bins = counts->bins.items;
	size_t kept = 0;

	if (counts->bins.count)
		qsort(bins, counts->bins.count, sizeof *bins, compare_bins);
	for (size_t i = 0; i < counts->bins.count; i++) {
		if (!kept || compare_bins(&bins[kept - 1], &bins[i])) {
			bins[kept++] = bins[i];
			continue;
		}
		if (bins[i].ticks > UINT32_MAX - bins[kept - 1].ticks)
			return false;
		bins[kept - 1].ticks += bins[i].ticks;
	}
	counts->bins.count = kept;
	return true;
}
