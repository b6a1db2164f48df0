/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Offsets of clocks: how far each is ahead of the first one, by bounds that are known of pairs.
 *
 * A clock with a lower and an upper bound, perhaps by way of others, is put in the middle of both;
 * these choices agree with each other.  One with bounds from one side only, or with none, is moved
 * as little as they permit.
 */
#ifndef PROF_MODEL_CLOCK_OFFSETS_H
#define PROF_MODEL_CLOCK_OFFSETS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The clock TO is ahead of the clock FROM by MOST ns at most. */
struct prof_clock_bound {
	uint32_t from, to; /* numbers of clocks */
	int64_t most;
};

struct prof_clock_offset {
	bool bounded;   /* from both sides */
	int64_t offset; /* ns: the clock is ahead of the first one by this */
	int64_t error;  /* ns, if bounded: the offset is wrong by this at most */
};

/*
 * Finds the offsets RET of CLOCKS clocks that agree with the COUNT BOUNDS.  If none do, because
 * clocks have run at different speeds, each bound is exceeded by *EXCEEDED ns at most, and that is
 * nearly the least possible; else it is 0.
 */
struct prof_error *prof_clock_offsets_find(const struct prof_clock_bound *bounds, size_t count,
	size_t clocks, struct prof_clock_offset *ret, int64_t *exceeded) PROF_MUST_CHECK;

#endif
