/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What counts of regions, waits and tasks that are in each other. */
#include "agent/omp.h"
#include "agent_session.h"

static struct event events[EVENTS];
static unsigned seen;
static struct prof_agent_thread *thread;

static void begin_omp(void)
{
	begin((struct prof_agent){.families = PROF_FAMILY_OMP});
	thread = prof_agent_enter_session(prof_agent_process->session, __builtin_frame_address(0));
	ck_assert_ptr_nonnull(thread);
	seen = 0;
}

#define FRAME __builtin_frame_address(0)

/* The next event, of the kind WHAT. */
static const struct event *next(unsigned what)
{
	unsigned count = read_own(events);

	ck_assert_uint_gt(count, seen);
	ck_assert_uint_eq(events[seen].what, what);
	return &events[seen++];
}

static uint64_t length(const struct event *event)
{
	return event->values[0] - event->values[1];
}

START_TEST(nested_regions_do_not_count)
{
	begin_omp();
	struct prof_omp_region *outer = prof_omp_region_begin(thread, (void *)1);
	ck_assert(prof_omp_region_is_at(thread, (void *)1));
	prof_omp_share_begin(thread, outer, true);
	prof_omp_share_begin(thread, prof_omp_region_begin(thread, (void *)2), true);
	ck_assert(!prof_omp_region_is_at(thread, (void *)1));
	usleep(1000);
	prof_omp_share_end(thread, true, FRAME);
	prof_omp_region_end(thread);
	prof_omp_share_end(thread, true, FRAME);
	prof_omp_region_end(thread);
	const struct event *inner = next(PROF_RING_OMP_INSIDE);
	uint64_t inside = length(inner);
	ck_assert_uint_ge(inside, 1000000);
	ck_assert_uint_eq(inner->values[2], 0);
	ck_assert_uint_eq(inner->values[4], 0);
	const struct event *whole = next(PROF_RING_OMP_INSIDE);
	ck_assert_uint_ge(whole->values[2], inside);
	ck_assert_uint_ge(length(whole), whole->values[2]);
}
END_TEST

START_TEST(regions_that_are_nested_too_deep_are_left_out)
{
	begin_omp();
	for (unsigned i = 0; i < PROF_OMP_NESTED + 2; i++)
		prof_omp_share_begin(thread, prof_omp_region_begin(thread, NULL), true);
	ck_assert(!prof_omp_region_is_at(thread, NULL));
	prof_omp_share_arrive(thread);
	for (unsigned i = 0; i < PROF_OMP_NESTED + 2; i++) {
		prof_omp_share_end(thread, true, FRAME);
		prof_omp_region_end(thread);
	}
	ck_assert_uint_eq(read_own(events), PROF_OMP_NESTED);
	/* More ends than begins do no harm. */
	prof_omp_share_end(thread, true, FRAME);
	prof_omp_region_end(thread);
	prof_omp_wait_end(thread, FRAME);
	prof_omp_task_end(thread, 1);
	ck_assert_uint_eq(read_own(events), PROF_OMP_NESTED);
}
END_TEST

START_TEST(tasks_do_not_count_as_waits)
{
	begin_omp();
	uint64_t first = prof_omp_task_created(thread, FRAME);
	uint64_t second = prof_omp_task_created(thread, FRAME);
	ck_assert_uint_ne(first, second);
	seen = 2;
	prof_omp_span_begin(thread, PROF_RING_OMP_EXPLICIT);
	prof_omp_span_begin(thread, PROF_RING_OMP_TASK);
	usleep(1000);
	prof_omp_span_begin(thread, PROF_RING_OMP_TASKWAIT);
	prof_omp_span_begin(thread, PROF_RING_OMP_TASK);
	usleep(1000);
	prof_omp_task_end(thread, second);
	prof_omp_wait_end(thread, FRAME);
	prof_omp_task_end(thread, first);
	prof_omp_wait_end(thread, FRAME);
	const struct event *inner = next(PROF_RING_OMP_TASK);
	uint64_t inside = length(inner);
	ck_assert_uint_eq(inner->values[2], 0);
	ck_assert_uint_eq(inner->values[3], second);
	const struct event *waited = next(PROF_RING_OMP_TASKWAIT);
	ck_assert_uint_eq(waited->values[2], inside);
	const struct event *outer = next(PROF_RING_OMP_TASK);
	uint64_t whole = length(outer);
	ck_assert_uint_eq(outer->values[2], inside);
	ck_assert_uint_ge(whole, inside + 1000000);
	const struct event *barrier = next(PROF_RING_OMP_EXPLICIT);
	ck_assert_uint_eq(barrier->values[2], whole);
	ck_assert_uint_ge(length(barrier), whole);
}
END_TEST

START_TEST(waits_without_an_end_are_over_with_their_region)
{
	begin_omp();
	prof_omp_span_begin(thread, PROF_RING_OMP_TASKWAIT);
	prof_omp_share_begin(thread, prof_omp_region_begin(thread, NULL), true);
	prof_omp_span_begin(thread, PROF_RING_OMP_EXPLICIT);
	prof_omp_share_end(thread, true, FRAME);
	prof_omp_region_end(thread);
	next(PROF_RING_OMP_INSIDE);
	prof_omp_wait_end(thread, FRAME);
	next(PROF_RING_OMP_TASKWAIT);
	ck_assert_uint_eq(thread->omp.span_count, 0);
}
END_TEST

START_TEST(tasks_of_another_session_are_left_out)
{
	begin_omp();
	uint64_t task = prof_omp_task_created(thread, FRAME);
	prof_agent_leave(thread);
	begin_omp();
	prof_omp_span_begin(thread, PROF_RING_OMP_TASK);
	prof_omp_task_end(thread, task);
	ck_assert_uint_eq(read_own(events), 0);
}
END_TEST

START_TEST(a_creator_that_can_be_walked_is_a_node)
{
	begin_omp();
	uint64_t task = 0;
	for (unsigned i = 0; i < 2; i++) {
		task = prof_omp_task_created(thread, FRAME);
		if (!i)
			add_row(events[read_own(events) - 1].pc - 1,
				(struct prof_row_rule){.kind = PROF_ROW_OUTERMOST});
	}
	ck_assert_uint_eq(task % 2, 0);
	seen = 1;
	prof_omp_span_begin(thread, PROF_RING_OMP_TASK);
	prof_omp_task_end(thread, task);
	const struct event *executed = next(PROF_RING_OMP_TASK);
	ck_assert_uint_eq(executed->values[3], 0);
	ck_assert_uint_eq(executed->node, (uint32_t)task / 2);
}
END_TEST

RUN_TESTS("agent omp_record", nested_regions_do_not_count,
	regions_that_are_nested_too_deep_are_left_out, tasks_do_not_count_as_waits,
	waits_without_an_end_are_over_with_their_region, tasks_of_another_session_are_left_out,
	a_creator_that_can_be_walked_is_a_node)
