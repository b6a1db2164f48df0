/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void prof_counts_destroy(struct prof_counts *counts)
{
	if (!counts)
		return;
	for (size_t i = 0; i < counts->histograms.count; i++)
		free(counts->histograms.items[i].bins.items);
	free(counts->histograms.items);
	free(counts->arcs.items);
	free(counts->functions);
	if (counts->release)
		counts->release(counts->image);
	free(counts);
}

/* Units of code, of two bytes, that each of BINS stands for. */
static double scale_of(uint64_t low, uint64_t high, size_t bins)
{
	return (double)((high - low) / 2) / (double)bins;
}

double prof_counts_scale(const struct prof_counts *counts)
{
	const struct prof_histogram *first = counts->histograms.items;

	return counts->histograms.count ? scale_of(first->low, first->high, first->bins.count) : 0;
}

static struct prof_error *add_histogram(struct prof_counts *counts, uint64_t low, uint64_t high,
	size_t bins, struct prof_histogram **ret)
{
	struct prof_histogram *added = prof_array_push(&counts->histograms);

	if (!added)
		return prof_error_nomem();
	*added = (struct prof_histogram){.low = low, .high = high};
	if (!prof_array_reserve(&added->bins, bins)) {
		counts->histograms.count--;
		return prof_error_nomem();
	}
	memset(added->bins.items, 0, bins * sizeof *added->bins.items);
	added->bins.count = bins;
	*ret = added;
	return NULL;
}

struct prof_error *prof_counts_histogram(struct prof_counts *counts, uint64_t low, uint64_t high,
	size_t bins, struct prof_histogram **ret, const char **wrong)
{
	*wrong = NULL;
	*ret = NULL;
	for (size_t i = 0; i < counts->histograms.count && !*ret && !*wrong; i++) {
		struct prof_histogram *other = &counts->histograms.items[i];
		if (low >= other->high || high <= other->low)
			continue;
		if (low != other->low || high != other->high)
			*wrong = "overlaps another histogram";
		else if (bins != other->bins.count)
			*wrong = "has other parts than the one of the same addresses";
		else
			*ret = other;
	}
	if (*ret || *wrong)
		return NULL;
	/* What is printed tells of one scale. */
	if (counts->histograms.count &&
		fabs(scale_of(low, high, bins) - prof_counts_scale(counts)) > 0.000001) {
		*wrong = "has parts of another size than the first one";
		return NULL;
	}
	return add_histogram(counts, low, high, bins, ret);
}

static struct prof_error *cant_add(const char *path, const char *what)
{
	return prof_error_create(PROF_ERROR_DAMAGED,
		"The file \"%s\" cannot be added to the files before it: %s.", path, what);
}

/* Does FROM count the same as INTO, which takes over what it does not know yet? */
static struct prof_error *check_kind(
	struct prof_counts *into, const struct prof_counts *from, const char *path)
{
	if (from->word != into->word || from->big_endian != into->big_endian)
		return cant_add(path, "it is of another kind of machine");
	if (!from->histograms.count)
		return NULL;
	if (!into->histograms.count) {
		into->rate = from->rate;
		into->unit = from->unit;
		memcpy(into->dimension, from->dimension, sizeof into->dimension);
	}
	if (strcmp(into->dimension, from->dimension) != 0 || into->unit != from->unit)
		return cant_add(path, "its histogram counts something else");
	return NULL;
}

static struct prof_error *add_bins(
	struct prof_counts *into, const struct prof_counts *from, const char *path)
{
	for (size_t i = 0; i < from->histograms.count; i++) {
		const struct prof_histogram *histogram = &from->histograms.items[i];
		struct prof_histogram *to;
		const char *wrong;
		struct prof_error *error = prof_counts_histogram(
			into, histogram->low, histogram->high, histogram->bins.count, &to, &wrong);
		if (error)
			return error;
		if (wrong)
			return prof_error_create(PROF_ERROR_DAMAGED,
				"The file \"%s\" cannot be added to the files before it: its histogram %s.",
				path, wrong);
		for (size_t j = 0; j < to->bins.count; j++)
			to->bins.items[j] += histogram->bins.items[j];
	}
	return NULL;
}

struct prof_error *prof_counts_add(
	struct prof_counts *into, const struct prof_counts *from, const char *path)
{
	struct prof_error *error = check_kind(into, from, path);

	if (!error)
		error = add_bins(into, from, path);
	if (error)
		return error;
	if (!prof_array_reserve(&into->arcs, from->arcs.count))
		return prof_error_nomem();
	if (from->arcs.count)
		memcpy(into->arcs.items + into->arcs.count, from->arcs.items,
			from->arcs.count * sizeof *from->arcs.items);
	into->arcs.count += from->arcs.count;
	return NULL;
}
