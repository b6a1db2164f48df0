/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/export.h"

#include "metric_program.h"
#include "view_support.h"

/* What an export of "main;work 3" and "main 1" to FORMAT, NULL: none, has in the file. */
static void export(const char *format, struct prof_choice *choice, struct prof_text *text,
	struct prof_text *note)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		experiment_of("main;work 3\nmain 1\n", false);
	const struct prof_export_choice own = {format};
	const struct prof_export *found;

	choice->own = &own;
	ck_assert_ok(prof_export_choose(choice, &found));
	ck_assert_str_eq(found->name, format ? format : "folded");
	ck_assert_ok(prof_export_print(experiment, found, choice, NULL, text, note));
}

START_TEST(the_default_is_folded)
{
	AUTO_TEXT struct prof_text text = {0}, note = {0};
	struct prof_choice choice = {.own = NULL};

	export(NULL, &choice, &text, &note);
	ck_assert_str_eq(prof_text_get(&text), "main 1\nmain;work 3\n");
	ck_assert_str_eq(prof_text_get(&note), "");
}
END_TEST

START_TEST(every_format_is_written)
{
	for (size_t i = 0; prof_exports[i].name; i++) {
		AUTO_TEXT struct prof_text text = {0}, note = {0};
		struct prof_choice choice = {.own = NULL};
		export(prof_exports[i].name, &choice, &text, &note);
		ck_assert_uint_gt(text.length, 0);
		ck_assert(prof_exports[i].packed == !memcmp(text.bytes, "\x1f\x8b", 2));
	}
}
END_TEST

START_TEST(the_filter_is_in_the_note)
{
	AUTO_TEXT struct prof_text text = {0}, note = {0};
	struct prof_choice choice = {.filter.values[PROF_CONDITION_FUNCTION] = "work"};

	export("folded", &choice, &text, &note);
	ck_assert_str_eq(prof_text_get(&text), "main;work 3\n");
	ck_assert_ptr_nonnull(strstr(prof_text_get(&note), "--function=work (1 of 2"));
}
END_TEST

START_TEST(what_a_format_does_not_hold_is_refused)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = experiment_of("main 1\n", false);
	AUTO_TEXT struct prof_text text = {0}, note = {0};
	struct prof_export_choice own = {"json"};
	struct prof_choice choice = {.own = &own, .metrics = "samples"};
	const struct prof_export *format;

	ck_assert_error(prof_export_choose(&choice, &format), "json holds all metrics");
	own.format = "nonsense";
	ck_assert_error(prof_export_choose(&choice, &format), "nonsense");
	own.format = "folded";
	choice.metrics = "samples,cpu";
	ck_assert_ok(prof_export_choose(&choice, &format));
	ck_assert_error(prof_export_print(experiment, format, &choice, NULL, &text, &note), "");
}
END_TEST

RUN_TESTS("export", the_default_is_folded, every_format_is_written, the_filter_is_in_the_note,
	what_a_format_does_not_hold_is_refused)
