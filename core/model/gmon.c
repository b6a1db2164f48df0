/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/gmon.h"

#include "base/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void prof_gmon_deinit(struct prof_gmon *gmon)
{
	free(gmon->histograms.items);
	free(gmon->bins.items);
	free(gmon->arcs.items);
	free(gmon->functions.items);
	free(gmon->lines.items);
	*gmon = (struct prof_gmon){0};
}

static bool is_printable(const char *text)
{
	while (*text >= ' ' && *text <= '~')
		text++;
	return !*text;
}

bool prof_gmon_is_measure(uint32_t rate, const char *dimension, const char *unit)
{
	size_t length = strlen(dimension);

	return rate && length && length < PROF_GMON_DIMENSION && strlen(unit) == 1 &&
		is_printable(dimension) && is_printable(unit);
}

/* Units of code, two bytes each, that each of PARTS covers. */
static double scale_of(uint64_t low, uint64_t high, uint32_t parts)
{
	return (double)((high - low) / 2) / (double)parts;
}

double prof_gmon_scale(const struct prof_gmon *gmon)
{
	const struct prof_histogram *first = gmon->histograms.items;

	return gmon->histograms.count ? scale_of(first->low, first->high, first->parts) : 0;
}

/* The number of the histogram; PROF_NONE: it is a new one, unless *WRONG says why it is wrong. */
static uint32_t find_histogram(const struct prof_gmon *gmon, uint64_t low, uint64_t high,
	uint32_t parts, const char **wrong)
{
	for (uint32_t i = 0; i < gmon->histograms.count; i++) {
		const struct prof_histogram *other = &gmon->histograms.items[i];
		if (low >= other->high || high <= other->low)
			continue;
		if (low == other->low && high == other->high && parts == other->parts)
			return i;
		*wrong = low != other->low || high != other->high
			? "overlaps another histogram"
			: "has other parts than the one of the same addresses";
		return PROF_NONE;
	}
	/* The heading names one scale for all of them. */
	if (gmon->histograms.count &&
		fabs(scale_of(low, high, parts) - prof_gmon_scale(gmon)) > 0.000001)
		*wrong = "has parts of another size than the first one";
	else if (gmon->histograms.count == PROF_GMON_HISTOGRAMS)
		*wrong = "is one more than the 4096 that gdbprof reads";
	return PROF_NONE;
}

struct prof_error *prof_gmon_histogram(struct prof_gmon *gmon, uint64_t low, uint64_t high,
	uint32_t parts, uint32_t *ret, const char **wrong)
{
	*wrong = NULL;
	*ret = find_histogram(gmon, low, high, parts, wrong);
	if (*ret != PROF_NONE || *wrong)
		return NULL;
	struct prof_histogram *added = prof_array_push(&gmon->histograms);
	if (!added)
		return prof_error_nomem();
	*added = (struct prof_histogram){low, high, parts};
	*ret = (uint32_t)gmon->histograms.count - 1;
	return NULL;
}

struct prof_error *prof_gmon_sample(
	struct prof_gmon *gmon, uint32_t histogram, uint32_t part, uint32_t samples)
{
	if (!samples)
		return NULL;
	struct prof_bin *added = prof_array_push(&gmon->bins);
	if (!added)
		return prof_error_nomem();
	*added = (struct prof_bin){histogram, part, samples};
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

bool prof_gmon_add_up(struct prof_gmon *gmon)
{
	struct prof_bin *bins = gmon->bins.items;
	size_t kept = 0;

	if (gmon->bins.count)
		qsort(bins, gmon->bins.count, sizeof *bins, compare_bins);
	for (size_t i = 0; i < gmon->bins.count; i++) {
		if (!kept || compare_bins(&bins[kept - 1], &bins[i])) {
			bins[kept++] = bins[i];
			continue;
		}
		if (bins[i].samples > UINT32_MAX - bins[kept - 1].samples)
			return false;
		bins[kept - 1].samples += bins[i].samples;
	}
	gmon->bins.count = kept;
	return true;
}
