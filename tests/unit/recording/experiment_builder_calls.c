/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that begin and end, in the experiment. */
#include "experiment_builder.h"
#include "metric/call_counts.h"

static void report(int64_t thread, const struct prof_call_message *calls, size_t count)
{
	const struct prof_message message = {
		.kind = PROF_MESSAGE_CALLS, .calls = {.process = 1, .thread = thread}};

	add(message, calls, count * sizeof *calls);
}

/* The call NUMBER has such a duration, own time and end, and is of the function at ADDRESS. */
static void check_call(
	size_t number, uint64_t address, int64_t duration, int64_t own, enum prof_call_end how)
{
	const struct prof_experiment *experiment = builder.experiment;
	const struct prof_single_call call = prof_single_calls_get(&experiment->calls, number);
	uint32_t path = sample_at(experiment, call.sample).path;

	ck_assert_int_eq(call.duration, duration);
	ck_assert_int_eq(call.end, how);
	ck_assert(value_at(experiment, USER_TIME, call.sample) == prof_value_of(own));
	ck_assert_uint_eq(
		experiment->frames.items[experiment->paths.items[path].frame].address, address);
}

START_TEST(each_call_has_its_times)
{
	const struct prof_call_message calls[] = {
		{START + 10, 0x1100, PROF_CALL_BEGINS, 0},
		{START + 20, 0x1200, PROF_CALL_BEGINS, 0},
		{START + 50, 0, PROF_CALL_RETURNS, 0},
		{START + 60, 0x1200, PROF_CALL_BEGINS, 0},
		{START + 70, 0, PROF_CALL_LEFT, 0},
	};
	const struct prof_call_message last[] = {{START + 100, 0, PROF_CALL_OPEN, 0}};

	start();
	MAP(0x1000, 0x2000, "/bin/true\0");
	report(7, calls, PROF_COUNT(calls));
	ck_assert_uint_eq(builder.experiment->calls.count, 2);
	check_call(0, 0x1200, 30, 30, PROF_CALL_END_RETURNED);
	check_call(1, 0x1200, 10, 10, PROF_CALL_END_LEFT);
	ck_assert_int_eq(last_sample().time, 60);
	report(7, last, 1);
	check_call(2, 0x1100, 90, 50, PROF_CALL_END_OPEN);
	ck_assert_uint_eq(builder.experiment->recording.open_calls, 1);
	ck_assert_uint_eq(frame_at(0)->address, 0x1100);
	end();
}
END_TEST

START_TEST(time_that_the_program_stands_still_is_left_out)
{
	const struct prof_call_message calls[] = {
		{START + 10, 0x1100, PROF_CALL_BEGINS, 0},
		{START + 20, 0x1200, PROF_CALL_BEGINS, 0},
		{START + 1030, 1000, PROF_CALL_STOOD, 0},
		{START + 1040, 0, PROF_CALL_RETURNS, 0},
		/* Clocks do not agree to the ns. */
		{START + 1039, 0, PROF_CALL_RETURNS, 0},
		{START + 1050, 0x1200, PROF_CALL_BEGINS, 0},
		{START + 1060, 0, PROF_CALL_RETURNS, 0},
		/* Of a call that began before the recording. */
		{START + 1070, 0, PROF_CALL_RETURNS, 0},
	};

	start();
	report(7, calls, PROF_COUNT(calls));
	ck_assert_uint_eq(builder.experiment->calls.count, 3);
	check_call(0, 0x1200, 20, 20, PROF_CALL_END_RETURNED);
	check_call(1, 0x1100, 30, 10, PROF_CALL_END_RETURNED);
	check_call(2, 0x1200, 10, 10, PROF_CALL_END_RETURNED);
	ck_assert_int_eq(last_sample().time, 1050);
	end();
}
END_TEST

START_TEST(threads_have_calls_of_their_own)
{
	const struct prof_call_message begin[] = {{START + 10, 0x1100, PROF_CALL_BEGINS, 0}};
	const struct prof_call_message close[] = {{START + 30, 0, PROF_CALL_RETURNS, 0}};
	AUTO_CALL_COUNTS struct prof_call_counts counts = {0};

	start();
	report(7, begin, 1);
	report(8, begin, 1);
	report(8, close, 1);
	report(7, close, 1);
	ck_assert_uint_eq(builder.experiment->calls.count, 2);
	ck_assert_uint_eq(sample_at(builder.experiment, 0).thread,
		sample_at(builder.experiment, 1).thread + 1);
	/* Both are calls of one function by nobody. */
	ck_assert(prof_call_counts_exist(builder.experiment));
	ck_assert_ok(prof_call_counts_init(&counts, builder.experiment, false));
	ck_assert_uint_eq(counts.list.count, 1);
	ck_assert_uint_eq(counts.list.items[0].caller, PROF_NONE);
	ck_assert(counts.list.items[0].calls == prof_value_of(2));
	end();
}
END_TEST

RUN_TESTS("experiment_builder_calls", each_call_has_its_times,
	time_that_the_program_stands_still_is_left_out, threads_have_calls_of_their_own)
