/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/recording.h"

#include "base/strings.h"
#include "base/time_unit.h"
#include "metric/data.h"
#include "model/arc_kind.h"
#include "model/experiment.h"
#include "recording/experiment_builder.h"
#include "sampling/budget.h"
#include "sampling/bursts.h"
#include "tracing/ring.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PERIODS = 10 }; /* periods of a recording, at least, for its rate to mean something */

/*
 * A lowered rate is mentioned only if it was below this share of the one asked for: the rate is
 * lowered at once where a moment is expensive, and above this share that costs hardly any samples.
 */
static const double NEARLY = 0.95;

/* Percent of the time that threads wait for a CPU: the sampling itself causes less than this. */
static const double CROWDED = 20;

/*
 * Views note lost ticks, and time for which the program was kept from running, above these
 * percentages.
 */
static const double NOTED_LOST = 1, NOTED_STOPPED = 10;

bool prof_recording_sampled(const struct prof_recording *recording)
{
	return recording->rate_asked > 0;
}

/* 100 * PART / WHOLE, 0 of nothing. */
static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

bool prof_recording_has_rate(const struct prof_recording *recording)
{
	/* The first round happens as the program goes on: one round more or less does not count. */
	return recording->rate_asked * (double)recording->duration / PROF_NS_PER_SECOND >= PERIODS;
}

double prof_recording_rate(const struct prof_recording *recording)
{
	double lost = percent((double)recording->ticks_lost, (double)recording->ticks) / 100;

	if (recording->duration <= 0)
		return 0;
	return PROF_NS_PER_SECOND * (double)recording->rounds / (double)recording->duration *
		(1 - lost);
}

double prof_recording_delayed(const struct prof_recording *recording)
{
	return percent((double)recording->delayed,
		(double)recording->delayed + (double)recording->running);
}

double prof_recording_stopped(const struct prof_recording *recording)
{
	return percent((double)recording->stopped,
		(double)recording->stopped + (double)recording->running);
}

/* Four significant digits, as in every other figure, but never an exponent. */
static void print_rate(struct prof_text *text, double rate)
{
	prof_text_print(text, "%.*g Hz", rate < 9999.5 ? 4 : 6, rate);
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* What was wrong in lists of events. */
static void print_events(const struct prof_recording *recording, struct prof_text *text)
{
	uint64_t extra = recording->extra_ends, open = recording->open_calls;

	if (extra)
		prof_text_print(text, "Left out: %" PRIu64 " end%s without a call.\n", extra,
			plural(extra));
	if (open)
		prof_text_print(text,
			"Treated as ending at the thread's last event: %" PRIu64
			" call%s without an end.\n",
			open, plural(open));
}

/* The names of what was traced. */
static void print_families(uint64_t families, struct prof_text *text)
{
	static const struct {
		enum prof_family family;
		const char *name;
	} names[] = {
		{PROF_FAMILY_HEAP, "the heap"},
		{PROF_FAMILY_SYNC, "waits for other threads"},
		{PROF_FAMILY_CALLS, "calls of functions"},
		{PROF_FAMILY_MPI, "MPI"},
		{PROF_FAMILY_OMP, "OpenMP"},
	};
	const char *before = "Traced: ";

	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		if (!(families & names[i].family))
			continue;
		prof_text_print(text, "%s%s", before, names[i].name);
		before = ", ";
	}
}

/* What was traced, and how much of it. */
static void print_traced(const struct prof_recording *recording, struct prof_text *text)
{
	if (!recording->families && !recording->events && !recording->events_lost)
		return;
	if (!recording->families && !recording->events) {
		prof_text_print(text,
			"%" PRIu64
			" beginning%s or ends of recorded calls were lost, because they came too fast:\n"
			"durations may be wrong, and calls are missing.\n",
			recording->events_lost, plural(recording->events_lost));
		return;
	}
	if (recording->families)
		print_families(recording->families, text);
	else
		prof_text_print(text, "Traced");
	prof_text_print(
		text, "; %" PRIu64 " event%s", recording->events, plural(recording->events));
	if (recording->events_lost)
		prof_text_print(text,
			", and %" PRIu64 " more that were lost:\n"
			"totals are too low, and some reported leaks may not be leaks",
			recording->events_lost);
	prof_text_print(text, ".\n");
}

/* Notes on what is missing in the trace of MPI. */
static void print_incomplete(const struct prof_recording *recording, struct prof_text *text)
{
	if (recording->events_dropped)
		prof_text_print(text,
			"The MPI trace is incomplete: %" PRIu64
			" event%s dropped after the last flush that\n"
			"\"set prof mpi-max-flushes\" permits.\n",
			recording->events_dropped,
			recording->events_dropped == 1 ? " was" : "s were");
	if (recording->operations_lost)
		prof_text_print(text,
			"The MPI trace is incomplete: %" PRIu64
			" operation%s not kept: some messages\n"
			"may not be matched, and some waits not found.\n",
			recording->operations_lost,
			recording->operations_lost == 1 ? " was" : "s were");
}

