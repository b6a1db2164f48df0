/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/consistency.h"

#include "base/strings.h"
#include "base/time_unit.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/samples.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * ns: a time may exceed the time that it is a part of by this much plus this share.  Clocks are
 * read one after the other, and on a busy machine the reader may lose its CPU in between.
 */
static const double GRACE = 5e8;
static const double SHARE = 0.02;

/* The sums over the samples of one thread; times in ns. */
struct totals {
	prof_value samples, cpu, all;
};

static bool exceeds(double part, double whole)
{
	return part > whole * (1 + SHARE) + GRACE;
}

static PROF_PRINTF(1, 2) struct prof_error *contradiction(const char *format, ...)
{
	char what[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	return prof_error_create(PROF_ERROR_DAMAGED,
		"The figures of this recording contradict each other: %s.  This is a fault of gdbprof: please report it.",
		what);
}

/* Checks that PART, called NAME, is not more than WHOLE; both in ns. */
static struct prof_error *check_part(
	const char *name, double part, const char *whole_name, double whole)
{
	if (!exceeds(part, whole))
		return NULL;
	return contradiction("%s is %.3f s, and %s is %.3f s", name, part / PROF_NS_PER_SECOND,
		whole_name, whole / PROF_NS_PER_SECOND);
}

/* Adds up the TOTALS of each thread. */
static struct prof_error *add_up(const struct prof_experiment *experiment, struct totals *totals)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};

	while (prof_cursor_next(&rows)) {
		struct totals *of = &totals[rows.row.sample.thread];
		of->samples += rows.row.values[PROF_QUANTITY_SAMPLES];
		for (int state = 0; state < PROF_STATES; state++) {
			prof_value spent = rows.row.values[PROF_QUANTITY_SPENT + state];
			of->all += spent;
			if (state == PROF_STATE_USER || state == PROF_STATE_SYSTEM)
				of->cpu += spent;
		}
	}
	return prof_cursor_error(&rows);
}

/*
 * Samples: an alarm's ticks may be this far ahead of the CPU time, see
 * core/sampling/look_builder.c.
 */
static const double AHEAD = 4;

/*
 * The most samples that a thread can have: one per round, and one if it was met before it was
 * watched.  With the kernel's clock there are no rounds: each thread has its own clock.
 */
static double most_samples(const struct prof_experiment *experiment)
{
	const struct prof_recording *recording = &experiment->recording;
	double time = (double)recording->duration * (1 + SHARE) + GRACE;
	double periods = time * recording->rate_asked / PROF_NS_PER_SECOND;
	double rounds = (double)recording->rounds;

	/*
	 * The clocks of the engines stop and catch include rounds for which the ticker was too
	 * late, and several processes have rounds of their own.
	 */
	bool clocked = !strcmp(recording->engine, "perf") || !strcmp(recording->engine, "stop") ||
		!strcmp(recording->engine, "catch") || experiment->owners.count;
	return 1 + AHEAD + (clocked && periods > rounds ? periods : rounds);
}

static struct prof_error *check_thread(
	const struct prof_experiment *experiment, int64_t id, const struct totals *totals)
{
	const struct prof_recording *recording = &experiment->recording;
	double samples = prof_value_double(totals->samples);
	char name[48];

	if (samples > most_samples(experiment))
		return contradiction("thread %" PRId64 " has %.0f samples, and there were %" PRIu64
				     " rounds",
			id, samples, recording->rounds);
	snprintf(name, sizeof name, "the time of thread %" PRId64, id);
	return check_part(name, prof_value_double(totals->all), "the time of the whole run",
		(double)recording->duration);
}

/* All samples have CPU ns of CPU time. */
static struct prof_error *check_cpu(const struct prof_recording *recording, double cpu)
{
	double running = (double)recording->running;

	/*
	 * This engine stops the target as a whole: the time of the target is not that of threads.
	 */
	if (!strcmp(recording->engine, "interrupt"))
		return NULL;
	struct prof_error *error =
		check_part("the CPU time of all samples", cpu, "that of all threads", running);
	return error
		? error
		: check_part("the CPU time of all threads", running, "that of all samples", cpu);
}

static struct prof_error *check_threads(
	const struct prof_experiment *experiment, const struct totals *totals)
{
	const struct prof_recording *recording = &experiment->recording;
	struct prof_error *error = NULL;
	prof_value cpu = 0;

	for (uint32_t i = 0; i < experiment->threads.count && !error; i++) {
		int64_t id = prof_experiment_thread_row(experiment, i).id;
		error = check_thread(experiment, id, &totals[i]);
		cpu += totals[i].cpu;
	}
	return error ? error : check_cpu(recording, prof_value_double(cpu));
}

/* Checks the figures of the sampling itself. */
static struct prof_error *check_sampling(const struct prof_experiment *experiment)
{
	const struct prof_recording *recording = &experiment->recording;
	/* An engine that stops the target as a whole knows a thread only once it has sampled it. */
	size_t threads = experiment->threads.count ? experiment->threads.count : 1;
	double looks = most_samples(experiment) * (double)threads;

	if (recording->ticks_lost > recording->ticks)
		return contradiction("%" PRIu64 " of %" PRIu64 " ticks were lost",
			recording->ticks_lost, recording->ticks);
	if ((double)recording->ticks > looks)
		return contradiction("there were %" PRIu64 " ticks in %" PRIu64
				     " rounds of %zu threads",
			recording->ticks, recording->rounds, threads);
	struct prof_error *error = check_part("the CPU time of threads that block the signal",
		(double)recording->blocked, "that of all threads", (double)recording->running);
	if (error)
		return error;
	error = check_part("the time that stops cost", (double)recording->stopped,
		"the time that threads were kept stopped", (double)recording->kept);
	return error
		? error
		: check_part("the time that threads were kept stopped", (double)recording->kept,
			  "the time of all threads", (double)recording->duration * (double)threads);
}

/* The samples of a counter stand for no more events than its overflows. */
static struct prof_error *check_counter(const struct prof_experiment *experiment, uint32_t number)
{
	const struct prof_event *counter = &experiment->events.items[number];
	prof_value most = (prof_value)counter->interval * counter->overflows;
	prof_value events =
		experiment->samples.totals[PROF_QUANTITY_EVENT + number] / PROF_VALUE_ONE;

	if (!counter->interval || events <= most)
		return NULL;
	return contradiction("the counter %.64s overflowed %" PRId64
			     " times, at intervals of %" PRId64 ", and its samples are %.0f events",
		prof_strings_get(&experiment->strings, counter->name), counter->overflows,
		counter->interval, (double)events);
}

struct prof_error *prof_consistency_check(const struct prof_experiment *experiment)
{
	struct prof_error *wrong = NULL;

	for (uint32_t i = 0; i < experiment->events.count && !wrong; i++)
		wrong = check_counter(experiment, i);
	if (wrong || !(experiment->recording.rate_asked > 0))
		return wrong;
	AUTO_FREE struct totals *totals = calloc(experiment->threads.count + 1, sizeof *totals);
	struct prof_error *error = totals ? add_up(experiment, totals) : prof_error_nomem();
	if (!error)
		error = check_threads(experiment, totals);
	return error ? error : check_sampling(experiment);
}
