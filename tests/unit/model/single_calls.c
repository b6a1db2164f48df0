/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single calls: kept, packed, and added up. */
#include "model/single_calls.h"

#include "experiment_support.h"
#include "model/merge.h"

/* An experiment with SAMPLES samples in one thread, without stacks. */
static struct prof_experiment *make(size_t samples)
{
	const prof_value values[PROF_QUANTITIES] = {0};
	struct prof_experiment *experiment;
	struct prof_sample sample = {0};

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_thread(experiment, 1, "main", &sample.thread));
	for (size_t i = 0; i < samples; i++, sample.time++)
		ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	return experiment;
}

static void add(struct prof_experiment *experiment, uint32_t sample, int64_t duration, uint8_t end)
{
	const struct prof_single_call call = {.sample = sample, .end = end, .duration = duration};

	ck_assert_ok(prof_single_call_add(experiment, &call));
}

static void assert_call(const struct prof_experiment *experiment, size_t number,
	const struct prof_single_call *expected)
{
	const struct prof_single_call call = prof_single_calls_get(&experiment->calls, number);

	ck_assert_uint_eq(call.sample, expected->sample);
	ck_assert_int_eq(call.duration, expected->duration);
	ck_assert_uint_eq(call.end, expected->end);
}

START_TEST(calls_are_as_they_were_added)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make(5000);

	add(experiment, 0, PROF_TIME_MOST, PROF_CALL_END_OPEN);
	for (uint32_t i = 1; i < 2000; i++)
		add(experiment, 2 * i, i * 1000, PROF_CALL_END_RETURNED);
	add(experiment, 4999, 0, PROF_CALL_END_LEFT);
	prof_experiment_check(experiment);
	ck_assert_uint_eq(experiment->calls.count, 2001);
	assert_call(experiment, 0,
		&(struct prof_single_call){.end = PROF_CALL_END_OPEN, .duration = PROF_TIME_MOST});
	assert_call(
		experiment, 700, &(struct prof_single_call){.sample = 1400, .duration = 700000});
	assert_call(experiment, 2000,
		&(struct prof_single_call){.sample = 4999, .end = PROF_CALL_END_LEFT});
}
END_TEST

START_TEST(only_what_can_be_is_valid)
{
	static const struct prof_single_call valid[] = {{0, PROF_CALL_END_LEFT, 0},
		{UINT32_MAX, PROF_CALL_END_OPEN, PROF_TIME_MOST}},
					     invalid[] = {{0, PROF_CALL_END_RETURNED, -1},
						     {0, PROF_CALL_END_RETURNED,
							     PROF_TIME_MOST + 1},
						     {0, PROF_CALL_ENDS, 0}};

	for (size_t i = 0; i < PROF_COUNT(valid); i++)
		ck_assert(prof_single_call_is_valid(&valid[i]));
	for (size_t i = 0; i < PROF_COUNT(invalid); i++)
		ck_assert(!prof_single_call_is_valid(&invalid[i]));
}
END_TEST

/* Calls of a few microseconds, each the next sample, as most are. */
START_TEST(calls_take_few_bytes)
{
	enum { CALLS = 100000 };
	AUTO_EXPERIMENT struct prof_experiment *experiment = make(CALLS);
	unsigned char *bytes = malloc(PROF_SINGLE_CALLS_ROOM);
	size_t packed = 0, count;

	for (uint32_t i = 0; i < CALLS; i++)
		add(experiment, i, 2000 + i % 1000, PROF_CALL_END_RETURNED);
	for (size_t i = 0; i < CALLS / PROF_SINGLE_CALLS_BLOCK; i++)
		packed += prof_single_calls_pack(&experiment->calls, i, bytes, &count);
	ck_assert_uint_le(packed, 3 * CALLS);
	ck_assert_uint_le(prof_packed_rows_size(&experiment->calls), 6 * CALLS);
	free(bytes);
}
END_TEST

/* Unpacks all blocks of EXPERIMENT, and compares. */
static void assert_blocks(const struct prof_experiment *experiment)
{
	unsigned char *bytes = malloc(PROF_SINGLE_CALLS_ROOM);
	size_t number = 0, count;

	for (size_t i = 0;; i++) {
		size_t size = prof_single_calls_pack(&experiment->calls, i, bytes, &count);
		struct prof_varint_input input = {bytes, bytes + size, false};
		struct prof_single_call call = {.sample = UINT32_MAX};
		for (size_t j = 0; j < count; j++) {
			ck_assert(prof_single_calls_take(&input, &call));
			assert_call(experiment, number++, &call);
		}
		ck_assert_ptr_eq(input.at, input.end);
		ck_assert(!prof_single_calls_take(&input, &call));
		if (!count)
			break;
	}
	ck_assert_uint_eq(number, experiment->calls.count);
	free(bytes);
}

START_TEST(blocks_have_all_calls)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make(3 * PROF_SINGLE_CALLS_BLOCK);

	assert_blocks(experiment);
	for (uint32_t i = 0; i < 2 * PROF_SINGLE_CALLS_BLOCK; i++)
		add(experiment, i, i % 7 ? i * 77777 : PROF_TIME_MOST, i % PROF_CALL_ENDS);
	assert_blocks(experiment);
	add(experiment, 3 * PROF_SINGLE_CALLS_BLOCK - 1, 0, PROF_CALL_END_OPEN);
	assert_blocks(experiment);
}
END_TEST

START_TEST(damaged_calls_are_refused)
{
	static const struct {
		unsigned char bytes[24];
		size_t size;
	} damaged[] = {
		{{0x00}, 0},
		{{0x00}, 1},
		{{0x00, 0x80}, 2},
		{{0x00, 0x03}, 2},                               /* no enum prof_call_end */
		{{0xff, 0xff, 0xff, 0xff, 0x0f, 0x00}, 6},       /* sample UINT32_MAX */
		{{0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0x00}, 7}, /* and more */
		{{0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, 11},
	};

	for (size_t i = 0; i < PROF_COUNT(damaged); i++) {
		struct prof_varint_input input = {
			damaged[i].bytes, damaged[i].bytes + damaged[i].size, false};
		struct prof_single_call call = {.sample = UINT32_MAX};
		ck_assert_msg(!prof_single_calls_take(&input, &call), "%zu", i);
	}
}
END_TEST

START_TEST(calls_of_a_merged_experiment_have_its_samples)
{
	AUTO_EXPERIMENT struct prof_experiment *into = make(10);
	AUTO_EXPERIMENT struct prof_experiment *from = make(5);

	add(into, 3, 30, PROF_CALL_END_RETURNED);
	add(from, 0, 40, PROF_CALL_END_LEFT);
	add(from, 4, 50, PROF_CALL_END_OPEN);
	ck_assert_ok(prof_experiment_merge(into, from, NULL));
	prof_experiment_check(into);
	ck_assert_uint_eq(into->calls.count, 3);
	assert_call(into, 1,
		&(struct prof_single_call){
			.sample = 10, .end = PROF_CALL_END_LEFT, .duration = 40});
	assert_call(into, 2,
		&(struct prof_single_call){
			.sample = 14, .end = PROF_CALL_END_OPEN, .duration = 50});
}
END_TEST

RUN_TESTS("model single calls", calls_are_as_they_were_added, only_what_can_be_is_valid,
	calls_take_few_bytes, blocks_have_all_calls, damaged_calls_are_refused,
	calls_of_a_merged_experiment_have_its_samples)
