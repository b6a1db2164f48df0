/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/totals.h"

#include "suite.h"
#include "tracing/ring.h"
#include "tracing/stream.h"

#include <stdlib.h>
#include <string.h>

static struct prof_totals totals;
static uint64_t clock_now;

/* The recorder's rows: what totals were told last, by thread and stack. */
struct row {
	int64_t thread;
	uint32_t stack;
	uint64_t values[PROF_TRACED_VALUES];
	struct prof_argument_sum argument;
};

static struct row rows[1 << 16];
static size_t row_count;
static size_t row_of[1 << 16]; /* by number of the total */

/* A record of the thread NUMBER, whose id is ID, from STACK. */
static void add(uint32_t number, int64_t id, uint32_t stack, enum prof_ring_kind kind,
	uint64_t first, uint64_t second)
{
	struct prof_stream stream = {
		.number = number,
		.id = id,
		.next = {.kind = kind,
			.what = (uint8_t)kind,
			.time = ++clock_now,
			.count = 3,
			.values = {first, second, 7}},
	};

	prof_totals_add(&totals, &stream, stack);
}

/* Tells what has changed, as tell.c does. */
static void report(void)
{
	prof_totals_compare_peaks(&totals);
	while (totals.dirty.count) {
		uint32_t number = totals.dirty.items[--totals.dirty.count];
		struct prof_total *total = &totals.list.items[number];
		ck_assert_uint_lt(number, PROF_COUNT(row_of));
		ck_assert(!total->unused);
		if (!total->reported)
			row_of[number] = row_count++;
		ck_assert_uint_le(row_count, PROF_COUNT(rows));
		struct row *row = &rows[row_of[number]];
		row->thread = totals.threads.items[total->thread].id;
		row->stack = total->stack;
		prof_totals_values(&totals, total, row->values);
		if (total->kind == PROF_RING_CALL && total->argument_count)
			row->argument = totals.arguments.items[total->arguments];
		total->reported = true;
		total->dirty = false;
		total->reported_peak = total->kind == PROF_RING_ALLOC
			? row->values[PROF_TRACED_PEAK]
			: total->reported_peak;
	}
	totals.held.count = 0;
	prof_totals_retire(&totals);
}

/* The VALUE of all rows of the thread ID and STACK. */
static uint64_t sum(int64_t id, uint32_t stack, enum prof_traced_value value)
{
	uint64_t all = 0;

	for (size_t i = 0; i < row_count; i++) {
		if (rows[i].thread == id && rows[i].stack == stack)
			all += rows[i].values[value];
	}
	return all;
}

static void begin(uint64_t slice)
{
	memset(rows, 0, sizeof rows);
	row_count = 0;
	totals.slice = slice;
	clock_now = 0;
}

