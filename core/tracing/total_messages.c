/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/total_messages.h"

#include "model/mpi_operation.h"
#include "model/state.h"
#include "recording/mappings.h"
#include "recording/queue.h"
#include "target/procfs.h"
#include "target/unwind.h"
#include "tracing/hook.h"
#include "tracing/operations.h"
#include "tracing/ring.h"
#include "tracing/ring_clock.h"
#include "tracing/stacks.h"
#include "tracing/totals.h"

#include <stdlib.h>
#include <string.h>

enum {
	HELD_MOST = 256,       /* totals in one message */
	OPERATIONS_MOST = 256, /* operations in one message */
};

struct prof_error *prof_total_messages_init(struct prof_total_messages *messages)
{
	messages->generation = UINT64_MAX;
	messages->held = 0;
	messages->traced = (struct prof_tracing_figures){0};
	/* The called function precedes the frames. */
	messages->data = malloc(sizeof(struct prof_total_message) +
		(messages->depth + 1) * sizeof(uint64_t) +
		PROF_ARGUMENTS * sizeof(struct prof_argument_message));
	return messages->data ? NULL : prof_error_nomem();
}

void prof_total_messages_deinit(struct prof_total_messages *messages)
{
	free(messages->data);
	free(messages->marks.items);
	prof_recent_deinit(&messages->holders);
}

void prof_total_messages_thread(struct prof_total_messages *messages, int64_t id)
{
	struct prof_message message = {.kind = PROF_MESSAGE_THREAD, .thread.id = id};
	char name[PROF_THREAD_NAME];

	prof_procfs_name(messages->pid, (pid_t)id, name);
	message.size = (uint32_t)strlen(name) + 1;
	/* A thread that has ended is known by its number only. */
	if (*name)
		prof_queue_put(messages->queue, &message, name);
}

/*
 * The time of STAMP, of an event in TOTAL.  Rounding must not move it out of TOTAL's interval,
 * which includes its end, and not its begin.
 */
static int64_t time_of(
	const struct prof_total_messages *messages, const struct prof_total *total, uint64_t stamp)
{
	int64_t time = prof_ring_clock_to_ns(messages->clock, stamp);

	if (total->interval < messages->marks.count &&
		time > messages->marks.items[total->interval])
		time = messages->marks.items[total->interval];
	if (total->interval && time <= messages->marks.items[total->interval - 1])
		time = messages->marks.items[total->interval - 1] + 1;
	return time;
}

static int64_t bounded(uint64_t value)
{
	return value <= INT64_MAX / 2 ? (int64_t)value : INT64_MAX / 2;
}

/* Is VALUE a time? */
static bool is_time(int value)
{
	return value == PROF_TRACED_WAITED || value == PROF_TRACED_INSIDE ||
		value == PROF_TRACED_MPI_TIME ||
		(value >= PROF_TRACED_OMP_FIRST && value <= PROF_TRACED_LOOP_LAST &&
			value != PROF_TRACED_OMP_REGIONS && value != PROF_TRACED_OMP_TASKS &&
			value != PROF_TRACED_OMP_LOOPS && value != PROF_TRACED_OMP_SECTIONS &&
			value != PROF_TRACED_OMP_SINGLES);
}

static void fill_values(const struct prof_total_messages *messages, const struct prof_total *total,
	struct prof_total_message *message)
{
	uint64_t values[PROF_TRACED_VALUES];

	prof_totals_values(messages->totals, total, values);
	for (int i = 0; i < PROF_TRACED_VALUES; i++)
		message->values[i] = is_time(i) ? prof_ring_clock_span(messages->clock, values[i])
						: bounded(values[i]);
	message->state = total->kind == PROF_RING_WAIT ? PROF_STATE_LOCK : PROF_STATE_USER;
	if (total->kind == PROF_RING_ALLOC)
		return;
	message->longest = prof_ring_clock_span(messages->clock, total->longest);
	if (total->kind == PROF_RING_MPI) {
		message->rank = (uint32_t)prof_ring_mpi_rank(total->object) + 1;
		message->peer = (uint32_t)prof_ring_mpi_peer(total->object) + 1;
	} else {
		message->object = total->object;
		message->holder = total->holder;
	}
}

