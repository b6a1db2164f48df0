#include "tracing/cells_private.h"

#include "tracing/arguments.h"

#include <stdlib.h>
#include <string.h>

/* So many threads, in 24 bits of a key, are told apart. */
enum { THREADS_MOST = 1 << 24, PAGE = 4096 };

/* Of so many cells slices are twice as long, of twice as many four times, and so on. */
enum { SLICED = 8192, DOUBLED_MOST = 16 };

void prof_cells_deinit(struct prof_cells *cells)
{
	free(cells->list.items);
	free(cells->unused.items);
	for (size_t i = 0; i < PROF_COUNT(cells->unused_arguments); i++)
		free(cells->unused_arguments[i].items);
	free(cells->threads.items);
	free(cells->dirty.items);
	free(cells->held.items);
	free(cells->moved.items);
	free(cells->arguments.items);
	prof_map_deinit(&cells->index);
	prof_map_deinit(&cells->waits);
	prof_blocks_deinit(&cells->blocks);
	prof_extents_deinit(&cells->extents);
	*cells = (struct prof_cells){0};
}

/* The thread of STREAM, which all streams before it were met before.  NULL: no memory. */
static struct prof_cells_thread *find_thread(
	struct prof_cells *cells, const struct prof_stream *stream)
{
	while (cells->threads.count <= stream->number) {
		struct prof_cells_thread *thread = prof_array_push(&cells->threads);
		if (!thread || stream->number >= THREADS_MOST)
			return NULL;
		*thread = (struct prof_cells_thread){0};
	}
	struct prof_cells_thread *thread = &cells->threads.items[stream->number];
	thread->id = stream->id;
	thread->ended = false; /* the one that had the number before it has */
	return thread;
}

static void make_dirty(struct prof_cells *cells, uint32_t number)
{
	struct prof_cell *cell = &cells->list.items[number];

	if (!cell->dirty) /* there is room: see add_cell() */
		cells->dirty.items[cells->dirty.count++] = number;
	cell->dirty = true;
}

/* The number that a new cell will have; PROF_NONE: no memory. */
static uint32_t find_unused(struct prof_cells *cells)
{
	size_t count = cells->list.count + 1;

	if (cells->unused.count)
		return cells->unused.items[cells->unused.count - 1];
	/* Each list has room for all cells. */
	if (count >= PROF_NONE || !prof_array_reserve(&cells->list, 1) ||
		!prof_array_reserve(&cells->unused, count) ||
		!prof_array_reserve(&cells->dirty, count - cells->dirty.count) ||
		!prof_array_reserve(&cells->moved, count - cells->moved.count))
		return PROF_NONE;
	return (uint32_t)cells->list.count;
}

/* Adds a cell for STREAM's record and STACK under KEY of INDEX.  PROF_NONE: no memory. */
static uint32_t add_cell(struct prof_cells *cells, const struct prof_stream *stream, uint32_t stack,
	struct prof_map *index, uint64_t key)
{
	uint32_t number = find_unused(cells);

	if (number == PROF_NONE || !prof_map_add(index, key, number))
		return PROF_NONE;
	if (number == cells->list.count)
		cells->list.count++;
	else
		cells->unused.count--;
	cells->made++;
	cells->threads.items[stream->number].cells++;
	enum prof_ring_kind kind = stream->next.kind;
	cells->list.items[number] = (struct prof_cell){
		.thread = stream->number,
		.stack = stack,
		.what = stream->next.what,
		.kind = kind == PROF_RING_MAP ? PROF_RING_ALLOC : (uint8_t)kind,
		.interval = cells->interval,
		.slice = cells->slices,
		.cpu = stream->next.cpu,
		.first = stream->next.time,
		.last = stream->next.time,
	};
	return number;
}

/* The cell of STREAM's record and STACK; PROF_NONE: no memory. */
static uint32_t find_cell(
	struct prof_cells *cells, const struct prof_stream *stream, uint32_t stack)
{
	uint64_t key = prof_cells_key(stream->number, stream->next.what, stack);
	uint32_t number = prof_map_get(&cells->index, key);

	return number != PROF_NONE ? number : add_cell(cells, stream, stack, &cells->index, key);
}

/*
 * The cell is about to change.  Each new peak begins an epoch: if that is a later one than when the
 * cell last changed, it has now what it had at the peak.
 */
static void touch(struct prof_cells *cells, uint32_t number)
{
	struct prof_cell *cell = &cells->list.items[number];

	if (cell->epoch != cells->epoch) {
		cell->peak = cell->left;
		cell->epoch = cells->epoch;
	}
	make_dirty(cells, number);
	if (!cell->moved)
		cells->moved.items[cells->moved.count++] = number;
	cell->moved = true;
}

