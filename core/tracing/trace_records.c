/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/trace_records.h"

#include "recording/mappings.h"
#include "target/procfs.h"

#include <stdlib.h>
#include <string.h>

enum {
	HELD_MOST = 256,     /* of one record */
	HOLDERS_MOST = 4096, /* that are known to have been told: of others it is done again */
};

struct prof_error *prof_trace_records_init(struct prof_trace_records *records)
{
	records->generation = UINT64_MAX;
	records->held = 0;
	records->traced = (struct prof_traced){0};
	/* The function that was called comes before the frames. */
	records->data =
		malloc(sizeof(struct prof_told_total) + (records->depth + 1) * sizeof(uint64_t) +
			PROF_ARGUMENTS * sizeof(struct prof_told_argument));
	return records->data ? NULL : prof_error_nomem();
}

void prof_trace_records_deinit(struct prof_trace_records *records)
{
	free(records->data);
	free(records->marks.items);
	prof_map_deinit(&records->holders);
}

void prof_trace_records_thread(struct prof_trace_records *records, int64_t id)
{
	struct prof_record record = {.kind = PROF_RECORD_THREAD, .thread.id = id};
	char name[PROF_THREAD_NAME];

	prof_procfs_name(records->pid, (pid_t)id, name);
	record.size = (uint32_t)strlen(name) + 1;
	/* One that is gone already is known by its number alone. */
	if (*name)
		prof_queue_put(records->queue, &record, name);
}

/*
 * The time of TICK, of an event in TOTAL; rounding must not bring it into another interval, of
 * which the end is in it and the begin is not.
 */
static int64_t time_of(
	const struct prof_trace_records *records, const struct prof_total *total, uint64_t stamp)
{
	int64_t time = prof_ring_clock_to_ns(records->clock, stamp);

	if (total->interval < records->marks.count && time > records->marks.items[total->interval])
		time = records->marks.items[total->interval];
	if (total->interval && time <= records->marks.items[total->interval - 1])
		time = records->marks.items[total->interval - 1] + 1;
	return time;
}

static int64_t bounded(uint64_t value)
{
	return value <= INT64_MAX / 2 ? (int64_t)value : INT64_MAX / 2;
}

static void fill_values(const struct prof_trace_records *records, const struct prof_total *total,
	struct prof_told_total *told)
{
	uint64_t values[PROF_TRACED_VALUES];
	bool spans = total->kind == PROF_RING_WAIT || total->kind == PROF_RING_CALL;

	prof_totals_values(records->totals, total, values);
	for (int i = 0; i < PROF_TRACED_VALUES; i++)
		told->values[i] = i == PROF_TRACED_WAITED || i == PROF_TRACED_INSIDE
			? prof_ring_clock_span(records->clock, values[i])
			: bounded(values[i]);
	told->state = total->kind == PROF_RING_WAIT ? PROF_STATE_LOCK : PROF_STATE_USER;
	if (!spans)
		return;
	told->longest = prof_ring_clock_span(records->clock, total->longest);
	told->object = total->object;
	told->holder = total->holder;
}

/* The frames of TOTAL's stack, and the function that was called from there. */
static uint32_t fill_frames(
	const struct prof_trace_records *records, const struct prof_total *total, uint8_t *end)
{
	uint64_t *frames = (uint64_t *)(void *)(records->data + sizeof(struct prof_told_total));
	const struct prof_traced_hook *hook = prof_totals_hook(records->totals, total);
	uint64_t called = hook ? hook->function : 0;
	enum prof_stack_end ended;

	if (called)
		*frames++ = called;
	size_t depth = prof_stacks_frames(records->stacks, total->stack, frames, &ended);
	*end = (uint8_t)ended;
	return (uint32_t)depth + (called != 0);
}

/* Puts the arguments of TOTAL's calls to AT.  Returns how many they are. */
static unsigned fill_arguments(
	const struct prof_trace_records *records, const struct prof_total *total, unsigned char *at)
{
	const struct prof_traced_hook *hook = prof_totals_hook(records->totals, total);

	if (total->kind != PROF_RING_CALL)
		return 0;
	for (unsigned i = 0; i < total->argument_count; i++) {
		struct prof_told_argument told = {
			.sum = records->totals->arguments.items[total->arguments + i]};
		memcpy(told.name, hook->names[i], sizeof told.name - 1);
		memcpy(at + i * sizeof told, &told, sizeof told);
	}
	return total->argument_count;
}

/* Tells the name of the thread ID once: one that never waits itself would have none. */
static void name_holder(struct prof_trace_records *records, int64_t id)
{
	if (id <= 0 || prof_map_get(&records->holders, (uint64_t)id) != PROF_NONE)
		return;
	prof_trace_records_thread(records, id);
	if (records->holders.count == HOLDERS_MOST)
		prof_map_deinit(&records->holders);
	/* Where memory is short it is told again. */
	(void)prof_map_add(&records->holders, (uint64_t)id, 0);
}

