/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/report.h"

#include "metric_program.h"
#include "view/code.h"
#include "view_support.h"

#include <stdlib.h>
#include <string.h>

/* The report of EXPERIMENT with the choice CHOICE, as a new string. */
static char *report_of(const struct prof_experiment *experiment, const struct prof_choice *choice)
{
	struct prof_text text = {0};

	ck_assert_ok(prof_report_print(experiment, choice, NULL, &text));
	return text.bytes;
}

START_TEST(the_summary_reports_the_recording)
{
	struct prof_experiment *experiment = program_create();
	const struct prof_report_choice own = {false};
	const struct prof_choice choice = {.own = &own};

	free(experiment->recording.program);
	experiment->recording.program = strdup("/bin/some");
	experiment->recording.date = 86400;
	char *page = report_of(experiment, &choice);
	ck_assert(strstr(page, "<title>some</title>") != NULL);
	ck_assert(strstr(page, "Program: /bin/some\n") != NULL);
	ck_assert(strstr(page, "Recorded: 1970-01-02 00:00:00 UTC\n") != NULL);
	free(page);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(a_filter_is_in_the_summary)
{
	struct prof_experiment *experiment = experiment_of("main;f 3\nmain;g 1\n", false);
	const struct prof_report_choice own = {false};
	const struct prof_choice choice = {
		.own = &own, .filter.values[PROF_CONDITION_FUNCTION] = "g"};
	char *page = report_of(experiment, &choice);

	ck_assert(strstr(page, "Filter: --function=g (1 of 2 records).") != NULL);
	free(page);
	prof_experiment_destroy(experiment);
}
END_TEST

static unsigned asked;

static struct prof_error *count_source(struct prof_code *code,
	const struct prof_experiment *experiment, const char *file, struct prof_code_source *ret)
{
	char line[] = "text";

	(void)code;
	(void)experiment;
	(void)file;
	asked++;
	return prof_code_source_add(ret, line, true) ? NULL : prof_error_nomem();
}

START_TEST(sources_are_read_once_each_and_on_request)
{
	struct prof_experiment *experiment = program_create();
	struct prof_report_choice own = {false};
	struct prof_code code = {.source = count_source};
	const struct prof_choice choice = {.own = &own, .code = &code};

	free(report_of(experiment, &choice));
	ck_assert_uint_eq(asked, 0);
	own.sources = true;
	free(report_of(experiment, &choice));
	ck_assert_uint_gt(asked, 0);
	ck_assert_uint_lt(asked, experiment->locations.count);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("report", the_summary_reports_the_recording, a_filter_is_in_the_summary,
	sources_are_read_once_each_and_on_request)
