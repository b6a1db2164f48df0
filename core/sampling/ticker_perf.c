/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The part of the ticker for sampling by the kernel: it opens events for threads, and reads their
 * rings.
 */
#include "sampling/ticker_private.h"

#include "base/clock.h"
#include "sampling/displaced.h"
#include "sampling/perf_clock.h"
#include "sampling/perf_dump.h"
#include "sampling/walker.h"
#include "sampling/watch.h"
#include "target/procfs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* For how many samples rings have room: for one thread, and for all together. */
enum { LEAST = 4, MOST = 32, ALL = 256 };

/*
 * A sample may come this part of a period too soon: clocks are late, and not always by as much.
 * The kernel is asked for no shorter period than this part.
 */
enum { SLACK = 8 };

/* How many times a second the period of a thread's samples is changed, at most. */
static const double CHANGES = 20;

/*
 * Several samples share a period, which varies by this part of it: samples drift through a program
 * that repeats itself as often, and their number stays within 12 ms of its CPU time.
 */
static const double SPREAD = 0.25;

/* ns after which the kernel is asked again for an event that it has refused. */
static const int64_t AGAIN = 100000000;

/*
 * If CPU time for this many samples has passed and none of them came, the thread may be another
 * one.
 */
static const double SILENT = 4;

/* The ns of CPU time between samples, on average. */
static int64_t mean_period(const struct prof_ticker *ticker)
{
	return (int64_t)(PROF_NS_PER_SECOND / ticker->builder.pace.rate);
}

/* PERIOD, or the shortest that the kernel should be asked for. */
static int64_t at_least(const struct prof_ticker *ticker, int64_t period)
{
	int64_t least = mean_period(ticker) / SLACK + 1;

	return period > least ? period : least;
}

/*
 * For how many samples the ring of a thread has room; SAMPLED: it has had one.  The thread that
 * empties rings may have to wait for a CPU; and there are many threads, or few.
 *
 * The kernel takes 0.6 ms to make a ring of 2 MiB, while the new thread is stopped, and 0.1 ms for
 * one of 256 KiB.  Most threads of a program that makes many end before their first sample: until
 * then the ring is small.
 */
static uint32_t room(const struct prof_ticker *ticker, bool sampled)
{
	uint32_t samples = sampled ? MOST : LEAST;

	while (samples > LEAST && samples * ticker->watches.array.count > ALL)
		samples /= 2;
	return samples;
}

uint32_t prof_ticker_room(const struct prof_ticker *ticker)
{
	for (size_t i = 0; i < ticker->watches.array.count; i++) {
		const struct prof_watch *watch = ticker->watches.array.items[i];
		if (!watch->asleep && !watch->sampled)
			return LEAST;
	}
	return room(ticker, true);
}

/* Begins to sample WATCH.  False: errno says why not. */
static bool open_event(struct prof_ticker *ticker, struct prof_watch *watch)
{
	int64_t next = watch->goes_on ? watch->next : prof_pace_first(&ticker->builder.pace);
	const struct prof_perf_options options = {
		.scope = ticker->options.kernel,
		.period = at_least(ticker, next),
		.frames = ticker->options.kernel_frames,
		.dump = prof_perf_dump_bytes(&ticker->dump, ticker->watches.array.count),
		.samples = room(ticker, watch->sampled),
	};
	struct prof_perf_event *event = malloc(sizeof *event);

	if (!event || !prof_perf_event_open(event, watch->thread, ticker->arch, &options)) {
		free(event);
		return false;
	}
	watch->event = event;
	watch->next = next;
	watch->expected = 0;
	watch->goes_on = false;
	watch->steady = 0;
	watch->changes = 1;
	watch->rests = false;
	watch->place = prof_pace_random(&ticker->builder.pace);
	const struct prof_schedstat schedstat = prof_watch_schedstat(watch);
	watch->clock = (struct prof_perf_clock){
		.run = schedstat.run,
		.slices = schedstat.slices,
		.sure = prof_watch_state(watch) != 'R',
	};
	watch->blocks = false;
	return true;
}

/*
 * If there is no room for one more event, the thread that has slept for longest gives back
 * everything that is kept for it.  False: none does.
 */
static bool spare(struct prof_ticker *ticker)
{
	struct prof_watch *idle = NULL;

	for (size_t i = 0; i < ticker->watches.array.count; i++) {
		struct prof_watch *watch = ticker->watches.array.items[i];
		if (watch->asleep && (watch->event || watch->schedstat >= 0) &&
			!prof_ticker_has_samples(watch) && (!idle || watch->waited < idle->waited))
			idle = watch;
	}
	if (idle)
		prof_watch_close(idle);
	return idle;
}

/* If the thread of WATCH cannot be sampled, it is counted as one that blocks ticks. */
static void begin_event(struct prof_ticker *ticker, struct prof_watch *watch)
{
	errno = 0;
	if (open_event(ticker, watch))
		return;
	bool gone = errno == ESRCH;
	if (!gone && spare(ticker) && open_event(ticker, watch))
		return;
	watch->blocks = !gone;
	watch->refused = gone ? 0 : prof_clock();
}