/* The frames of TOTAL's stack, and the function that was called from there. */
static uint32_t fill_frames(
	const struct prof_total_messages *messages, const struct prof_total *total, uint8_t *end)
{
	uint64_t *frames = (uint64_t *)(void *)(messages->data + sizeof(struct prof_total_message));
	const struct prof_traced_hook *hook = prof_totals_hook(messages->totals, total);
	uint64_t called = hook ? hook->function : 0;
	enum prof_stack_end ended;

	if (called)
		*frames++ = called;
	size_t depth = prof_stacks_frames(messages->stacks, total->stack, frames, &ended);
	*end = (uint8_t)ended;
	return (uint32_t)depth + (called != 0);
}

/* Writes the arguments of TOTAL's calls to AT.  Returns how many there are. */
static unsigned fill_arguments(const struct prof_total_messages *messages,
	const struct prof_total *total, unsigned char *at)
{
	const struct prof_traced_hook *hook = prof_totals_hook(messages->totals, total);

	if (total->kind != PROF_RING_CALL)
		return 0;
	for (unsigned i = 0; i < total->argument_count; i++) {
		struct prof_argument_message argument = {
			.sum = messages->totals->arguments.items[total->arguments + i]};
		memcpy(argument.name, hook->names[i], sizeof argument.name - 1);
		memcpy(at + i * sizeof argument, &argument, sizeof argument);
	}
	return total->argument_count;
}

/* Reports the name of the thread ID once: a thread that never waits would have none otherwise. */
static void name_holder(struct prof_total_messages *messages, int64_t id)
{
	if (id > 0 && prof_recent_add(&messages->holders, (uint64_t)id))
		prof_total_messages_thread(messages, id);
}

static bool report_total(struct prof_total_messages *messages, uint32_t number)
{
	struct prof_total *total = &messages->totals->list.items[number];
	struct prof_total_message data = {
		.number = number,
		.last = time_of(messages, total, total->last),
		.cpu = total->cpu,
	};
	struct prof_message message = {
		.kind = PROF_MESSAGE_TOTAL,
		.total = {.process = messages->pid,
			.thread = messages->totals->threads.items[total->thread].id,
			.time = time_of(messages, total, total->first),
			.reader = messages->number},
	};

	fill_values(messages, total, &data);
	name_holder(messages, data.holder);
	/* It may have written nothing itself. */
	if (total->kind == PROF_RING_OMP)
		name_holder(messages, message.total.thread);
	data.is_new = !total->reported;
	if (data.is_new)
		data.depth = fill_frames(messages, total, &data.end);
	size_t size = sizeof data + data.depth * sizeof(uint64_t);
	data.arguments = (uint8_t)fill_arguments(messages, total, messages->data + size);
	memcpy(messages->data, &data, sizeof data);
	message.size = (uint32_t)(size + data.arguments * sizeof(struct prof_argument_message));
	if (!prof_queue_try(messages->queue, &message, messages->data))
		return false;
	total->reported = true;
	total->dirty = false;
	if (total->kind == PROF_RING_ALLOC)
		total->reported_peak = (uint64_t)data.values[PROF_TRACED_PEAK];
	return true;
}

static bool report_dirty(struct prof_total_messages *messages)
{
	struct prof_totals *totals = messages->totals;

	while (totals->dirty.count) {
		if (!report_total(messages, totals->dirty.items[totals->dirty.count - 1]))
			return false;
		totals->dirty.count--;
	}
	return true;
}

/* What totals held at marks: as many entries of one mark as fit into a message. */
static bool report_held(struct prof_total_messages *messages)
{
	struct prof_held_message data[HELD_MOST];
	struct prof_totals *totals = messages->totals;

	while (messages->held < totals->held.count) {
		const struct prof_totals_held *first = &totals->held.items[messages->held];
		size_t count = 0;
		while (count < HELD_MOST && messages->held + count < totals->held.count &&
			first[count].interval == first->interval) {
			data[count] = first[count].data;
			count++;
		}
		struct prof_message message = {
			.kind = PROF_MESSAGE_HELD,
			.size = (uint32_t)(count * sizeof *data),
			.held = {.reader = messages->number,
				.time = messages->marks.items[first->interval]},
		};
		if (!prof_queue_try(messages->queue, &message, data))
			return false;
		messages->held += count;
	}
	messages->held = totals->held.count = 0;
	return true;
}

static bool report_heap(struct prof_total_messages *messages)
{
	struct prof_message message = {
		.kind = PROF_MESSAGE_HEAP,
		.size = sizeof(struct prof_heap),
		.heap = {.reader = messages->number, .process = messages->pid},
	};

	prof_totals_update_heap(messages->totals);
	struct prof_heap heap = messages->totals->heap;
	if (heap.smallest < 0 && !heap.unmatched)
		return true;
	heap.peak_time = prof_ring_clock_to_ns(messages->clock, messages->totals->peak_time);
	return prof_queue_try(messages->queue, &message, &heap);
}

