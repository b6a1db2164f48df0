/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/mpi_clocks.h"

#include "operations.h"
#include "ranks.h"

/* Two ranks on hosts of their own, which end their work. */
static struct prof_mpi_clocks find(bool other_kernel)
{
	AUTO_EXPERIMENT struct prof_experiment *into = create_rank_on(0, "a", "k", 100);
	uint32_t second = (uint32_t)into->threads.count;
	struct prof_mpi_clocks clocks;

	merge_rank(into, create_rank_on(1, "b", other_kernel ? "l" : "k", 100));
	for (int64_t rank = 0; rank < 2; rank++)
		operate_finalize(rank);
	for (size_t i = 0; i < operation_count; i++) {
		operations[i].thread = operations[i].rank ? second : 0;
		ck_assert_ok(prof_mpi_operation_add(into, &operations[i]));
	}
	ck_assert_ok(prof_mpi_clocks_find(into, &clocks));
	return clocks;
}

static void init(void)
{
	operate_init(0);
	operate_init(1);
}

/* A message from FROM to TO, each by its own clock. */
static void deliver(int64_t from, int64_t to, int64_t sent, int64_t received)
{
	operate_message(PROF_OPERATION_SEND, from, to, sent, sent + 1);
	operate_message(PROF_OPERATION_RECEIVE, to, from, received - 1, received);
}

START_TEST(messages_in_both_directions_bound_the_difference)
{
	init();
	/* The second clock is ahead by 50: messages take 10 and 20. */
	deliver(0, 1, 100, 160);
	deliver(0, 1, 200, 290);
	deliver(1, 0, 350, 320);
	const struct prof_mpi_clocks clocks = find(true);
	ck_assert(clocks.known);
	ck_assert_int_eq(clocks.differ, 60);
}
END_TEST

START_TEST(messages_in_one_direction_do_not)
{
	init();
	deliver(0, 1, 100, 160);
	ck_assert(!find(true).known);
}
END_TEST

START_TEST(a_barrier_does_so_alone)
{
	init();
	operate_all(PROF_OPERATION_BARRIER, 0, -1, 2, 100, 130);
	operate_all(PROF_OPERATION_BARRIER, 1, -1, 2, 60, 85);
	const struct prof_mpi_clocks clocks = find(true);
	ck_assert(clocks.known);
	ck_assert_int_eq(clocks.differ, 70);
}
END_TEST

START_TEST(a_clock_that_contradicts_itself_is_not_known)
{
	init();
	deliver(0, 1, 100, 110);
	deliver(1, 0, 350, 320);
	ck_assert(!find(true).known);
}
END_TEST

START_TEST(one_clock_is_not_compared)
{
	init();
	deliver(0, 1, 100, 160);
	deliver(1, 0, 350, 360);
	ck_assert(!find(false).known);
}
END_TEST

RUN_TESTS("mpi_clocks", messages_in_both_directions_bound_the_difference,
	messages_in_one_direction_do_not, a_barrier_does_so_alone,
	a_clock_that_contradicts_itself_is_not_known, one_clock_is_not_compared)