START_TEST(threads_that_are_gone_have_no_totals)
{
	enum { THREADS = 2000, STACKS = 5 };

	begin(1 << 30);
	for (int64_t thread = 0; thread < THREADS; thread++) {
		uint32_t number = prof_totals_has(&totals, 0);
		for (uint32_t stack = 1; stack <= STACKS; stack++) {
			add(number, thread, stack, PROF_RING_ALLOC, 64 * stack, 10);
			add(number, thread, stack, PROF_RING_FREE, 64 * stack, 0);
			add(number, thread, stack, PROF_RING_WAIT, clock_now, 64);
			add(number, thread, stack, PROF_RING_CALL, clock_now, 0);
		}
		prof_totals_end(&totals, number);
		report();
		/* One is left, the first that had a block at the peak, and its thread's number. */
		ck_assert_uint_le(totals.list.count - totals.unused.count, 1);
	}
	ck_assert_uint_eq(totals.made, row_count);
	ck_assert_uint_le(totals.list.count, 3 * STACKS + 1);
	ck_assert_uint_le(totals.index.capacity, 64);
	ck_assert_uint_le(totals.waits.capacity, 64);
	for (int64_t thread = 0; thread < THREADS; thread += 100) {
		ck_assert_uint_eq(sum(thread, 2, PROF_TRACED_BYTES), 10);
		ck_assert_uint_eq(sum(thread, 2, PROF_TRACED_LEAKS), 0);
		ck_assert_uint_eq(sum(thread, 2, PROF_TRACED_DELAYS), 1);
		ck_assert_uint_eq(sum(thread, 2, PROF_TRACED_CALLS), 1);
	}
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(slices_that_are_over_have_no_totals)
{
	enum { ROUNDS = 20000 };

	begin(10);
	for (uint64_t i = 0; i < ROUNDS; i++) {
		add(0, 7, 1, PROF_RING_ALLOC, 64, 10);
		add(0, 7, 1, PROF_RING_FREE, 64, 0);
		if (i % 100 == 99)
			report();
		ck_assert_uint_lt(totals.list.count, 100);
	}
	ck_assert_uint_gt(row_count, 1000);
	ck_assert_uint_eq(sum(7, 1, PROF_TRACED_ALLOCATIONS), ROUNDS);
	ck_assert_uint_eq(sum(7, 1, PROF_TRACED_TEMPORARY), ROUNDS);
	ck_assert_uint_eq(sum(7, 1, PROF_TRACED_PEAK), 10);
	prof_totals_deinit(&totals);
}
END_TEST

/* A block that outlives its thread is still of the thread's total, and so is its free. */
START_TEST(blocks_keep_the_total_that_has_them)
{
	begin(10);
	add(0, 7, 1, PROF_RING_ALLOC, 64, 10);
	add(1, 8, 1, PROF_RING_ALLOC, 128, 10);
	prof_totals_end(&totals, 0);
	clock_now += 100;
	report();
	ck_assert(prof_totals_has(&totals, 0));
	add(1, 8, 2, PROF_RING_FREE, 64, 0);
	add(1, 8, 2, PROF_RING_ALLOC, 256, 100); /* a new peak, of which 64 is no part */
	report();
	ck_assert(!prof_totals_has(&totals, 0));
	ck_assert_uint_eq(sum(7, 1, PROF_TRACED_LEAKS), 0);
	ck_assert_uint_eq(sum(7, 1, PROF_TRACED_PEAK), 0);
	ck_assert_uint_eq(sum(7, 1, PROF_TRACED_TEMPORARY), 1);
	ck_assert_uint_eq(sum(8, 1, PROF_TRACED_PEAK), 10);
	ck_assert_uint_eq(sum(8, 2, PROF_TRACED_PEAK), 100);
	prof_totals_deinit(&totals);
}
END_TEST

/* What was held at a mark is told to be gone at the next one, and only then is forgotten. */
START_TEST(marks_keep_the_totals_that_they_know)
{
	begin(10);
	add(0, 7, 1, PROF_RING_ALLOC, 64, 10);
	prof_totals_mark(&totals);
	add(0, 7, 2, PROF_RING_FREE, 64, 0);
	add(0, 7, 2, PROF_RING_ALLOC, 128, 100);
	clock_now += 100;
	add(0, 7, 3, PROF_RING_ALLOC, 256, 100);
	report();
	ck_assert_uint_eq(totals.unused.count, 0);
	prof_totals_mark(&totals);
	ck_assert_uint_eq(totals.held.count, 3);
	report();
	ck_assert_uint_eq(totals.unused.count, 1);
	/* Nothing of the old total is left in the new one of its number. */
	add(0, 7, 4, PROF_RING_ALLOC, 512, 10);
	ck_assert_uint_eq(totals.unused.count, 0);
	prof_totals_mark(&totals);
	ck_assert_uint_eq(totals.held.count, 1);
	ck_assert_uint_eq(totals.held.items[0].data.bytes, 10);
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(arguments_of_calls_that_are_over_make_room)
{
	static const struct prof_traced_hook hooks[PROF_RING_CALL + 1] = {
		[PROF_RING_CALL] = {.count = 2, .letters = {'l', 'l'}}};

	begin(1);
	totals.hooks = hooks;
	totals.hook_count = PROF_COUNT(hooks);
	for (uint64_t i = 1; i <= 1000; i++) {
		add(0, (int64_t)i, 1, PROF_RING_CALL, clock_now, i);
		prof_totals_end(&totals, 0);
		report();
		ck_assert(rows[row_count - 1].argument.sum == prof_value_of((int64_t)i));
	}
	ck_assert_uint_eq(row_count, 1000);
	ck_assert_uint_le(totals.arguments.count, 4);
	prof_totals_deinit(&totals);
}
END_TEST

enum { STACKS = 7, ADDRESSES = 40, THREADS = 5 };

/* Telling and retiring at any time changes no figure. */
START_TEST(random_events_come_to_the_same_when_totals_are_retired)
{
	uint64_t expected[STACKS][PROF_TRACED_VALUES];
	unsigned seed;

	for (unsigned round = 0; round < 40; round++) {
		bool used[ADDRESSES] = {false};
		bool retires = round % 2;
		begin(20);
		seed = round / 2;
		for (int i = 0; i < 3000; i++) {
			unsigned address = (unsigned)rand_r(&seed) % ADDRESSES;
			uint32_t number = (uint32_t)rand_r(&seed) % THREADS;
			uint32_t stack = (uint32_t)rand_r(&seed) % STACKS;
			uint64_t size = 1 + (uint64_t)rand_r(&seed) % 3000;
			add(number, 1, stack, used[address] ? PROF_RING_FREE : PROF_RING_ALLOC,
				(address + 1) * 16, size);
			used[address] = !used[address];
			add(number, 1, stack, PROF_RING_WAIT, clock_now, size % 3);
			if (rand_r(&seed) % 100 == 0)
				prof_totals_mark(&totals);
			if (rand_r(&seed) % 50 == 0)
				prof_totals_end(&totals, (uint32_t)rand_r(&seed) % THREADS);
			if (rand_r(&seed) % 20 == 0 && retires)
				report();
		}
		report();
		for (uint32_t i = 0; i < STACKS; i++) {
			for (int j = 0; j < PROF_TRACED_VALUES; j++) {
				uint64_t now = sum(1, i, (enum prof_traced_value)j);
				if (retires)
					ck_assert_uint_eq(now, expected[i][j]);
				expected[i][j] = now;
			}
		}
		prof_totals_deinit(&totals);
	}
}
END_TEST

RUN_TESTS("totals_retire", threads_that_are_gone_have_no_totals,
	slices_that_are_over_have_no_totals, blocks_keep_the_total_that_has_them,
	marks_keep_the_totals_that_they_know, arguments_of_calls_that_are_over_make_room,
	random_events_come_to_the_same_when_totals_are_retired)
