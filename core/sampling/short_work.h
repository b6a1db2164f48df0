/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Short work: the share that short runs have of the recent CPU time of a thread, or of a process.
 * By that it is decided which threads get CPU timers.
 *
 * Looks attribute short work to the waits behind it, and CPU timers do not.  But timers ring in
 * step with work that is long and repeats itself evenly, so a thread has one only while much of its
 * work is short.
 */
#ifndef PROF_SAMPLING_SHORT_WORK_H
#define PROF_SAMPLING_SHORT_WORK_H

#include "sampling/bursts.h"

#include <stdbool.h>

enum {
	/* Percent: a share is large from here on. */
	PROF_SHORT_LARGE = 20,
	/* ns of CPU time after which a thread's runs are judged: its waits are not read more often.
	 */
	PROF_SHORT_JUDGED = 10000000,
	/* ns of CPU time: nothing is known of less. */
	PROF_SHORT_KNOWN = 50000000,
	/* ns of CPU time: half of what was before counts no more when so much has been added. */
	PROF_SHORT_RECENT = 200000000,
};

/* What a thread has done since its runs were last judged.  All zeroes: they never were. */
struct prof_short_evidence {
	struct prof_runs runs;
	int64_t waits; /* how often it had waited by then */
	bool begun;
};

/* All zeroes: nothing is known yet. */
struct prof_short_work {
	int64_t cpu, brief; /* ns; what is long ago weighs less and less */
	bool large;
};

/* Adds RUNS.  True: prof_short_evidence_judge() is due. */
bool prof_short_evidence_add(struct prof_short_evidence *evidence, const struct prof_runs *runs);

/*
 * Returns the runs since the last call; the thread has waited WAITS times in its life.  If others
 * took its CPU away again and again, its runs are short, but its work is not.
 */
struct prof_runs prof_short_evidence_judge(struct prof_short_evidence *evidence, int64_t waits);

/*
 * Adds RUNS.  The share becomes large at PROF_SHORT_LARGE percent, and small again below half of
 * that, once PROF_SHORT_KNOWN has been added.
 */
void prof_short_work_add(struct prof_short_work *share, const struct prof_runs *runs);

/*
 * Does a thread that has the share OWN, of a process that has the share ALL, need a CPU timer?  One
 * that has not run for long is taken to work like the others.
 */
bool prof_short_work_needs_timer(
	const struct prof_short_work *own, const struct prof_short_work *all);

#endif
