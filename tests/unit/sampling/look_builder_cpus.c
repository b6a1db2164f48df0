/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "look_builder.h"
#include "sampling/perf_event.h"
#include "sampling/walker.h"

/* The kernel's account is as old as the last timer interrupt: where CPUs are sampled it may come
 * after the sample. */
START_TEST(sample_of_a_cpu_stands_for_a_period)
{
	struct prof_schedstat schedstat = {.slices = 1};
	struct prof_look look;

	start(false);
	builder.pace.rate = 250;
	watch.of_cpus = true;
	/* It has gone on for 4 ms, nothing is accounted yet. */
	prof_look_builder_sampled(
		&builder, &watch, START + 4 * MS, &schedstat, PROF_WITHIN_PROGRAM, 4 * MS, &look);
	ck_assert_int_eq(look.spent[PROF_STATE_USER], 4 * MS);
	schedstat.run = 9 * MS;
	prof_look_builder_sampled(
		&builder, &watch, START + 8 * MS, &schedstat, PROF_WITHIN_PROGRAM, 4 * MS, &look);
	ck_assert_int_eq(look.spent[PROF_STATE_USER], 4 * MS);
	/* It ran for 1 ms more, and has waited: that belongs to the next. */
	take();
	fall_asleep(20 * MS, 10 * MS, &on_lock);
	ck_assert_int_eq(all_told(PROF_STATE_USER), 0);
	schedstat.run = 12 * MS;
	prof_look_builder_sampled(
		&builder, &watch, START + 22 * MS, &schedstat, PROF_WITHIN_PROGRAM, 4 * MS, &look);
	ck_assert_int_eq(look.spent[PROF_STATE_USER], 4 * MS);
	ck_assert_uint_eq(look.samples, 1);
	take();
	/* A thread that has just begun cannot have had a period. */
	prof_look_builder_known(&builder, &watch, START + 23 * MS, &schedstat);
	prof_look_builder_sampled(
		&builder, &watch, START + 24 * MS, &schedstat, PROF_WITHIN_PROGRAM, 4 * MS, &look);
	ck_assert_int_eq(look.spent[PROF_STATE_USER], 1 * MS);
	/* All of the account is known of one that has a CPU no more. */
	prof_look_builder_sampled(
		&builder, &watch, START + 28 * MS, &schedstat, PROF_WITHIN_PROGRAM, 0, &look);
	ck_assert_int_eq(look.spent[PROF_STATE_USER], 0);
	/* And what was told ahead is not told again. */
	take();
	schedstat.run += 3 * MS;
	prof_look_builder_known(&builder, &watch, START + 30 * MS, &schedstat);
	take();
	ck_assert_int_eq(all_told(PROF_STATE_USER), 2 * MS);
	watch.of_cpus = false;
	finish();
}
END_TEST

/* Takes what was told, with what the walker knows; returns the samples, which are of the kernel. */
static uint32_t take_samples(void)
{
	struct prof_message message;
	const void *data;
	uint32_t samples = 0;

	while (prof_queue_take(builder.queue, &message, &data)) {
		if (message.kind != PROF_MESSAGE_LOOK || !message.look.samples)
			continue;
		ck_assert_uint_eq(message.look.state, PROF_STATE_SYSTEM);
		samples += message.look.samples;
	}
	return samples;
}

/* By what a thread is sampled: by nothing that misses switches, by CPUs, or by its own clock. */
enum by { BY_NOTHING, BY_CPUS, BY_CLOCK };

/*
 * A thread works and then sleeps, SLEEPS times in 10 ms of CPU time, by which it is on its CPU for
 * two fifths of that, when no sample can tell: LEFT_OUT ns each time as far as its clock is known.
 * OVERDUE samples in a hundred that find it at work, which is WITHIN what they say, come as late as
 * if they had been due while it went to sleep.
 */
struct sleeper {
	enum by by;
	int64_t overdue;
	enum prof_within within;
	uint64_t sleeps;
	bool measured;
	double left_out;
};

