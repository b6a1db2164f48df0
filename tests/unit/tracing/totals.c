/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/totals.h"

#include "suite.h"
#include "tracing/ring.h"
#include "tracing/stream.h"

#include <stdlib.h>
#include <string.h>

static struct prof_totals totals;
static uint64_t clock_now;

/* A record of the thread NUMBER from STACK. */
static void add(uint32_t number, uint32_t stack, enum prof_ring_kind kind, uint64_t first,
	uint64_t second, uint64_t third)
{
	struct prof_stream stream = {
		.number = number,
		.id = 100 + number,
		.next = {.kind = kind,
			.time = ++clock_now,
			.count = 3,
			.values = {first, second, third}},
	};

	prof_totals_add(&totals, &stream, stack);
}

static void allocate(uint32_t thread, uint32_t stack, uint64_t address, uint64_t size)
{
	add(thread, stack, PROF_RING_ALLOC, address, size, 0);
}

static void release(uint32_t thread, uint64_t address)
{
	add(thread, 0, PROF_RING_FREE, address, 0, 0);
}

static void map(uint32_t stack, uint64_t address, uint64_t size)
{
	add(0, stack, PROF_RING_MAP, address, size, 0);
}

static void unmap(uint64_t address, uint64_t size)
{
	add(0, 0, PROF_RING_UNMAP, address, size, 0);
}

/* The VALUE of all totals of THREAD and STACK. */
static uint64_t value_of(uint32_t thread, uint32_t stack, enum prof_traced_value value)
{
	uint64_t values[PROF_TRACED_VALUES];
	uint64_t sum = 0;

	for (size_t i = 0; i < totals.list.count; i++) {
		prof_totals_values(&totals, &totals.list.items[i], values);
		if (totals.list.items[i].thread == thread && totals.list.items[i].stack == stack)
			sum += values[value];
	}
	return sum;
}

#define EXPECT(thread, stack, ...)                                                             \
	do {                                                                                   \
		const uint64_t expected_[] = {__VA_ARGS__};                                    \
		for (int i_ = 0; i_ < (int)(sizeof expected_ / sizeof *expected_); i_++)       \
			ck_assert_uint_eq(value_of(thread, stack, (enum prof_traced_value)i_), \
				expected_[i_]);                                                \
	} while (0)

