/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/ring_reader.h"

#include "base/clock.h"
#include "base/yielding_lock.h"
#include "base/thread.h"
#include "recording/queue.h"
#include "tracing/hook.h"
#include "tracing/openmp_events.h"
#include "tracing/operations.h"
#include "tracing/ring_pace.h"
#include "tracing/ring_clock.h"
#include "tracing/stacks.h"
#include "tracing/stream.h"
#include "tracing/total_messages.h"
#include "tracing/totals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* How soon records reach the ring. */
static const int64_t LATE = PROF_NS_PER_MS;
/* How often the recorder gets totals; now and then all of them are checked. */
static const int64_t REPORT_EVERY = 200 * PROF_NS_PER_MS;
static const int64_t WHOLE_EVERY = 2000 * PROF_NS_PER_MS;
/* How often to check whether threads have ended. */
static const int64_t REAP_EVERY = 100 * PROF_NS_PER_MS;
/* How long report_all() waits for a queue that stays full. */
static const int64_t PATIENCE = 2000 * PROF_NS_PER_MS;

enum {
	PIECE = 1 << 16, /* records; then others may take the lock */
	HASTE = -10,     /* the thread's nice value, if it may have it */
	DEPTH = 1 << 16, /* the most frames of a stack: a message must fit into the queue */
};

/* A mark that is due later. */
struct mark {
	uint64_t stamp;
	int64_t time;
};

struct prof_ring_reader {
	struct prof_ring_reader_options options;
	struct prof_traced_hook *hooks;
	pthread_t thread;
	struct prof_yielding_lock lock;
	pthread_cond_t wake; /* signals a change of quit */

	/* All fields below are under the lock. */
	bool quit;
	struct prof_ring_clock clock;
	struct prof_streams streams;
	struct prof_stacks *stacks;
	struct prof_totals totals;
	struct prof_operations operations;
	struct prof_openmp_events openmp;
	uint64_t operations_refused; /* that there was no room for */
	struct prof_total_messages messages;
	PROF_ARRAY(struct mark) marks;
	bool foreign;                    /* the process is in another PID namespace */
	uint64_t generation;             /* of the mappings at the last walk of a stack */
	int64_t reported, whole, reaped; /* the last times, ns of CLOCK_MONOTONIC */
	int64_t working;
	bool learns; /* a stack came raw at the last pass */
};

/* The agent writes the ring's head: do not trust its numbers. */
static struct prof_tracing_figures sum_up(const struct prof_ring_reader *reader)
{
	const struct prof_ring *ring = reader->options.ring;

	return (struct prof_tracing_figures){
		.events = reader->streams.records,
		.bytes = reader->streams.bytes,
		.lost = reader->streams.lost + reader->totals.refused,
		.dropped = atomic_load_explicit(&ring->dropped, memory_order_relaxed),
		.operations_lost = reader->operations_refused +
			atomic_load_explicit(&ring->operations_lost, memory_order_relaxed),
		.families =
			atomic_load_explicit(&ring->families, memory_order_relaxed) & PROF_FAMILIES,
		.threshold = prof_ring_clock_span(&reader->clock, ring->threshold),
		.uncontended = prof_ring_clock_span(&reader->clock, ring->uncontended),
	};
}

/* Applies all marks that are not later than STAMP. */
static void cut(struct prof_ring_reader *reader, uint64_t stamp)
{
	size_t count = 0;

	while (count < reader->marks.count && reader->marks.items[count].stamp <= stamp) {
		int64_t *time = prof_array_push(&reader->messages.marks);
		if (!time)
			break;
		*time = reader->marks.items[count++].time;
		prof_totals_mark(&reader->totals);
	}
	reader->marks.count -= count;
	if (count)
		memmove(reader->marks.items, reader->marks.items + count,
			reader->marks.count * sizeof *reader->marks.items);
}

/* The number of the stack of STREAM's record. */
static uint32_t find_stack(struct prof_ring_reader *reader, const struct prof_stream *stream)
{
	if (!stream->raw.length)
		return stream->next.node;
	reader->learns = true;
	uint32_t number = prof_stacks_raw(reader->stacks, &stream->raw);
	uint64_t generation = prof_stacks_generation(reader->stacks);
	/* All totals up to now have frames of what was mapped until now. */
	if (generation != reader->generation)
		prof_total_messages_before(&reader->messages);
	reader->generation = generation;
	return number;
}