/* The samples that should have come within LATE ns of CPU time: the ring was full. */
static uint64_t count_missed(const struct prof_ticker *ticker, int64_t late)
{
	int64_t mean = mean_period(ticker);

	return late > mean ? (uint64_t)(late / mean) : 0;
}

/*
 * The kernel knows one period, which may be meant for some samples only: until another is set, they
 * come too soon, and are passed over.  Those that should have come are missed.
 */
static bool choose(struct prof_ticker *ticker, struct prof_watch *watch, int64_t count)
{
	int64_t mean = mean_period(ticker);
	int64_t late = count - watch->next;

	if (late < -mean / SLACK)
		return false;
	watch->overdue = watch->expected &&
		prof_lateness_judge(&watch->lateness, late, (double)watch->expected / (double)mean);
	watch->expected = watch->steady > 1 ? watch->period : 0;
	uint64_t missed = count_missed(ticker, late);
	ticker->builder.missed = watch->missed + missed;
	watch->missed = 0;
	if (watch->steady > 1)
		watch->next = count + watch->period;
	else
		watch->next += mean + (int64_t)missed * mean;
	watch->steady--;
	return true;
}

/* Adds the kernel frames of RECORD's thread inside of STACK. */
static void add_kernel(const struct prof_perf_record *record, struct prof_stack *stack)
{
	uint64_t frames[PERF_MAX_STACK_DEPTH];

	prof_stack_push(
		stack, frames, prof_perf_record_kernel(record, frames, PERF_MAX_STACK_DEPTH));
}

void prof_ticker_put_sample(
	struct prof_ticker *ticker, struct prof_perf_record *record, const struct prof_look *look)
{
	struct prof_walker *walker = ticker->builder.walker;
	/*
	 * The other walker is that of the ticker's own thread, which has no lock while it walks a
	 * sleeper.
	 */
	struct prof_stack *stack = &ticker->standing;

	prof_displaced_walk(ticker->options.displaced, walker, record, stack);
	prof_perf_dump_count(&ticker->dump, &record->stack);
	prof_perf_dump_complete(record->process, &record->stack);
	if (ticker->options.cut && record->stack.exceeded)
		atomic_fetch_add(ticker->options.cut, 1);
	if (ticker->options.generated && stack->end == PROF_STACK_FAILED &&
		prof_walker_generated(walker, stack))
		atomic_store(ticker->options.generated, true);
	add_kernel(record, stack);
	prof_walker_put(walker, look, stack);
}

/* Reports the sample RECORD, if it counts. */
static bool report_sample(struct prof_ticker *ticker, struct prof_watch *watch,
	struct prof_perf_record *record, struct prof_schedstat schedstat)
{
	struct prof_look look;

	if (!record->registers.valid || !choose(ticker, watch, record->count))
		return false;
	watch->sampled = true;
	schedstat.run = prof_perf_clock_at(&watch->clock, &ticker->drift, record->count);
	prof_look_builder_sampled(&ticker->builder, watch, record->time, &schedstat,
		record->registers.within, 0, &look);
	look.cpu = record->cpu;
	prof_ticker_put_sample(ticker, record, &look);
	return true;
}

/* Reads the ring, and reports the samples.  Returns the event's count at the last one, or 0. */
static int64_t report_samples(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat)
{
	const struct perf_event_header *header;
	struct prof_perf_record record;
	int64_t count = 0;

	while ((header = prof_perf_ring_next(&watch->event->ring))) {
		if (!prof_perf_record_parse(header, watch->event->type, ticker->arch, &record))
			continue;
		if (record.kind == PROF_PERF_EXEC)
			prof_walker_read(ticker->builder.walker);
		else if (record.kind == PROF_PERF_MAPPED)
			prof_walker_flush(ticker->builder.walker);
		else if (record.kind == PROF_PERF_THREAD)
			prof_ticker_discover(ticker, record.thread);
		else if (record.kind == PROF_PERF_SAMPLE_TAKEN &&
			report_sample(ticker, watch, &record, *schedstat))
			count = record.count;
	}
	return count;
}

/*
 * WATCH has had its last sample at COUNT.  The period of samples is random, so that it cannot run
 * in step with the program, but changes only a few times a second: to set it, or to read the count,
 * the kernel interrupts the thread, which takes longer than the sample.
 *
 * A new period begins when it is set, which is late by what the thread has run since its sample:
 * the samples until the next change make up for that, each for its part.  Many threads end after a
 * few samples: at first the period changes with each, then with every second one, and so on.
 */
