/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/ring_pace.h"

enum {
	MANY = 1 << 18, /* bytes: of a fast program, some thousand records */
	PART = 16,      /* of a small ring's room, as many are many */
};

int64_t prof_ring_pace_next(int64_t sleep, uint64_t bytes, uint64_t room, bool learns)
{
	if (learns || bytes > MANY || bytes > room / PART)
		return PROF_RING_PACE_LEAST;
	return sleep * 2 < PROF_RING_PACE_MOST ? sleep * 2 : PROF_RING_PACE_MOST;
}
