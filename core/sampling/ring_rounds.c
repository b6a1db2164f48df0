/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/ring_rounds.h"

#include "base/time_unit.h"

/*
 * Rounds are up to twice as far apart as on average, and the ticker may have to wait for a CPU: the
 * ring has room for this many times the samples of an average round.
 */
enum { SPARE = 8 };

/* ns: looks at sleeping threads are no further apart; and where they would find nothing new. */
static const int64_t LONGEST = PROF_NS_PER_MS, LONGEST_QUIET = 4 * PROF_NS_PER_MS;

int64_t prof_ring_rounds(uint32_t room, int64_t period, bool quiet)
{
	int64_t most = (quiet ? LONGEST_QUIET : LONGEST) / period;
	int64_t periods = room / SPARE;

	periods = periods < most ? periods : most;
	return periods > 1 ? periods : 1;
}