static uint32_t sleep_often(const struct sleeper *sleeper, uint32_t *asleep)
{
	struct prof_perf_event event = {0};
	uint64_t frames[] = {4};
	const struct prof_stack stack = {.frames = frames, .depth = 1};
	struct prof_schedstat schedstat = {0};
	uint32_t samples = 0;

	*asleep = 0;
	start(false);
	ck_assert_ok(prof_walker_create(getpid(), 8, builder.queue, &builder.walker));
	watch.of_cpus = sleeper->by == BY_CPUS;
	watch.event = sleeper->by == BY_CLOCK ? &event : NULL;
	builder.switches.exact = sleeper->by == BY_CLOCK;
	builder.switches.measured = sleeper->measured;
	builder.switches.left_out = sleeper->left_out;
	for (int64_t i = 1; i <= 300; i++) {
		struct prof_look look;
		schedstat = (struct prof_schedstat){
			.run = i * 10 * MS, .slices = (uint64_t)i * sleeper->sleeps};
		int64_t now = START + 2 * i * 10 * MS;
		if (i % 5 < 3) {
			watch.overdue = i % 100 < sleeper->overdue;
			prof_look_builder_sampled(
				&builder, &watch, now, &schedstat, sleeper->within, 0, &look);
			samples += look.samples;
		}
		prof_look_builder_asleep(&builder, &watch, now, &schedstat, &on_lock, &stack);
		*asleep += take_samples();
	}
	watch.of_cpus = false;
	watch.event = NULL;
	prof_walker_destroy(builder.walker);
	finish();
	return samples;
}

/* LEAST to MOST of the 300 samples find it at work, and the others where it sleeps. */
static void check_work(struct sleeper sleeper, uint32_t least, uint32_t most)
{
	uint32_t asleep;
	uint32_t samples = sleep_often(&sleeper, &asleep);

	ck_assert_uint_ge(samples, least);
	ck_assert_uint_le(samples, most);
	ck_assert_uint_ge(asleep + samples, 296);
	ck_assert_uint_le(asleep + samples, 301);
}

START_TEST(cpu_time_of_switches_is_where_it_sleeps)
{
	uint32_t asleep;

	/* As many of the 120 that are missing as chance does not explain are found where it sleeps.
	 */
	check_work((struct sleeper){BY_CPUS, .sleeps = 1000}, 178, 202);
	const struct sleeper unseen = {BY_NOTHING, .sleeps = 1000};
	ck_assert_uint_ge(sleep_often(&unseen, &asleep), 296);
	ck_assert_uint_eq(asleep, 0);
}
END_TEST

START_TEST(what_the_clock_of_a_thread_leaves_out_is_where_it_sleeps)
{
	check_work((struct sleeper){BY_CLOCK, .sleeps = 1000}, 178, 184);
	/* So is what came only when it went on: 36 of these, but for the first ones. */
	check_work((struct sleeper){BY_CLOCK, .overdue = 20, .sleeps = 1000}, 142, 154);
}
END_TEST

START_TEST(the_clock_shows_how_long_switches_take)
{
	/* 12 us of each, of which its clock has left out 9. */
	check_work((struct sleeper){BY_CLOCK, .sleeps = 333, .measured = true, .left_out = 9000},
		178, 184);
}
END_TEST

/* What is missing, or late, where a switch takes next to nothing may have been anywhere. */
START_TEST(where_switches_are_short_samples_are_not_for_where_it_sleeps)
{
	check_work((struct sleeper){BY_CLOCK, .sleeps = 1000, .measured = true, .left_out = 100},
		290, 300);
	check_work((struct sleeper){BY_CLOCK, .overdue = 20, .sleeps = 1000, .measured = true,
			   .left_out = 100},
		290, 300);
}
END_TEST

/* It wakes another thread there, while which the kernel takes no samples. */
START_TEST(late_samples_of_system_calls_are_where_they_come)
{
	check_work((struct sleeper){BY_CLOCK, .overdue = 20, .within = PROF_WITHIN_CALL,
			   .sleeps = 1000},
		178, 184);
}
END_TEST

/* Without switches there is nothing that a sample could have been due in. */
START_TEST(sample_of_a_thread_that_hardly_sleeps_is_where_it_is)
{
	struct prof_schedstat schedstat = {0};
	struct prof_perf_event event = {0};
	struct prof_look look;

	start(false);
	watch.event = &event;
	watch.overdue = true;
	builder.switches.exact = true;
	for (int64_t i = 1; i <= 10; i++) {
		schedstat = (struct prof_schedstat){.run = i * 10 * MS, .slices = (uint64_t)i};
		if (i == 5)
			prof_look_builder_asleep(
				&builder, &watch, START + 41 * MS, &schedstat, &on_lock, NULL);
		prof_look_builder_sampled(&builder, &watch, START + i * 10 * MS, &schedstat,
			PROF_WITHIN_PROGRAM, 0, &look);
		ck_assert_uint_eq(look.samples, 1);
		ck_assert_int_eq(look.spent[PROF_STATE_USER], 10 * MS);
	}
	watch.event = NULL;
	finish();
}
END_TEST

/*
 * Chance gives a thread that has its CPU for a tenth of the time too few samples, and too many: in
 * the long run it lacks none.
 */
