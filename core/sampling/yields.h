/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Yields: how many of a thread's switches it makes itself, because it waits.  In the others the
 * kernel takes its CPU away.
 */
#ifndef PROF_SAMPLING_YIELDS_H
#define PROF_SAMPLING_YIELDS_H

#include "sampling/usage.h"

/* Of one thread.  All zeroes: nothing is known yet. */
struct prof_yields {
	int64_t read;                     /* when they were read, ns of CLOCK_MONOTONIC; 0: never */
	struct prof_usage_switches until; /* those that the part is of, and the ones before */
	bool known;                       /* it is, since then */
	double part;                      /* of its switches, those in which it waits */
};

/* THREAD of PROCESS has switched until NOW, and its switches may be read anew. */
void prof_yields_look(struct prof_yields *yields, pid_t process, pid_t thread, int64_t now);

/* At NOW, it has made so many SWITCHES in its life. */
void prof_yields_set(
	struct prof_yields *yields, const struct prof_usage_switches *switches, int64_t now);

/* The part of its switches in which it waits, 0 to 1; while that is not known, 1. */
double prof_yields_part(const struct prof_yields *yields);

#endif
