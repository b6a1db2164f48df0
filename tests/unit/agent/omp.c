/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The agent as the tool of a runtime of OpenMP, which this test plays. */
#include "agent/omp.h"
#include "agent_session.h"

#include <pthread.h>
#include <stdlib.h>

enum { CALLBACKS = 32, VERSION = 201811, IMPLICIT = 2, PLACE = 4711 };

typedef union prof_ompt_data data;

static struct event events[EVENTS];
static unsigned seen;

/* The callbacks that the agent has set. */
static prof_ompt_function callbacks[CALLBACKS];

#define CALLBACK(number, ...) ((void (*)(__VA_ARGS__))callbacks[number])

static int set_callback(int which, prof_ompt_function callback)
{
	ck_assert_int_lt(which, CALLBACKS);
	callbacks[which] = callback;
	return 5;
}

static prof_ompt_function look_up(const char *name)
{
	return strcmp(name, "ompt_set_callback") ? NULL : (prof_ompt_function)set_callback;
}

static void begin_omp(void)
{
	begin((struct prof_agent){.families = PROF_FAMILY_OMP});
	struct prof_ompt_tool *tool = ompt_start_tool(VERSION, "test");
	ck_assert_ptr_nonnull(tool);
	ck_assert_int_eq(tool->initialize(look_up, 0, &tool->data), 1);
	ck_assert_uint_eq(ring->tool, PROF_RING_TOOL_AGENT);
	seen = 0;
}

/* The next event of this thread is of the kind WHAT. */
static const struct event *expect(unsigned what)
{
	unsigned count = read_own(events);

	ck_assert_uint_gt(count, seen);
	const struct event *event = &events[seen++];
	ck_assert_int_eq(event->kind, PROF_RING_OMP);
	ck_assert_uint_eq(event->what, what);
	ck_assert_uint_ge(event->values[0], event->values[1]);
	return event;
}

static void expect_none(void)
{
	ck_assert_uint_eq(read_own(events), seen);
}

static void open_region(data *region)
{
	CALLBACK(
		PROF_OMPT_PARALLEL_BEGIN, data *, const void *, data *, unsigned, int, const void *)
	(NULL, NULL, region, 2, 0, (void *)PLACE);
}

static void close_region(data *region)
{
	CALLBACK(PROF_OMPT_PARALLEL_END, data *, data *, int, const void *)
	(region, NULL, 0, (void *)PLACE);
}

static void change_part(int point, data *region, unsigned index, int flags)
{
	data task = {.value = 99};

	CALLBACK(PROF_OMPT_IMPLICIT_TASK, int, data *, data *, unsigned, unsigned, int)
	(point, region, &task, 2, index, flags);
	ck_assert(point != PROF_OMPT_BEGIN || flags != IMPLICIT || task.value == 0);
}

static void wait_for(int kind, int point, data *region, uintptr_t place)
{
	CALLBACK(PROF_OMPT_SYNC_WAIT, int, int, data *, data *, const void *)
	(kind, point, region, NULL, (void *)place);
}

static void share_out(int kind, int point)
{
	CALLBACK(PROF_OMPT_WORK, int, int, data *, data *, uint64_t, const void *)
	(kind, point, NULL, NULL, 10, (void *)PLACE);
}

static void ask_for(int kind)
{
	CALLBACK(PROF_OMPT_MUTEX_ACQUIRE, int, unsigned, unsigned, uint64_t, const void *)
	(kind, 0, 0, 5, NULL);
}

static void have(int kind)
{
	CALLBACK(PROF_OMPT_MUTEX_ACQUIRED, int, uint64_t, const void *)(kind, 5, NULL);
}

static void create(data *task, int flags)
{
	CALLBACK(PROF_OMPT_TASK_CREATE, data *, const void *, data *, int, int, const void *)
	(NULL, NULL, task, flags, 0, NULL);
}

static void schedule(data *before, int status, data *next)
{
	CALLBACK(PROF_OMPT_TASK_SCHEDULE, data *, int, data *)(before, status, next);
}

START_TEST(only_what_is_asked_for_has_a_tool)
{
	ck_assert_ptr_null(ompt_start_tool(VERSION, "test"));
	begin((struct prof_agent){.families = PROF_FAMILY_SYNC});
	ck_assert_ptr_null(ompt_start_tool(VERSION, "test"));
	ck_assert_uint_eq(ring->tool, PROF_RING_TOOL_NONE);
	begin((struct prof_agent){.families = PROF_FAMILY_OMP});
	ck_assert_ptr_null(ompt_start_tool(PROF_OMPT_OLDEST - 1, "test"));
	ck_assert_uint_eq(ring->tool, PROF_RING_TOOL_NONE);
}
END_TEST

