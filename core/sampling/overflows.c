/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/overflows_private.h"

#include "base/clock.h"
#include "base/thread.h"
#include "model/state.h"
#include "recording/look.h"
#include "recording/queue.h"
#include "sampling/counter.h"
#include "sampling/displaced.h"
#include "sampling/perf_dump.h"
#include "sampling/walker.h"
#include "target/arch.h"
#include "target/procfs.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* ms: how often rings are emptied that are less than a quarter full. */
enum { SOON = 100 };

/* If, after this many samples, more than one stack in a hundred was cut, more of each is copied. */
enum { JUDGED = 100 };

static void put_name(struct prof_overflows *overflows, pid_t thread, const char *name, bool renamed)
{
	struct prof_message message = {
		.kind = PROF_MESSAGE_THREAD,
		.size = (uint32_t)strlen(name) + 1,
		.thread = {.id = thread, .renamed = renamed},
	};

	prof_queue_put(overflows->options.queue, &message, name);
}

/* Reports the name of THREAD, unless that was done. */
static void report_name(struct prof_overflows *overflows, pid_t thread)
{
	char name[PROF_THREAD_NAME] = "";

	if (!overflows->options.names || !prof_recent_add(&overflows->named, (uint64_t)thread))
		return;
	prof_procfs_name(overflows->options.process, thread, name);
	/* One that has ended keeps the name that it may have. */
	if (*name)
		put_name(overflows, thread, name, false);
}

static struct prof_look begin_look(const struct prof_overflows *overflows,
	const struct prof_overflows_source *source, uint64_t count)
{
	return (struct prof_look){
		.process = overflows->options.process,
		.counter = source->counter + 1,
		.value = (int64_t)count * prof_overflows_counter(overflows, source)->interval,
	};
}

static void report_sample(struct prof_overflows *overflows,
	const struct prof_overflows_source *source, struct prof_perf_record *record)
{
	struct prof_look look = begin_look(overflows, source, 1);
	const struct prof_counter *counter = prof_overflows_counter(overflows, source);
	struct prof_stack *stack = &overflows->stack;
	bool user = record->registers.within == PROF_WITHIN_PROGRAM;

	report_name(overflows, record->thread);
	look.time = record->time;
	look.thread = record->thread;
	look.state = user ? PROF_STATE_USER : PROF_STATE_SYSTEM;
	look.cpu = record->cpu;
	overflows->sums[source->counter].taken++;
	overflows->samples++;
	prof_stack_empty(stack);
	if (record->registers.valid && !counter->apart) {
		prof_displaced_walk(
			overflows->options.displaced, overflows->options.walker, record, stack);
		prof_perf_dump_complete(record->process, &record->stack);
		overflows->cut += record->stack.exceeded;
		overflows->all_cut += record->stack.exceeded;
		if (counter->search && stack->depth)
			prof_triggers_find(
				overflows->triggers, record, counter, &look, stack->frames);
	}
	prof_walker_put(overflows->options.walker, &look, stack);
}

/* COUNT samples of SOURCE had no room: what they stand for is known, but not where it was. */
static void report_lost(struct prof_overflows *overflows,
	const struct prof_overflows_source *source, uint64_t count)
{
	struct prof_look look = begin_look(overflows, source, count);

	if (!count)
		return;
	report_name(overflows, overflows->options.process);
	look.time = prof_clock();
	look.thread = overflows->options.process;
	look.state = PROF_STATE_USER;
	overflows->sums[source->counter].lost += count;
	prof_stack_empty(&overflows->stack);
	prof_walker_put(overflows->options.walker, &look, &overflows->stack);
}

static void report_record(struct prof_overflows *overflows,
	const struct prof_overflows_source *source, struct prof_perf_record *record)
{
	bool own = record->process == overflows->options.process;

	if (record->kind == PROF_PERF_LOST)
		report_lost(overflows, source, record->lost);
	else if (!own)
		return;
	else if (record->kind == PROF_PERF_SAMPLE_TAKEN)
		report_sample(overflows, source, record);
	/* Each counter's ring has the record, on the CPU where it happened. */
	if (record->name && overflows->options.names && !source->counter)
		put_name(overflows, record->thread, record->name, true);
}

static bool is_exec(const struct prof_overflows *overflows, const struct prof_perf_record *record)
{
	return record->kind == PROF_PERF_EXEC && record->process == overflows->options.process;
}

/* Reads the records of SOURCE's ring up to its snapshot, but not beyond an exec. */
static void read_ring(struct prof_overflows *overflows, struct prof_overflows_source *source)
{
	const uint64_t type = prof_overflows_sample_type(prof_overflows_counter(overflows, source));
	struct prof_perf_ring *ring = &source->events.ring;
	const struct perf_event_header *header;
	struct prof_perf_record record;
	bool exec = false;

	while (!exec && (header = prof_perf_ring_next(ring))) {
		if (!prof_perf_record_parse(header, type, overflows->arch, &record))
			continue;
		report_record(overflows, source, &record);
		exec = is_exec(overflows, &record);
	}
	if (exec)
		prof_perf_ring_stop(ring);
	prof_perf_ring_end(ring);
}