static void take(struct prof_ring_reader *reader, struct prof_stream *stream)
{
	if (reader->marks.count && stream->next.time >= reader->marks.items[0].stamp)
		cut(reader, stream->next.time);
	/* The thread that was met first is not always the first with an event. */
	if (!stream->named) {
		stream->named = true;
		prof_total_messages_thread(&reader->messages, stream->id);
	}
	if (stream->next.kind == PROF_RING_OPERATION) {
		reader->operations_refused += !prof_operations_add(&reader->operations, stream);
		return;
	}
	if (stream->next.kind == PROF_RING_MESSAGE) {
		struct prof_stream_record call;
		prof_operations_split(&stream->next, &call);
		reader->operations_refused += !prof_operations_add(&reader->operations, stream);
		stream->next = call;
	}
	uint32_t stack = find_stack(reader, stream);
	if (stream->next.kind == PROF_RING_OMP)
		prof_openmp_events_add(
			&reader->openmp, &reader->streams, &reader->totals, stream, stack);
	else
		prof_totals_add(&reader->totals, stream, stack);
	if (stream->next.kind == PROF_RING_MPI)
		prof_operations_link(&reader->operations, stream->number, stream->next.time,
			reader->totals.last);
}

/* Takes at most COUNT records that are not later than LIMIT.  Returns how many. */
static size_t take_until(struct prof_ring_reader *reader, uint64_t limit, size_t count)
{
	struct prof_stream *stream;
	size_t taken = 0;

	while (taken < count && (stream = prof_streams_first(&reader->streams, limit))) {
		take(reader, stream);
		prof_streams_advance(&reader->streams);
		taken++;
	}
	return taken;
}

/* Was the last time, *LAST, so long ago that it is time again? */
static bool is_due(int64_t now, int64_t every, int64_t *last)
{
	if (now - *last < every)
		return false;
	*last = now;
	return true;
}

/* Frees what was reported and is over. */
static void retire(struct prof_ring_reader *reader)
{
	struct prof_streams *streams = &reader->streams;

	for (size_t i = 0; i < streams->gone.count; i++) {
		prof_totals_end(&reader->totals, streams->gone.items[i]);
		prof_operations_end(&reader->operations, streams->gone.items[i]);
	}
	prof_totals_retire(&reader->totals);
	for (size_t i = streams->gone.count; i-- > 0;) {
		if (!prof_totals_has(&reader->totals, streams->gone.items[i]))
			prof_streams_release(streams, i);
	}
}

static void report(struct prof_ring_reader *reader, int64_t now)
{
	struct prof_tracing_figures traced = sum_up(reader);

	if (!is_due(now, REPORT_EVERY, &reader->reported))
		return;
	prof_total_messages_traced(&reader->messages, &traced);
	bool whole = is_due(now, WHOLE_EVERY, &reader->whole);
	if (prof_total_messages_totals(&reader->messages, whole) &&
		prof_total_messages_operations(&reader->messages) && whole)
		retire(reader);
}

/* Takes the records that exist now.  Returns how many bytes they have. */
static uint64_t pass(struct prof_ring_reader *reader)
{
	int64_t now = prof_clock();
	uint64_t bytes = reader->streams.bytes;
	size_t taken;

	prof_ring_clock_adjust(&reader->clock);
	uint64_t limit = prof_streams_look(
		&reader->streams, prof_ring_clock_from_ns(&reader->clock, now - LATE));
	do {
		taken = limit ? take_until(reader, limit - 1, PIECE) : 0;
		prof_yielding_lock_yield(&reader->lock);
	} while (taken == PIECE && !reader->quit);
	if (limit && !reader->quit)
		cut(reader, limit - 1);
	if (is_due(now, REAP_EVERY, &reader->reaped) && !reader->foreign)
		prof_streams_reap(&reader->streams, reader->options.pid, REAP_EVERY);
	report(reader, now);
	return reader->streams.bytes - bytes;
}

/*
 * The thread must keep up with all threads of the program together.  Without permission to raise
 * its priority, it has to do with the CPU time that it gets.
 */