START_TEST(a_tool_that_the_user_names_is_left_alone)
{
	begin((struct prof_agent){.families = PROF_FAMILY_OMP});
	setenv("OMP_TOOL_LIBRARIES", "/tools/libtool.so", 1);
	ck_assert_ptr_null(ompt_start_tool(VERSION, "test"));
	ck_assert_uint_eq(ring->tool, PROF_RING_TOOL_OTHER);
	setenv("OMP_TOOL_LIBRARIES", "", 1);
	ck_assert_ptr_nonnull(ompt_start_tool(VERSION, "test"));
	ck_assert_uint_eq(ring->tool, PROF_RING_TOOL_AGENT);
}
END_TEST

START_TEST(a_later_session_knows_the_tool)
{
	begin_omp();
	begin((struct prof_agent){.families = PROF_FAMILY_OMP});
	ck_assert_uint_eq(ring->tool, PROF_RING_TOOL_AGENT);
}
END_TEST

struct worker {
	data *region;
	pthread_barrier_t barrier;
	uint32_t id;
};

static void *work(void *context)
{
	struct worker *worker = context;

	worker->id = (uint32_t)gettid();
	change_part(PROF_OMPT_BEGIN, worker->region, 1, IMPLICIT);
	wait_for(PROF_OMPT_BARRIER_IMPLICIT, PROF_OMPT_BEGIN, worker->region, 0);
	pthread_barrier_wait(&worker->barrier);
	/* The region has ended when it learns of it. */
	pthread_barrier_wait(&worker->barrier);
	wait_for(PROF_OMPT_BARRIER_IMPLICIT, PROF_OMPT_END, NULL, 0);
	change_part(PROF_OMPT_END, NULL, 1, IMPLICIT);
	return NULL;
}

START_TEST(who_opens_a_region_records_all_its_threads)
{
	struct worker worker = {0};
	data region;
	pthread_t thread;

	begin_omp();
	pthread_barrier_init(&worker.barrier, NULL, 2);
	open_region(&region);
	worker.region = &region;
	change_part(PROF_OMPT_BEGIN, &region, 0, IMPLICIT);
	pthread_create(&thread, NULL, work, &worker);
	pthread_barrier_wait(&worker.barrier);
	wait_for(PROF_OMPT_BARRIER_IMPLICIT, PROF_OMPT_BEGIN, &region, PLACE);
	wait_for(PROF_OMPT_BARRIER_IMPLICIT, PROF_OMPT_END, NULL, PLACE);
	expect_none();
	change_part(PROF_OMPT_END, NULL, 0, IMPLICIT);
	close_region(&region);
	pthread_barrier_wait(&worker.barrier);
	pthread_join(thread, NULL);
	unsigned opened = 0;
	for (unsigned i = 0; i < 2; i++) {
		const struct event *event = expect(PROF_RING_OMP_INSIDE);
		ck_assert_uint_eq(event->count, 7);
		ck_assert_uint_eq(event->values[6], PLACE);
		ck_assert_uint_eq(event->node, PROF_NODE_NONE);
		ck_assert_uint_eq(
			event->values[3], event->values[5] ? (uint32_t)gettid() : worker.id);
		ck_assert_uint_le(event->values[4], event->values[0] - event->values[1]);
		ck_assert_uint_gt(event->values[4], 0);
		opened += (unsigned)event->values[5];
	}
	ck_assert_uint_eq(opened, 1);
	expect_none();
	ck_assert_ptr_nonnull(find_slot(worker.id));
}
END_TEST

START_TEST(waits_are_told_apart)
{
	static const struct {
		int kind;
		unsigned what; /* 0: not recorded */
	} kinds[] = {
		{PROF_OMPT_BARRIER, PROF_RING_OMP_IMPLICIT},
		{PROF_OMPT_BARRIER_IMPLICIT, PROF_RING_OMP_IMPLICIT},
		{PROF_OMPT_BARRIER_EXPLICIT, PROF_RING_OMP_EXPLICIT},
		{PROF_OMPT_BARRIER_IMPLEMENTATION, PROF_RING_OMP_IMPLICIT},
		{PROF_OMPT_TASKWAIT, PROF_RING_OMP_TASKWAIT},
		{PROF_OMPT_TASKGROUP, PROF_RING_OMP_TASKWAIT},
		{PROF_OMPT_BARRIER_WORKSHARE, PROF_RING_OMP_IMPLICIT},
		{PROF_OMPT_BARRIER_PARALLEL, 0},
		{7, 0},
		{1000, 0},
		{-1, 0},
	};
	data region;

	begin_omp();
	open_region(&region);
	change_part(PROF_OMPT_BEGIN, &region, 0, IMPLICIT);
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		wait_for(kinds[i].kind, PROF_OMPT_BEGIN, &region, PLACE + 1);
		wait_for(kinds[i].kind, PROF_OMPT_END, &region, PLACE + 1);
		if (kinds[i].what)
			ck_assert_uint_eq(expect(kinds[i].what)->values[3], PLACE);
		expect_none();
	}
}
END_TEST