START_TEST(chance_gives_no_samples_to_sleep)
{
	enum { STEPS = 30000, PART = 10 };
	uint64_t frames[] = {4};
	const struct prof_stack stack = {.frames = frames, .depth = 1};
	uint32_t samples = 0, asleep = 0, random = 1;

	start(false);
	ck_assert_ok(prof_walker_create(getpid(), 8, builder.queue, &builder.walker));
	watch.of_cpus = true;
	for (int64_t i = 1; i <= STEPS; i++) {
		const struct prof_schedstat schedstat = {
			.run = i * 10 * MS / PART, .slices = (uint64_t)i * 50};
		int64_t now = START + i * 10 * MS;
		struct prof_look look;
		random = random * 1664525 + 1013904223;
		if ((random >> 16) % PART == 0) {
			prof_look_builder_sampled(
				&builder, &watch, now, &schedstat, PROF_WITHIN_PROGRAM, 0, &look);
			samples += look.samples;
		}
		prof_look_builder_asleep(&builder, &watch, now, &schedstat, &on_lock, &stack);
		asleep += take_samples();
	}
	ck_assert_uint_ge(samples + asleep, STEPS / PART - 4);
	ck_assert_uint_le(samples + asleep, STEPS / PART + 4);
	/* It was 11 %. */
	ck_assert_uint_le(asleep, STEPS / PART / 50);
	watch.of_cpus = false;
	prof_walker_destroy(builder.walker);
	finish();
}
END_TEST

/* A thread that others preempt all the time, and that never sleeps, has all samples that it is due.
 */
START_TEST(missing_samples_of_one_that_does_not_sleep_are_made_up_for)
{
	uint32_t samples = 0;

	start(false);
	watch.of_cpus = true;
	for (int64_t i = 1; i <= 100; i++) {
		const struct prof_schedstat schedstat = {
			.run = i * 10 * MS, .slices = (uint64_t)i * 1000};
		struct prof_look look;
		if (i % 5 == 0)
			continue;
		prof_look_builder_sampled(&builder, &watch, START + i * 10 * MS, &schedstat,
			PROF_WITHIN_PROGRAM, 0, &look);
		samples += look.samples;
	}
	ck_assert_uint_ge(samples, 97);
	ck_assert_uint_le(samples, 100);
	finish();
}
END_TEST

/* It was due before the thread went on, and so was what is missing: that is not where it goes on.
 */
START_TEST(a_late_sample_stands_for_nothing_else)
{
	struct prof_perf_event event = {0};
	struct prof_schedstat schedstat = {.run = 40 * MS, .slices = 1000};
	struct prof_look look;

	start(false);
	builder.switches = (struct prof_switches){.exact = true, .measured = true};
	watch.event = &event;
	watch.waited = START + 35 * MS;
	watch.overdue = true;
	prof_look_builder_sampled(
		&builder, &watch, START + 40 * MS, &schedstat, PROF_WITHIN_PROGRAM, 0, &look);
	ck_assert_uint_eq(look.samples, 1);
	ck_assert_int_eq(look.spent[PROF_STATE_USER], 10 * MS);
	watch.overdue = false;
	schedstat.run += 10 * MS;
	prof_look_builder_sampled(
		&builder, &watch, START + 50 * MS, &schedstat, PROF_WITHIN_PROGRAM, 0, &look);
	ck_assert_uint_eq(look.samples, 4);
	ck_assert_int_eq(look.spent[PROF_STATE_USER], 40 * MS);
	watch.event = NULL;
	finish();
}
END_TEST

/* As when GDB attaches to it: what it did before is no concern of the recording. */
START_TEST(switches_before_the_recording_do_not_count)
{
	struct prof_look look;

	start(false);
	prof_watch_deinit(&watch);
	prof_watch_init(&watch, getpid(), getpid(), START);
	watch.of_cpus = true;
	const struct prof_schedstat schedstat = watch.read;
	ck_assert_uint_gt(schedstat.slices, 0);
	prof_look_builder_sampled(
		&builder, &watch, START + 10 * MS, &schedstat, PROF_WITHIN_PROGRAM, 0, &look);
	ck_assert_double_eq(watch.switching, 0);
	finish();
}
END_TEST

RUN_TESTS("builder cpus", sample_of_a_cpu_stands_for_a_period,
	cpu_time_of_switches_is_where_it_sleeps,
	what_the_clock_of_a_thread_leaves_out_is_where_it_sleeps,
	the_clock_shows_how_long_switches_take,
	where_switches_are_short_samples_are_not_for_where_it_sleeps,
	sample_of_a_thread_that_hardly_sleeps_is_where_it_is, chance_gives_no_samples_to_sleep,
	missing_samples_of_one_that_does_not_sleep_are_made_up_for,
	late_samples_of_system_calls_are_where_they_come, a_late_sample_stands_for_nothing_else,
	switches_before_the_recording_do_not_count)
