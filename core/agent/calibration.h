/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Calibration: how long a call takes that does not wait, and from it the shortest wait that is
 * recorded.
 */
#ifndef PROF_AGENT_CALIBRATION_H
#define PROF_AGENT_CALIBRATION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The threshold for waits, in clock units, if CALLS calls that did not wait took SUM of them: six
 * times the mean, rounded up to a microsecond.  A millisecond has MILLISECOND clock units.
 */
uint64_t prof_calibration_threshold(uint64_t sum, unsigned calls, uint64_t millisecond);

/*
 * Measures calls that do not wait, by the time stamp counter if COUNTER, else in ns: sets *MEAN,
 * the mean of one, and *THRESHOLD, both in clock units.  Takes a millisecond, and the hooks must be
 * found.
 */
void prof_calibration_run(bool counter, uint64_t *mean, uint64_t *threshold);

/* Should a wait of SPAN clock units be recorded: is it longer than THRESHOLD, or are all wanted? */
static inline bool prof_calibration_exceeds(uint64_t span, uint64_t threshold)
{
	return !threshold || span > threshold;
}

#endif
