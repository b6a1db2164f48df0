/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "look_builder.h"

#include "sampling/perf_event.h"
#include "sampling/tick.h"

static enum prof_within within;
static const struct prof_wait on_page = {PROF_STATE_FAULT, .sp = 3, .pc = 4};

static struct prof_look meet(int64_t now, int64_t run, int64_t delay)
{
	struct prof_look look;

	prof_look_builder_met(&builder, &watch, START + now,
		&(struct prof_schedstat){.run = run, .delay = delay, .slices = (uint64_t)now},
		within, &look);
	take();
	return look;
}

START_TEST(work_belongs_to_a_sample_and_sleep_to_a_wait)
{
	start(false);
	builder.round = 1;
	struct prof_look look = meet(100, 100, 0);
	ck_assert_uint_eq(look.samples, 1);
	ck_assert_int_eq(look.state, PROF_STATE_USER);
	ck_assert_int_eq(look.spent[PROF_STATE_USER], 100);
	ck_assert_uint_eq(count, 0);

	/* 40 of work, then 60 of sleep. */
	fall_asleep(200, 140, &on_lock);
	ck_assert_uint_eq(count, 2);
	ck_assert_int_eq(told[0].state, PROF_STATE_USER);
	ck_assert_int_eq(told[0].spent[PROF_STATE_USER], 40);
	ck_assert_int_eq(told[1].state, PROF_STATE_LOCK);
	ck_assert_int_eq(told[1].spent[PROF_STATE_LOCK], 60);
	ck_assert_uint_eq(told[0].samples + told[1].samples, 0);
	finish();
}
END_TEST

/* Of a clock of the thread's own that is ON. */
static void check_ring(bool *on)
{
	start(false);
	ck_assert_int_eq(meet(100, 100, 0).spent[PROF_STATE_USER], 100);
	*on = true;
	/* It works on for 40, and is seen asleep before its clock rings. */
	fall_asleep(200, 140, &on_lock);
	ck_assert_uint_eq(count, 1);
	ck_assert_int_eq(told[0].spent[PROF_STATE_LOCK], 60);
	ck_assert_int_eq(meet(210, 150, 0).spent[PROF_STATE_USER], 50);
	/* What no ring came for is told all the same. */
	fall_asleep(300, 170, &on_lock);
	prof_look_builder_known(
		&builder, &watch, START + 400, &(struct prof_schedstat){.run = 170});
	take();
	ck_assert_int_eq(all_told(PROF_STATE_USER), 20);
	*on = false;
	finish();
}

START_TEST(ring_stands_for_all_since_the_one_before)
{
	check_ring(&watch.alarm.on);
	check_ring(&watch.timer.on);
}
END_TEST

START_TEST(sample_of_the_kernel_stands_for_all_since_the_one_before)
{
	struct prof_perf_event event = {.fd = -1};
	struct prof_schedstat schedstat = {.run = 100};
	struct prof_look look;

	start(false);
	watch.event = &event;
	prof_look_builder_sampled(
		&builder, &watch, START + 100, &schedstat, PROF_WITHIN_PROGRAM, 0, &look);
	ck_assert_int_eq(look.spent[PROF_STATE_USER], 100);
	/* What it did on its way to sleep is not told with the one before. */
	fall_asleep(200, 140, &on_lock);
	ck_assert_uint_eq(count, 1);
	ck_assert_int_eq(told[0].spent[PROF_STATE_LOCK], 60);
	schedstat.run = 150;
	prof_look_builder_sampled(
		&builder, &watch, START + 210, &schedstat, PROF_WITHIN_PROGRAM, 0, &look);
	ck_assert_int_eq(look.spent[PROF_STATE_USER], 50);
	/* Unless no other comes in time. */
	take();
	fall_asleep(300, 170, &on_lock);
	prof_look_builder_known(
		&builder, &watch, START + 400, &(struct prof_schedstat){.run = 170});
	take();
	ck_assert_int_eq(all_told(PROF_STATE_USER), 20);
	watch.event = NULL;
	finish();
}
END_TEST

/* At 100 Hz, of a thread whose clock goes slower than the kernel's account: 12 ms for each 10 ms.
 */
START_TEST(samples_of_the_kernel_are_the_cpu_time)
{
	uint32_t samples = 0;

	start(false);
	for (int i = 1; i <= 50; i++) {
		struct prof_schedstat schedstat = {.run = i * 12 * MS};
		struct prof_look look;
		prof_look_builder_sampled(&builder, &watch, START + i * 12 * MS, &schedstat,
			PROF_WITHIN_PROGRAM, 0, &look);
		samples += look.samples;
	}
	ck_assert_uint_ge(samples, 58);
	ck_assert_uint_le(samples, 60);
	finish();
}
END_TEST