static void pace(struct prof_ticker *ticker, struct prof_watch *watch, int64_t count)
{
	if (watch->steady > 0)
		return;
	double most = fmax(ticker->builder.pace.rate / CHANGES, 1);
	int32_t each = (int32_t)fmin(most, watch->changes);
	int64_t late = prof_perf_event_count(watch->event) - count;
	watch->missed = count_missed(ticker, late);
	int64_t period =
		prof_pace_next(&ticker->builder.pace, &watch->place, fmax(SPREAD, 1. / each)) -
		late / each;

	watch->next = count + late + period;
	watch->period = at_least(ticker, period);
	watch->steady = each;
	watch->changes = each * 2;
	prof_perf_event_pace(watch->event, watch->period);
}

/* Does another thread have the id of WATCH now, which the event does not sample? */
static bool is_another(const struct prof_ticker *ticker, const struct prof_watch *watch,
	const struct prof_schedstat *schedstat)
{
	double since = (double)(schedstat->run - watch->run) / PROF_NS_PER_SECOND *
		ticker->builder.pace.rate;

	return watch->due + since > SILENT && prof_perf_event_ended(watch->event);
}

void prof_ticker_sample(struct prof_ticker *ticker, struct prof_watch *watch)
{
	bool refused = watch->refused && prof_clock() - watch->refused < AGAIN;

	if (!ticker->cpus && !watch->event && !refused && !ticker->held && !watch->gone)
		begin_event(ticker, watch);
}

/* Gives WATCH another event in place of its own, which continues with the rest of the period. */
static void replace_event(struct prof_ticker *ticker, struct prof_watch *watch)
{
	watch->next -= prof_perf_event_count(watch->event);
	prof_watch_end_event(watch);
	watch->goes_on = true;
	prof_ticker_sample(ticker, watch);
}

/* Reads the ring of WATCH.  Returns the event's count at the last sample; 0: there was none. */
static int64_t read_ring(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat)
{
	int64_t count = 0;

	prof_perf_ring_begin(&watch->event->ring);
	if (prof_perf_ring_has_more(&watch->event->ring)) {
		/* Updates the account. */
		char state = prof_watch_state(watch);
		prof_ticker_align(ticker, watch, schedstat, state && state != 'R');
		/* The samples before it belong to an address space that is gone. */
		if (prof_perf_ring_has_exec(&watch->event->ring))
			prof_walker_freeze(ticker->builder.walker);
		count = report_samples(ticker, watch, schedstat);
	}
	prof_perf_ring_end(&watch->event->ring);
	return count;
}

void prof_ticker_read_event(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat)
{
	bool sampled = watch->sampled;

	if (!watch->event)
		return;
	int64_t count = read_ring(ticker, watch, schedstat);
	bool grows =
		watch->sampled && !sampled && watch->event->samples < room(ticker, watch->sampled);
	uint32_t bytes = prof_perf_dump_bytes(&ticker->dump, ticker->watches.array.count);
	if (is_another(ticker, watch, schedstat))
		prof_watch_end_event(watch);
	else if (grows || watch->event->dump != bytes)
		replace_event(ticker, watch);
	else if (count)
		pace(ticker, watch, count);
}

bool prof_ticker_has_samples(const struct prof_watch *watch)
{
	return watch->event && prof_perf_ring_has_more(&watch->event->ring);
}

void prof_ticker_set_clock(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat, int64_t count)
{
	prof_perf_clock_set(&watch->clock, &ticker->drift, schedstat, count);
	struct prof_switches *switches = &ticker->builder.switches;
	switches->measured = prof_perf_drift_of_slice(&ticker->drift, &switches->left_out);
}

void prof_ticker_align(struct prof_ticker *ticker, struct prof_watch *watch,
	const struct prof_schedstat *schedstat, bool rests)
{
	int64_t now = prof_clock();

	if (!watch->event || watch->gone || (!rests && now - watch->aligned < AGAIN))
		return;
	watch->aligned = now;
	int64_t count = prof_perf_event_count(watch->event);
	if (rests)
		prof_ticker_set_clock(ticker, watch, schedstat, count);
	else
		prof_perf_clock_bound(&watch->clock, &ticker->drift, schedstat->run, count);
}

void prof_ticker_rest(struct prof_ticker *ticker)
{
	prof_ticker_switch_cpus(ticker, !ticker->held);
	for (size_t i = 0; i < ticker->watches.array.count && ticker->held; i++) {
		struct prof_watch *watch = ticker->watches.array.items[i];
		if (watch->rests || !prof_ticker_has_samples(watch))
			continue;
		prof_perf_event_switch(watch->event, false);
		watch->rests = true;
	}
}

void prof_ticker_resume(struct prof_watch *watch)
{
	if (!watch->event)
		return;
	prof_perf_ring_begin(&watch->event->ring);
	prof_perf_ring_end(&watch->event->ring);
	/*
	 * While paused, the thread may have run without being sampled; while held, it did not run.
	 */
	int64_t count = prof_perf_event_count(watch->event);
	watch->clock = (struct prof_perf_clock){.run = watch->run, .count = count};
	if (watch->next < count)
		watch->next = count;
	watch->expected = 0;
	if (watch->rests)
		prof_perf_event_switch(watch->event, true);
	watch->rests = false;
}
