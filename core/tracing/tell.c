#include "tracing/tell.h"

#include "recording/mappings.h"
#include "target/procfs.h"

#include <stdlib.h>
#include <string.h>

enum {
	HELD_MOST = 256,     /* of one record */
	HOLDERS_MOST = 4096, /* that are known to have been told: of others it is done again */
};

struct prof_error *prof_tell_init(struct prof_tell *tell)
{
	tell->generation = UINT64_MAX;
	tell->held = 0;
	tell->traced = (struct prof_traced){0};
	/* The function that was called comes before the frames. */
	tell->data = malloc(sizeof(struct prof_told_cell) + (tell->depth + 1) * sizeof(uint64_t) +
		PROF_ARGUMENTS * sizeof(struct prof_told_argument));
	return tell->data ? NULL : prof_error_nomem();
}

void prof_tell_deinit(struct prof_tell *tell)
{
	free(tell->data);
	free(tell->marks.items);
	prof_map_deinit(&tell->holders);
}

void prof_tell_thread(struct prof_tell *tell, int64_t id)
{
	struct prof_record record = {.kind = PROF_RECORD_THREAD, .thread.id = id};
	char name[PROF_THREAD_NAME];

	prof_procfs_name(tell->pid, (pid_t)id, name);
	record.size = (uint32_t)strlen(name) + 1;
	/* One that is gone already is known by its number alone. */
	if (*name)
		prof_queue_put(tell->queue, &record, name);
}

/*
 * The time of TICK, of an event in CELL; rounding must not bring it into another interval, of which
 * the end is in it and the begin is not.
 */
static int64_t time_of(const struct prof_tell *tell, const struct prof_cell *cell, uint64_t tick)
{
	int64_t time = prof_ticks_time(tell->ticks, tick);

	if (cell->interval < tell->marks.count && time > tell->marks.items[cell->interval])
		time = tell->marks.items[cell->interval];
	if (cell->interval && time <= tell->marks.items[cell->interval - 1])
		time = tell->marks.items[cell->interval - 1] + 1;
	return time;
}

static int64_t bounded(uint64_t value)
{
	return value <= INT64_MAX / 2 ? (int64_t)value : INT64_MAX / 2;
}

static void fill_values(
	const struct prof_tell *tell, const struct prof_cell *cell, struct prof_told_cell *told)
{
	uint64_t values[PROF_TRACED_VALUES];
	bool spans = cell->kind == PROF_RING_WAIT || cell->kind == PROF_RING_CALL;

	prof_cells_values(tell->cells, cell, values);
	for (int i = 0; i < PROF_TRACED_VALUES; i++)
		told->values[i] = i == PROF_TRACED_WAITED || i == PROF_TRACED_INSIDE
			? prof_ticks_span(tell->ticks, values[i])
			: bounded(values[i]);
	told->state = cell->kind == PROF_RING_WAIT ? PROF_STATE_LOCK : PROF_STATE_USER;
	if (!spans)
		return;
	told->longest = prof_ticks_span(tell->ticks, cell->longest);
	told->object = cell->object;
	told->holder = cell->holder;
}

/* The frames of CELL's stack, and the function that was called from there. */
static uint32_t fill_frames(
	const struct prof_tell *tell, const struct prof_cell *cell, uint8_t *end)
{
	uint64_t *frames = (uint64_t *)(void *)(tell->data + sizeof(struct prof_told_cell));
	const struct prof_traced_hook *hook = prof_cells_hook(tell->cells, cell);
	uint64_t called = hook ? hook->function : 0;
	enum prof_stack_end ended;

	if (called)
		*frames++ = called;
	size_t depth = prof_stacks_frames(tell->stacks, cell->stack, frames, &ended);
	*end = (uint8_t)ended;
	return (uint32_t)depth + (called != 0);
}

/* Puts the arguments of CELL's calls to AT.  Returns how many they are. */
static unsigned fill_arguments(
	const struct prof_tell *tell, const struct prof_cell *cell, unsigned char *at)
{
	const struct prof_traced_hook *hook = prof_cells_hook(tell->cells, cell);

	if (cell->kind != PROF_RING_CALL)
		return 0;
	for (unsigned i = 0; i < cell->argument_count; i++) {
		struct prof_told_argument told = {
			.sum = tell->cells->arguments.items[cell->arguments + i]};
		memcpy(told.name, hook->names[i], sizeof told.name - 1);
		memcpy(at + i * sizeof told, &told, sizeof told);
	}
	return cell->argument_count;
}

/* Tells the name of the thread ID once: one that never waits itself would have none. */
static void name_holder(struct prof_tell *tell, int64_t id)
{
	if (id <= 0 || prof_map_get(&tell->holders, (uint64_t)id) != PROF_NONE)
		return;
	prof_tell_thread(tell, id);
	if (tell->holders.count == HOLDERS_MOST)
		prof_map_deinit(&tell->holders);
	/* Where memory is short it is told again. */
	(void)prof_map_add(&tell->holders, (uint64_t)id, 0);
}

