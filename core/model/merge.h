/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Merging: one experiment added to another, so that every view shows the sum. */
#ifndef PROF_MODEL_MERGE_H
#define PROF_MODEL_MERGE_H

#include "base/progress.h"
#include "model/experiment.h"

/*
 * Adds all that FROM holds to INTO, another experiment:
 *
 * - modules are the same if path and build ID are, functions if name and module are, frames if
 *   their place in the module's file is, wherever that was mapped;
 * - threads are never the same;
 * - FROM begins where INTO has ended: its times, and the figures of its marks, go on from there, so
 *   that the intervals of the one follow those of the other;
 * - what is known of the recordings is added up, see prof_recording's `experiments`;
 * - counts are added to counts, whose program is not known yet, and to nothing else; and what has
 *   costs of calls in place of stacks only to its like.
 *
 * Samples of different clocks do not count the same, so that is an error, and nothing is changed;
 * weights that were imported can be added to anything.  After another error INTO is no good.
 */
struct prof_error *prof_experiment_merge(struct prof_experiment *into,
	const struct prof_experiment *from, const struct prof_progress *progress) PROF_MUST_CHECK;

/* The parts of it. */

/* Adds the arcs of FROM, its FRAMES by number being those of INTO, and its times moved by SHIFT. */
struct prof_error *prof_merge_arcs(struct prof_experiment *into, const struct prof_experiment *from,
	const uint32_t *frames, int64_t shift) PROF_MUST_CHECK;

/* Can samples of FROM be added to those of TO? */
struct prof_error *prof_merge_check(
	const struct prof_recording *to, const struct prof_recording *from) PROF_MUST_CHECK;

/* Adds FROM to TO: times and counts are sums, rates are means over time, texts are lists. */
struct prof_error *prof_merge_recording(
	struct prof_recording *to, const struct prof_recording *from) PROF_MUST_CHECK;

/* How many experiments were added up to the one that RECORDING is of: 1 or more. */
uint64_t prof_merge_count(const struct prof_recording *recording);

#endif