static void hurry(void)
{
	setpriority(PRIO_PROCESS, (id_t)gettid(), HASTE);
}

static void *run(void *context)
{
	struct prof_ring_reader *reader = context;
	uint64_t room = (uint64_t)reader->streams.chunks * PROF_RING_CHUNK;
	int64_t sleep = PROF_RING_PACE_LEAST;

	hurry();
	pthread_mutex_lock(&reader->lock.mutex);
	while (!reader->quit) {
		reader->learns = false;
		uint64_t bytes = pass(reader);
		sleep = prof_ring_pace_next(sleep, bytes, room, reader->learns);
		reader->working = prof_clock_used();
		prof_yielding_lock_yield(&reader->lock);
		if (!reader->quit)
			prof_thread_wait(&reader->wake, &reader->lock.mutex, prof_clock() + sleep);
	}
	pthread_mutex_unlock(&reader->lock.mutex);
	return NULL;
}

static void deinit(struct prof_ring_reader *reader)
{
	prof_streams_deinit(&reader->streams);
	prof_stacks_destroy(reader->stacks);
	prof_totals_deinit(&reader->totals);
	prof_operations_deinit(&reader->operations);
	prof_openmp_events_deinit(&reader->openmp);
	prof_total_messages_deinit(&reader->messages);
	prof_yielding_lock_deinit(&reader->lock);
	pthread_cond_destroy(&reader->wake);
	free(reader->marks.items);
	free(reader->hooks);
	free(reader);
}

/* Is PID in another namespace?  If that is unknown, it is not. */
static bool is_foreign(pid_t pid)
{
	char path[64];
	char own[64] = "", other[64] = "";

	snprintf(path, sizeof path, "/proc/%d/ns/pid", (int)pid);
	if (readlink("/proc/self/ns/pid", own, sizeof own - 1) < 0 ||
		readlink(path, other, sizeof other - 1) < 0)
		return false;
	return strcmp(own, other) != 0;
}

/* Copies COUNT HOOKS. */
static struct prof_error *set_hooks(
	struct prof_ring_reader *reader, const struct prof_traced_hook *hooks, size_t count)
{
	struct prof_traced_hook *copy = malloc(count * sizeof *copy + 1);

	if (!copy)
		return prof_error_nomem();
	if (count)
		memcpy(copy, hooks, count * sizeof *copy);
	free(reader->hooks);
	reader->hooks = copy;
	reader->totals.hooks = copy;
	reader->totals.hook_count = count;
	return NULL;
}

/* Fills in the fields that follow from the options. */
static struct prof_error *init(struct prof_ring_reader *reader)
{
	const struct prof_ring_reader_options *options = &reader->options;
	struct prof_error *error =
		prof_streams_init(&reader->streams, options->ring, options->size);

	if (error)
		return error;
	error = prof_stacks_create(options->ring, options->pid, options->depth, &reader->stacks);
	if (error)
		return error;
	reader->messages = (struct prof_total_messages){
		.queue = options->queue,
		.number = options->number,
		.pid = options->pid,
		.totals = &reader->totals,
		.operations = &reader->operations,
		.stacks = reader->stacks,
		.clock = &reader->clock,
		.depth = options->depth,
	};
	error = set_hooks(reader, options->hooks, options->hook_count);
	return error ? error : prof_total_messages_init(&reader->messages);
}

struct prof_error *prof_ring_reader_create(
	const struct prof_ring_reader_options *options, struct prof_ring_reader **ret)
{
	struct prof_ring_reader *reader = calloc(1, sizeof *reader);

	if (!reader)
		return prof_error_nomem();
	reader->options = *options;
	if (reader->options.depth > DEPTH)
		reader->options.depth = DEPTH;
	reader->foreign = is_foreign(options->pid);
	prof_yielding_lock_init(&reader->lock);
	prof_thread_condition(&reader->wake);
	prof_ring_clock_init(&reader->clock, options->counter);
	int64_t now = prof_clock();
	reader->reported = reader->whole = reader->reaped = now;
	reader->totals.slice = prof_ring_clock_from_ns(&reader->clock, now + options->slice) -
		prof_ring_clock_from_ns(&reader->clock, now);
	struct prof_error *error = init(reader);
	if (!error)
		error = prof_thread_start(
			run, reader, "gdbprof-reader", "The ring reader's thread", &reader->thread);
	if (error) {
		deinit(reader);
		return error;
	}
	*ret = reader;
	return NULL;
}

