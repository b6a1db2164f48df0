/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text. */
#include "suite.h"

#include "metric/metric.h"
#include "model/experiment.h"
#include "report/number.h"

START_TEST(rounds_to_places)
{
	static const struct {
		prof_value value;
		int64_t units;
		int places;
		const char *text;
	} rows[] = {
		{0, 1, 2, "0.00"},
		{1930000, 1, 2, "1.93"},
		{125000, 1, 2, "0.13"},
		{124999, 1, 2, "0.12"},
		{-125000, 1, 2, "-0.13"},
		{1999999, 1, 2, "2.00"},
		{1999999, 1, 0, "2"},
		{1499999, 1, 0, "1"},
		{(prof_value)1234567890 * PROF_VALUE_ONE, 1000000000, 3, "1.235"},
		{(prof_value)INT64_MAX * INT64_MAX, 1, 2, "85070591730234615847396907784232.50"},
	};

	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		char buffer[PROF_NUMBER_TEXT];
		ck_assert_str_eq(
			prof_number_fixed(rows[i].value, rows[i].units, rows[i].places, buffer),
			rows[i].text);
	}
}
END_TEST

START_TEST(shows_an_exact_zero_apart)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	struct prof_metric cpu;
	char buffer[PROF_NUMBER_TEXT];

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_metric_find(experiment, "cpu", &cpu));
	ck_assert_str_eq(prof_number_value(0, &cpu, buffer), "0.   ");
	ck_assert_str_eq(prof_number_value(PROF_VALUE_ONE, &cpu, buffer), "0.000");
	ck_assert_str_eq(prof_number_value(0, &prof_metrics[0], buffer), "0");
	ck_assert_str_eq(prof_number_percent(0, false, buffer), "0.  ");
	ck_assert_str_eq(prof_number_percent(0.001, false, buffer), "0.00");
	ck_assert_str_eq(prof_number_percent(0, true, buffer), "0");
	ck_assert_str_eq(prof_number_percent(33.3, true, buffer), "33");
}
END_TEST

START_TEST(shows_reals_short_and_exact)
{
	char buffer[PROF_NUMBER_TEXT];

	ck_assert_str_eq(prof_number_real(0.1, buffer), "0.1");
	ck_assert_str_eq(prof_number_real(100, buffer), "100");
	ck_assert_str_eq(prof_number_real(0.1 + 0.2, buffer), "0.30000000000000004");
	ck_assert_str_eq(prof_number_real(1.0 / 3, buffer), "0.3333333333333333");
}
END_TEST

RUN_TESTS("number", rounds_to_places, shows_an_exact_zero_apart, shows_reals_short_and_exact)