/* What was found in the snapshot of a ring. */
struct found {
	bool code; /* new code */
	bool exec; /* the process executes another program */
};

static struct found search(
	const struct prof_overflows *overflows, const struct prof_overflows_source *source)
{
	const uint64_t type = prof_overflows_sample_type(prof_overflows_counter(overflows, source));
	/* Copies begin to read at the same place. */
	struct prof_perf_ring ring = source->events.ring;
	const struct perf_event_header *header;
	struct prof_perf_record record;
	struct found found = {false, false};

	while ((header = prof_perf_ring_next(&ring))) {
		found.code |= header->type == PERF_RECORD_MMAP;
		found.exec |= header->type == PERF_RECORD_COMM &&
			prof_perf_record_parse(header, type, overflows->arch, &record) &&
			is_exec(overflows, &record);
	}
	return found;
}

/* Reads all rings, or up to an exec.  False: there was none. */
static bool read_to_exec(struct prof_overflows *overflows)
{
	struct prof_walker *walker = overflows->options.walker;
	struct found all = {false, false};

	/*
	 * One ring may have the exec, and another one samples before it.  First, all are searched
	 * up to a snapshot: an exec that comes later is left for the next time.
	 */
	for (size_t i = 0; i < overflows->sources.count; i++) {
		struct prof_overflows_source *source = &overflows->sources.items[i];
		if (source->events.files.count)
			prof_perf_ring_begin(&source->events.ring);
	}
	for (size_t i = 0; i < overflows->sources.count; i++) {
		const struct prof_overflows_source *source = &overflows->sources.items[i];
		if (!source->events.files.count)
			continue;
		struct found found = search(overflows, source);
		all.code |= found.code;
		all.exec |= found.exec;
	}
	/* The samples before it belong to an address space that is gone. */
	if (all.exec)
		prof_walker_freeze(walker);
	else if (all.code)
		prof_walker_flush(walker);
	for (size_t i = 0; i < overflows->sources.count; i++) {
		if (overflows->sources.items[i].events.files.count)
			read_ring(overflows, &overflows->sources.items[i]);
	}
	if (all.exec)
		prof_walker_read(walker);
	return all.exec;
}

static void read_all(struct prof_overflows *overflows)
{
	while (read_to_exec(overflows))
		;
}

/* The events of COUNTER until now. */
static uint64_t count_events(const struct prof_overflows *overflows, uint32_t counter)
{
	uint64_t sum = overflows->sums[counter].counted, count;

	for (size_t i = 0; i < overflows->sources.count; i++) {
		const struct prof_overflows_source *source = &overflows->sources.items[i];
		for (size_t j = 0; j < source->events.files.count && source->counter == counter;
			j++) {
			if (read(source->events.files.items[j], &count, sizeof count) ==
				sizeof count)
				sum += count;
		}
	}
	return sum;
}

/*
 * Called while nothing is counted.  The kernel throttles events that come too fast, and shows those
 * that it left out only in the total.  If each event is a sample, their number is known.
 */
static void find_throttled(struct prof_overflows *overflows)
{
	for (size_t i = 0; i < overflows->sources.count && overflows->apart; i++) {
		const struct prof_overflows_source *source = &overflows->sources.items[i];
		const struct prof_overflows_sum *sum = &overflows->sums[source->counter];
		if (source->cpu || prof_overflows_counter(overflows, source)->interval != 1)
			continue;
		uint64_t count = count_events(overflows, source->counter);
		if (count > sum->taken + sum->lost)
			report_lost(overflows, source, count - sum->taken - sum->lost);
	}
}

static void report_sums(struct prof_overflows *overflows)
{
	for (uint32_t i = 0; i < overflows->options.counters->list.count; i++) {
		struct prof_overflows_sum *sum = &overflows->sums[i];
		uint64_t lost = sum->lost - sum->reported_lost;
		uint64_t all = sum->taken - sum->reported_taken + lost;
		struct prof_message message = {
			.kind = PROF_MESSAGE_OVERFLOWS,
			.overflows = {.counter = i, .overflows = all, .lost = lost},
		};
		if (!all || !prof_queue_put(overflows->options.queue, &message, NULL))
			continue;
		sum->reported_taken = sum->taken;
		sum->reported_lost = sum->lost;
	}
}

