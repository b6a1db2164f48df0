/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/shown.h"

#include "model/experiment.h"
#include "model/unit.h"
#include "suite.h"

#include <stdio.h>

/* How the metrics of TEXT are shown, in a plain form. */
static void check_of(
	const struct prof_experiment *experiment, const char *text, const char *expected)
{
	struct prof_shown_list list;
	char told[256] = "";

	ck_assert_ok(prof_shown_read(experiment, text, &list));
	for (size_t i = 0; i < list.count; i++) {
		const struct prof_shown *shown = &list.items[i];
		size_t length = strlen(told);
		snprintf(told + length, sizeof told - length, "%s%s%s%s%s %s", i ? ", " : "",
			shown->exclusive ? "e" : "", shown->inclusive ? "i" : "",
			shown->value ? "." : "", shown->percent ? "%" : "", shown->metric.name);
	}
	ck_assert_str_eq(told, expected);
}

/* The same of an experiment that has no events. */
static void check(const char *text, const char *expected)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	check_of(experiment, text, expected);
}

START_TEST(names_alone_show_all)
{
	check("cpu", "ei.% cpu");
	check("samples,cpu,lock", "ei.% samples, ei.% cpu, ei.% lock");
}
END_TEST

START_TEST(words_of_the_analyzer_choose)
{
	check("e.cpu:i%wall", "e. cpu, i% wall");
	check("ie.%user", "ei.% user");
	check("%samples", "ei% samples");
	check("e+samples", "e. samples");
}
END_TEST

START_TEST(what_is_unknown_is_refused)
{
	static const char *const texts[] = {"", "cpu,", ",cpu", "x.cpu", "e.", "e.cpux", "e cpu",
		"cpu;wall", "d.cpu", "cpu:", ":cpu", "cpu:x", "x:cpu"};
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	for (size_t i = 0; i < PROF_COUNT(texts); i++) {
		struct prof_shown_list list;
		ck_assert_error(prof_shown_read(experiment, texts[i], &list), "There is no metric");
	}
}
END_TEST

START_TEST(there_is_room_for_sixteen)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	struct prof_shown_list list;
	char text[128] = "cpu";

	ck_assert_ok(prof_experiment_create(&experiment));
	for (int i = 1; i < 16; i++)
		strcat(text, ",cpu");
	ck_assert_ok(prof_shown_read(experiment, text, &list));
	ck_assert_uint_eq(list.count, 16);
	strcat(text, ",cpu");
	ck_assert_error(prof_shown_read(experiment, text, &list), "16 metrics at most");
}
END_TEST

/* Adds the counter NAME to EXPERIMENT. */
static void add_counter(struct prof_experiment *experiment, const char *name)
{
	const struct prof_event event = {.unit = PROF_COUNTER_EVENTS, .interval = 1};
	uint32_t number;

	ck_assert_ok(prof_experiment_counter(experiment, name, &event, &number));
}

START_TEST(names_may_have_colons)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_counter(experiment, "sched:sched_switch");
	add_counter(experiment, "sched:sched_switch:u");
	add_counter(experiment, "e");
	check_of(experiment, "sched:sched_switch", "ei.% sched:sched_switch");
	check_of(experiment, "e.sched:sched_switch:i%cpu", "e. sched:sched_switch, i% cpu");
	check_of(experiment, "sched:sched_switch:u:cpu", "ei.% sched:sched_switch:u, ei.% cpu");
	check_of(experiment, "cpu:sched:sched_switch", "ei.% cpu, ei.% sched:sched_switch");
	check_of(experiment, "e.e:e", "e. e, ei.% e");
}
END_TEST

START_TEST(unknown_name_is_told_with_its_colons)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	struct prof_shown_list list;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_error(prof_shown_read(experiment, "cpu:e.sched:sched_switch,cpu", &list),
		"There is no metric \"sched:sched_switch\"; there are: ");
}
END_TEST

START_TEST(nothing_stands_for_the_default)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	check(NULL, "ei.% samples");
	ck_assert_ok(prof_experiment_create(&experiment));
	add_counter(experiment, "page-faults");
	check_of(experiment, NULL, "ei.% page-faults");
	experiment->recording.rate_asked = 100;
	check_of(experiment, NULL, "ei.% samples");
}
END_TEST

RUN_TESTS("shown", names_may_have_colons, unknown_name_is_told_with_its_colons,
	nothing_stands_for_the_default, names_alone_show_all, words_of_the_analyzer_choose,
	what_is_unknown_is_refused, there_is_room_for_sixteen)
