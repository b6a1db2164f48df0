/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/call_reader.h"

#include "base/clock.h"
#include "base/thread.h"
#include "base/time_unit.h"
#include "base/yielding_lock.h"
#include "patching/patch_calls.h"
#include "patching/patch_records.h"
#include "plugin/calls/call_budget.h"
#include "recording/call_message.h"
#include "recording/queue.h"
#include "recording/recorder.h"
#include "target/process.h"
#include "target/procfs.h"
#include "tracing/ring_clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* ns between two looks, while there is something to take and while there is not. */
enum { SOON = 500000, LATER = 5000000 };

/* ns between two looks at what calls cost, and functions that are chosen by one, at the most. */
enum { PERIOD = 20000000, CHOSEN = 64 };

/* Records that are taken between two such looks, at the most. */
enum { OFTEN = 1 << 14 };

/* Calls and ends in a message, and how often a full queue is tried. */
enum { TOGETHER = 1024, TRIES = 100 };

struct call_reader {
	struct prof_process process;
	struct prof_target target;
	struct prof_stub_settings settings;
	struct call_reader_settings wanted;
	struct call_budget budget;
	PROF_ARRAY(uint32_t) counted; /* numbers of functions that are counted only */
	uint64_t taken;               /* records */
	int64_t looked, cpu; /* when what calls cost was looked at, ns, and at which CPU time */
	uint64_t missed;     /* what was lost until then */
	pthread_t thread;
	struct prof_yielding_lock lock;
	pthread_cond_t wake; /* signals a change of QUIT */
	bool quit;
	bool began; /* something was read */
	struct prof_ring_clock clock;
	struct prof_patch_records records;
	struct prof_patch_calls calls;
	PROF_ARRAY(uint64_t) functions; /* their addresses, by number - 1 */
	struct prof_call_message batch[TOGETHER];
	size_t count;          /* of BATCH, */
	uint32_t batch_thread; /* all of which is of this thread */
	int64_t held;          /* since when the program stands still; 0: it goes on */
	uint64_t dropped,
		reported; /* of what is lost: that the queue had no room for, and reported */
	struct call_reader_status status;
};

/* Puts MESSAGE into the queue, as soon as the recorder makes room. */
static bool put(struct call_reader *reader, const struct prof_message *message, const void *data)
{
	for (int i = 0; i < TRIES; i++) {
		if (prof_queue_try(reader->wanted.queue, message, data))
			return true;
		prof_recorder_lock(reader->wanted.recorder);
		prof_recorder_unlock(reader->wanted.recorder);
	}
	return false;
}

static void send(struct call_reader *reader)
{
	const struct prof_message message = {
		.kind = PROF_MESSAGE_CALLS,
		.size = (uint32_t)(reader->count * sizeof *reader->batch),
		.calls = {.process = reader->process.pid, .thread = reader->batch_thread},
	};

	if (reader->count && !put(reader, &message, reader->batch))
		reader->dropped += reader->count;
	reader->count = 0;
}

static void add(struct call_reader *reader, uint32_t thread, const struct prof_call_message *call)
{
	if (reader->count == TOGETHER || thread != reader->batch_thread)
		send(reader);
	reader->batch_thread = thread;
	reader->batch[reader->count++] = *call;
}

static bool take_event(void *context, const struct prof_patch_event *event)
{
	static const uint32_t kinds[] = {
		[PROF_PATCH_CALL] = PROF_CALL_BEGINS,
		[PROF_PATCH_END] = PROF_CALL_RETURNS,
		[PROF_PATCH_LEAVE] = PROF_CALL_LEFT,
		[PROF_PATCH_OPEN] = PROF_CALL_OPEN,
	};
	struct call_reader *reader = context;
	struct prof_call_message call = {
		.time = prof_ring_clock_to_ns(&reader->clock, event->time),
		.kind = kinds[event->kind],
	};

	if (event->kind == PROF_PATCH_CALL) {
		call.function = event->function <= reader->functions.count
			? reader->functions.items[event->function - 1]
			: 0;
		reader->status.calls++;
		call_budget_add(&reader->budget, event->function);
	}
	add(reader, event->thread, &call);
	return true;
}