static unsigned class_of(uint64_t size)
{
	unsigned class = 0;

	while (class + 1 < PROF_HEAP_CLASSES && size >= prof_heap_class(class + 1))
		class ++;
	return class;
}

/* A block of SIZE bytes is there. */
static void grow(struct prof_cells *cells, uint32_t number, uint64_t size, uint64_t time)
{
	struct prof_heap *heap = &cells->heap;
	unsigned class = class_of(size);

	touch(cells, number);
	struct prof_cell *cell = &cells->list.items[number];
	cell->allocations++;
	cell->last = time;
	cell->bytes += size;
	cell->blocks++;
	cell->left += size;
	cells->left += size;
	if (cells->left > cells->peak) {
		cells->peak = cells->left;
		cells->peak_time = time;
		cells->epoch++;
	}
	heap->allocations[class]++;
	if (!cells->any || (int64_t)size < heap->smallest)
		heap->smallest = (int64_t)size;
	cells->any = true;
	if ((int64_t)size > heap->largest)
		heap->largest = (int64_t)size;
	heap->leaks[class]++;
}

/* BYTES of a block are gone, and LEFT of it, 0 if the block is gone. */
static void shrink(struct prof_cells *cells, uint32_t number, uint64_t bytes, uint64_t left)
{
	struct prof_heap *heap = &cells->heap;

	touch(cells, number);
	struct prof_cell *cell = &cells->list.items[number];
	cell->left -= bytes;
	cells->left -= bytes;
	heap->leaks[class_of(bytes + left)]--;
	if (left)
		heap->leaks[class_of(left)]++;
	else
		cell->blocks--;
}

/* What comes next is in other cells. */
static void end_slice(struct prof_cells *cells)
{
	cells->slices++;
	prof_map_deinit(&cells->index);
	prof_map_deinit(&cells->waits);
}

/*
 * An event at TIME: where the slice is over another begins, so that cells have events of a short
 * time only.  The more cells there were the longer slices become.
 */
static void look_at_slice(struct prof_cells *cells, uint64_t time)
{
	unsigned doubled = 0;

	if (!cells->slice || time < cells->cut)
		return;
	for (uint64_t many = cells->made / SLICED; many && doubled < DOUBLED_MOST; many >>= 1)
		doubled++;
	cells->cut = time + (cells->slice << doubled);
	end_slice(cells);
}

/* ADDRESS is freed: if its thread has allocated nothing since, it was temporary. */
static void end_block(struct prof_cells *cells, uint64_t address, uint32_t number, bool freed)
{
	struct prof_cell *cell = &cells->list.items[number];
	struct prof_cells_thread *thread = &cells->threads.items[cell->thread];

	if (thread->last != address)
		return;
	thread->last = 0;
	cell->temporary += freed;
}

/*
 * Takes the block at ADDRESS, gone at TIME, out; FREED: by the program, as far as is known.  What
 * realloc() frees may be told of after it was allocated anew.
 */
static bool take_block(struct prof_cells *cells, uint64_t address, uint64_t time, bool freed)
{
	struct prof_block block;

	if (!prof_blocks_take(&cells->blocks, address, time, &block))
		return false;
	if (!block.address)
		return true;
	shrink(cells, block.cell, block.size, 0);
	end_block(cells, address, block.cell, freed);
	return true;
}

/* Takes what is mapped from LOW to HIGH out. */
static bool take_extents(struct prof_cells *cells, uint64_t low, uint64_t high, bool freed)
{
	struct prof_extents_cut cut;
	bool found = false;

	while (prof_extents_cut(&cells->extents, low, high, &cut)) {
		shrink(cells, cut.cell, cut.bytes, cut.left);
		if (!cut.left)
			end_block(cells, low, cut.cell, freed);
		found = true;
	}
	return found;
}

/* The byte after the last of the pages that hold SIZE bytes at ADDRESS. */
static uint64_t page_end(uint64_t address, uint64_t size)
{
	uint64_t end = address + size;

	if (end < address || end > UINT64_MAX - PAGE)
		return UINT64_MAX;
	return (end + PAGE - 1) / PAGE * PAGE;
}

