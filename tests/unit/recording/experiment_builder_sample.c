/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks that are added to the sample that their thread has. */
#include "experiment_builder.h"

static const int64_t SECOND = 1000000000;

/* A look at THREAD in STATE and FRAME at TIME, ns since the start, that stands for SPENT ns. */
static void look_at(
	int64_t time, int64_t thread, enum prof_state state, uint64_t frame, int64_t spent)
{
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK, .size = sizeof frame};

	message.look = (struct prof_look){.time = START + time,
		.thread = thread,
		.samples = 1,
		.depth = 1,
		.state = (uint8_t)state,
		.cpu = 1};
	message.look.spent[state] = spent;
	ck_assert_ok(prof_experiment_builder_add(&builder, &message, &frame));
}

static void put_mark(int64_t time)
{
	struct prof_message message = {.kind = PROF_MESSAGE_MARK};
	char data[sizeof(struct prof_usage) + 1] = {0};

	message.size = sizeof data;
	message.mark.time = START + time;
	ck_assert_ok(prof_experiment_builder_add(&builder, &message, data));
}

static size_t count(void)
{
	return builder.experiment->samples.count;
}

START_TEST(looks_of_a_resolution_are_one_sample)
{
	start();
	/* After 100 s that is 100 ms, and a look each 10 ms. */
	for (int64_t i = 1; i <= 100; i++)
		look_at(100 * SECOND + i * 10000000, 7, PROF_STATE_USER, 0x1000, 10000000);
	ck_assert_uint_eq(count(), 10);
	for (size_t i = 0; i < 10; i++) {
		const struct prof_sample_row row = row_at(builder.experiment, i);
		ck_assert_int_eq(row.sample.time, 100 * SECOND + (int64_t)(i + 1) * 100000000);
		ck_assert(row.values[PROF_QUANTITY_SAMPLES] == prof_value_of(10));
		ck_assert(row.values[PROF_QUANTITY_SPENT] == prof_value_of(100000000));
	}
	end();
}
END_TEST

START_TEST(each_stack_state_and_thread_has_its_own)
{
	start();
	for (int64_t i = 1; i <= 20; i++) {
		int64_t time = 1000 * SECOND + i * 10000000;
		look_at(time, 7, PROF_STATE_USER, 0x1000, 1000000);
		look_at(time, 7, PROF_STATE_USER, 0x2000, 1000000);
		look_at(time, 7, PROF_STATE_OTHER, 0x1000, 1000000);
		look_at(time, 8, PROF_STATE_USER, 0x1000, 1000000);
	}
	ck_assert_uint_eq(count(), 4);
	for (size_t i = 0; i < 4; i++)
		ck_assert(value_at(builder.experiment, PROF_QUANTITY_SAMPLES, i) ==
			prof_value_of(20));
	end();
}
END_TEST

START_TEST(first_second_is_kept_as_it_was)
{
	start();
	for (int64_t i = 0; i < 50; i++)
		look_at(i * 1000, 7, PROF_STATE_USER, 0x1000, 1000);
	ck_assert_uint_eq(count(), 50);
	end();
}
END_TEST

START_TEST(resolution_is_a_second_in_the_end)
{
	start();
	for (int64_t i = 1; i <= 100; i++)
		look_at(100000 * SECOND + i * 100000000, 7, PROF_STATE_USER, 0x1000, 100000000);
	ck_assert_uint_eq(count(), 10);
	end();
}
END_TEST

START_TEST(marks_divide_exactly)
{
	start();
	for (int64_t i = 1; i <= 4; i++) {
		look_at(1000 * SECOND + i, 7, PROF_STATE_USER, 0x1000, 1);
		if (i == 2)
			put_mark(1000 * SECOND + 2);
	}
	ck_assert_uint_eq(count(), 2);
	ck_assert_int_eq(sample_at(builder.experiment, 0).time, 1000 * SECOND + 2);
	ck_assert_int_eq(sample_at(builder.experiment, 1).time, 1000 * SECOND + 4);
	end();
}
END_TEST

START_TEST(long_look_is_a_sample_of_its_own)
{
	start();
	look_at(1000 * SECOND, 7, PROF_STATE_USER, 0x1000, 60 * SECOND);
	look_at(1000 * SECOND + 1, 7, PROF_STATE_USER, 0x1000, 1);
	look_at(1000 * SECOND + 2, 7, PROF_STATE_USER, 0x1000, 1);
	ck_assert_uint_eq(count(), 2);
	ck_assert(value_at(builder.experiment, PROF_QUANTITY_SAMPLES, 1) == prof_value_of(2));
	end();
}
END_TEST

/* A wait of LENGTH until TIME is so many PARTS, none longer than MOST, and without a gap. */
static void check_wait(int64_t time, int64_t length, size_t parts, int64_t most)
{
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK};
	prof_value samples = 0;
	int64_t told = time - length;

	start();
	message.look = (struct prof_look){
		.time = START + time, .thread = 7, .samples = 1000, .state = PROF_STATE_LOCK};
	message.look.spent[PROF_STATE_LOCK] = length;
	ck_assert_ok(prof_experiment_builder_add(&builder, &message, NULL));
	ck_assert_uint_eq(count(), parts);
	for (size_t i = 0; i < parts; i++) {
		const struct prof_sample_row row = row_at(builder.experiment, i);
		prof_value spent = row.values[PROF_QUANTITY_SPENT + PROF_STATE_LOCK];
		ck_assert(spent > 0 && spent <= prof_value_of(most));
		told += (int64_t)(spent / PROF_VALUE_ONE);
		ck_assert_int_eq(row.sample.time, told);
		samples += row.values[PROF_QUANTITY_SAMPLES];
		ck_assert(row.values[PROF_QUANTITY_SAMPLES] % PROF_VALUE_ONE == 0);
	}
	ck_assert_int_eq(told, time);
	ck_assert(samples == prof_value_of(1000));
	end();
}

START_TEST(long_waits_are_divided)
{
	check_wait(10000 * SECOND, 60 * SECOND, 6, 10 * SECOND);
	check_wait(10000 * SECOND, 61 * SECOND + 7, 7, 10 * SECOND);
	check_wait(500 * SECOND, 60 * SECOND, 12, 5 * SECOND);
	check_wait(50 * SECOND, 50 * SECOND, 50, SECOND);
	check_wait(50 * SECOND, SECOND, 1, SECOND);
	check_wait(SECOND / 2, SECOND / 2, 1, SECOND);
}
END_TEST

START_TEST(many_stacks_cost_a_sample_each_and_no_more_memory)
{
	start();
	for (int64_t i = 0; i < 5 * PROF_SAMPLES_BLOCK; i++)
		look_at(1000 * SECOND + i, 7, PROF_STATE_USER, 0x1000 + (uint64_t)i, 1);
	ck_assert_uint_eq(count(), 5 * PROF_SAMPLES_BLOCK);
	ck_assert_uint_le(builder.open.count, 2 * PROF_SAMPLES_BLOCK);
	/* One that is packed has nothing added. */
	look_at(1000 * SECOND + 20000, 7, PROF_STATE_USER, 0x1000, 1);
	ck_assert_uint_eq(count(), 5 * PROF_SAMPLES_BLOCK + 1);
	end();
}
END_TEST

RUN_TESTS("experiment_builder_sample", looks_of_a_resolution_are_one_sample,
	each_stack_state_and_thread_has_its_own, first_second_is_kept_as_it_was,
	resolution_is_a_second_in_the_end, marks_divide_exactly, long_look_is_a_sample_of_its_own,
	long_waits_are_divided, many_stacks_cost_a_sample_each_and_no_more_memory)