/* Which waits were not recorded. */
static void print_threshold(const struct prof_recording *recording, struct prof_text *text)
{
	if (!(recording->families & PROF_FAMILY_SYNC) || !recording->threshold)
		return;
	prof_text_print(text, "Waits of ");
	prof_time_unit_print(recording->threshold, text);
	prof_text_print(
		text, " and less were not recorded: the count of sync delay events may be low.\n");
	if (!recording->uncontended)
		return;
	prof_text_print(text, "A call that does not wait was measured to take ");
	prof_time_unit_print(recording->uncontended, text);
	prof_text_print(text, ".\n");
}

/* Notes on threads that could not be sampled. */
static void print_blocked(const struct prof_recording *recording, struct prof_text *text)
{
	/* All threads block signals for a moment when they begin and end. */
	if (recording->blocked <= recording->running / 100)
		return;
	if (!strcmp(recording->engine, "perf"))
		prof_text_print(text,
			"Threads for which there was no memory that may be locked (ulimit -l), or no file\n"
			"descriptor (ulimit -n), had %.3f s of CPU time.  They were not\n",
			(double)recording->blocked / PROF_NS_PER_SECOND);
	else
		prof_text_print(text,
			"Threads that block the tick's signals had %.3f s of CPU time.  They were not\n",
			(double)recording->blocked / PROF_NS_PER_SECOND);
	prof_text_print(text, "sampled; their last known stacks are used.\n");
}

/* Warns of runs that are too short for their CPU time to be attributed exactly. */
static void print_bursts(const struct prof_recording *recording, struct prof_text *text)
{
	double share = percent((double)recording->bursts, (double)recording->running);
	double periods = recording->rate_asked * (double)recording->running / PROF_NS_PER_SECOND;

	/* Of less than a period there is hardly a sample, whose share could be off. */
	if (share > PROF_BURSTY && periods >= 1)
		prof_text_print(text,
			"For %.1f %% of the CPU time, threads ran for less than %d us at a time: the shares of "
			"such short work, and of the waits around it, may be off by 10 percentage points or more.\n",
			fmin(share, 100), PROF_BURST / 1000);
}

/* The rate, the ticks that were lost, and what the program lost by them. */
static void print_rates(const struct prof_recording *recording, struct prof_text *text)
{
	prof_text_print(text, "Rate: ");
	print_rate(text, recording->rate_asked);
	prof_text_print(text, " asked for");
	if (prof_recording_has_rate(recording)) {
		prof_text_print(text, ", ");
		print_rate(text, prof_recording_rate(recording));
		prof_text_print(text, " reached");
	}
	prof_text_print(text, "; %" PRIu64 " of %" PRIu64 " ticks lost (%.2f %%).\n",
		recording->ticks_lost, recording->ticks,
		percent((double)recording->ticks_lost, (double)recording->ticks));
	prof_text_print(text, "The program was kept from running for %.2f %% of its time.\n",
		prof_recording_stopped(recording));
}

/* Notes on how the program was sampled, where that was not as it should be. */
static void print_sampled(const struct prof_recording *recording, struct prof_text *text)
{
	if (recording->rate_lowest > 0 && recording->rate_lowest < NEARLY * recording->rate_asked) {
		prof_text_print(text, "At times the rate was lowered to ");
		print_rate(text, recording->rate_lowest);
		prof_text_print(text, ", as set prof max-stopped demands.\n");
	}
	if (recording->unread)
		prof_text_print(text,
			"GDB had too few file descriptors to watch %" PRIu64
			" more thread%s: raise the limit (ulimit -n).\n",
			recording->unread, plural(recording->unread));
	if (!strcmp(recording->engine, "pcsr"))
		prof_text_print(text,
			"Stacks have one frame, the function that was executed: callers are not known.\n");
	if (!strcmp(recording->clock, "wall"))
		prof_text_print(text, "Threads that wait are samples too.\n");
	print_bursts(recording, text);
	print_blocked(recording, text);
}

static void print_sum(const struct prof_recording *recording, struct prof_text *text)
{
	if (recording->experiments > 1)
		prof_text_print(
			text, "The sum of %" PRIu64 " experiments.\n", recording->experiments);
}

void prof_recording_print(const struct prof_recording *recording, struct prof_text *text)
{
	print_sum(recording, text);
	print_events(recording, text);
	print_traced(recording, text);
	print_incomplete(recording, text);
	print_threshold(recording, text);
	if (!prof_recording_sampled(recording))
		return;
	print_rates(recording, text);
	if (prof_recording_delayed(recording) > CROWDED)
		prof_text_print(text,
			"Its busy threads waited for a CPU for %.1f %% of their time: there were more busy threads than CPUs.\n",
			prof_recording_delayed(recording));
	print_sampled(recording, text);
}