/* The example of two threads that each allocate five times, and free on even rounds. */
START_TEST(what_is_not_freed_is_a_leak)
{
	for (uint32_t thread = 0; thread < 2; thread++) {
		for (uint64_t i = 0; i < 5; i++) {
			uint64_t address = 4096 * (thread * 5 + i + 1);
			allocate(thread, 1, address, 1000 * (thread + 1));
			if (i % 2 == 0)
				release(thread, address);
		}
	}
	EXPECT(0, 1, 5, 5000, 2, 2000);
	EXPECT(1, 1, 5, 10000, 2, 4000);
	prof_totals_update_heap(&totals);
	ck_assert_int_eq(totals.heap.smallest, 1000);
	ck_assert_int_eq(totals.heap.largest, 2000);
	ck_assert_int_eq(totals.heap.leak_smallest, 1000);
	ck_assert_int_eq(totals.heap.leak_largest, 2000);
	ck_assert_int_eq(totals.heap.allocations[0], 5);
	ck_assert_int_eq(totals.heap.allocations[1], 5);
	ck_assert_int_eq(totals.heap.leaks[0], 2);
	ck_assert_int_eq(totals.heap.leaks[1], 2);
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(realloc_is_a_free_and_an_allocation)
{
	allocate(0, 1, 64, 10);
	release(0, 64);
	allocate(0, 1, 64, 20);
	release(0, 64);
	EXPECT(0, 1, 2, 30, 0, 0, 20, 2);
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(every_kind_of_allocation_counts)
{
	allocate(0, 1, 64, 10);   /* malloc */
	allocate(0, 2, 128, 20);  /* realloc */
	allocate(0, 3, 4096, 30); /* valloc */
	allocate(0, 4, 256, 40);  /* memalign */
	map(5, 1 << 20, 5000);    /* mmap */
	for (uint32_t i = 1; i < 5; i++)
		EXPECT(0, i, 1, 10 * i, 1, 10 * i);
	EXPECT(0, 5, 1, 5000, 1, 5000);
	ck_assert_uint_eq(totals.left, 5100);
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(a_block_belongs_to_who_allocated_it)
{
	allocate(0, 1, 64, 10);
	release(1, 64);
	allocate(1, 2, 64, 20); /* the address is used again */
	EXPECT(0, 1, 1, 10, 0, 0, 0, 1);
	EXPECT(1, 2, 1, 20, 1, 20);
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(temporary_is_what_is_freed_before_the_next)
{
	allocate(0, 1, 64, 10);
	allocate(1, 1, 128, 10); /* of another thread */
	release(0, 64);
	allocate(0, 1, 64, 10);
	allocate(0, 1, 256, 10);
	release(0, 64);
	release(0, 256);
	EXPECT(0, 1, 3, 30, 0, 0, 20, 2);
	EXPECT(1, 1, 1, 10, 1, 10, 10, 0);
	prof_totals_deinit(&totals);
}
END_TEST

/* realloc() in one thread tells of its free when another has got that memory, and has told of it.
 */
START_TEST(a_free_that_comes_late_frees_nothing_newer)
{
	allocate(0, 1, 64, 10);
	uint64_t freed = ++clock_now;
	allocate(1, 2, 64, 20);
	uint64_t later = clock_now;
	clock_now = freed - 1;
	release(0, 64);
	clock_now = later;
	EXPECT(0, 1, 1, 10, 0, 0);
	EXPECT(1, 2, 1, 20, 1, 20);
	ck_assert_int_eq(totals.heap.unmatched, 0);
	release(1, 64);
	EXPECT(1, 2, 1, 20, 0, 0);
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(a_free_that_was_lost_is_made_up_for)
{
	allocate(0, 1, 64, 10);
	allocate(0, 2, 64, 20);
	EXPECT(0, 1, 1, 10, 0, 0, 0, 0);
	EXPECT(0, 2, 1, 20, 1, 20);
	release(0, 512);
	unmap(1 << 20, 4096);
	ck_assert_int_eq(totals.heap.unmatched, 2);
	release(0, 0); /* is nothing */
	ck_assert_int_eq(totals.heap.unmatched, 2);
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(mappings_are_unmapped_in_parts)
{
	const uint64_t page = 4096, base = 1 << 20;

	map(1, base, 10 * page);
	unmap(base + 4 * page, 2 * page);
	EXPECT(0, 1, 1, 10 * page, 1, 8 * page);
	unmap(base, page);
	EXPECT(0, 1, 1, 10 * page, 1, 7 * page);
	unmap(base + 3 * page, 4 * page); /* over the hole */
	EXPECT(0, 1, 1, 10 * page, 1, 5 * page);
	map(2, base + 8 * page, page); /* in place of a part */
	EXPECT(0, 1, 1, 10 * page, 1, 4 * page);
	EXPECT(0, 2, 1, page, 1, page);
	unmap(base, 100 * page);
	EXPECT(0, 1, 1, 10 * page, 0, 0, 10 * page);
	EXPECT(0, 2, 1, page, 0, 0);
	map(3, base, 100); /* a page, of which 100 bytes were asked for */
	unmap(base, 100);
	EXPECT(0, 3, 1, 100, 0, 0);
	prof_totals_deinit(&totals);
}
END_TEST

/* What is left of a mapping is the leak: neither larger nor of another class. */
START_TEST(a_mapping_of_which_a_part_is_left_leaks_that)
{
	const uint64_t page = 4096, base = 1 << 20;

	map(1, base, 10 * page);
	unmap(base + page, 9 * page);
	prof_totals_update_heap(&totals);
	ck_assert_int_eq(totals.heap.largest, 10 * page);
	ck_assert_int_eq(totals.heap.leak_largest, page);
	ck_assert_int_eq(totals.heap.leak_smallest, page);
	/* From 1 KB on, and from 32 KB on. */
	ck_assert_int_eq(totals.heap.leaks[1], 1);
	ck_assert_int_eq(totals.heap.leaks[3], 0);
	EXPECT(0, 1, 1, 10 * page, 1, page);
	unmap(base, page);
	prof_totals_update_heap(&totals);
	ck_assert_int_eq(totals.heap.leaks[1], 0);
	ck_assert_int_eq(totals.heap.leak_smallest, -1);
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(slices_divide_totals)
{
	totals.slice = 10;
	clock_now = 100;
	for (int i = 0; i < 25; i++)
		allocate(0, 1, 64 * (uint64_t)(i + 1), 10);
	ck_assert_uint_eq(totals.list.count, 3);
	ck_assert_uint_eq(totals.list.items[0].first, 101);
	ck_assert_uint_eq(totals.list.items[0].last, 110);
	ck_assert_uint_eq(totals.list.items[2].first, 121);
	ck_assert_uint_eq(totals.list.items[2].last, 125);
	EXPECT(0, 1, 25, 250, 25, 250);
	/* A block is still of the total that has it. */
	release(0, 64);
	ck_assert_uint_eq(totals.list.items[0].blocks, 9);
	prof_totals_deinit(&totals);
}
END_TEST

/* So that there are not many more of them the longer a program is traced. */
START_TEST(slices_become_longer)
{
	enum { STEPS = 400000 };

	totals.slice = 1;
	clock_now = 0;
	for (int i = 0; i < STEPS; i++)
		add(0, 1, PROF_RING_CALL, clock_now, 0, 0);
	ck_assert_uint_gt(totals.list.count, 8192);
	ck_assert_uint_lt(totals.list.count, STEPS / 4);
	ck_assert_uint_eq(value_of(0, 1, PROF_TRACED_CALLS), STEPS);
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(waits_are_told_apart_by_object_and_holder)
{
	clock_now = 1000;
	add(0, 1, PROF_RING_WAIT, 990, 64, 7);
	add(0, 1, PROF_RING_WAIT, 1000, 64, 7);
	add(0, 1, PROF_RING_WAIT, 1000, 64, 8);
	add(0, 1, PROF_RING_WAIT, 1000, 128, 7);
	add(0, 1, PROF_RING_WAIT, 5000, 128, 7); /* the grant before the request: damaged */
	ck_assert_uint_eq(totals.list.count, 3);
	ck_assert_uint_eq(totals.list.items[0].events, 2);
	ck_assert_uint_eq(totals.list.items[0].span, 11 + 2);
	ck_assert_uint_eq(totals.list.items[0].longest, 11);
	ck_assert_int_eq(totals.list.items[1].holder, 8);
	ck_assert_uint_eq(totals.list.items[2].object, 128);
	ck_assert_uint_eq(totals.list.items[2].span, 4);
	ck_assert_uint_eq(value_of(0, 1, PROF_TRACED_DELAYS), 5);
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(calls_have_their_time)
{
	clock_now = 100;
	add(0, 1, PROF_RING_CALL, 91, 0, 0);
	add(0, 1, PROF_RING_CALL, 92, 0, 0);
	ck_assert_uint_eq(value_of(0, 1, PROF_TRACED_CALLS), 2);
	ck_assert_uint_eq(value_of(0, 1, PROF_TRACED_INSIDE), 20);
	/* A hook is of one kind. */
	allocate(0, 1, 64, 10);
	ck_assert_uint_eq(totals.refused, 1);
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(marks_divide_totals)
{
	allocate(0, 1, 64, 10);
	prof_totals_mark(&totals);
	prof_totals_mark(&totals);
	allocate(0, 1, 128, 20);
	release(0, 64);
	allocate(0, 1, 256, 5);
	release(0, 256);
	prof_totals_mark(&totals);
	ck_assert_uint_eq(totals.list.count, 2);
	ck_assert_uint_eq(totals.list.items[1].interval, 2);
	ck_assert_uint_eq(totals.list.items[1].allocations, 2);
	/* At the first mark 10 bytes; at the third the first total has none, the other 20. */
	ck_assert_uint_eq(totals.held.count, 3);
	ck_assert_uint_eq(totals.held.items[0].interval, 0);
	ck_assert_uint_eq(totals.held.items[0].data.bytes, 10);
	for (int i = 1; i < 3; i++) {
		ck_assert_uint_eq(totals.held.items[i].interval, 2);
		ck_assert_uint_eq(totals.held.items[i].data.bytes,
			totals.held.items[i].data.total == 0 ? 0 : 20);
	}
	prof_totals_deinit(&totals);
}
END_TEST

/* The model: everything is looked at again whenever there is a new peak. */
enum { STACKS = 7, ADDRESSES = 60, PIECES = 8, PAGE = 4096 };

static struct {
	uint64_t size[ADDRESSES]; /* of blocks; 0: none */
	uint32_t stack[ADDRESSES];
	uint64_t values[STACKS][PROF_TRACED_VALUES];
	uint64_t left, peak;
} model;

static void model_peak(void)
{
	if (model.left <= model.peak)
		return;
	model.peak = model.left;
	for (int i = 0; i < STACKS; i++)
		model.values[i][PROF_TRACED_PEAK] = model.values[i][PROF_TRACED_LEAKED];
}

static void model_allocate(unsigned address, uint32_t stack, uint64_t size)
{
	model.size[address] = size;
	model.stack[address] = stack;
	model.values[stack][PROF_TRACED_ALLOCATIONS]++;
	model.values[stack][PROF_TRACED_BYTES] += size;
	model.values[stack][PROF_TRACED_LEAKS]++;
	model.values[stack][PROF_TRACED_LEAKED] += size;
	model.left += size;
	model_peak();
}

static void model_release(unsigned address)
{
	uint64_t *values = model.values[model.stack[address]];

	values[PROF_TRACED_LEAKS]--;
	values[PROF_TRACED_LEAKED] -= model.size[address];
	model.left -= model.size[address];
	model.size[address] = 0;
}

START_TEST(random_events_come_to_what_a_plain_model_says)
{
	unsigned seed = 7;

	for (int round = 0; round < 30; round++) {
		memset(&model, 0, sizeof model);
		totals.slice = round % 2 ? 100 : 0;
		for (int i = 0; i < 3000; i++) {
			unsigned address = (unsigned)rand_r(&seed) % ADDRESSES;
			uint32_t stack = (uint32_t)rand_r(&seed) % STACKS;
			uint64_t size = 1 + (uint64_t)rand_r(&seed) % 3000;
			if (rand_r(&seed) % 200 == 0)
				prof_totals_mark(&totals);
			if (model.size[address]) {
				model_release(address);
				release(0, (address + 1) * 16);
			} else {
				model_allocate(address, stack, size);
				allocate(0, stack, (address + 1) * 16, size);
			}
		}
		ck_assert_uint_eq(totals.left, model.left);
		ck_assert_uint_eq(totals.peak, model.peak);
		for (uint32_t i = 0; i < STACKS; i++) {
			for (int j = 0; j < PROF_TRACED_TEMPORARY; j++)
				ck_assert_uint_eq(value_of(0, i, (enum prof_traced_value)j),
					model.values[i][j]);
		}
		prof_totals_deinit(&totals);
	}
}
END_TEST

/* Mappings of up to PIECES pages, of which any pages are unmapped, in a space of few pages. */
START_TEST(random_mappings_come_to_what_a_plain_model_says)
{
	enum { PAGES = 64 };
	uint32_t owner[PAGES];
	uint64_t left[STACKS];
	unsigned seed = 11;

	for (int round = 0; round < 30; round++) {
		memset(owner, 0xff, sizeof owner);
		memset(left, 0, sizeof left);
		for (int i = 0; i < 2000; i++) {
			uint64_t first = (uint64_t)rand_r(&seed) % PAGES;
			uint64_t count = 1 + (uint64_t)rand_r(&seed) % PIECES;
			uint32_t stack = (uint32_t)rand_r(&seed) % STACKS;
			bool maps = rand_r(&seed) % 2;
			if (first + count > PAGES)
				count = PAGES - first;
			for (uint64_t j = first; j < first + count; j++) {
				if (owner[j] != UINT32_MAX)
					left[owner[j]] -= PAGE;
				owner[j] = maps ? stack : UINT32_MAX;
				left[stack] += maps ? PAGE : 0;
			}
			if (maps)
				map(stack, (1 + first) * PAGE, count * PAGE);
			else
				unmap((1 + first) * PAGE, count * PAGE);
			for (uint32_t j = 0; j < STACKS; j++)
				ck_assert_uint_eq(value_of(0, j, PROF_TRACED_LEAKED), left[j]);
		}
		prof_totals_deinit(&totals);
	}
}
END_TEST

/* A record of a call of MPI that took SPAN, with messages of ranks in WHO. */
static void call_mpi(uint64_t span, uint64_t who, bool other, uint64_t sends, uint64_t sent,
	uint64_t receives, uint64_t received)
{
	struct prof_stream stream = {
		.id = 100,
		.next = {.kind = PROF_RING_MPI,
			.what = 300,
			.time = clock_now += 1000,
			.count = 7,
			.values = {clock_now - span, who, other, sends, sent, receives, received}},
	};

	prof_totals_add(&totals, &stream, 1);
}

START_TEST(calls_of_mpi_are_told_apart_by_ranks)
{
	uint64_t nobody = prof_ring_mpi_peers(-1, -1), two = prof_ring_mpi_peers(0, 2);

	call_mpi(10, nobody, true, 0, 0, 0, 0);
	call_mpi(5, two, false, 1, 40, 0, 0);
	call_mpi(7, two, false, 1, 4, 2, 12);
	call_mpi(0, prof_ring_mpi_peers(0, 3), false, 0, 0, 1, 0);
	call_mpi(3, nobody, true, 0, 0, 0, 0);
	ck_assert_uint_eq(totals.list.count, 3);
	ck_assert_uint_eq(totals.list.items[1].what, 300);
	ck_assert_uint_eq(totals.list.items[1].object, two);
	ck_assert_int_eq(prof_ring_mpi_rank(nobody), -1);
	ck_assert_int_eq(prof_ring_mpi_peer(two), 2);
	ck_assert_uint_eq(totals.list.items[1].longest, 7);
	ck_assert_uint_eq(value_of(0, 1, PROF_TRACED_MPI_TIME), 25);
	ck_assert_uint_eq(value_of(0, 1, PROF_TRACED_MPI_SENDS), 2);
	ck_assert_uint_eq(value_of(0, 1, PROF_TRACED_MPI_SENT), 44);
	ck_assert_uint_eq(value_of(0, 1, PROF_TRACED_MPI_RECEIVES), 3);
	ck_assert_uint_eq(value_of(0, 1, PROF_TRACED_MPI_RECEIVED), 12);
	ck_assert_uint_eq(value_of(0, 1, PROF_TRACED_MPI_OTHER), 2);
	ck_assert_uint_eq(value_of(0, 1, PROF_TRACED_CALLS), 0);
	prof_totals_deinit(&totals);
}
END_TEST

RUN_TESTS("totals", what_is_not_freed_is_a_leak, realloc_is_a_free_and_an_allocation,
	every_kind_of_allocation_counts, a_block_belongs_to_who_allocated_it,
	temporary_is_what_is_freed_before_the_next, a_free_that_comes_late_frees_nothing_newer,
	a_free_that_was_lost_is_made_up_for, mappings_are_unmapped_in_parts,
	a_mapping_of_which_a_part_is_left_leaks_that, slices_divide_totals, slices_become_longer,
	waits_are_told_apart_by_object_and_holder, calls_have_their_time,
	calls_of_mpi_are_told_apart_by_ranks, marks_divide_totals,
	random_events_come_to_what_a_plain_model_says,
	random_mappings_come_to_what_a_plain_model_says)