void prof_ring_reader_destroy(struct prof_ring_reader *reader)
{
	if (!reader)
		return;
	prof_yielding_lock_acquire(&reader->lock);
	reader->quit = true;
	pthread_cond_signal(&reader->wake);
	prof_yielding_lock_release(&reader->lock);
	pthread_join(reader->thread, NULL);
	/*
	 * While the queue is full, what the recorder knows about totals is only a waste of memory.
	 */
	(void)prof_queue_try(reader->options.queue,
		&(struct prof_message){.kind = PROF_MESSAGE_READER_END,
			.reader_end = {.reader = reader->options.number}},
		NULL);
	deinit(reader);
}

/* Reports everything, as fast as the recorder makes room; gives up if the recorder does nothing. */
static void report_all(struct prof_ring_reader *reader)
{
	struct prof_queue *queue = reader->options.queue;
	struct prof_tracing_figures traced = sum_up(reader);
	int64_t moved = prof_clock();
	size_t waiting = 0;

	while (!prof_total_messages_totals(&reader->messages, true) ||
		!prof_total_messages_operations(&reader->messages) ||
		!prof_total_messages_traced(&reader->messages, &traced)) {
		size_t count = prof_queue_count(queue);
		if (count < waiting)
			moved = prof_clock();
		waiting = count;
		if (prof_clock() - moved > PATIENCE)
			return;
		usleep(1000);
	}
}

/*
 * Takes and reports everything until now; the caller holds the lock.  It does not wait for a thread
 * in the middle of a record, which may stand still there.  If the program runs, later records are
 * left: they could be reported before earlier ones that are not there yet.
 */
static void flush(struct prof_ring_reader *reader)
{
	/* Damaged records may have no end: take no more than the ring has room for. */
	size_t most = (size_t)reader->streams.chunks * PROF_RING_CHUNK / sizeof(uint64_t);
	uint64_t limit = prof_ring_clock_now(&reader->clock);

	prof_ring_clock_adjust(&reader->clock);
	prof_streams_look(&reader->streams, 0);
	take_until(reader, limit, most);
	cut(reader, limit);
	report_all(reader);
}

void prof_ring_reader_flush(struct prof_ring_reader *reader)
{
	prof_yielding_lock_acquire(&reader->lock);
	flush(reader);
	prof_yielding_lock_release(&reader->lock);
}

struct prof_error *prof_ring_reader_hooks(
	struct prof_ring_reader *reader, const struct prof_traced_hook *hooks, size_t count)
{
	prof_yielding_lock_acquire(&reader->lock);
	struct prof_error *error = set_hooks(reader, hooks, count);
	prof_yielding_lock_release(&reader->lock);
	return error;
}

void prof_ring_reader_mark(struct prof_ring_reader *reader, int64_t time)
{
	prof_yielding_lock_acquire(&reader->lock);
	prof_ring_clock_adjust(&reader->clock);
	struct mark *mark = prof_array_push(&reader->marks);
	if (mark)
		*mark = (struct mark){prof_ring_clock_from_ns(&reader->clock, time), time};
	prof_yielding_lock_release(&reader->lock);
}

void prof_ring_reader_objects(struct prof_ring_reader *reader)
{
	prof_yielding_lock_acquire(&reader->lock);
	flush(reader);
	prof_stacks_flush(reader->stacks);
	prof_yielding_lock_release(&reader->lock);
}

void prof_ring_reader_look(struct prof_ring_reader *reader, struct prof_ring_reader_status *ret)
{
	prof_yielding_lock_acquire(&reader->lock);
	*ret = (struct prof_ring_reader_status){
		.events = reader->streams.records,
		.bytes = reader->streams.bytes,
		.lost = reader->streams.lost + reader->totals.refused,
		.totals = reader->totals.made,
		.working = reader->working,
		.damage = reader->streams.damage,
	};
	prof_yielding_lock_release(&reader->lock);
}
