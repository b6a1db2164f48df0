/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/openmp_events.h"

#include "tracing/ring.h"
#include "tracing/stream.h"
#include "tracing/totals.h"
#include "suite.h"

#include <stdlib.h>

static struct prof_openmp_events events;
static struct prof_totals totals;
static struct prof_streams streams;
static struct prof_stream threads[] = {{.number = 0, .id = 100}, {.number = 1, .id = 101}};

/* Of the first thread: a record of the kind WHAT, with VALUE and, if MORE, two others. */
static void add(unsigned what, uint64_t value, bool more, uint32_t stack)
{
	threads[0].next = (struct prof_stream_record){.kind = PROF_RING_OMP,
		.what = (uint16_t)what,
		.time = 50,
		.count = more ? 5 : 3,
		.values = {40, 0, value, 0, more}};
	prof_openmp_events_add(&events, &streams, &totals, &threads[0], stack);
}

static void begin(void)
{
	ck_assert(prof_array_reserve(&streams.list, 2));
	streams.list.items[streams.list.count++] = &threads[0];
	streams.list.items[streams.list.count++] = &threads[1];
}

static void end(void)
{
	free(streams.list.items);
	prof_openmp_events_deinit(&events);
	prof_totals_deinit(&totals);
}

START_TEST(a_region_is_of_the_thread_that_was_in_it)
{
	begin();
	add(PROF_RING_OMP_INSIDE, 101, true, 5);
	ck_assert_uint_eq(totals.list.count, 1);
	ck_assert_uint_eq(totals.list.items[0].thread, 1);
	ck_assert_int_eq(totals.threads.items[1].id, 101);
	ck_assert_uint_eq(totals.list.items[0].stack, 5);
	ck_assert_uint_eq(totals.refused, 0);
	add(PROF_RING_OMP_INSIDE, 102, true, 5);
	ck_assert_uint_eq(totals.list.count, 1);
	ck_assert_uint_eq(totals.refused, 1);
	end();
}
END_TEST

START_TEST(a_task_is_of_the_stack_that_has_created_it)
{
	begin();
	add(PROF_RING_OMP_CREATE, 7, false, 5);
	ck_assert_uint_eq(totals.list.count, 0);
	add(PROF_RING_OMP_TASK, 7, false, PROF_NODE_EMPTY);
	add(PROF_RING_OMP_TASK, 0, false, 6);
	ck_assert_uint_eq(totals.list.count, 2);
	ck_assert_uint_eq(totals.list.items[0].stack, 5);
	ck_assert_uint_eq(totals.list.items[1].stack, 6);
	ck_assert_uint_eq(totals.refused, 0);
	/* It is executed once. */
	add(PROF_RING_OMP_TASK, 7, false, PROF_NODE_EMPTY);
	ck_assert_uint_eq(totals.list.count, 2);
	ck_assert_uint_eq(totals.refused, 1);
	end();
}
END_TEST

START_TEST(a_loop_is_of_the_stack_with_which_it_began)
{
	begin();
	add(PROF_RING_OMP_CREATE, 9, false, 5);
	add(PROF_RING_OMP_LOOP, 9, true, PROF_NODE_EMPTY);
	add(PROF_RING_OMP_SINGLE, 0, true, 6);
	ck_assert_uint_eq(totals.list.count, 2);
	ck_assert_uint_eq(totals.list.items[0].stack, 5);
	ck_assert_uint_eq(totals.list.items[1].stack, 6);
	add(PROF_RING_OMP_SECTIONS, 9, true, PROF_NODE_EMPTY);
	ck_assert_uint_eq(totals.list.count, 2);
	ck_assert_uint_eq(totals.refused, 1);
	end();
}
END_TEST

START_TEST(damaged_records_are_refused)
{
	begin();
	add(PROF_RING_OMP_INSIDE - 1, 0, false, 5);
	add(PROF_RING_OMP_END, 0, false, 5);
	add(PROF_RING_OMP_LOCK, 0, false, PROF_NODE_NONE);
	threads[0].next.what = PROF_RING_OMP_TASK;
	threads[0].next.count = 2;
	prof_openmp_events_add(&events, &streams, &totals, &threads[0], 5);
	ck_assert_uint_eq(totals.list.count, 0);
	ck_assert_uint_eq(totals.refused, 4);
	end();
}
END_TEST

RUN_TESTS("openmp_events", a_region_is_of_the_thread_that_was_in_it,
	a_task_is_of_the_stack_that_has_created_it, a_loop_is_of_the_stack_with_which_it_began,
	damaged_records_are_refused)