/* At 100 Hz, a ring was full for 50 ms: samples of threads that lack none were those of others. */
START_TEST(missed_samples_are_lost_ticks)
{
	struct prof_look look;

	start(false);
	builder.missed = 7;
	prof_look_builder_sampled(&builder, &watch, START + 10 * MS,
		&(struct prof_schedstat){.run = 10 * MS}, PROF_WITHIN_PROGRAM, 0, &look);
	ck_assert_uint_eq(builder.figures.lost, 0);
	ck_assert_uint_eq(builder.figures.ticks, 1);
	prof_look_builder_sampled(&builder, &watch, START + 60 * MS,
		&(struct prof_schedstat){.run = 60 * MS}, PROF_WITHIN_PROGRAM, 0, &look);
	ck_assert_uint_eq(look.samples, 5);
	ck_assert_uint_eq(builder.figures.lost, 4);
	ck_assert_uint_eq(builder.figures.ticks, 6);
	ck_assert_uint_eq(builder.missed, 3);
	/* One that was preempted lacks samples too, and then none was missed. */
	builder.missed = 0;
	prof_look_builder_sampled(&builder, &watch, START + 90 * MS,
		&(struct prof_schedstat){.run = 90 * MS}, PROF_WITHIN_PROGRAM, 0, &look);
	ck_assert_uint_eq(look.samples, 3);
	ck_assert_uint_eq(builder.figures.lost, 4);
	finish();
}
END_TEST

START_TEST(missed_samples_are_lost_ticks_where_waits_count_too)
{
	struct prof_look look;

	start(true);
	builder.missed = 7;
	builder.round = 2;
	prof_look_builder_sampled(&builder, &watch, START + 60 * MS,
		&(struct prof_schedstat){.run = 60 * MS}, PROF_WITHIN_PROGRAM, 0, &look);
	ck_assert_uint_eq(builder.figures.lost, 7);
	ck_assert_uint_eq(builder.figures.ticks, 8);
	ck_assert_uint_eq(builder.missed, 0);
	finish();
}
END_TEST

/* At 100 Hz, met after waits of 5 ms for its CPU. */
START_TEST(who_seems_to_have_waited_is_made_up_for)
{

	start(false);
	within = PROF_WITHIN_PROGRAM;
	builder.round = 1;
	ck_assert_uint_eq(meet(10 * MS, 10 * MS, 0).samples, 1);
	/* Its CPU time asks for 2.5 more: this round gets one of them. */
	builder.round = 2;
	struct prof_look look = meet(40 * MS, 35 * MS, 5 * MS);
	ck_assert_int_eq(look.state, PROF_STATE_RUNQUEUE);
	ck_assert_uint_eq(look.samples, 0);
	ck_assert_uint_eq(count, 1);
	ck_assert_int_eq(told[0].state, PROF_STATE_USER);
	ck_assert_int_eq(told[0].spent[PROF_STATE_USER], 25 * MS);
	ck_assert_uint_eq(told[0].samples, 1);
	/* And the next one another, though it has hardly run since. */
	builder.round = 3;
	watch.sent_delay = 5 * MS;
	meet(46 * MS, 36 * MS, 10 * MS);
	ck_assert_uint_eq(told[0].samples, 1);
	/* Now it has had what it asks for. */
	builder.round = 4;
	watch.sent_delay = 10 * MS;
	meet(52 * MS, 37 * MS, 15 * MS);
	ck_assert_uint_eq(told[0].samples, 0);
	/* What it did while it could not be met is said to be unseen. */
	watch.blocks = true;
	prof_look_builder_known(&builder, &watch, START + 152 * MS,
		&(struct prof_schedstat){.run = 137 * MS, .delay = 15 * MS});
	take();
	builder.round = 5;
	watch.sent_delay = 15 * MS;
	meet(158 * MS, 138 * MS, 20 * MS);
	ck_assert_uint_eq(told[0].samples, 0);
	finish();
}
END_TEST

/* Met in each round, on a CPU for a tenth of the time: its waits are as short as those for a look.
 */
