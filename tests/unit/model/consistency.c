/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment_support.h"
#include "model/consistency.h"

enum { MS = 1000000 };

/* Two threads that were on a CPU for a second each, of one and a half, at 100 Hz. */
static struct prof_experiment *sound(void)
{
	struct prof_experiment *experiment;
	uint32_t thread;

	ck_assert_ok(prof_experiment_create(&experiment));
	experiment->recording.rate_asked = 100;
	experiment->recording.rounds = 150;
	experiment->recording.ticks = 210;
	experiment->recording.ticks_lost = 10;
	experiment->recording.duration = 1500 * (int64_t)MS;
	experiment->recording.kept = experiment->recording.stopped = 10 * (int64_t)MS;
	experiment->recording.running = 2000 * (int64_t)MS;
	for (int i = 0; i < 2; i++)
		ck_assert_ok(prof_experiment_thread(experiment, 7 + i, "worker", &thread));
	for (uint32_t i = 0; i < 200; i++) {
		struct prof_sample sample = {.thread = i % 2};
		prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(1)};
		values[PROF_QUANTITY_SPENT + (i % 4 < 2 ? PROF_STATE_USER : PROF_STATE_SYSTEM)] =
			prof_value_of(10 * (int64_t)MS);
		ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	}
	return experiment;
}

static void refuse(struct prof_experiment *experiment, const char *part)
{
	assert_error(prof_consistency_check(experiment), PROF_ERROR_DAMAGED, part);
}

START_TEST(sound_figures_pass)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = sound();

	ck_assert_ok(prof_consistency_check(experiment));
}
END_TEST

START_TEST(what_was_not_sampled_has_no_figures_to_check)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = sound();

	experiment->recording.rate_asked = 0;
	experiment->recording.rounds = 0;
	ck_assert_ok(prof_consistency_check(experiment));
}
END_TEST

START_TEST(counter_has_no_more_events_than_overflows)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = sound();
	const struct prof_event event = {.unit = PROF_COUNTER_EVENTS, .interval = 100};
	const struct prof_sample sample = {0};
	const prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_EVENT] = prof_value_of(300)};
	uint32_t number;

	ck_assert_ok(prof_experiment_counter(experiment, "page-faults", &event, &number));
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	prof_experiment_overflow(experiment, number, 2, 0);
	refuse(experiment,
		"the counter page-faults overflowed 2 times, at intervals of 100, and its samples "
		"are 300 events.");
	/* Without the clock too. */
	experiment->recording.rate_asked = 0;
	refuse(experiment, "the counter page-faults");
	prof_experiment_overflow(experiment, number, 1, 1);
	ck_assert_ok(prof_consistency_check(experiment));
}
END_TEST

START_TEST(thread_has_no_more_samples_than_rounds)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = sound();

	set_value(experiment, 3, PROF_QUANTITY_SAMPLES, prof_value_of(UINT32_MAX));
	refuse(experiment, "thread 8 has 4294967394 samples, and there were 150 rounds.");
}
END_TEST

START_TEST(thread_has_no_more_time_than_the_run)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = sound();

	set_value(experiment, 0, PROF_QUANTITY_SPENT + PROF_STATE_USER,
		prof_value_of(2000 * (int64_t)MS));
	refuse(experiment, "the time of thread 7 is 2.990 s, and the time of the whole run is 1.5");
}
END_TEST

START_TEST(cpu_times_of_threads_add_up_to_the_whole)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = sound();

	experiment->recording.running = 1000 * (int64_t)MS;
	refuse(experiment, "the CPU time of all samples is 2.000 s, and that of all threads is 1");
	experiment->recording.running = 3000 * (int64_t)MS;
	refuse(experiment, "the CPU time of all threads is 3.000 s, and that of all samples is 2");
	/* That engine tells the time of its target as a whole. */
	free(experiment->recording.engine);
	experiment->recording.engine = strdup("interrupt");
	ck_assert_ok(prof_consistency_check(experiment));
}
END_TEST

START_TEST(no_part_is_larger_than_its_whole)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = sound();

	experiment->recording.ticks_lost = 211;
	refuse(experiment, "211 of 210 ticks were lost");
	experiment->recording.ticks = 311;
	refuse(experiment, "311 ticks in 150 rounds of 2 threads");
	experiment->recording.ticks = 211;
	experiment->recording.kept = 4000 * (int64_t)MS;
	refuse(experiment, "kept stopped is 4.000 s, and the time of all threads is 3.000 s");
	experiment->recording.stopped = 5000 * (int64_t)MS;
	refuse(experiment,
		"stops cost is 5.000 s, and the time that threads were kept stopped is 4.000 s");
	experiment->recording.blocked = 3000 * (int64_t)MS;
	refuse(experiment, "that block the signal is 3.000 s, and that of all threads is 2.000 s");
}
END_TEST

START_TEST(target_of_which_no_thread_is_known_has_ticks)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	experiment->recording.rate_asked = 1000;
	experiment->recording.rounds = 5;
	experiment->recording.ticks = 2;
	experiment->recording.ticks_lost = 2;
	experiment->recording.duration = 1000 * (int64_t)MS;
	experiment->recording.kept = experiment->recording.stopped = 900 * (int64_t)MS;
	ck_assert_ok(prof_consistency_check(experiment));
}
END_TEST

RUN_TESTS("consistency", sound_figures_pass, what_was_not_sampled_has_no_figures_to_check,
	counter_has_no_more_events_than_overflows, thread_has_no_more_samples_than_rounds,
	thread_has_no_more_time_than_the_run, cpu_times_of_threads_add_up_to_the_whole,
	no_part_is_larger_than_its_whole, target_of_which_no_thread_is_known_has_ticks)
