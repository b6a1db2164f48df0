/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/due.h"

#include "look_builder.h"

/* At 100 Hz a thread's alarm has rung at PLACE in a period, and so many samples are DUE. */
static uint32_t rung(double place, double due)
{
	watch.due = due;
	watch.rung_place = place;
	uint32_t samples = prof_due_rounds(&builder, &watch, 0, PROF_DUE_RING, false);
	prof_due_have(&watch, samples);
	return samples;
}

/*
 * Alarms are off while the host deals with events.  What a thread lacks by that is made up for as
 * soon as it is half a sample, because many threads live for a few periods only.
 */
START_TEST(rings_make_up_for_what_alarms_have_missed)
{
	static const double places[] = {0.1, 0.5, 0.9};

	start(false);
	for (size_t i = 0; i < PROF_COUNT(places); i++) {
		ck_assert_uint_eq(rung(places[i], places[i]), 1);
		ck_assert_uint_eq(rung(places[i], places[i] + 0.4), 1);
		ck_assert_uint_eq(rung(places[i], places[i] + 0.6), 2);
		ck_assert_uint_eq(rung(places[i], places[i] + 1.6), 3);
	}
	finish();
}
END_TEST

/* Of 8 ms of CPU time each, as where the clock goes on while a virtual machine's host has the CPU.
 */
START_TEST(rings_that_come_too_soon_are_left_out)
{
	uint32_t samples = 0;

	start(false);
	for (int i = 1; i <= 50; i++)
		samples += rung(0.5, watch.due + (i == 1 ? 0.5 : 0.8));
	ck_assert_uint_ge(samples, 39);
	ck_assert_uint_le(samples, 41);
	finish();
}
END_TEST

/* The place where a thread goes on stands for no more than itself. */
START_TEST(late_rings_make_up_for_nothing)
{
	start(false);
	watch.overdue = true;
	watch.last = START + 100;
	watch.waited = START + 50;
	ck_assert_uint_eq(rung(0.5, 3), 1);
	watch.overdue = false;
	ck_assert_uint_eq(rung(0.5, 3), 4);
	finish();
}
END_TEST

/* A thread that was sampled may be running, and then its CPU time is not exact. */
START_TEST(samples_of_the_kernel_make_up_for_whole_ones)
{
	start(false);
	watch.due = 1.9;
	ck_assert_uint_eq(prof_due_rounds(&builder, &watch, 0, PROF_DUE_SAMPLE, false), 1);
	watch.due = 2.1;
	ck_assert_uint_eq(prof_due_rounds(&builder, &watch, 0, PROF_DUE_SAMPLE, false), 2);
	watch.due = -1.9;
	ck_assert_uint_eq(prof_due_rounds(&builder, &watch, 0, PROF_DUE_SAMPLE, false), 1);
	watch.due = -2.1;
	ck_assert_uint_eq(prof_due_rounds(&builder, &watch, 0, PROF_DUE_SAMPLE, false), 0);
	finish();
}
END_TEST

/* Looks are at one thread in one of several rounds, and a sample is no more than its rounds. */
START_TEST(looks_count_for_rounds_in_which_the_thread_ran)
{
	start(false);
	watch.due = 2.5;
	ck_assert_uint_eq(prof_due_rounds(&builder, &watch, 200, PROF_DUE_LOOK, false), 3);
	ck_assert_uint_eq(prof_due_rounds(&builder, &watch, 1, PROF_DUE_LOOK, false), 1);
	/* But it stands for those that it has inherited, besides. */
	watch.due = 4.5;
	watch.inherited = 2;
	ck_assert_uint_eq(prof_due_rounds(&builder, &watch, 1, PROF_DUE_LOOK, false), 3);
	finish();
}
END_TEST

RUN_TESTS("due", rings_make_up_for_what_alarms_have_missed, rings_that_come_too_soon_are_left_out,
	late_rings_make_up_for_nothing, samples_of_the_kernel_make_up_for_whole_ones,
	looks_count_for_rounds_in_which_the_thread_ran)
