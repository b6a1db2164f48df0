/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/target.h"
#include "tracing/totals_private.h"

#include "tracing/arguments.h"
#include "tracing/ring.h"
#include "tracing/stream.h"

#include <stdlib.h>
#include <string.h>

/* How many threads have numbers of their own, in 24 bits of a key. */
enum { THREADS_MOST = 1 << 24 };

/* With this many totals slices are twice as long, with twice as many four times, and so on. */
enum { SLICED = 8192, DOUBLED_MOST = 16 };

void prof_totals_deinit(struct prof_totals *totals)
{
	free(totals->list.items);
	free(totals->unused.items);
	for (size_t i = 0; i < PROF_COUNT(totals->unused_arguments); i++)
		free(totals->unused_arguments[i].items);
	free(totals->threads.items);
	free(totals->dirty.items);
	free(totals->held.items);
	free(totals->moved.items);
	free(totals->arguments.items);
	prof_map_deinit(&totals->index);
	prof_map_deinit(&totals->waits);
	prof_blocks_deinit(&totals->blocks);
	prof_extents_deinit(&totals->extents);
	*totals = (struct prof_totals){0};
}

/* The thread of STREAM; all streams before it have one.  NULL: no memory. */
static struct prof_totals_thread *find_thread(
	struct prof_totals *totals, const struct prof_stream *stream)
{
	while (totals->threads.count <= stream->number) {
		struct prof_totals_thread *thread = prof_array_push(&totals->threads);
		if (!thread || stream->number >= THREADS_MOST)
			return NULL;
		*thread = (struct prof_totals_thread){0};
	}
	struct prof_totals_thread *thread = &totals->threads.items[stream->number];
	thread->id = stream->id;
	thread->ended = false; /* it was set for the previous thread with that number */
	return thread;
}

static void make_dirty(struct prof_totals *totals, uint32_t number)
{
	struct prof_total *total = &totals->list.items[number];

	if (!total->dirty) /* add_total() has reserved the room */
		totals->dirty.items[totals->dirty.count++] = number;
	total->dirty = true;
}

/* The number for the next new total; PROF_NONE: no memory. */
static uint32_t find_unused(struct prof_totals *totals)
{
	size_t count = totals->list.count + 1;

	if (totals->unused.count)
		return totals->unused.items[totals->unused.count - 1];
	/* Each list has room for all totals. */
	if (count >= PROF_NONE || !prof_array_reserve(&totals->list, 1) ||
		!prof_array_reserve(&totals->unused, count) ||
		!prof_array_reserve(&totals->dirty, count - totals->dirty.count) ||
		!prof_array_reserve(&totals->moved, count - totals->moved.count))
		return PROF_NONE;
	return (uint32_t)totals->list.count;
}

/* Adds a total for STREAM's record and STACK under KEY of INDEX.  PROF_NONE: no memory. */
static uint32_t add_total(struct prof_totals *totals, const struct prof_stream *stream,
	uint32_t stack, struct prof_map *index, uint64_t key)
{
	uint32_t number = find_unused(totals);

	if (number == PROF_NONE || !prof_map_add(index, key, number))
		return PROF_NONE;
	if (number == totals->list.count)
		totals->list.count++;
	else
		totals->unused.count--;
	totals->made++;
	totals->threads.items[stream->number].totals++;
	enum prof_ring_kind kind = stream->next.kind;
	totals->list.items[number] = (struct prof_total){
		.thread = stream->number,
		.stack = stack,
		.what = stream->next.what,
		.kind = kind == PROF_RING_MAP ? PROF_RING_ALLOC : (uint8_t)kind,
		.interval = totals->interval,
		.slice = totals->slices,
		.cpu = stream->next.cpu,
		.first = stream->next.time,
		.last = stream->next.time,
	};
	return number;
}