START_TEST(shared_work_is_told_apart)
{
	static const struct {
		int kind;
		unsigned what; /* 0: not recorded */
	} kinds[] = {
		{PROF_OMPT_LOOP, PROF_RING_OMP_LOOP},
		{PROF_OMPT_SECTIONS, PROF_RING_OMP_SECTIONS},
		{PROF_OMPT_SINGLE_EXECUTOR, PROF_RING_OMP_SINGLE},
		{PROF_OMPT_SINGLE_OTHER, PROF_RING_OMP_SINGLE},
		{PROF_OMPT_LOOP_STATIC, PROF_RING_OMP_LOOP},
		{PROF_OMPT_LOOP_OTHER, PROF_RING_OMP_LOOP},
		{6, 0}, /* distribute */
		{7, 0}, /* taskloop */
		{1000, 0},
		{-1, 0},
	};
	data region;

	begin_omp();
	open_region(&region);
	change_part(PROF_OMPT_BEGIN, &region, 0, IMPLICIT);
	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		share_out(kinds[i].kind, PROF_OMPT_BEGIN);
		if (kinds[i].what)
			expect(PROF_RING_OMP_CREATE);
		share_out(kinds[i].kind, PROF_OMPT_END);
		wait_for(PROF_OMPT_BARRIER_WORKSHARE, PROF_OMPT_BEGIN, &region, PLACE + 1);
		wait_for(PROF_OMPT_BARRIER_WORKSHARE, PROF_OMPT_END, &region, PLACE + 1);
		expect(PROF_RING_OMP_IMPLICIT);
		if (kinds[i].what)
			ck_assert_uint_eq(expect(kinds[i].what)->values[5],
				kinds[i].kind != PROF_OMPT_SINGLE_OTHER);
		expect_none();
	}
}
END_TEST

START_TEST(mutexes_are_told_apart)
{
	begin_omp();
	ask_for(PROF_OMPT_MUTEX_CRITICAL);
	have(PROF_OMPT_MUTEX_CRITICAL);
	expect(PROF_RING_OMP_CRITICAL);
	/* One that was refused has no end. */
	ask_for(2);
	ask_for(1);
	have(1);
	expect(PROF_RING_OMP_LOCK);
	have(1);
	expect_none();
}
END_TEST

START_TEST(tasks_know_who_has_created_them)
{
	data task = {0}, initial = {0}, own = {0};

	begin_omp();
	create(&initial, PROF_OMPT_TASK_INITIAL);
	ck_assert_uint_eq(initial.value, 0);
	create(&task, PROF_OMPT_TASK_EXPLICIT);
	const struct event *created = expect(PROF_RING_OMP_CREATE);
	uint64_t number = created->values[3];
	ck_assert_uint_eq(number, task.value);
	ck_assert_uint_gt(created->length, 0);
	schedule(&own, PROF_OMPT_TASK_SWITCH, &task);
	schedule(&task, PROF_OMPT_TASK_COMPLETE, &own);
	const struct event *executed = expect(PROF_RING_OMP_TASK);
	ck_assert_uint_eq(executed->values[3], number);
	ck_assert_uint_eq(executed->node, PROF_NODE_EMPTY);
	/* Neither is a task. */
	schedule(&own, PROF_OMPT_TASK_SWITCH, &initial);
	schedule(&initial, PROF_OMPT_TASK_COMPLETE, &own);
	schedule(NULL, PROF_OMPT_TASK_COMPLETE, NULL);
	expect_none();
}
END_TEST

START_TEST(nothing_is_recorded_in_a_pause)
{
	data region;

	begin_omp();
	open_region(&region);
	change_part(PROF_OMPT_BEGIN, &region, 0, IMPLICIT);
	wait_for(PROF_OMPT_BARRIER_EXPLICIT, PROF_OMPT_BEGIN, &region, PLACE + 1);
	uint32_t families = atomic_exchange(&ring->families, 0);
	atomic_fetch_add(&ring->pauses, 1);
	ask_for(PROF_OMPT_MUTEX_CRITICAL);
	have(PROF_OMPT_MUTEX_CRITICAL);
	atomic_store(&ring->families, families);
	/* It has begun before the pause. */
	wait_for(PROF_OMPT_BARRIER_EXPLICIT, PROF_OMPT_END, &region, PLACE + 1);
	change_part(PROF_OMPT_END, NULL, 0, IMPLICIT);
	close_region(&region);
	expect_none();
	open_region(&region);
	change_part(PROF_OMPT_BEGIN, &region, 0, IMPLICIT);
	change_part(PROF_OMPT_END, NULL, 0, IMPLICIT);
	close_region(&region);
	ck_assert_uint_eq(expect(PROF_RING_OMP_INSIDE)->values[5], 1);
}
END_TEST

RUN_TESTS("agent omp", only_what_is_asked_for_has_a_tool, a_tool_that_the_user_names_is_left_alone,
	a_later_session_knows_the_tool, who_opens_a_region_records_all_its_threads,
	waits_are_told_apart, shared_work_is_told_apart, mutexes_are_told_apart,
	tasks_know_who_has_created_them, nothing_is_recorded_in_a_pause)