/* ns of CPU time that the program has used. */
static int64_t read_cpu(const struct call_reader *reader)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(reader->process.pid, &clock) || clock_gettime(clock, &time))
		return reader->cpu;
	return time.tv_sec * (int64_t)PROF_NS_PER_SECOND + time.tv_nsec;
}

/* Has functions that are called too often counted only. */
static void keep_to_limit(struct call_reader *reader)
{
	uint32_t numbers[CHOSEN];
	int64_t now = prof_clock();
	uint64_t missed = reader->records.lost + reader->dropped;

	if (reader->held || now - reader->looked < PERIOD)
		return;
	int64_t cpu = read_cpu(reader);
	size_t count = call_budget_look(
		&reader->budget, cpu - reader->cpu, (missed - reader->missed) / 2, numbers, CHOSEN);
	for (size_t i = 0; i < count; i++) {
		uint32_t *added = prof_array_push(&reader->counted);
		if (added && reader->wanted.count_only(numbers[i]))
			*added = numbers[i];
		else if (added)
			reader->counted.count--;
	}
	reader->looked = now;
	reader->cpu = cpu;
	reader->missed = missed;
}

static bool take_record(void *context, const struct prof_patch_record *record)
{
	struct call_reader *reader = context;

	if (++reader->taken % OFTEN == 0)
		keep_to_limit(reader);
	if (reader->status.full)
		return true;
	if (!prof_patch_calls_add(&reader->calls, record))
		return false;
	reader->status.full = reader->status.calls >= CALL_READER_MOST;
	return !reader->status.full ||
		prof_patch_calls_finish(&reader->calls, prof_ring_clock_now(&reader->clock));
}

static bool write_word(void *context, uint64_t address, uint64_t value)
{
	const struct call_reader *reader = context;
	AUTO_ERROR struct prof_error *error =
		prof_process_write(reader->process.pid, address, &value, sizeof value);

	return !error;
}

/* Reports what was lost since the last time. */
static void report_lost(struct call_reader *reader)
{
	reader->status.lost = reader->records.lost + reader->dropped;
	const struct prof_message message = {
		.kind = PROF_MESSAGE_TRACED,
		.traced = {.lost = reader->status.lost - reader->reported},
	};

	if (reader->status.lost > reader->reported && put(reader, &message, NULL))
		reader->reported = reader->status.lost;
}

/* Takes what is new; the caller holds the lock.  How many calls that are. */
static uint64_t take(struct call_reader *reader)
{
	const struct prof_patch_records_process process = {
		.target = &reader->target,
		.settings = &reader->settings,
		.write = write_word,
		.take = take_record,
		.context = reader,
	};
	uint64_t before = reader->status.calls;

	if (reader->status.failed)
		return 0;
	prof_ring_clock_adjust(&reader->clock);
	AUTO_ERROR struct prof_error *error = prof_patch_records_read(&reader->records, &process);
	/*
	 * Before the first patch there is nothing to read from.  Afterwards another program is
	 * executed, perhaps.
	 */
	reader->began |= !error;
	reader->status.failed =
		reader->began && error && prof_error_code(error) != PROF_ERROR_NOMEM;
	send(reader);
	return reader->status.calls - before;
}

static void *run(void *context)
{
	struct call_reader *reader = context;

	pthread_mutex_lock(&reader->lock.mutex);
	while (!reader->quit) {
		int64_t pause = !reader->held && take(reader) ? SOON : LATER;
		keep_to_limit(reader);
		prof_yielding_lock_yield(&reader->lock);
		prof_thread_wait(&reader->wake, &reader->lock.mutex, prof_clock() + pause);
	}
	pthread_mutex_unlock(&reader->lock.mutex);
	return NULL;
}

static void deinit(struct call_reader *reader)
{
	prof_patch_records_deinit(&reader->records);
	prof_patch_calls_deinit(&reader->calls);
	call_budget_deinit(&reader->budget);
	free(reader->counted.items);
	free(reader->functions.items);
	prof_yielding_lock_deinit(&reader->lock);
	pthread_cond_destroy(&reader->wake);
	free(reader);
}

