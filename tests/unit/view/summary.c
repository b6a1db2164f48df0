/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/summary.h"

#include "view_support.h"

#include <string.h>

START_TEST(counts_what_there_is)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	AUTO_TEXT struct prof_text text = {0}, one = {0};
	prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(2)};
	struct prof_sample sample = {0};

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_thread(experiment, 1, "", &sample.thread));
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	ck_assert_ok(prof_experiment_mark(experiment, &(struct prof_mark){.time = 0}, "start"));
	ck_assert_ok(prof_experiment_mark(experiment, &(struct prof_mark){.time = 1}, "end"));
	prof_summary_print(experiment, &text);
	ck_assert_str_eq(prof_text_get(&text), "4 samples; 1 thread, 2 marks.\n");
	experiment->samples.totals[PROF_QUANTITY_SAMPLES] = prof_value_of(1);
	prof_summary_print(experiment, &one);
	ck_assert_str_eq(prof_text_get(&one), "1 sample; 1 thread, 2 marks.\n");
}
END_TEST

START_TEST(says_how_long_it_took_and_what_looking_cost)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	AUTO_TEXT struct prof_text text = {0};

	ck_assert_ok(prof_experiment_create(&experiment));
	experiment->recording.rate_asked = 100;
	experiment->recording.duration = INT64_C(2000000000);
	experiment->recording.looking = 20000000;
	experiment->recording.stride = 3;
	prof_summary_print(experiment, &text);
	ck_assert_ptr_nonnull(strstr(prof_text_get(&text), "0 samples in 2.000 s; 0 threads"));
	ck_assert_ptr_nonnull(strstr(prof_text_get(&text), "Rate: 100 Hz asked for"));
	ck_assert_ptr_nonnull(
		strstr(prof_text_get(&text), "took 1.00 % of a CPU.\nTo limit that to 5 %, "));
	ck_assert_ptr_nonnull(strstr(
		prof_text_get(&text), "looked at sleeping threads in only one of 3 rounds.\n"));
}
END_TEST

START_TEST(says_that_callers_are_not_known)
{
	for (int i = 0; i < 2; i++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
		AUTO_TEXT struct prof_text text = {0};

		ck_assert_ok(prof_experiment_create(&experiment));
		experiment->recording.rate_asked = 100;
		free(experiment->recording.engine);
		experiment->recording.engine = strdup(i ? "pcsr" : "interrupt");
		prof_summary_print(experiment, &text);
		ck_assert_int_eq(strstr(prof_text_get(&text), "Stacks have one frame") != NULL, i);
	}
}
END_TEST

RUN_TESTS("summary", counts_what_there_is, says_how_long_it_took_and_what_looking_cost,
	says_that_callers_are_not_known)
