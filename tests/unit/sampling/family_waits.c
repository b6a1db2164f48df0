/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/family_waits.h"

#include "recording/look.h"
#include "recording/queue.h"
#include "sample_child.h"
#include "sampling/family.h"
#include "sampling/layout.h"
#include "sampling/off_cpu.h"
#include "target/arch.h"

#define RATE 1000

static struct {
	struct prof_queue *queue;
	struct prof_layouts *layouts;
	struct prof_family family;
	struct prof_family_waits *waits;
	size_t introduced;
	bool blind; /* what is mapped is not known yet */

	/* What was told: */
	int64_t spent[PROF_STATES];
	uint64_t samples;
	size_t within; /* looks with a stack in wait_here() that was walked */
} scene;

__attribute__((noinline)) static void wait_here(void)
{
	child_sleep();
}

/* Here wait_here() ends. */
__attribute__((noinline)) static void behind_it(void)
{
	prctl(PR_SET_NAME, "waiter");
}

static void waiter(void)
{
	behind_it();
	wait_here();
}

static struct prof_layout *introduce(void *context, struct prof_member_thread *thread)
{
	struct prof_layout *layout;
	bool dropped;

	ck_assert_ptr_eq(context, &scene);
	scene.introduced++;
	const struct prof_maps none = {0};
	ck_assert_ok(prof_layouts_find(
		scene.layouts, scene.blind ? &none : &thread->member->maps, &layout, &dropped));
	return layout;
}

static void start(bool wall)
{
	ck_assert_ok(prof_queue_create(1 << 20, &scene.queue));
	ck_assert_ok(prof_layouts_create(prof_arch_native(), scene.queue, &scene.layouts));
	const struct prof_family_waits_options options = {
		.rate = RATE,
		.wall = wall,
		.queue = scene.queue,
		.introduce = introduce,
		.context = &scene,
		.max_depth = 64,
	};
	ck_assert_ok(prof_family_waits_create(&options, &scene.waits));
}

static void finish(void)
{
	prof_family_waits_destroy(scene.waits);
	prof_family_deinit(&scene.family);
	prof_layouts_destroy(scene.layouts);
	prof_queue_destroy(scene.queue);
	children_end();
}

/* A process that sleeps in wait_here(), as the only thread of the family. */
static struct prof_member_thread *add_waiter(void)
{
	struct prof_member *member;
	pid_t child = child_start(waiter);

	while (thread_state(child, child) != 'S')
		pause_ms(1);
	ck_assert_ok(prof_family_add(&scene.family, child, &member));
	return prof_family_thread(&scene.family, child);
}

static void take(void)
{
	struct prof_message message;
	const void *data;

	while (prof_queue_take(scene.queue, &message, &data)) {
		const uint64_t *frames = data;
		const struct prof_look *look = &message.look;
		bool within = false;
		if (message.kind != PROF_MESSAGE_LOOK)
			continue;
		for (uint32_t i = 0; i < look->depth; i++)
			within |= frames[i] - (uintptr_t)&wait_here <
				(uintptr_t)&behind_it - (uintptr_t)&wait_here;
		for (size_t i = 0; i < PROF_STATES; i++)
			scene.spent[i] += look->spent[i];
		scene.samples += look->samples;
		scene.within += within && look->end != PROF_STACK_FAILED;
	}
}

START_TEST(waits_have_their_stack)
{
	start(false);
	struct prof_member_thread *thread = add_waiter();
	int64_t begin = prof_clock();
	prof_family_waits_look(scene.waits, &scene.family);
	pause_ms(30);
	prof_family_waits_look(scene.waits, &scene.family);
	take();
	ck_assert_int_ge(scene.spent[PROF_STATE_OTHER], 30000000);
	ck_assert_int_le(scene.spent[PROF_STATE_OTHER], prof_clock() - begin);
	/* It stays where it is, which is told once. */
	ck_assert_uint_eq(scene.within, 1);
	ck_assert_uint_ge(scene.introduced, 1);
	ck_assert_uint_eq(scene.samples, 0);
	thread->member->apart = true;
	prof_family_waits_look(scene.waits, &scene.family);
	take();
	ck_assert_uint_eq(scene.within, 1);
	finish();
}
END_TEST

START_TEST(stack_that_cannot_be_walked_yet_is_walked_later)
{
	start(false);
	add_waiter();
	scene.blind = true;
	prof_family_waits_look(scene.waits, &scene.family);
	scene.blind = false;
	take();
	ck_assert_uint_eq(scene.within, 0);
	for (int i = 0; i < 3; i++) {
		pause_ms(30);
		prof_family_waits_look(scene.waits, &scene.family);
	}
	take();
	ck_assert_uint_eq(scene.within, 1);
	finish();
}
END_TEST

START_TEST(by_the_clock_on_the_wall_waits_are_samples)
{
	start(true);
	add_waiter();
	prof_family_waits_look(scene.waits, &scene.family);
	pause_ms(50);
	prof_family_waits_look(scene.waits, &scene.family);
	take();
	ck_assert_int_le(
		llabs((int64_t)scene.samples * 1000000 - scene.spent[PROF_STATE_OTHER]), 1000000);
	finish();
}
END_TEST

START_TEST(what_was_before_is_not_told)
{
	start(false);
	add_waiter();
	prof_family_waits_look(scene.waits, &scene.family);
	take();
	int64_t before = scene.spent[PROF_STATE_OTHER];
	pause_ms(50);
	int64_t begin = prof_clock();
	prof_family_waits_restart(scene.waits, &scene.family);
	prof_family_waits_look(scene.waits, &scene.family);
	take();
	ck_assert_int_le(scene.spent[PROF_STATE_OTHER] - before, prof_clock() - begin);
	ck_assert_int_gt(prof_family_waits_due(scene.waits), 0);
	finish();
}
END_TEST

/* Of two lives of 30 ms one has a sample that stands for 40 ms of CPU time: both waited 20 ms. */
START_TEST(short_lives_have_waited_in_sum)
{
	start(false);
	struct prof_member_thread *thread = add_waiter();
	for (int i = 0; i < 2; i++) {
		prof_off_cpu_newborn(&thread->off_cpu, 1000);
		thread->end = 30001000;
		thread->since = i ? 0 : 40000000;
		prof_family_waits_end(scene.waits, thread);
		ck_assert_int_eq(prof_family_waits_unseen(scene.waits), i ? 20000000 : 0);
	}
	take();
	ck_assert_int_eq(scene.spent[PROF_STATE_OTHER], 20000000);
	finish();
}
END_TEST

/* It was seen in a wait: the rest of its life belongs there. */
START_TEST(the_rest_of_a_life_is_in_the_last_wait)
{
	start(false);
	struct prof_member_thread *thread = add_waiter();
	prof_family_waits_look(scene.waits, &scene.family);
	take();
	int64_t before = scene.spent[PROF_STATE_OTHER];
	thread->end = thread->off_cpu.until + 5000000;
	prof_family_waits_end(scene.waits, thread);
	take();
	ck_assert_int_eq(scene.spent[PROF_STATE_OTHER] - before, 5000000);
	ck_assert_int_eq(prof_family_waits_unseen(scene.waits), 0);
	finish();
}
END_TEST

RUN_TESTS("family waits", waits_have_their_stack, stack_that_cannot_be_walked_yet_is_walked_later,
	by_the_clock_on_the_wall_waits_are_samples, what_was_before_is_not_told,
	short_lives_have_waited_in_sum, the_rest_of_a_life_is_in_the_last_wait)