struct prof_error *call_reader_create(pid_t process, const struct prof_stub_settings *stubs,
	const struct call_reader_settings *settings, struct call_reader **ret)
{
	struct call_reader *reader = calloc(1, sizeof *reader);

	if (!reader)
		return prof_error_nomem();
	prof_process_init(&reader->process, process);
	reader->target = prof_process_target(&reader->process);
	reader->settings = *stubs;
	reader->wanted = *settings;
	reader->budget.limit = settings->limit;
	reader->cpu = read_cpu(reader);
	reader->calls.take = take_event;
	reader->calls.context = reader;
	reader->held = prof_clock();
	prof_ring_clock_init(&reader->clock, true);
	prof_yielding_lock_init(&reader->lock);
	prof_thread_condition(&reader->wake);
	struct prof_error *error = prof_thread_start(
		run, reader, "gdbprof-calls", "The reader of calls", &reader->thread);
	if (error)
		deinit(reader);
	else
		*ret = reader;
	return error;
}

bool call_reader_add(struct call_reader *reader, uint64_t address)
{
	prof_yielding_lock_acquire(&reader->lock);
	uint64_t *added = prof_array_push(&reader->functions);
	if (added)
		*added = address;
	prof_yielding_lock_release(&reader->lock);
	return added;
}

/* Closes the calls of threads that have ended. */
static void close_ended(struct call_reader *reader)
{
	for (size_t i = 0; i < reader->calls.threads.count; i++) {
		struct prof_patch_calls_thread *thread = &reader->calls.threads.items[i];
		AUTO_CLOSE int file = thread->open.count
			? prof_procfs_open(reader->process.pid, (pid_t)thread->thread, "stat")
			: -1;
		if (thread->open.count && file < 0)
			prof_patch_calls_close(&reader->calls, thread);
	}
}

void call_reader_flush(struct call_reader *reader)
{
	prof_yielding_lock_acquire(&reader->lock);
	take(reader);
	close_ended(reader);
	send(reader);
	report_lost(reader);
	prof_yielding_lock_release(&reader->lock);
}

void call_reader_hold(struct call_reader *reader)
{
	prof_yielding_lock_acquire(&reader->lock);
	take(reader);
	if (!reader->held)
		reader->held = prof_clock();
	prof_yielding_lock_release(&reader->lock);
}

void call_reader_release(struct call_reader *reader)
{
	prof_yielding_lock_acquire(&reader->lock);
	int64_t now = prof_clock();
	for (size_t i = 0; reader->held && i < reader->calls.threads.count; i++) {
		const struct prof_patch_calls_thread *thread = &reader->calls.threads.items[i];
		const struct prof_call_message stood = {.time = now,
			.function = (uint64_t)(now - reader->held),
			.kind = PROF_CALL_STOOD};
		if (thread->open.count)
			add(reader, thread->thread, &stood);
	}
	send(reader);
	reader->held = 0;
	prof_yielding_lock_release(&reader->lock);
}

void call_reader_destroy(struct call_reader *reader)
{
	if (!reader)
		return;
	prof_yielding_lock_acquire(&reader->lock);
	reader->quit = true;
	pthread_cond_signal(&reader->wake);
	prof_yielding_lock_release(&reader->lock);
	pthread_join(reader->thread, NULL);
	int64_t until = reader->held ? reader->held : prof_clock();
	prof_ring_clock_adjust(&reader->clock);
	prof_patch_calls_finish(&reader->calls, prof_ring_clock_from_ns(&reader->clock, until));
	send(reader);
	report_lost(reader);
	deinit(reader);
}

struct call_reader_status call_reader_look(struct call_reader *reader)
{
	prof_yielding_lock_acquire(&reader->lock);
	struct call_reader_status status = reader->status;
	status.lost = reader->records.lost + reader->dropped;
	prof_yielding_lock_release(&reader->lock);
	return status;
}

uint32_t call_reader_counted(struct call_reader *reader, size_t index)
{
	prof_yielding_lock_acquire(&reader->lock);
	uint32_t number = index < reader->counted.count ? reader->counted.items[index] : 0;
	prof_yielding_lock_release(&reader->lock);
	return number;
}
