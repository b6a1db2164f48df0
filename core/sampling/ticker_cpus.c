/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The part of the ticker that reads the samples of CPUs, and reports those of its process. */
#include "sampling/ticker_private.h"

#include "base/clock.h"
#include "base/time_unit.h"
#include "sampling/walker.h"
#include "sampling/watch.h"
#include "target/procfs.h"

#include <unistd.h>

/* ns: if a thread has gained more CPU time than has passed, and this on top, its id is that of
 * another thread now. */
static const int64_t GRACE = 100000000;

/* ns: the kernel updates a running thread's CPU time once a tick (most kernels tick at 250 Hz), and
 * whenever the thread leaves its CPU. */
static const int64_t TICK = 4000000;

/* ns: samples that were missed longer ago were those of other processes. */
static const int64_t RECENT = PROF_NS_PER_SECOND;

/* On machines with more CPUs threads have events: an event of a CPU interrupts it even if the
 * process does not run there. */
enum { CPUS = 64 };

void prof_ticker_open_cpus(struct prof_ticker *ticker)
{
	const struct prof_family_events_options options = {
		.scope = ticker->options.kernel,
		.frames = ticker->options.kernel_frames,
		.rate = ticker->options.rate,
		.cpus = true,
	};

	if (!ticker->options.cpus || sysconf(_SC_NPROCESSORS_CONF) > CPUS)
		return;
	prof_error_destroy(prof_family_events_create(&options, &ticker->cpus));
}

bool prof_ticker_has_cpus(const struct prof_ticker *ticker)
{
	return ticker->cpus;
}

static struct prof_watch *find(struct prof_ticker *ticker, pid_t thread)
{
	struct prof_watch *watch = prof_watches_find(&ticker->watches, thread);

	if (watch)
		return watch;
	prof_ticker_discover(ticker, thread);
	return prof_watches_find(&ticker->watches, thread);
}

static void report_sample(struct prof_ticker *ticker, struct prof_perf_record *record)
{
	struct prof_watch *watch = record->registers.valid ? find(ticker, record->thread) : NULL;
	struct prof_look look;

	if (!watch)
		return;
	char state = prof_watch_state(watch);
	struct prof_schedstat schedstat = prof_watch_schedstat(watch);
	/* While another thread executes a program it already has the id of the first. */
	if (schedstat.run - watch->run > prof_clock() - watch->last + GRACE)
		return;
	/* The sample may have been taken long ago: what came after it is not its own. */
	int64_t passed = record->time > watch->last ? record->time - watch->last : 0;
	if (schedstat.run > watch->run + passed)
		schedstat.run = watch->run + passed;
	watch->sampled = true;
	watch->held = false;
	prof_look_builder_sampled(&ticker->builder, watch, record->time, &schedstat,
		record->registers.within, state == 'R' ? TICK : 0, &look);
	look.cpu = record->cpu;
	prof_ticker_put_sample(ticker, record, &look);
}

/*
 * RECORD, which was given last, reports samples that a CPU's ring had no room for, but not whose
 * they were: the next samples of threads that lack some stand for them.
 */
static void count_missed(struct prof_ticker *ticker, const struct prof_perf_record *record)
{
	if (!prof_family_events_of_samples(ticker->cpus) || ticker->held)
		return;
	ticker->builder.missed += record->lost;
	ticker->missed = prof_clock();
}

static void report_record(struct prof_ticker *ticker, struct prof_perf_record *record)
{
	switch (record->kind) {
	case PROF_PERF_EXEC:
		prof_walker_read(ticker->builder.walker);
		break;
	case PROF_PERF_MAPPED:
		prof_walker_flush(ticker->builder.walker);
		break;
	case PROF_PERF_THREAD:
		if (!ticker->held)
			prof_ticker_discover(ticker, record->thread);
		break;
	case PROF_PERF_SAMPLE_TAKEN:
		/* Samples that were taken on hold do not count. */
		if (!ticker->held)
			report_sample(ticker, record);
		break;
	case PROF_PERF_LOST:
		count_missed(ticker, record);
		break;
	default:
		break;
	}
}

/* Reads RECORD of HEADER.  False: it does not matter here. */
static bool parse(const struct prof_ticker *ticker, const struct perf_event_header *header,
	struct prof_perf_record *record)
{
	return prof_perf_record_parse(
		       header, prof_family_events_type(ticker->cpus), ticker->arch, record) &&
		(record->process == ticker->options.process || record->kind == PROF_PERF_LOST);
}

static bool is_exec(void *context, const struct perf_event_header *header)
{
	struct prof_perf_record record;

	return header->type == PERF_RECORD_COMM && parse(context, header, &record) &&
		record.kind == PROF_PERF_EXEC;
}

static bool is_loss(void *context, const struct perf_event_header *header)
{
	(void)context;
	return header->type == PERF_RECORD_LOST;
}

void prof_ticker_read_cpus(struct prof_ticker *ticker)
{
	const struct perf_event_header *header;
	struct prof_perf_record record;

	if (!ticker->cpus)
		return;
	if (!ticker->held)
		prof_family_events_pace(ticker->cpus);
	if (prof_clock() - ticker->missed > RECENT)
		ticker->builder.missed = 0;
	/* Later records wait until the other rings' records of the same time can be read too. */
	prof_family_events_begin(ticker->cpus, prof_clock());
	/* The samples before it belong to an address space that is gone. */
	if (prof_family_events_any(ticker->cpus, is_exec, ticker))
		prof_walker_freeze(ticker->builder.walker);
	/* Any of them may have reported new code. */
	if (prof_family_events_any(ticker->cpus, is_loss, NULL))
		prof_walker_flush(ticker->builder.walker);
	while ((header = prof_family_events_next(ticker->cpus))) {
		if (parse(ticker, header, &record))
			report_record(ticker, &record);
	}
}

void prof_ticker_switch_cpus(struct prof_ticker *ticker, bool on)
{
	if (!ticker->cpus || ticker->cpus_rest == !on)
		return;
	prof_family_events_switch(ticker->cpus, on);
	ticker->cpus_rest = !on;
	/* The rings may have been full meanwhile. */
	if (on)
		prof_walker_flush(ticker->builder.walker);
}