void prof_recording_print_notes(
	const struct prof_recording *recording, bool traced, struct prof_text *text)
{
	double lost = percent((double)recording->ticks_lost, (double)recording->ticks);

	print_sum(recording, text);
	print_events(recording, text);
	if (recording->events_lost)
		print_traced(recording, text);
	print_incomplete(recording, text);
	if (traced)
		print_threshold(recording, text);
	if (!prof_recording_sampled(recording))
		return;
	if (lost > NOTED_LOST || prof_recording_stopped(recording) > NOTED_STOPPED)
		print_rates(recording, text);
	print_sampled(recording, text);
}

/* How many events of COUNTER make a sample. */
static void print_interval(const struct prof_event *counter, struct prof_text *text)
{
	if (!counter->interval)
		prof_text_print(text, "samples at intervals that differ");
	else if (counter->interval == 1)
		prof_text_print(text, "a sample each event");
	else
		prof_text_print(text, "a sample each %" PRId64 " %s", counter->interval,
			prof_event_units[counter->unit]);
}

/* How well the instructions are known that have caused the events of counter NUMBER. */
static void print_triggers(
	const struct prof_experiment *experiment, uint32_t number, struct prof_text *text)
{
	const struct prof_data_summary summary = prof_data_summarize(experiment, number);
	const uint64_t *triggers = summary.triggers;
	uint64_t exact = triggers[PROF_TRIGGER_EXACT] + triggers[PROF_TRIGGER_UNSPECIFIED];
	uint64_t unknown =
		triggers[PROF_TRIGGER_UNRESOLVABLE] + triggers[PROF_TRIGGER_UNVERIFIABLE];

	if (!summary.samples)
		return;
	prof_text_print(text,
		"  Instructions: %" PRIu64 " named by the CPU or the kernel, %" PRIu64
		" found by a search, %" PRIu64 " unknown",
		exact, triggers[PROF_TRIGGER_FOUND], unknown);
	if (triggers[PROF_TRIGGER_CALL])
		prof_text_print(text, ", %" PRIu64 " in system calls", triggers[PROF_TRIGGER_CALL]);
	prof_text_print(text, ".  Data addresses: %" PRIu64 " of %" PRIu64 ".\n", summary.addressed,
		summary.samples);
	if (triggers[PROF_TRIGGER_FOUND])
		prof_text_print(text,
			"  What was found is likely, not certain: it is the last such access before the sample.\n");
	if (!exact && !summary.addressed)
		prof_text_print(
			text, "  This machine reported neither instructions nor data addresses.\n");
}

void prof_recording_print_untimed(const struct prof_experiment *experiment, struct prof_text *text)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < experiment->arcs.count; i++) {
		if (experiment->arcs.items[i].kind == PROF_ARC_CALLS)
			calls += experiment->arcs.items[i].calls;
	}
	if (!experiment->calls.count || !calls)
		return;
	prof_text_print(text,
		"%" PRIu64
		" call%s without times: their functions have too little time, and callers too much.\n",
		calls, plural(calls));
}

void prof_recording_print_counters(const struct prof_experiment *experiment, struct prof_text *text)
{
	for (size_t i = 0; i < experiment->events.count; i++) {
		const struct prof_event *counter = &experiment->events.items[i];
		if (counter->unit == PROF_EVENT_SAMPLES)
			continue;
		prof_text_print(text, "Counter ");
		prof_text_name(text, prof_strings_get(&experiment->strings, counter->name));
		prof_text_print(text, ": ");
		print_interval(counter, text);
		prof_text_print(text, "; %" PRId64 " overflow%s", counter->overflows,
			plural((uint64_t)counter->overflows));
		if (counter->lost)
			prof_text_print(text,
				", %" PRId64
				" of which the kernel did not sample: %s in " PROF_NO_STACK,
				counter->lost, counter->lost == 1 ? "it is" : "they are");
		prof_text_print(text, ".\n");
		print_triggers(experiment, (uint32_t)i, text);
	}
}

void prof_recording_print_cost(const struct prof_recording *recording, struct prof_text *text)
{
	if (!recording->looking)
		return;
	prof_text_print(text, "Looking at threads took %.2f %% of a CPU.\n",
		percent((double)recording->looking, (double)recording->duration));
	if (recording->stride > 1)
		prof_text_print(text,
			"To limit that to %g %%, gdbprof at times looked at sleeping threads in only one of %" PRIu64
			" rounds.\n",
			100 * prof_budget_limit, recording->stride);
}