/* Where something is allocated now nothing else can be: that its end was lost is all it can be. */
static void add_block(struct prof_cells *cells, const struct prof_stream *stream, uint32_t stack)
{
	const struct prof_stream_record *record = &stream->next;
	uint64_t address = record->values[0];
	uint64_t size = record->values[1];
	bool mapped = record->kind == PROF_RING_MAP;
	struct prof_cells_thread *thread = find_thread(cells, stream);
	uint32_t cell = thread && size <= INT64_MAX / 2 && cells->left <= INT64_MAX / 2
		? find_cell(cells, stream, stack)
		: PROF_NONE;
	bool room = cell != PROF_NONE && address && cells->list.items[cell].kind == PROF_RING_ALLOC;

	if (mapped)
		take_extents(cells, address, page_end(address, size), false);
	else
		take_block(cells, address, UINT64_MAX, false);
	if (room && mapped)
		room = prof_extents_add(&cells->extents, address, size, cell);
	else if (room)
		room = prof_blocks_add(
			&cells->blocks, &(struct prof_block){address, size, record->time, cell});
	if (!room) {
		cells->refused++;
		return;
	}
	grow(cells, cell, size, record->time);
	thread->last = address;
}

static bool has_fields(const struct prof_cells *cells, uint32_t number,
	const struct prof_stream *stream, uint32_t stack)
{
	const struct prof_cell *cell = &cells->list.items[number];

	return cell->thread == stream->number && cell->stack == stack &&
		cell->what == stream->next.what && cell->object == stream->next.values[1] &&
		cell->holder == (int64_t)stream->next.values[2];
}

struct wanted {
	const struct prof_cells *cells;
	const struct prof_stream *stream;
	uint32_t stack;
};

static bool is_wait(const void *context, uint32_t value)
{
	const struct wanted *wanted = context;

	return has_fields(wanted->cells, value, wanted->stream, wanted->stack);
}

/* The cell of a wait, which tells apart what was waited for, and who had it. */
static uint32_t find_wait(
	struct prof_cells *cells, const struct prof_stream *stream, uint32_t stack)
{
	const struct prof_stream_record *record = &stream->next;
	struct wanted wanted = {cells, stream, stack};
	uint64_t hash = prof_cells_hash(prof_cells_key(stream->number, record->what, stack),
		record->values[1], record->values[2]);
	uint32_t number = prof_map_find(&cells->waits, hash, is_wait, &wanted);

	if (number != PROF_NONE)
		return number;
	number = add_cell(cells, stream, stack, &cells->waits, hash);
	if (number != PROF_NONE) {
		cells->list.items[number].object = record->values[1];
		cells->list.items[number].holder = (int64_t)record->values[2];
	}
	return number;
}

/* Finds CELL room for COUNT arguments.  False: no memory. */
static bool find_arguments(struct prof_cells *cells, struct prof_cell *cell, unsigned count)
{
	if (cells->unused_arguments[count].count) {
		cell->arguments = cells->unused_arguments[count]
					  .items[--cells->unused_arguments[count].count];
	} else if (prof_array_reserve(&cells->arguments, count)) {
		cell->arguments = (uint32_t)cells->arguments.count;
		cells->arguments.count += count;
	} else {
		return false;
	}
	cell->argument_count = (uint8_t)count;
	return true;
}

/* What the call that STREAM's record tells of was given, in the cell NUMBER. */
static void add_arguments(
	struct prof_cells *cells, uint32_t number, const struct prof_stream_record *record)
{
	struct prof_cell *cell = &cells->list.items[number];
	const struct prof_traced_hook *hook = prof_cells_hook(cells, cell);
	unsigned count = hook ? hook->count : 0;

	if (!count)
		return;
	if (!cell->events && !find_arguments(cells, cell, count))
		return;
	for (unsigned i = 0; i < cell->argument_count; i++) {
		/* The agent writes them behind the time of the call. */
		uint64_t word = i + 1 < record->count ? record->values[i + 1] : 0;
		prof_argument_add(&cells->arguments.items[cell->arguments + i],
			prof_argument_value(hook->letters[i], word), !cell->events);
	}
}

/* A wait or a call, from the time in the first value to the record's. */
static void add_span(struct prof_cells *cells, const struct prof_stream *stream, uint32_t stack)
{
	const struct prof_stream_record *record = &stream->next;
	uint64_t span = record->time - record->values[0];
	uint32_t number = PROF_NONE;

	if (find_thread(cells, stream))
		number = record->kind == PROF_RING_WAIT ? find_wait(cells, stream, stack)
							: find_cell(cells, stream, stack);
	if (number == PROF_NONE || cells->list.items[number].kind != record->kind) {
		cells->refused++;
		return;
	}
	if (record->values[0] > record->time)
		span = 0;
	if (record->kind == PROF_RING_CALL)
		add_arguments(cells, number, record);
	struct prof_cell *cell = &cells->list.items[number];
	cell->events++;
	cell->last = record->time;
	cell->span = span > UINT64_MAX - cell->span ? UINT64_MAX : cell->span + span;
	if (span > cell->longest)
		cell->longest = span;
	make_dirty(cells, number);
}