/* The total for STREAM's record and STACK; PROF_NONE: no memory. */
static uint32_t find_total(
	struct prof_totals *totals, const struct prof_stream *stream, uint32_t stack)
{
	uint64_t key = prof_totals_key(stream->number, stream->next.what, stack);
	uint32_t number = prof_map_get(&totals->index, key);

	return number != PROF_NONE ? number : add_total(totals, stream, stack, &totals->index, key);
}

/*
 * Called before the total changes.  Each new peak begins an epoch: if the total has last changed in
 * an earlier one, what it has now is what it had at the peak.
 */
static void touch(struct prof_totals *totals, uint32_t number)
{
	struct prof_total *total = &totals->list.items[number];

	if (total->epoch != totals->epoch) {
		total->peak = total->left;
		total->epoch = totals->epoch;
	}
	make_dirty(totals, number);
	if (!total->moved)
		totals->moved.items[totals->moved.count++] = number;
	total->moved = true;
}

static unsigned class_of(uint64_t size)
{
	unsigned class = 0;

	while (class + 1 < PROF_HEAP_CLASSES && size >= prof_heap_class(class + 1))
		class ++;
	return class;
}

/* A block of SIZE bytes was allocated. */
static void grow(struct prof_totals *totals, uint32_t number, uint64_t size, uint64_t time)
{
	struct prof_heap *heap = &totals->heap;
	unsigned class = class_of(size);

	touch(totals, number);
	struct prof_total *total = &totals->list.items[number];
	total->allocations++;
	total->last = time;
	total->bytes += size;
	total->blocks++;
	total->left += size;
	totals->left += size;
	if (totals->left > totals->peak) {
		totals->peak = totals->left;
		totals->peak_time = time;
		totals->epoch++;
	}
	heap->allocations[class]++;
	if (!totals->any || (int64_t)size < heap->smallest)
		heap->smallest = (int64_t)size;
	totals->any = true;
	if ((int64_t)size > heap->largest)
		heap->largest = (int64_t)size;
	heap->leaks[class]++;
}

/* BYTES of a block were freed; LEFT bytes remain, 0 if it is freed completely. */
static void shrink(struct prof_totals *totals, uint32_t number, uint64_t bytes, uint64_t left)
{
	struct prof_heap *heap = &totals->heap;

	touch(totals, number);
	struct prof_total *total = &totals->list.items[number];
	total->left -= bytes;
	totals->left -= bytes;
	heap->leaks[class_of(bytes + left)]--;
	if (left)
		heap->leaks[class_of(left)]++;
	else
		total->blocks--;
}

/* The next records go into other totals. */
static void end_slice(struct prof_totals *totals)
{
	totals->slices++;
	prof_map_deinit(&totals->index);
	prof_map_deinit(&totals->waits);
}

/*
 * An event at TIME: after the end of a slice another begins, so that each total has events of a
 * short time only.  The more totals there were, the longer slices become.
 */
static void look_at_slice(struct prof_totals *totals, uint64_t time)
{
	unsigned doubled = 0;

	if (!totals->slice || time < totals->cut)
		return;
	for (uint64_t many = totals->made / SLICED; many && doubled < DOUBLED_MOST; many >>= 1)
		doubled++;
	totals->cut = time + (totals->slice << doubled);
	end_slice(totals);
}

/* ADDRESS is freed: if its thread has allocated nothing since, the block was temporary. */
static void end_block(struct prof_totals *totals, uint64_t address, uint32_t number, bool freed)
{
	struct prof_total *total = &totals->list.items[number];
	struct prof_totals_thread *thread = &totals->threads.items[total->thread];

	if (thread->last != address)
		return;
	thread->last = 0;
	total->temporary += freed;
}

/*
 * Removes the block at ADDRESS, freed at TIME; FREED: by the program, as far as is known.  The
 * record of memory that realloc() frees may come after that of its next allocation.
 */
