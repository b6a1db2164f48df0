/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/standing.h"

#include "recording/queue.h"
#include "sample_child.h"
#include "sampling/look_builder.h"
#include "sampling/walker.h"
#include "target/process.h"

#include <sys/ptrace.h>
#include <sys/wait.h>

enum { ROOM = 64 };

static struct prof_queue *queue;
static struct prof_look_builder builder;
static struct prof_watch watch;
static struct prof_stack room;
static pid_t child;

/* A child that computes, and a builder that has seen all that it did until now. */
static void start(void)
{
	child = child_start(child_spin);
	ck_assert_ok(prof_queue_create(1 << 20, &queue));
	builder = (struct prof_look_builder){.queue = queue};
	ck_assert_ok(prof_walker_create(child, ROOM, queue, &builder.walker));
	ck_assert_ok(prof_stack_init(&room, ROOM));
	prof_watch_init(&watch, child, child, 1000);
}

static void finish(void)
{
	prof_watch_deinit(&watch);
	prof_walker_destroy(builder.walker);
	prof_stack_deinit(&room);
	prof_queue_destroy(queue);
	children_end();
}

/* Has the child run, and stops it. */
static void run_and_stop(void)
{
	int status;

	while (prof_watch_schedstat(&watch).run == watch.run)
		pause_ms(1);
	ck_assert_int_eq(ptrace(PTRACE_SEIZE, child, NULL, (void *)PTRACE_O_EXITKILL), 0);
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, child, NULL, NULL), 0);
	ck_assert_int_eq(waitpid(child, &status, __WALL), child);
}

/* The looks that were told; *DEPTH is that of the last. */
static unsigned take(uint32_t *depth)
{
	struct prof_message message;
	unsigned looks = 0;
	const void *data;

	*depth = UINT32_MAX;
	while (prof_queue_take(queue, &message, &data)) {
		if (message.kind != PROF_MESSAGE_LOOK)
			continue;
		ck_assert_int_eq(message.look.thread, child);
		ck_assert_int_eq(message.look.process, child);
		ck_assert_uint_eq(message.look.samples, 0);
		*depth = message.look.depth;
		looks++;
	}
	return looks;
}

START_TEST(stack_of_a_thread_that_stands_still_is_taken)
{
	uint32_t depth;

	start();
	run_and_stop();
	prof_standing_take(&builder, &watch, &room);
	ck_assert(watch.placed);
	ck_assert_uint_eq(take(&depth), 1);
	ck_assert_uint_gt(depth, 0);
	/* The next one does not know it. */
	prof_standing_forget(&builder, &watch);
	ck_assert(!watch.placed);
	ck_assert_uint_eq(take(&depth), 1);
	ck_assert_uint_eq(depth, 0);
	prof_standing_forget(&builder, &watch);
	ck_assert_uint_eq(take(&depth), 0);
	finish();
}
END_TEST

START_TEST(thread_that_was_met_keeps_its_stack)
{
	uint32_t depth;

	start();
	run_and_stop();
	watch.placed = true;
	prof_standing_take(&builder, &watch, &room);
	ck_assert_uint_eq(take(&depth), 0);
	finish();
}
END_TEST

START_TEST(thread_that_goes_on_has_none)
{
	uint32_t depth;

	start();
	while (prof_watch_schedstat(&watch).run == watch.run)
		pause_ms(1);
	prof_standing_take(&builder, &watch, &room);
	ck_assert(!watch.placed);
	ck_assert_uint_eq(take(&depth), 0);
	finish();
}
END_TEST

START_TEST(thread_that_has_not_run_is_left_alone)
{
	uint32_t depth;

	start();
	run_and_stop();
	/* It is shown as stopped before it has left its CPU, and what it ran until then comes
	 * after. */
	do {
		watch.run = prof_watch_schedstat(&watch).run;
		pause_ms(10);
	} while (prof_watch_schedstat(&watch).run != watch.run);
	prof_standing_take(&builder, &watch, &room);
	ck_assert_uint_eq(take(&depth), 0);
	finish();
}
END_TEST

RUN_TESTS("standing", stack_of_a_thread_that_stands_still_is_taken,
	thread_that_was_met_keeps_its_stack, thread_that_goes_on_has_none,
	thread_that_has_not_run_is_left_alone)
