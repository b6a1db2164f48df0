/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cursor over an experiment's samples. */
#include "model/cursor.h"

#include "samples_program.h"

START_TEST(goes_to_each_row_in_its_order)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};
	size_t count = 0;

	for (; prof_cursor_next(&rows); count++) {
		if (!is_made(&rows.row, count))
			ck_abort_msg("sample %zu", count);
	}
	ck_assert_uint_eq(count, MANY);
	ck_assert_ok(prof_cursor_error(&rows));
	ck_assert(!prof_cursor_next(&rows));
}
END_TEST

START_TEST(goes_to_any_row)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};

	for (size_t i = 0, number = 0; i < 2000; i++) {
		const struct prof_sample_row *row = prof_cursor_at(&rows, number);
		if (!row || !is_made(row, number))
			ck_abort_msg("sample %zu", number);
		/* Near and far, forth, back, and the same again. */
		number = i % 3 ? (number + i % 5) % MANY : (number + i * 977) % MANY;
	}
}
END_TEST

START_TEST(goes_past_blocks_that_are_not_wanted)
{
	static const unsigned char second = 1U << 1, none = 0;
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	struct prof_cursor rows = {.experiment = experiment, .blocks = &second};

	ck_assert(prof_cursor_next(&rows));
	ck_assert(is_made(&rows.row, PROF_SAMPLES_BLOCK));
	/* What is behind the blocks is always wanted. */
	rows = (struct prof_cursor){.experiment = experiment, .blocks = &none};
	ck_assert(prof_cursor_next(&rows));
	ck_assert(is_made(&rows.row, MANY - 100));
}
END_TEST

START_TEST(values_of_traced_events_are_those_of_now)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};
	static const uint32_t traced[] = {3, PROF_SAMPLES_BLOCK, MANY - 1};
	const int leaks = PROF_QUANTITY_TRACED + PROF_TRACED_LEAKS;

	for (uint32_t i = 0; i < PROF_COUNT(traced); i++) {
		const struct prof_traced_row row = {
			.sample = traced[i], .object = PROF_NONE, .holder = PROF_NONE};
		const int64_t values[PROF_TRACED_VALUES] = {[PROF_TRACED_LEAKS] = i + 1};
		ck_assert_ok(prof_experiment_traced(experiment, &row));
		prof_experiment_traced_values(experiment, i, values, 0);
	}
	for (size_t i = PROF_COUNT(traced); i-- > 0;) {
		const struct prof_sample_row *row = prof_cursor_at(&rows, traced[i]);
		ck_assert(row->values[leaks] == prof_value_of((int64_t)i + 1));
		ck_assert(row->has & PROF_QUANTITY_BIT(leaks));
	}
	ck_assert(!prof_cursor_at(&rows, 4)->values[leaks]);
	const int64_t freed[PROF_TRACED_VALUES] = {0};
	prof_experiment_traced_values(experiment, 0, freed, 0);
	ck_assert(!(prof_cursor_at(&rows, 3)->has & PROF_QUANTITY_BIT(leaks)));
	prof_experiment_check(experiment);
}
END_TEST

static bool refuse(void *context, const char *what, uint64_t done, uint64_t total)
{
	ck_assert_str_eq(what, "Counting");
	ck_assert_uint_eq(total, MANY);
	(*(uint64_t *)context)++;
	return !done;
}

START_TEST(reports_and_can_be_interrupted)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	uint64_t reports = 0;
	const struct prof_progress progress = {.report = refuse, .context = &reports};
	AUTO_CURSOR struct prof_cursor rows = {
		.experiment = experiment, .progress = &progress, .doing = "Counting"};

	while (prof_cursor_next(&rows)) {
	}
	AUTO_ERROR struct prof_error *error = prof_cursor_error(&rows);
	ck_assert_ptr_nonnull(error);
	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_INTERRUPTED);
	ck_assert_uint_eq(reports, 2);
}
END_TEST

START_TEST(a_source_that_has_changed_is_an_error)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};

	experiment->samples.blocks.items[1].bytes[5] = 0xff;
	experiment->samples.blocks.items[1].bytes[6] = 0xff;
	experiment->samples.blocks.items[1].size = 8;
	while (prof_cursor_next(&rows)) {
	}
	ck_assert_error(prof_cursor_error(&rows), "has changed since it was opened: sample 2048");
}
END_TEST

RUN_TESTS("cursor", goes_to_each_row_in_its_order, goes_to_any_row,
	goes_past_blocks_that_are_not_wanted, values_of_traced_events_are_those_of_now,
	reports_and_can_be_interrupted, a_source_that_has_changed_is_an_error)
