/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How long calls took: their percentiles and their histogram, both exact.
 *
 * A percentile is that of the nearest rank: the shortest duration that so many percent of the calls
 * did not exceed.  It is always the duration of one of them.
 */
#ifndef PROF_METRIC_DURATIONS_H
#define PROF_METRIC_DURATIONS_H

#include "base/memory.h"
#include "base/value.h"

#include <stdint.h>

struct prof_error;

/* All zeroes is none. */
struct prof_durations {
	PROF_ARRAY(int64_t) list; /* ns, none negative */
	prof_value total;         /* ns */
};

void prof_durations_deinit(struct prof_durations *durations);

/* False: no memory. */
bool prof_durations_add(struct prof_durations *durations, int64_t duration);

/* Sorts the list, the shortest first, as the functions below want it. */
void prof_durations_sort(struct prof_durations *durations);

/* The percentile PERCENT, 1 to 100, of DURATIONS, at least one; ns. */
int64_t prof_durations_percentile(const struct prof_durations *durations, unsigned percent);

/* The durations from LOW to below HIGH, ns. */
struct prof_duration_bin {
	int64_t low, high;
	uint64_t calls;
};

/* All zeroes is an empty histogram. */
struct prof_duration_bins {
	PROF_ARRAY(struct prof_duration_bin)
	items;         /* side by side, the first and last with calls */
	uint64_t most; /* calls in one of them */
};

/*
 * The histogram of DURATIONS.  If the longest is at least 20 times the shortest, bins end at
 * 1, 1.5, 2, 3, 5 and 7 times powers of 10 ns, and the first one begins at 0 if calls took no time;
 * otherwise all have the same width, and there are at most 21.
 */
struct prof_error *prof_duration_bins_init(
	struct prof_duration_bins *bins, const struct prof_durations *durations) PROF_MUST_CHECK;

void prof_duration_bins_deinit(struct prof_duration_bins *bins);
#define AUTO_DURATION_BINS PROF_AUTO(prof_duration_bins_deinit)

#endif