static bool tell_cell(struct prof_tell *tell, uint32_t number)
{
	struct prof_cell *cell = &tell->cells->list.items[number];
	struct prof_told_cell told = {
		.number = number,
		.last = time_of(tell, cell, cell->last),
		.cpu = cell->cpu,
	};
	struct prof_record record = {
		.kind = PROF_RECORD_CELL,
		.cell = {.process = tell->pid,
			.thread = tell->cells->threads.items[cell->thread].id,
			.time = time_of(tell, cell, cell->first),
			.drain = tell->number},
	};

	fill_values(tell, cell, &told);
	name_holder(tell, told.holder);
	told.is_new = !cell->told;
	if (told.is_new)
		told.depth = fill_frames(tell, cell, &told.end);
	size_t size = sizeof told + told.depth * sizeof(uint64_t);
	told.arguments = (uint8_t)fill_arguments(tell, cell, tell->data + size);
	memcpy(tell->data, &told, sizeof told);
	record.size = (uint32_t)(size + told.arguments * sizeof(struct prof_told_argument));
	if (!prof_queue_try(tell->queue, &record, tell->data))
		return false;
	cell->told = true;
	cell->dirty = false;
	if (cell->kind == PROF_RING_ALLOC)
		cell->told_peak = (uint64_t)told.values[PROF_TRACED_PEAK];
	return true;
}

static bool tell_dirty(struct prof_tell *tell)
{
	struct prof_cells *cells = tell->cells;

	while (cells->dirty.count) {
		if (!tell_cell(tell, cells->dirty.items[cells->dirty.count - 1]))
			return false;
		cells->dirty.count--;
	}
	return true;
}

/* What cells held at marks: of those of one mark, as many as go into a record. */
static bool tell_held(struct prof_tell *tell)
{
	struct prof_told_held data[HELD_MOST];
	struct prof_cells *cells = tell->cells;

	while (tell->held < cells->held.count) {
		const struct prof_cells_held *first = &cells->held.items[tell->held];
		size_t count = 0;
		while (count < HELD_MOST && tell->held + count < cells->held.count &&
			first[count].interval == first->interval) {
			data[count] = first[count].told;
			count++;
		}
		struct prof_record record = {
			.kind = PROF_RECORD_HELD,
			.size = (uint32_t)(count * sizeof *data),
			.held = {.drain = tell->number, .time = tell->marks.items[first->interval]},
		};
		if (!prof_queue_try(tell->queue, &record, data))
			return false;
		tell->held += count;
	}
	tell->held = cells->held.count = 0;
	return true;
}

static bool tell_heap(struct prof_tell *tell)
{
	struct prof_record record = {
		.kind = PROF_RECORD_HEAP,
		.size = sizeof(struct prof_heap),
		.heap = {.drain = tell->number, .process = tell->pid},
	};

	prof_cells_update_heap(tell->cells);
	struct prof_heap heap = tell->cells->heap;
	if (heap.smallest < 0 && !heap.unmatched)
		return true;
	heap.peak_time = prof_ticks_time(tell->ticks, tell->cells->peak_time);
	return prof_queue_try(tell->queue, &record, &heap);
}

/* Frames are of what is mapped as the recorder learns of them. */
static void tell_mappings(struct prof_tell *tell)
{
	const struct prof_maps *maps = prof_stacks_maps(tell->stacks);
	uint64_t generation = prof_stacks_generation(tell->stacks);

	if (generation == tell->generation)
		return;
	tell->generation = generation;
	prof_mappings_put(tell->queue, tell->pid, prof_stacks_target(tell->stacks), maps);
}

bool prof_tell_before(struct prof_tell *tell)
{
	return tell->generation == UINT64_MAX || tell_dirty(tell);
}

bool prof_tell_cells(struct prof_tell *tell, bool whole)
{
	if (tell->cells->dirty.count)
		tell_mappings(tell);
	if (whole)
		prof_cells_compare_peaks(tell->cells);
	return tell_dirty(tell) && tell_held(tell) && (!whole || tell_heap(tell));
}

bool prof_tell_traced(struct prof_tell *tell, const struct prof_traced *traced)
{
	struct prof_record record = {.kind = PROF_RECORD_TRACED, .traced = *traced};

	record.traced.events -= tell->traced.events;
	record.traced.bytes -= tell->traced.bytes;
	record.traced.lost -= tell->traced.lost;
	if (!memcmp(traced, &tell->traced, sizeof *traced))
		return true;
	if (!prof_queue_try(tell->queue, &record, NULL))
		return false;
	tell->traced = *traced;
	return true;
}