START_TEST(samples_are_no_more_than_cpu_time)
{
	uint32_t samples = 0;

	start(false);
	for (int i = 1; i <= 100; i++) {
		builder.round++;
		watch.sent_delay = (i - 1) * (int64_t)MS / 2;
		samples += meet(i * 10L * MS, i * (int64_t)MS, i * (int64_t)MS / 2).samples;
	}
	ck_assert_uint_ge(samples, 10);
	ck_assert_uint_le(samples, 13);
	ck_assert_uint_eq(builder.figures.ticks, 100);
	finish();
}
END_TEST

/* Three threads of 8 ms each, at 100 Hz, end without a tick, and a fourth is met. */
START_TEST(samples_of_threads_that_have_ended_are_made_up_for)
{
	for (int wall = 0; wall < 2; wall++) {
		start(wall);
		for (int i = 0; i < 3; i++) {
			prof_look_builder_known(&builder, &watch, START + i,
				&(struct prof_schedstat){.run = 8 * MS});
			prof_look_builder_pass_on(&builder, &watch);
			watch.run = 0;
		}
		builder.round = 1;
		watch.alarm.rang = true;
		watch.rung_place = 1;
		ck_assert_uint_eq(meet(10 * MS, 10 * MS, 0).samples, wall ? 1 : 3);
		/* 0.4 of one is left, of both. */
		ck_assert_double_eq_tol(builder.owed + watch.due, 0.4 + wall * 2, 0.01);
		/* Nor does one that nobody could sample for 10 s leave 1000 of them. */
		watch.due = 1000;
		builder.owed = 0;
		prof_look_builder_pass_on(&builder, &watch);
		ck_assert_double_lt(builder.owed, 3);
		finish();
	}
}
END_TEST

/* Whoever is met, and by whatever, stands for them: it may sleep, or end, before it is met again.
 */
START_TEST(what_a_thread_takes_over_is_not_lost)
{
	start(false);
	/* A thread that a look has ticked. */
	builder.owed = 10.5;
	builder.round = 1;
	ck_assert_uint_eq(meet(10 * MS, 10 * MS, 0).samples, 11);
	ck_assert_double_eq_tol(builder.owed + watch.due, 0.5, 0.01);
	/* One that ends with what it has taken over: those before it had too many. */
	builder.owed = -10;
	builder.round = 2;
	ck_assert_uint_eq(meet(20 * MS, 20 * MS, 0).samples, 0);
	prof_look_builder_pass_on(&builder, &watch);
	ck_assert_double_eq_tol(builder.owed, -9, 0.01);
	finish();
}
END_TEST

START_TEST(system_is_where_it_was_met_last)
{
	start(false);
	within = PROF_WITHIN_CALL;
	builder.round = 1;
	struct prof_look look = meet(100, 100, 0);
	ck_assert_int_eq(look.state, PROF_STATE_SYSTEM);
	ck_assert_int_eq(look.spent[PROF_STATE_SYSTEM], 100);
	fall_asleep(200, 140, &on_lock);
	ck_assert_int_eq(all_told(PROF_STATE_SYSTEM), 40);
	finish();
}
END_TEST

/* Sleeping threads are not looked at in every round. */
START_TEST(one_that_slept_is_counted_for_its_cpu_time)
{
	start(false);
	fall_asleep(100, 0, &on_lock);
	builder.round += 200;
	/* At 100 Hz. */
	struct prof_look look = meet(2 * (int64_t)SECOND, SECOND / 2, 0);
	ck_assert_uint_eq(look.samples, 51);
	ck_assert_uint_eq(builder.figures.ticks, 51);
	/* Nor is one that stood still for long before it was met. */
	builder.round += 200;
	look = meet(4 * (int64_t)SECOND, SECOND, 0);
	ck_assert_uint_eq(look.samples, 50);
	finish();
}
END_TEST

START_TEST(sleep_until_it_was_last_seen_belongs_to_the_wait_before)
{
	start(false);
	fall_asleep(100, 0, &on_lock);
	watch.waited = START + 700; /* it was seen to sleep on */
	fall_asleep(1000, 50, &on_page);
	ck_assert_int_eq(all_told(PROF_STATE_LOCK), 600);
	ck_assert_int_eq(all_told(PROF_STATE_FAULT), 250);
	ck_assert_int_eq(all_told(PROF_STATE_USER), 50);
	finish();
}
END_TEST