static bool take_block(struct prof_totals *totals, uint64_t address, uint64_t time, bool freed)
{
	struct prof_block block;

	if (!prof_blocks_take(&totals->blocks, address, time, &block))
		return false;
	if (!block.address)
		return true;
	shrink(totals, block.total, block.size, 0);
	end_block(totals, address, block.total, freed);
	return true;
}

/* Removes the mappings from LOW to HIGH. */
static bool take_extents(struct prof_totals *totals, uint64_t low, uint64_t high, bool freed)
{
	struct prof_extents_cut cut;
	bool found = false;

	while (prof_extents_cut(&totals->extents, low, high, &cut)) {
		shrink(totals, cut.total, cut.bytes, cut.left);
		if (!cut.left)
			end_block(totals, low, cut.total, freed);
		found = true;
	}
	return found;
}

/* The end of the pages that contain SIZE bytes at ADDRESS. */
static uint64_t page_end(uint64_t address, uint64_t size)
{
	uint64_t end = address + size;

	if (end < address || end > UINT64_MAX - PROF_TARGET_PAGE)
		return UINT64_MAX;
	return (end + PROF_TARGET_PAGE - 1) / PROF_TARGET_PAGE * PROF_TARGET_PAGE;
}

/*
 * An older block at the address of a new one must have been freed: only the record of that was
 * lost.
 */
static void add_block(struct prof_totals *totals, const struct prof_stream *stream, uint32_t stack)
{
	const struct prof_stream_record *record = &stream->next;
	uint64_t address = record->values[0];
	uint64_t size = record->values[1];
	bool mapped = record->kind == PROF_RING_MAP;
	struct prof_totals_thread *thread = find_thread(totals, stream);
	uint32_t total = thread && size <= INT64_MAX / 2 && totals->left <= INT64_MAX / 2
		? find_total(totals, stream, stack)
		: PROF_NONE;
	bool room =
		total != PROF_NONE && address && totals->list.items[total].kind == PROF_RING_ALLOC;

	if (mapped)
		take_extents(totals, address, page_end(address, size), false);
	else
		take_block(totals, address, UINT64_MAX, false);
	if (room && mapped)
		room = prof_extents_add(&totals->extents, address, size, total);
	else if (room)
		room = prof_blocks_add(
			&totals->blocks, &(struct prof_block){address, size, record->time, total});
	if (!room) {
		totals->refused++;
		return;
	}
	grow(totals, total, size, record->time);
	thread->last = address;
}

/* The thread that held the object, if RECORD is of a wait. */
static uint64_t holder_of(const struct prof_stream_record *record)
{
	return record->kind == PROF_RING_WAIT ? record->values[2] : 0;
}

/* What RECORD, of a wait, of MPI or of OpenMP, is told apart by. */
static uint64_t object_of(const struct prof_stream_record *record)
{
	unsigned index = 1;

	if (record->kind == PROF_RING_OMP && prof_ring_omp_is_loop(record->what))
		index = 3;
	else if (record->kind == PROF_RING_OMP)
		index = record->what == PROF_RING_OMP_INSIDE ? 5 : 2;
	/* The number of a task is nothing that others have. */
	if (record->kind == PROF_RING_OMP && record->what == PROF_RING_OMP_TASK)
		return 0;
	return index < record->count ? record->values[index] : 0;
}

static bool has_fields(const struct prof_totals *totals, uint32_t number,
	const struct prof_stream *stream, uint32_t stack)
{
	const struct prof_total *total = &totals->list.items[number];

	return total->thread == stream->number && total->stack == stack &&
		total->what == stream->next.what && total->object == object_of(&stream->next) &&
		total->holder == (int64_t)holder_of(&stream->next);
}

struct wanted {
	const struct prof_totals *totals;
	const struct prof_stream *stream;
	uint32_t stack;
};

static bool is_wait(const void *context, uint32_t value)
{
	const struct wanted *wanted = context;

	return has_fields(wanted->totals, value, wanted->stream, wanted->stack);
}

/*
 * The total of a wait: there is one for each object and holder.  Calls of MPI have one for each
 * rank, and waits of OpenMP for each region.
 */