/* Frames are resolved by what is mapped when the recorder receives them. */
static void report_mappings(struct prof_total_messages *messages)
{
	const struct prof_maps *maps = prof_stacks_maps(messages->stacks);
	uint64_t generation = prof_stacks_generation(messages->stacks);

	if (generation == messages->generation)
		return;
	messages->generation = generation;
	prof_mappings_put(
		messages->queue, messages->pid, prof_stacks_target(messages->stacks), maps);
}

bool prof_total_messages_before(struct prof_total_messages *messages)
{
	return messages->generation == UINT64_MAX || report_dirty(messages);
}

bool prof_total_messages_totals(struct prof_total_messages *messages, bool whole)
{
	if (messages->totals->dirty.count)
		report_mappings(messages);
	if (whole)
		prof_totals_compare_peaks(messages->totals);
	return report_dirty(messages) && report_held(messages) && (!whole || report_heap(messages));
}

/* The agent's kinds and numbers become those of the experiment, which files have. */
#define SAME(name)                                                                    \
	_Static_assert((int)PROF_RING_OPERATION_##name == (int)PROF_OPERATION_##name, \
		"kinds of operations are the same in the ring and in the experiment")
SAME(INIT);
SAME(SEND);
SAME(BUFFERED);
SAME(SENT);
SAME(RECEIVE);
SAME(BARRIER);
SAME(ALL);
SAME(FROM_ROOT);
SAME(TO_ROOT);
SAME(FINALIZE);
SAME(FIRST);
#undef SAME
_Static_assert((int)PROF_RING_OPERATIONS == (int)PROF_OPERATIONS, "no side has a kind of its own");

/* Records in the ring may be damaged: the message has its times in order, and no rank below -1. */
static void fill_operation(const struct prof_total_messages *messages,
	const struct prof_operation_record *record, struct prof_operation_message *ret)
{
	uint64_t begin = record->begin < record->end ? record->begin : record->end;
	uint64_t posted = record->posted < record->end ? record->posted : record->end;
	int32_t peer = prof_ring_operation_peer_of(record->peer);

	*ret = (struct prof_operation_message){.comm = record->comm,
		.bytes = bounded(record->bytes),
		.posted = prof_ring_clock_to_ns(messages->clock, posted),
		.begin = prof_ring_clock_to_ns(messages->clock, begin),
		.end = prof_ring_clock_to_ns(messages->clock, record->end),
		.total = record->total,
		.number = (uint32_t)(record->word >> 32),
		.rank = prof_ring_operation_rank_of(record->word),
		.peer = peer >= 0 ? peer : -1,
		.tag = (int32_t)(uint32_t)record->peer,
		.kind = prof_ring_operation_kind_of(record->word)};
}

bool prof_total_messages_operations(struct prof_total_messages *messages)
{
	struct prof_operation_message data[OPERATIONS_MOST];
	struct prof_operations *operations = messages->operations;
	size_t reported = 0, count;

	for (; reported < operations->linked; reported += count) {
		for (count = 0; count < OPERATIONS_MOST && reported + count < operations->linked;
			count++)
			fill_operation(
				messages, &operations->list.items[reported + count], &data[count]);
		struct prof_message message = {
			.kind = PROF_MESSAGE_OPERATIONS,
			.size = (uint32_t)(count * sizeof *data),
			.operations = {.reader = messages->number},
		};
		if (!prof_queue_try(messages->queue, &message, data))
			break;
	}
	bool all = reported == operations->linked;
	prof_operations_remove(operations, reported);
	return all;
}

bool prof_total_messages_traced(
	struct prof_total_messages *messages, const struct prof_tracing_figures *traced)
{
	struct prof_message message = {.kind = PROF_MESSAGE_TRACED, .traced = *traced};

	message.traced.events -= messages->traced.events;
	message.traced.bytes -= messages->traced.bytes;
	message.traced.lost -= messages->traced.lost;
	message.traced.dropped -= messages->traced.dropped;
	message.traced.operations_lost -= messages->traced.operations_lost;
	if (!memcmp(traced, &messages->traced, sizeof *traced))
		return true;
	if (!prof_queue_try(messages->queue, &message, NULL))
		return false;
	messages->traced = *traced;
	return true;
}
