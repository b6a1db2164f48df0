/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/ring.h"
#include "tracing/stream.h"
#include "tracing/totals.h"

#include "suite.h"

static struct prof_totals totals;
static uint64_t clock_now = 1000;

/* A record of OpenMP of the kind WHAT from the stack 1, that has COUNT values: VALUES. */
static void add(enum prof_ring_omp what, unsigned count, const uint64_t *values)
{
	struct prof_stream stream = {.id = 100,
		.next = {.kind = PROF_RING_OMP,
			.what = (uint16_t)what,
			.time = clock_now,
			.count = count}};

	memcpy(stream.next.values, values, count * sizeof *values);
	prof_totals_add(&totals, &stream, 1);
}

/* A record that began SPAN before its end, of which OFF does not count. */
#define ADD(what, span, off, ...)                                                                \
	do {                                                                                     \
		const uint64_t values_[] = {clock_now - (span), off __VA_OPT__(, ) __VA_ARGS__}; \
		add(PROF_RING_OMP_##what, sizeof values_ / sizeof *values_, values_);            \
	} while (0)

static uint64_t sum_of(enum prof_traced_value value)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < totals.list.count; i++) {
		uint64_t values[PROF_TRACED_VALUES];
		prof_totals_values(&totals, &totals.list.items[i], values);
		sum += values[value];
	}
	return sum;
}

START_TEST(each_wait_has_its_value)
{
	ADD(EXPLICIT, 10, 3);
	ADD(EXPLICIT, 5, 9);
	ADD(IMPLICIT, 20, 0);
	ADD(CRITICAL, 30, 0);
	ADD(LOCK, 40, 0);
	ADD(TASKWAIT, 50, 10);
	ck_assert_uint_eq(totals.list.count, 5);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_EXPLICIT), 7);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_IMPLICIT), 20);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_CRITICAL), 30);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_LOCK), 40);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_TASKWAIT), 40);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_TASKS), 0);
	ck_assert_uint_eq(totals.refused, 0);
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(a_region_counts_for_the_thread_that_has_opened_it)
{
	ADD(INSIDE, 100, 40, 100, 25, 1);
	ADD(INSIDE, 100, 0, 100, 500, 0);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_REGIONS), 1);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_INSIDE), 160);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_IMPLICIT), 125);
	/* A record that is damaged. */
	ADD(INSIDE, 10, 0);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_INSIDE), 170);
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(waits_are_apart_by_region)
{
	ADD(EXPLICIT, 10, 0, 0x100);
	ADD(EXPLICIT, 10, 0, 0x200);
	ADD(EXPLICIT, 10, 0, 0x100);
	ADD(INSIDE, 100, 0, 100, 25, 1, 0x100);
	ck_assert_uint_eq(totals.list.count, 3);
	ck_assert_uint_eq(totals.list.items[0].object, 0x100);
	ck_assert_uint_eq(totals.list.items[1].object, 0x200);
	ck_assert_uint_eq(totals.list.items[2].object, 0x100);
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(tasks_count_without_those_within)
{
	ADD(TASK, 100, 30, 0);
	ADD(TASK, 30, 0, 0);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_TASKS), 2);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_TASK), 100);
	ck_assert_uint_eq(sum_of(PROF_TRACED_CALLS), 0);
	prof_totals_deinit(&totals);
}
END_TEST

START_TEST(loops_count_by_kind_and_region)
{
	ADD(LOOP, 100, 30, 0, 0x100, 1, 20);
	ADD(LOOP, 50, 0, 0, 0x100, 0, 5);
	ADD(LOOP, 10, 0, 0, 0x200, 1, 0);
	ADD(SECTIONS, 10, 0, 0, 0x100, 1, 0);
	ADD(SINGLE, 10, 4, 0, 0x100, 1, 1);
	ck_assert_uint_eq(totals.list.count, 4);
	ck_assert_uint_eq(totals.list.items[0].object, 0x100);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_LOOPS), 2);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_SECTIONS), 1);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_SINGLES), 1);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_LOOP), 70 + 50 + 10 + 10 + 6);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_LOOP_WAIT), 26);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_REGIONS), 0);
	/* A record that is damaged. */
	ADD(LOOP, 10, 0, 0);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_LOOPS), 2);
	ck_assert_uint_eq(sum_of(PROF_TRACED_OMP_LOOP), 156);
	prof_totals_deinit(&totals);
}
END_TEST

RUN_TESTS("totals_values", each_wait_has_its_value,
	a_region_counts_for_the_thread_that_has_opened_it, waits_are_apart_by_region,
	tasks_count_without_those_within, loops_count_by_kind_and_region)
