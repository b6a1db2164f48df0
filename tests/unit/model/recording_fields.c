/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of what is known of a recording: it has all fields, and all that uses them follows it.
 */
#include "suite.h"

#include "model/experiment.h"
#include "model/merge.h"
#include "model/recording_fields.h"
#include "model/sample_row.h"

#include <stdio.h>
#include <stdbool.h>

/* Every field takes so many bytes. */
enum { WIDTH = 8 };
_Static_assert(sizeof(char *) == WIDTH && sizeof(double) == WIDTH, "the width of all fields");

/* Gives FIELD of RECORDING a value that is not 0: NUMBER, or "NUMBER". */
static void set(
	struct prof_recording *recording, const struct prof_recording_field *field, uint32_t number)
{
	char text[16];

	if (field->type == PROF_FIELD_TEXT) {
		char **at = prof_recording_at(recording, field);
		snprintf(text, sizeof text, "%u", number);
		free(*at);
		*at = strdup(text);
	} else if (field->type == PROF_FIELD_RATE) {
		*(double *)prof_recording_at(recording, field) = number;
	} else {
		*(int64_t *)prof_recording_at(recording, field) = number;
	}
}

/* The number that FIELD of RECORDING has. */
static uint64_t get(
	const struct prof_recording *recording, const struct prof_recording_field *field)
{
	const void *at = prof_recording_get(recording, field);

	if (field->type == PROF_FIELD_TEXT)
		return strtoul(*(char *const *)at, NULL, 10);
	return field->type == PROF_FIELD_RATE ? (uint64_t) * (const double *)at
					      : *(const uint64_t *)at;
}

/* The sum of two recordings that have the numbers A and B in all fields. */
static struct prof_recording merged(uint32_t a, uint32_t b)
{
	struct prof_recording to = {0}, from = {0};

	ck_assert(prof_recording_init(&to) && prof_recording_init(&from));
	for (size_t i = 0; i < prof_recording_field_count; i++) {
		if (a)
			set(&to, &prof_recording_fields[i], a);
		if (b)
			set(&from, &prof_recording_fields[i], b);
	}
	ck_assert_ok(prof_merge_recording(&to, &from));
	prof_recording_check(&to);
	prof_recording_deinit(&from);
	return to;
}

START_TEST(each_field_has_a_row)
{
	bool has[sizeof(struct prof_recording) / WIDTH] = {false};

	ck_assert_uint_eq(prof_recording_field_count, PROF_COUNT(has));
	for (size_t i = 0; i < prof_recording_field_count; i++) {
		ck_assert_uint_eq(prof_recording_fields[i].offset % WIDTH, 0);
		bool *found = &has[prof_recording_fields[i].offset / WIDTH];
		ck_assert_msg(!*found, "%s", prof_recording_fields[i].name);
		*found = true;
	}
}
END_TEST

START_TEST(what_is_known_is_not_0)
{
	struct prof_recording recording = {0};

	ck_assert(prof_recording_init(&recording));
	for (size_t i = 0; i < prof_recording_field_count; i++) {
		const struct prof_recording_field *field = &prof_recording_fields[i];
		ck_assert_msg(!prof_recording_has(&recording, field), "%s", field->name);
		set(&recording, field, 1);
		ck_assert_msg(prof_recording_has(&recording, field), "%s", field->name);
	}
	prof_recording_check(&recording);
	prof_recording_deinit(&recording);
}
END_TEST

/* What is added to nothing stays as it is, but for the number of experiments. */
START_TEST(each_field_is_merged)
{
	struct prof_recording to = merged(0, 7);

	for (size_t i = 0; i < prof_recording_field_count; i++) {
		const struct prof_recording_field *field = &prof_recording_fields[i];
		uint64_t expected = field->sum == PROF_SUM_FIRST ? 0
			: field->sum == PROF_SUM_EXPERIMENTS     ? 8
								 : 7;
		ck_assert_msg(get(&to, field) == expected, "%s", field->name);
	}
	prof_recording_deinit(&to);
}
END_TEST

START_TEST(fields_are_merged_as_their_rows_say)
{
	static const uint64_t expected[] = {
		[PROF_SUM_LIST] = 9, /* "9, 6" */
		[PROF_SUM_TOTAL] = 15,
		[PROF_SUM_EXPERIMENTS] = 15,
		[PROF_SUM_MEAN] = 7, /* (9 * 9 + 6 * 6) / 15 */
		[PROF_SUM_LARGEST] = 9,
		[PROF_SUM_EARLIEST] = 6,
		[PROF_SUM_KNOWN] = 9,
		[PROF_SUM_FIRST] = 9,
		[PROF_SUM_BITS] = 15,
	};
	struct prof_recording to = merged(9, 6);

	for (size_t i = 0; i < prof_recording_field_count; i++) {
		const struct prof_recording_field *field = &prof_recording_fields[i];
		ck_assert_msg(get(&to, field) == expected[field->sum], "%s", field->name);
	}
	ck_assert_str_eq(to.program, "9, 6");
	ck_assert(to.rate_asked > 7.79 && to.rate_asked < 7.81);
	prof_recording_deinit(&to);
}
END_TEST

START_TEST(no_sum_is_larger_than_its_type)
{
	struct prof_recording to = merged(1, 1), from = merged(1, 1);

	to.duration = PROF_TIME_MOST - 1;
	from.duration = 2;
	to.rounds = UINT64_MAX - 1;
	from.rounds = 2;
	ck_assert_ok(prof_merge_recording(&to, &from));
	ck_assert_int_eq(to.duration, PROF_TIME_MOST);
	ck_assert_uint_eq(to.rounds, UINT64_MAX);
	prof_recording_deinit(&from);
	prof_recording_deinit(&to);
}
END_TEST

RUN_TESTS("recording_fields", each_field_has_a_row, what_is_known_is_not_0, each_field_is_merged,
	fields_are_merged_as_their_rows_say, no_sum_is_larger_than_its_type)