static uint32_t find_wait(
	struct prof_totals *totals, const struct prof_stream *stream, uint32_t stack)
{
	const struct prof_stream_record *record = &stream->next;
	struct wanted wanted = {totals, stream, stack};
	uint64_t hash = prof_totals_hash(prof_totals_key(stream->number, record->what, stack),
		object_of(record), holder_of(record));
	uint32_t number = prof_map_find(&totals->waits, hash, is_wait, &wanted);

	if (number != PROF_NONE)
		return number;
	number = add_total(totals, stream, stack, &totals->waits, hash);
	if (number != PROF_NONE) {
		totals->list.items[number].object = object_of(record);
		totals->list.items[number].holder = (int64_t)holder_of(record);
	}
	return number;
}

/* Reserves room for COUNT arguments of TOTAL.  False: no memory. */
static bool find_arguments(struct prof_totals *totals, struct prof_total *total, unsigned count)
{
	if (totals->unused_arguments[count].count) {
		total->arguments = totals->unused_arguments[count]
					   .items[--totals->unused_arguments[count].count];
	} else if (prof_array_reserve(&totals->arguments, count)) {
		total->arguments = (uint32_t)totals->arguments.count;
		totals->arguments.count += count;
	} else {
		return false;
	}
	total->argument_count = (uint8_t)count;
	return true;
}

/* Adds the arguments of the call in STREAM's record to the total NUMBER. */
static void add_arguments(
	struct prof_totals *totals, uint32_t number, const struct prof_stream_record *record)
{
	struct prof_total *total = &totals->list.items[number];
	const struct prof_traced_hook *hook = prof_totals_hook(totals, total);
	unsigned count = hook ? hook->count : 0;

	if (!count)
		return;
	if (!total->events && !find_arguments(totals, total, count))
		return;
	for (unsigned i = 0; i < total->argument_count; i++) {
		/* The agent writes them after the time of the call. */
		uint64_t word = i + 1 < record->count ? record->values[i + 1] : 0;
		prof_argument_add(&totals->arguments.items[total->arguments + i],
			prof_argument_value(hook->letters[i], word), !total->events);
	}
}

/* Adds a record of a call of MPI to TOTAL. */
static void add_messages(struct prof_total *total, const struct prof_stream_record *record)
{
	const uint64_t *values = record->values;

	total->events += values[2] != 0;
	total->sends += values[3];
	total->sent += values[4];
	total->receives += values[5];
	total->received += values[6];
}

static uint64_t add_bounded(uint64_t sum, uint64_t span)
{
	return span > UINT64_MAX - sum ? UINT64_MAX : sum + span;
}

/* Adds a record of OpenMP to TOTAL.  Returns how much of SPAN counts. */
static uint64_t add_openmp(
	struct prof_total *total, const struct prof_stream_record *record, uint64_t span)
{
	const uint64_t *values = record->values;

	if (prof_ring_omp_is_loop(record->what)) {
		/* A thread that goes on without a barrier has waited as little as 0. */
		total->events += record->count > 4 && values[4];
		total->waited = add_bounded(total->waited, record->count > 5 ? values[5] : 0);
	} else if (record->what != PROF_RING_OMP_INSIDE) {
		total->events++;
	} else if (record->count > 4) {
		total->events += values[4] != 0;
		total->waited = add_bounded(total->waited, values[3] < span ? values[3] : span);
	}
	return span > values[1] ? span - values[1] : 0;
}

