/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/due.h"

#include "base/time_unit.h"
#include "sampling/look_builder.h"
#include "sampling/switches.h"
#include "sampling/watch.h"

#include <math.h>

const double prof_due_doubtful = 2;

/*
 * ns: what a thread that is met has waited since counts for its last wait if that was seen this
 * recently.
 */
static const int64_t RECENT = PROF_NS_PER_SECOND;

bool prof_due_has_slept(const struct prof_watch *watch, int64_t now)
{
	return watch->waited && now - watch->waited < RECENT;
}

double prof_due_inherited(const struct prof_watch *watch)
{
	return watch->inherited > 0 ? fmin(watch->inherited, fmax(watch->due, 0))
				    : fmax(watch->inherited, fmin(watch->due, 0));
}

/* The samples of its own that WATCH lacks. */
static double lacks(const struct prof_watch *watch)
{
	return watch->due - prof_due_inherited(watch);
}

double prof_due_switching(const struct prof_look_builder *builder, const struct prof_watch *watch)
{
	return fmin(watch->switching, prof_switches_missing(&builder->switches));
}

bool prof_due_is_late(
	const struct prof_look_builder *builder, const struct prof_watch *watch, int64_t now)
{
	return watch->overdue && !builder->wall && prof_due_has_slept(watch, now);
}

void prof_due_have(struct prof_watch *watch, uint32_t samples)
{
	watch->due -= samples;
	watch->inherited = prof_due_inherited(watch);
}

uint32_t prof_due_make_up(struct prof_watch *watch, uint32_t rounds)
{
	double due = watch->due < rounds ? watch->due : rounds;
	uint32_t samples = due < 1 ? 0 : (uint32_t)due;

	watch->due -= samples;
	return samples;
}

/* Of what WATCH lacks so much is missing because of switches, if it sleeps: its waits get that. */
static double for_waits(
	const struct prof_look_builder *builder, const struct prof_watch *watch, double lacking)
{
	/* One that is preempted and does not sleep gets its missing samples where it is met. */
	if (!prof_due_has_slept(watch, watch->last))
		return 0;
	return fmin(fmax(lacking, 0), prof_due_switching(builder, watch));
}

/*
 * The sample that was due at this place in the period of WATCH, which stands still, and what it
 * lacks, or has had too many, besides: its CPU time is exact, so that half a sample is enough.  An
 * alarm misses what the thread does while the host deals with events, and may ring too often where
 * a virtual machine's host takes CPUs away.  Many threads live for a few periods only, and to let
 * each of them lack a sample, or two, would be much of them all.
 */
static double ring_rounds(const struct prof_look_builder *builder, const struct prof_watch *watch)
{
	double more = watch->due - watch->rung_place;

	more -= for_waits(builder, watch, lacks(watch) - watch->rung_place);
	return fmax(1 + floor(more + 0.5), 0);
}

/*
 * The same of one that may be running, whose account may be as old as the last timer interrupt. The
 * clock by which the kernel samples is faster than this account if a host takes the CPU away, or
 * interrupts do, and slower if a thread waits often.
 */
static double sample_rounds(const struct prof_look_builder *builder, const struct prof_watch *watch)
{
	double due = watch->due;

	if (due < -prof_due_doubtful)
		return 0;
	due -= for_waits(builder, watch, lacks(watch));
	return due < 2 ? 1 : floor(due);
}

uint32_t prof_due_rounds(const struct prof_look_builder *builder, const struct prof_watch *watch,
	uint64_t rounds, enum prof_due_by by, bool indebted)
{
	if (by == PROF_DUE_LOOK) {
		if (indebted && watch->due < -prof_due_doubtful)
			return 0;
		/* Rounds are its own, not those of the threads that it stands for. */
		uint64_t busy = 1 + (uint64_t)fmax(lacks(watch), 0);
		return (uint32_t)((busy < rounds ? busy : rounds) +
			fmax(prof_due_inherited(watch), 0));
	}
	/* A ring, or a sample, comes once in each period of CPU time, whatever the rounds are. */
	double samples =
		by == PROF_DUE_RING ? ring_rounds(builder, watch) : sample_rounds(builder, watch);
	/* Where it goes on is no place for what it lacks: that may be anywhere. */
	if (prof_due_is_late(builder, watch, watch->last))
		samples = fmin(samples, 1);
	return (uint32_t)samples;
}