static bool tell_total(struct prof_trace_records *records, uint32_t number)
{
	struct prof_total *total = &records->totals->list.items[number];
	struct prof_told_total told = {
		.number = number,
		.last = time_of(records, total, total->last),
		.cpu = total->cpu,
	};
	struct prof_record record = {
		.kind = PROF_RECORD_TOTAL,
		.total = {.process = records->pid,
			.thread = records->totals->threads.items[total->thread].id,
			.time = time_of(records, total, total->first),
			.reader = records->number},
	};

	fill_values(records, total, &told);
	name_holder(records, told.holder);
	told.is_new = !total->told;
	if (told.is_new)
		told.depth = fill_frames(records, total, &told.end);
	size_t size = sizeof told + told.depth * sizeof(uint64_t);
	told.arguments = (uint8_t)fill_arguments(records, total, records->data + size);
	memcpy(records->data, &told, sizeof told);
	record.size = (uint32_t)(size + told.arguments * sizeof(struct prof_told_argument));
	if (!prof_queue_try(records->queue, &record, records->data))
		return false;
	total->told = true;
	total->dirty = false;
	if (total->kind == PROF_RING_ALLOC)
		total->told_peak = (uint64_t)told.values[PROF_TRACED_PEAK];
	return true;
}

static bool tell_dirty(struct prof_trace_records *records)
{
	struct prof_totals *totals = records->totals;

	while (totals->dirty.count) {
		if (!tell_total(records, totals->dirty.items[totals->dirty.count - 1]))
			return false;
		totals->dirty.count--;
	}
	return true;
}

/* What totals held at marks: of those of one mark, as many as go into a record. */
static bool tell_held(struct prof_trace_records *records)
{
	struct prof_told_held data[HELD_MOST];
	struct prof_totals *totals = records->totals;

	while (records->held < totals->held.count) {
		const struct prof_totals_held *first = &totals->held.items[records->held];
		size_t count = 0;
		while (count < HELD_MOST && records->held + count < totals->held.count &&
			first[count].interval == first->interval) {
			data[count] = first[count].told;
			count++;
		}
		struct prof_record record = {
			.kind = PROF_RECORD_HELD,
			.size = (uint32_t)(count * sizeof *data),
			.held = {.reader = records->number,
				.time = records->marks.items[first->interval]},
		};
		if (!prof_queue_try(records->queue, &record, data))
			return false;
		records->held += count;
	}
	records->held = totals->held.count = 0;
	return true;
}

static bool tell_heap(struct prof_trace_records *records)
{
	struct prof_record record = {
		.kind = PROF_RECORD_HEAP,
		.size = sizeof(struct prof_heap),
		.heap = {.reader = records->number, .process = records->pid},
	};

	prof_totals_update_heap(records->totals);
	struct prof_heap heap = records->totals->heap;
	if (heap.smallest < 0 && !heap.unmatched)
		return true;
	heap.peak_time = prof_ring_clock_to_ns(records->clock, records->totals->peak_time);
	return prof_queue_try(records->queue, &record, &heap);
}

/* Frames are of what is mapped as the recorder learns of them. */
static void tell_mappings(struct prof_trace_records *records)
{
	const struct prof_maps *maps = prof_stacks_maps(records->stacks);
	uint64_t generation = prof_stacks_generation(records->stacks);

	if (generation == records->generation)
		return;
	records->generation = generation;
	prof_mappings_put(records->queue, records->pid, prof_stacks_target(records->stacks), maps);
}

bool prof_trace_records_before(struct prof_trace_records *records)
{
	return records->generation == UINT64_MAX || tell_dirty(records);
}

bool prof_trace_records_totals(struct prof_trace_records *records, bool whole)
{
	if (records->totals->dirty.count)
		tell_mappings(records);
	if (whole)
		prof_totals_compare_peaks(records->totals);
	return tell_dirty(records) && tell_held(records) && (!whole || tell_heap(records));
}

bool prof_trace_records_traced(struct prof_trace_records *records, const struct prof_traced *traced)
{
	struct prof_record record = {.kind = PROF_RECORD_TRACED, .traced = *traced};

	record.traced.events -= records->traced.events;
	record.traced.bytes -= records->traced.bytes;
	record.traced.lost -= records->traced.lost;
	if (!memcmp(traced, &records->traced, sizeof *traced))
		return true;
	if (!prof_queue_try(records->queue, &record, NULL))
		return false;
	records->traced = *traced;
	return true;
}
