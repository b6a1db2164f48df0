/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Coverage: for how long at least one of several went on, by the stretches of time that each of
 * them reports, in any order.
 */
#ifndef PROF_RECORDING_COVERAGE_H
#define PROF_RECORDING_COVERAGE_H

#include <stddef.h>
#include <stdint.h>

/* Stretches that lie apart; those before them are complete. */
enum { PROF_COVERAGE_STRETCHES = 256 };

struct prof_stretch_covered {
	int64_t begin, end; /* ns */
};

/* All zeroes: nothing is covered. */
struct prof_coverage {
	struct prof_stretch_covered
		items[PROF_COVERAGE_STRETCHES]; /* by time, apart from another */
	size_t count;
};

/* Covers the time from BEGIN to END.  Returns how many ns of it were not covered before. */
int64_t prof_coverage_add(struct prof_coverage *coverage, int64_t begin, int64_t end);

#endif