void prof_cells_add(struct prof_cells *cells, const struct prof_stream *stream, uint32_t stack)
{
	const struct prof_stream_record *record = &stream->next;
	uint64_t address = record->values[0];

	look_at_slice(cells, record->time);
	switch (record->kind) {
	case PROF_RING_ALLOC:
	case PROF_RING_MAP:
		add_block(cells, stream, stack);
		break;
	case PROF_RING_FREE:
		if (address && !take_block(cells, address, record->time, true))
			cells->heap.unmatched++;
		break;
	case PROF_RING_UNMAP:
		if (!take_extents(cells, address, page_end(address, record->values[1]), true))
			cells->heap.unmatched++;
		break;
	case PROF_RING_WAIT:
	case PROF_RING_CALL:
		add_span(cells, stream, stack);
		break;
	case PROF_RING_RAW:
		break;
	}
}

void prof_cells_mark(struct prof_cells *cells)
{
	for (size_t i = 0; i < cells->moved.count; i++) {
		uint32_t number = cells->moved.items[i];
		struct prof_cell *cell = &cells->list.items[number];
		cell->moved = false;
		if (cell->blocks == cell->held_blocks && cell->left == cell->held)
			continue;
		struct prof_cells_held *held = prof_array_push(&cells->held);
		if (!held)
			continue;
		*held = (struct prof_cells_held){cells->interval,
			{.blocks = cell->blocks, .bytes = cell->left, .cell = number}};
		cell->held_blocks = cell->blocks;
		cell->held = cell->left;
	}
	cells->moved.count = 0;
	cells->interval++;
	end_slice(cells);
}

void prof_cells_compare_peaks(struct prof_cells *cells)
{
	for (size_t i = 0; i < cells->list.count; i++) {
		const struct prof_cell *cell = &cells->list.items[i];
		if (!cell->unused && cell->kind == PROF_RING_ALLOC &&
			prof_cells_peak(cells, cell) != cell->told_peak)
			make_dirty(cells, (uint32_t)i);
	}
}

void prof_cells_values(const struct prof_cells *cells, const struct prof_cell *cell,
	uint64_t values[PROF_TRACED_VALUES])
{
	memset(values, 0, PROF_TRACED_VALUES * sizeof *values);
	switch ((enum prof_ring_kind)cell->kind) {
	case PROF_RING_WAIT:
		values[PROF_TRACED_DELAYS] = cell->events;
		values[PROF_TRACED_WAITED] = cell->span;
		break;
	case PROF_RING_CALL:
		values[PROF_TRACED_CALLS] = cell->events;
		values[PROF_TRACED_INSIDE] = cell->span;
		break;
	default:
		values[PROF_TRACED_ALLOCATIONS] = cell->allocations;
		values[PROF_TRACED_BYTES] = cell->bytes;
		values[PROF_TRACED_LEAKS] = cell->blocks;
		values[PROF_TRACED_LEAKED] = cell->left;
		values[PROF_TRACED_PEAK] = prof_cells_peak(cells, cell);
		values[PROF_TRACED_TEMPORARY] = cell->temporary;
	}
}

static void note_leak(struct prof_heap *heap, uint64_t size)
{
	if (heap->leak_smallest < 0 || (int64_t)size < heap->leak_smallest)
		heap->leak_smallest = (int64_t)size;
	if ((int64_t)size > heap->leak_largest)
		heap->leak_largest = (int64_t)size;
}

void prof_cells_update_heap(struct prof_cells *cells)
{
	struct prof_heap *heap = &cells->heap;

	heap->leak_smallest = -1;
	heap->leak_largest = 0;
	for (size_t i = 0; i < cells->blocks.capacity; i++) {
		if (cells->blocks.slots[i].address)
			note_leak(heap, cells->blocks.slots[i].size);
	}
	for (size_t i = 0; i < cells->extents.mappings.count; i++) {
		if (cells->extents.mappings.items[i].left)
			note_leak(heap, cells->extents.mappings.items[i].left);
	}
	heap->peak = (int64_t)cells->peak;
	if (!cells->any)
		heap->smallest = -1;
}