START_TEST(sleep_before_a_sample_belongs_to_a_recent_wait)
{
	start(false);
	fall_asleep(100, 0, &on_lock);
	struct prof_look look = meet(1000, 300, 200);
	ck_assert_int_eq(all_told(PROF_STATE_LOCK), 400);
	ck_assert_int_eq(look.spent[PROF_STATE_USER], 300);
	ck_assert_int_eq(look.spent[PROF_STATE_RUNQUEUE], 200);
	ck_assert_int_eq(look.spent[PROF_STATE_OTHER], 0);
	/* Long after, nobody knows. */
	look = meet(1000 + 2 * (int64_t)SECOND, 300 + SECOND, 200);
	ck_assert_int_eq(look.spent[PROF_STATE_OTHER], SECOND);
	ck_assert_uint_eq(count, 0);
	finish();
}
END_TEST

START_TEST(what_is_known_is_told_of_a_sleeper_and_of_others)
{
	start(false);
	prof_look_builder_known(&builder, &watch, START + 100, &(struct prof_schedstat){.run = 70});
	take();
	ck_assert_int_eq(all_told(PROF_STATE_USER), 70);
	ck_assert_int_eq(all_told(PROF_STATE_OTHER), 30);
	fall_asleep(200, 70, &on_page);
	prof_look_builder_known(&builder, &watch, START + 500, &(struct prof_schedstat){.run = 70});
	take();
	ck_assert_uint_eq(count, 1);
	ck_assert_int_eq(told[0].spent[PROF_STATE_FAULT], 300);
	finish();
}
END_TEST

START_TEST(wait_for_a_cpu_that_is_not_over_is_told_once)
{
	start(false);
	/* This process is on a CPU, and the figures say that it has not run for 2 s. */
	prof_look_builder_known(
		&builder, &watch, START + 2 * (int64_t)SECOND, &(struct prof_schedstat){.run = 0});
	take();
	ck_assert_int_eq(all_told(PROF_STATE_RUNQUEUE), 2 * (int64_t)SECOND);
	ck_assert_int_eq(all_told(PROF_STATE_OTHER), 0);
	/* 1 s later the wait is over, and the kernel tells of all of it. */
	prof_look_builder_known(&builder, &watch, START + 3 * (int64_t)SECOND,
		&(struct prof_schedstat){.run = 70, .delay = 3 * (int64_t)SECOND - 70});
	take();
	ck_assert_int_eq(all_told(PROF_STATE_RUNQUEUE), SECOND);
	ck_assert_int_eq(all_told(PROF_STATE_USER), 70);
	finish();
}
END_TEST

START_TEST(thread_that_had_no_cpu_is_no_sample)
{
	start(false);
	builder.round = 1;
	meet(100, 100, 0);
	builder.round = 2;
	within = PROF_WITHIN_CALL; /* it lost its CPU at the end of a call */
	struct prof_look look = meet(5000000, 1000100, 3000000);
	ck_assert_uint_eq(look.samples, 0);
	ck_assert_int_eq(look.state, PROF_STATE_RUNQUEUE);
	ck_assert_int_eq(look.spent[PROF_STATE_RUNQUEUE], 3000000);
	/* What it did before belongs to where it was met on one. */
	ck_assert_int_eq(all_told(PROF_STATE_USER), 1000000);
	ck_assert_int_eq(all_told(PROF_STATE_SYSTEM), 0);
	/* A short wait may be that for the one who looks. */
	within = PROF_WITHIN_PROGRAM;
	watch.sent_delay = 3000000;
	builder.round = 3;
	look = meet(6000000, 1900100, 3050000);
	ck_assert_uint_eq(look.samples, 1);
	ck_assert_int_eq(look.state, PROF_STATE_USER);
	finish();
}
END_TEST

/* As at a breakpoint that is met again and again: no stack is known since the last stop. */
START_TEST(waiting_thread_without_a_known_stack_is_sampled_for_its_cpu_time)
{
	start(false);
	builder.round = 3;
	struct prof_look look = meet(40000000, 30000000, 3000000);
	ck_assert_uint_gt(look.samples, 0);
	ck_assert_int_eq(look.state, PROF_STATE_USER);
	ck_assert_int_eq(look.spent[PROF_STATE_RUNQUEUE], 3000000);
	finish();
}
END_TEST

START_TEST(rounds_before_a_hold_count_for_the_next_sample)
{
	start(false);
	builder.round = 2;
	/* At 100 Hz. */
	prof_look_builder_known(
		&builder, &watch, START + 20 * MS, &(struct prof_schedstat){.run = 20 * MS});
	take();
	ck_assert_uint_eq(told[0].samples, 0);
	builder.round = 3;
	ck_assert_uint_eq(meet(30 * MS, 30 * MS, 0).samples, 3);
	/* But not those that it slept. */
	builder.round = 8;
	fall_asleep(80 * MS, 30 * MS, &on_lock);
	builder.round = 9;
	ck_assert_uint_eq(meet(90 * MS, 40 * MS, 0).samples, 1);
	finish();
}
END_TEST