static void wait(struct prof_overflows *overflows, struct pollfd *files)
{
	size_t count = 0;

	files[count++] = (struct pollfd){.fd = overflows->wake, .events = POLLIN};
	for (size_t i = 0; i < overflows->sources.count; i++) {
		const struct prof_overflows_source *source = &overflows->sources.items[i];
		if (source->events.files.count)
			files[count++] = (struct pollfd){
				.fd = source->events.files.items[0], .events = POLLIN};
	}
	pthread_mutex_unlock(&overflows->mutex);
	poll(files, count, SOON);
	pthread_mutex_lock(&overflows->mutex);
}

static void *run(void *context)
{
	struct prof_overflows *overflows = context;
	uint64_t reported;

	pthread_mutex_lock(&overflows->mutex);
	struct pollfd *files = calloc(overflows->sources.count + 1, sizeof *files);
	while (files && read(overflows->wake, &reported, sizeof reported) != sizeof reported) {
		read_all(overflows);
		report_sums(overflows);
		wait(overflows, files);
	}
	free(files);
	pthread_mutex_unlock(&overflows->mutex);
	return NULL;
}

static void switch_all(struct prof_overflows *overflows, bool on)
{
	for (size_t i = 0; i < overflows->sources.count; i++) {
		const struct prof_overflows_source *source = &overflows->sources.items[i];
		for (size_t j = 0; j < source->events.files.count; j++)
			ioctl(source->events.files.items[j],
				on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
	}
	overflows->runs = on;
}

/* Stacks were cut: copies more of each from now on.  The process is stopped. */
static void copy_more(struct prof_overflows *overflows)
{
	if (overflows->dump == PROF_PERF_DUMP_MOST || overflows->samples < JUDGED ||
		overflows->cut * 100 <= overflows->samples)
		return;
	prof_overflows_close(overflows);
	overflows->dump = PROF_PERF_DUMP_MOST;
	overflows->cut = overflows->samples = 0;
	prof_error_destroy(prof_overflows_open(overflows));
}

static void deinit(struct prof_overflows *overflows)
{
	prof_overflows_close(overflows);
	free(overflows->sources.items);
	free(overflows->sums);
	prof_stack_deinit(&overflows->stack);
	prof_triggers_destroy(overflows->triggers);
	prof_recent_deinit(&overflows->named);
	pthread_mutex_destroy(&overflows->mutex);
	if (overflows->wake >= 0)
		close(overflows->wake);
	free(overflows);
}

struct prof_error *prof_overflows_create(
	const struct prof_overflows_options *options, struct prof_overflows **ret)
{
	struct prof_overflows *overflows = calloc(1, sizeof *overflows);

	if (!overflows)
		return prof_error_nomem();
	overflows->options = *options;
	overflows->arch = prof_arch_native();
	overflows->dump = PROF_PERF_DUMP_USUAL;
	overflows->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	pthread_mutex_init(&overflows->mutex, NULL);
	struct prof_error *error = overflows->wake < 0 ? prof_overflows_explain(errno) : NULL;
	if (!error)
		error = prof_stack_init(&overflows->stack, prof_walker_max_depth(options->walker));
	overflows->triggers = prof_triggers_create(options->walker);
	if (!error && !overflows->triggers)
		error = prof_error_nomem();
	if (!error)
		error = prof_overflows_make_sources(overflows);
	if (!error)
		error = prof_overflows_open(overflows);
	if (!error)
		error = prof_thread_start(run, overflows, "gdbprof-counter",
			"The thread that reads counters", &overflows->thread);
	if (error) {
		deinit(overflows);
		return error;
	}
	*ret = overflows;
	return NULL;
}

void prof_overflows_destroy(struct prof_overflows *overflows)
{
	const uint64_t one = 1;

	if (!overflows)
		return;
	if (write(overflows->wake, &one, sizeof one) == sizeof one)
		pthread_join(overflows->thread, NULL);
	switch_all(overflows, false);
	prof_overflows_report(overflows);
	deinit(overflows);
}

void prof_overflows_release(struct prof_overflows *overflows)
{
	pthread_mutex_lock(&overflows->mutex);
	switch_all(overflows, true);
	pthread_mutex_unlock(&overflows->mutex);
}

void prof_overflows_hold(struct prof_overflows *overflows)
{
	pthread_mutex_lock(&overflows->mutex);
	switch_all(overflows, false);
	pthread_mutex_unlock(&overflows->mutex);
	prof_overflows_report(overflows);
	pthread_mutex_lock(&overflows->mutex);
	copy_more(overflows);
	pthread_mutex_unlock(&overflows->mutex);
}

void prof_overflows_report(struct prof_overflows *overflows)
{
	pthread_mutex_lock(&overflows->mutex);
	read_all(overflows);
	if (!overflows->runs)
		find_throttled(overflows);
	report_sums(overflows);
	pthread_mutex_unlock(&overflows->mutex);
}

unsigned long prof_overflows_cut(const struct prof_overflows *overflows)
{
	return overflows->all_cut;
}
