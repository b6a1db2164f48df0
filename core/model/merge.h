/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Merging: one experiment added to another, so that every view shows the sum. */
#ifndef PROF_MODEL_MERGE_H
#define PROF_MODEL_MERGE_H

#include "base/progress.h"

struct prof_experiment;
struct prof_recording;

/*
 * Adds everything in FROM to INTO, another experiment:
 *
 * - modules are the same if path and build ID are the same, functions if name and module are, and
 *   frames if their place in the module's file is, wherever that was mapped;
 * - threads are never the same;
 * - FROM begins where INTO ends: its times and the figures of its marks go on from there, so its
 *   intervals follow those of INTO;
 * - but if both are ranks of one job, times are those of one clock, see model/rank.h, and intervals
 *   lie between the marks of all of them;
 * - the figures of the recordings are added up, see prof_recording's `experiments`;
 * - a gmon.out is added only to one of the same program, and arcs with costs only to arcs with
 *   costs, because neither has stacks.
 *
 * Samples of different clocks do not count the same: they are an error, and nothing is changed.
 * Imported weights can be added to anything.  After another error INTO must be destroyed.
 */
struct prof_error *prof_experiment_merge(struct prof_experiment *into,
	const struct prof_experiment *from, const struct prof_progress *progress) PROF_MUST_CHECK;

/* The parts of it. */

/*
 * Adds the arcs of FROM, its FRAMES by number being those of INTO, and its times moved by SHIFT.
 * INTO has the rows of both, those of FROM from the sample FIRST on.  A function that was counted,
 * or traced, in one of them only gets an arc that says so: if tracing has found no call of it, it
 * looks like one that was not traced.
 */
struct prof_error *prof_merge_arcs(struct prof_experiment *into, const struct prof_experiment *from,
	const uint32_t *frames, size_t first, int64_t shift) PROF_MUST_CHECK;

/*
 * Adds the gmon.out of FROM, its FUNCTIONS by number being those of INTO.  Where only one of them
 * knows its program, it is that of both.
 */
struct prof_error *prof_merge_gmon(struct prof_experiment *into, const struct prof_experiment *from,
	const uint32_t *functions) PROF_MUST_CHECK;

/* Can samples of FROM be added to those of TO? */
struct prof_error *prof_merge_check(
	const struct prof_recording *to, const struct prof_recording *from) PROF_MUST_CHECK;

/* Adds FROM to TO: times and counts are sums, rates are means over time, texts are lists. */
struct prof_error *prof_merge_recording(
	struct prof_recording *to, const struct prof_recording *from) PROF_MUST_CHECK;

/* How many experiments were added up to the one that RECORDING is of: 1 or more. */
uint64_t prof_merge_count(const struct prof_recording *recording);

#endif