START_TEST(threads_that_wait_are_samples_by_the_wall_clock)
{
	start(true);
	builder.round = 3;
	fall_asleep(100, 50, &on_lock);
	ck_assert_uint_eq(told[count - 1].samples, 3);
	builder.round = 10;
	prof_look_builder_known(&builder, &watch, START + 500, &(struct prof_schedstat){.run = 50});
	take();
	ck_assert_uint_eq(count, 1);
	ck_assert_uint_eq(told[0].samples, 7);
	builder.round = 12;
	/* It waited for a CPU. */
	watch.sent_delay = 0;
	struct prof_look look = meet(5000000, 60, 4000000);
	ck_assert_uint_eq(look.samples, 2);
	ck_assert_int_eq(look.state, PROF_STATE_RUNQUEUE);
	finish();
}
END_TEST

/* A mark has this round be told of, then its tick is found to be lost, then comes another mark. */
START_TEST(marks_around_a_lost_tick_count_no_round_twice)
{
	start(true);
	builder.round = 1;
	ck_assert_uint_eq(meet(100, 100, 0).samples, 1);
	builder.round = 2;
	prof_look_builder_known(
		&builder, &watch, START + 200, &(struct prof_schedstat){.run = 200});
	take();
	ck_assert_uint_eq(told[count - 1].samples, 1);
	watch.sent = START + 150;
	watch.met_tick = true; /* but its host has not come to it yet */
	prof_tick_await(&watch, START + 250, &builder.figures);
	ck_assert_uint_eq(builder.figures.lost, 1);
	prof_look_builder_known(
		&builder, &watch, START + 300, &(struct prof_schedstat){.run = 300});
	take();
	ck_assert_uint_eq(told[count - 1].samples, 0);
	/* The round that was told of and lost stands for the next one. */
	builder.round = 3;
	ck_assert_uint_eq(meet(400, 400, 0).samples, 0);
	builder.round = 4;
	ck_assert_uint_eq(meet(500, 500, 0).samples, 1);
	finish();
}
END_TEST

START_TEST(figures_are_told_once)
{
	struct prof_message message;
	const void *data;

	start(false);
	builder.round = 1;
	builder.counted = START;
	watch.sent = START + 80;
	meet(100, 80, 0);
	ck_assert_int_eq(watch.sent, 0);
	prof_look_builder_figures(&builder, START + 100, true);
	prof_look_builder_figures(&builder, START + 300, false);
	ck_assert(prof_queue_take(builder.queue, &message, &data));
	ck_assert_int_eq(message.figures.duration, 100);
	ck_assert_int_eq(message.figures.running, 80);
	ck_assert_int_eq(message.figures.stopped, 20);
	ck_assert_uint_eq(message.figures.ticks, 1);
	ck_assert(prof_queue_take(builder.queue, &message, &data));
	ck_assert_int_eq(message.figures.duration, 0);
	ck_assert_int_eq(message.figures.running, 0);
	finish();
}
END_TEST

RUN_TESTS("builder", work_belongs_to_a_sample_and_sleep_to_a_wait,
	ring_stands_for_all_since_the_one_before,
	sample_of_the_kernel_stands_for_all_since_the_one_before,
	who_seems_to_have_waited_is_made_up_for, samples_are_no_more_than_cpu_time,
	system_is_where_it_was_met_last, one_that_slept_is_counted_for_its_cpu_time,
	sleep_until_it_was_last_seen_belongs_to_the_wait_before,
	sleep_before_a_sample_belongs_to_a_recent_wait,
	what_is_known_is_told_of_a_sleeper_and_of_others,
	wait_for_a_cpu_that_is_not_over_is_told_once, thread_that_had_no_cpu_is_no_sample,
	waiting_thread_without_a_known_stack_is_sampled_for_its_cpu_time,
	rounds_before_a_hold_count_for_the_next_sample,
	samples_of_threads_that_have_ended_are_made_up_for, what_a_thread_takes_over_is_not_lost,
	samples_of_the_kernel_are_the_cpu_time, missed_samples_are_lost_ticks,
	missed_samples_are_lost_ticks_where_waits_count_too,
	threads_that_wait_are_samples_by_the_wall_clock,
	marks_around_a_lost_tick_count_no_round_twice, figures_are_told_once)
