/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What counts of loops, and of what is shared out like them. */
#include "agent/omp.h"
#include "agent_session.h"

enum { PLACE = 7, MS = 1000000, SHORT = 1000 /* us */ };

static struct event events[EVENTS];
static unsigned seen;
static struct prof_agent_thread *thread;

#define FRAME __builtin_frame_address(0)

/* A region in which this thread is the FIRST, or another one. */
static void begin_region(bool first)
{
	begin((struct prof_agent){.families = PROF_FAMILY_OMP});
	thread = prof_agent_enter_session(prof_agent_process->session, FRAME);
	ck_assert_ptr_nonnull(thread);
	prof_omp_share_begin(thread, prof_omp_region_begin(thread, (void *)PLACE), first);
	seen = 0;
}

/* The next event, of the kind WHAT. */
static const struct event *next(unsigned what)
{
	unsigned count = read_own(events);

	ck_assert_uint_gt(count, seen);
	ck_assert_uint_eq(events[seen].what, what);
	return &events[seen++];
}

/* The next two, of a loop whose stack is raw: the clock units that count. */
static const struct event *next_loop(unsigned what, uint64_t *worked)
{
	uint64_t number = next(PROF_RING_OMP_CREATE)->values[3];
	const struct event *event = next(what);

	ck_assert_uint_eq(event->count, 7);
	ck_assert_uint_eq(event->values[3], number);
	ck_assert_uint_eq(event->node, PROF_NODE_EMPTY);
	ck_assert_uint_eq(event->values[4], PLACE);
	*worked = event->values[0] - event->values[1] - event->values[2];
	return event;
}

static void wait_a_moment(unsigned what)
{
	prof_omp_span_begin(thread, what);
	usleep(SHORT);
	prof_omp_wait_end(thread, FRAME);
}

START_TEST(the_barrier_at_its_end_is_the_loop_s)
{
	uint64_t worked;

	begin_region(true);
	prof_omp_loop_begin(thread, PROF_RING_OMP_LOOP, false, FRAME);
	usleep(SHORT);
	prof_omp_loop_end(thread);
	ck_assert_uint_eq(read_own(events), 1);
	wait_a_moment(PROF_RING_OMP_IMPLICIT);
	/* The next one is of something else. */
	wait_a_moment(PROF_RING_OMP_IMPLICIT);
	uint64_t number = next(PROF_RING_OMP_CREATE)->values[3];
	uint64_t waited = next(PROF_RING_OMP_IMPLICIT)->values[0] - events[1].values[1];
	const struct event *loop = next(PROF_RING_OMP_LOOP);
	worked = loop->values[0] - loop->values[1] - loop->values[2];
	ck_assert_uint_eq(loop->values[3], number);
	ck_assert_uint_eq(loop->values[5], 1);
	ck_assert_uint_ge(worked, MS);
	ck_assert_uint_ge(loop->values[6], MS);
	ck_assert_uint_le(loop->values[6], waited);
	next(PROF_RING_OMP_IMPLICIT);
	ck_assert_uint_eq(read_own(events), seen);
}
END_TEST

START_TEST(waits_and_regions_in_it_do_not_count)
{
	uint64_t worked;

	begin_region(true);
	prof_omp_loop_begin(thread, PROF_RING_OMP_LOOP, false, FRAME);
	next(PROF_RING_OMP_CREATE);
	prof_omp_mutex_begin(thread, PROF_RING_OMP_CRITICAL);
	usleep(SHORT);
	prof_omp_mutex_end(thread, FRAME);
	prof_omp_share_begin(thread, prof_omp_region_begin(thread, (void *)2), true);
	usleep(SHORT);
	prof_omp_share_end(thread, true, FRAME);
	prof_omp_region_end(thread);
	prof_omp_loop_end(thread);
	prof_omp_share_arrive(thread);
	next(PROF_RING_OMP_CRITICAL);
	next(PROF_RING_OMP_INSIDE);
	const struct event *loop = next(PROF_RING_OMP_LOOP);
	worked = loop->values[0] - loop->values[1] - loop->values[2];
	ck_assert_uint_ge(loop->values[2], 2 * MS);
	ck_assert_uint_ge(loop->values[6], MS);
	ck_assert_uint_le(worked + loop->values[6] + MS, loop->values[0] - loop->values[1]);
}
END_TEST

START_TEST(one_thread_counts_the_instance)
{
	uint64_t worked;

	begin_region(false);
	prof_omp_loop_begin(thread, PROF_RING_OMP_SECTIONS, false, FRAME);
	prof_omp_loop_end(thread);
	prof_omp_loop_begin(thread, PROF_RING_OMP_SINGLE, true, FRAME);
	prof_omp_loop_end(thread);
	prof_omp_loop_begin(thread, PROF_RING_OMP_SINGLE, false, FRAME);
	prof_omp_loop_end(thread);
	prof_omp_share_end(thread, true, FRAME);
	ck_assert_uint_eq(next_loop(PROF_RING_OMP_SECTIONS, &worked)->values[5], 0);
	ck_assert_uint_eq(next_loop(PROF_RING_OMP_SINGLE, &worked)->values[5], 1);
	next(PROF_RING_OMP_CREATE);
	next(PROF_RING_OMP_INSIDE);
	ck_assert_uint_eq(next(PROF_RING_OMP_SINGLE)->values[5], 0);
}
END_TEST

START_TEST(what_has_no_end_is_left_out)
{
	begin_region(true);
	prof_omp_loop_begin(thread, PROF_RING_OMP_LOOP, false, FRAME);
	next(PROF_RING_OMP_CREATE);
	wait_a_moment(PROF_RING_OMP_IMPLICIT);
	next(PROF_RING_OMP_IMPLICIT);
	prof_omp_share_end(thread, true, FRAME);
	next(PROF_RING_OMP_INSIDE);
	/* Nor does it count outside of regions. */
	prof_omp_loop_begin(thread, PROF_RING_OMP_LOOP, false, FRAME);
	prof_omp_loop_end(thread);
	prof_omp_loop_end(thread);
	ck_assert_uint_eq(read_own(events), seen);
}
END_TEST

START_TEST(a_loop_of_another_session_is_left_out)
{
	begin_region(true);
	prof_omp_loop_begin(thread, PROF_RING_OMP_LOOP, false, FRAME);
	prof_omp_loop_end(thread);
	prof_agent_leave(thread);
	begin((struct prof_agent){.families = PROF_FAMILY_OMP});
	thread = prof_agent_enter_session(prof_agent_process->session, FRAME);
	prof_omp_share_arrive(thread);
	ck_assert_uint_eq(read_own(events), 0);
}
END_TEST

RUN_TESTS("agent omp_loop", the_barrier_at_its_end_is_the_loop_s,
	waits_and_regions_in_it_do_not_count, one_thread_counts_the_instance,
	what_has_no_end_is_left_out, a_loop_of_another_session_is_left_out)