/* Adds a wait or a call, from the time in the first value to the record's. */
static void add_span(struct prof_totals *totals, const struct prof_stream *stream, uint32_t stack)
{
	const struct prof_stream_record *record = &stream->next;
	uint64_t span = record->time - record->values[0];
	uint32_t number = PROF_NONE;

	if (find_thread(totals, stream))
		number = record->kind == PROF_RING_CALL ? find_total(totals, stream, stack)
							: find_wait(totals, stream, stack);
	totals->last = PROF_NONE;
	if (number == PROF_NONE || totals->list.items[number].kind != record->kind) {
		totals->refused++;
		return;
	}
	totals->last = number;
	if (record->values[0] > record->time)
		span = 0;
	if (record->kind == PROF_RING_CALL)
		add_arguments(totals, number, record);
	struct prof_total *total = &totals->list.items[number];
	if (record->kind == PROF_RING_MPI)
		add_messages(total, record);
	else if (record->kind == PROF_RING_OMP)
		span = add_openmp(total, record, span);
	else
		total->events++;
	total->last = record->time;
	total->span = add_bounded(total->span, span);
	if (span > total->longest)
		total->longest = span;
	make_dirty(totals, number);
}

void prof_totals_add(struct prof_totals *totals, const struct prof_stream *stream, uint32_t stack)
{
	const struct prof_stream_record *record = &stream->next;
	uint64_t address = record->values[0];

	look_at_slice(totals, record->time);
	switch (record->kind) {
	case PROF_RING_ALLOC:
	case PROF_RING_MAP:
		add_block(totals, stream, stack);
		break;
	case PROF_RING_FREE:
		if (address && !take_block(totals, address, record->time, true))
			totals->heap.unmatched++;
		break;
	case PROF_RING_UNMAP:
		if (!take_extents(totals, address, page_end(address, record->values[1]), true))
			totals->heap.unmatched++;
		break;
	case PROF_RING_WAIT:
	case PROF_RING_CALL:
	case PROF_RING_MPI:
	case PROF_RING_OMP:
		add_span(totals, stream, stack);
		break;
	case PROF_RING_RAW:
	case PROF_RING_OPERATION:
	case PROF_RING_MESSAGE:
	case PROF_RING_KINDS:
		break;
	}
}

void prof_totals_mark(struct prof_totals *totals)
{
	for (size_t i = 0; i < totals->moved.count; i++) {
		uint32_t number = totals->moved.items[i];
		struct prof_total *total = &totals->list.items[number];
		total->moved = false;
		if (total->blocks == total->held_blocks && total->left == total->held)
			continue;
		struct prof_totals_held *held = prof_array_push(&totals->held);
		if (!held)
			continue;
		*held = (struct prof_totals_held){totals->interval,
			{.blocks = total->blocks, .bytes = total->left, .total = number}};
		total->held_blocks = total->blocks;
		total->held = total->left;
	}
	totals->moved.count = 0;
	totals->interval++;
	end_slice(totals);
}

void prof_totals_compare_peaks(struct prof_totals *totals)
{
	for (size_t i = 0; i < totals->list.count; i++) {
		const struct prof_total *total = &totals->list.items[i];
		if (!total->unused && total->kind == PROF_RING_ALLOC &&
			prof_totals_peak(totals, total) != total->reported_peak)
			make_dirty(totals, (uint32_t)i);
	}
}

static void note_leak(struct prof_heap *heap, uint64_t size)
{
	if (heap->leak_smallest < 0 || (int64_t)size < heap->leak_smallest)
		heap->leak_smallest = (int64_t)size;
	if ((int64_t)size > heap->leak_largest)
		heap->leak_largest = (int64_t)size;
}

void prof_totals_update_heap(struct prof_totals *totals)
{
	struct prof_heap *heap = &totals->heap;

	heap->leak_smallest = -1;
	heap->leak_largest = 0;
	for (size_t i = 0; i < totals->blocks.capacity; i++) {
		if (totals->blocks.slots[i].address)
			note_leak(heap, totals->blocks.slots[i].size);
	}
	for (size_t i = 0; i < totals->extents.mappings.count; i++) {
		if (totals->extents.mappings.items[i].left)
			note_leak(heap, totals->extents.mappings.items[i].left);
	}
	heap->peak = (int64_t)totals->peak;
	if (!totals->any)
		heap->smallest = -1;
}
