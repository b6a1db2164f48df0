/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists of numbers and ranges of numbers, as users write them: "2-4,7". */
#ifndef PROF_BASE_NUMBER_RANGE_H
#define PROF_BASE_NUMBER_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/* From FIRST to LAST, as they were written: LAST may be less than FIRST. */
struct prof_number_range {
	uint64_t first, last;
};

/* Is NUMBER in RANGE? */
static inline bool prof_number_range_has(const struct prof_number_range *range, uint64_t number)
{
	return number >= range->first && number <= range->last;
}

/*
 * Reads the first range of the list *TEXT into RET and moves *TEXT behind it; *TEXT is NULL where
 * it was the last one.  What does not fit is UINT64_MAX.  False: the list does not begin with a
 * range.
 */
bool prof_number_range_read(const char **text, struct prof_number_range *ret);

#endif
