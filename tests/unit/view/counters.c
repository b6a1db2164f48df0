/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/counters.h"

#include "sampling/counter.h"
#include "sampling/counter_kind.h"
#include "suite.h"

#include <regex.h>

/* A CPU with two counter registers. */
#include "../../gdb/pmu/pmu.c"

/* The lines of the lists, as the Collector's manual has them, but for the mark of precise ones. */
#define REGISTERS_OF "(\\[/(0|\\{0(\\|[0-9]+)+\\})\\])"
#define TYPE "((load|store|load-store|not-program-related) )?(CPU-cycles|events)(; precise)?"
#define ALIASED "^[a-z_-]+" REGISTERS_OF ",[0-9]+ \\('[^']+', alias for [A-Z0-9_:]+; " TYPE "\\)$"
#define RAW "^[A-Za-z0-9_:.-]+" REGISTERS_OF ",1000003 \\(" TYPE "\\)$"
#define SOFTWARE "^[a-z-]+,[0-9]+ \\('[^']+'; ((load-store )?events|ns)(; precise)?\\)$"

/* Lists the counters of a CPU that libpfm4 calls NAME.  False: the kernel permits none. */
static bool read_list(const char *name, struct prof_counter_list *ret)
{
	setenv("LIBPFM_FORCE_PMU", name, 1);
	ck_assert_ok(prof_counter_list_read(ret));
	return !ret->missing[PROF_COUNTER_SOFTWARE];
}

/* LIST as text, malloc()ed. */
static char *print(const struct prof_counter_list *list, const char *pattern)
{
	AUTO_TEXT struct prof_text text = {0};

	ck_assert_ok(prof_counters_print(list, pattern, PROF_FORMAT_TEXT, &text));
	return strdup(prof_text_get(&text));
}

/* Checks that the lines below HEADING in TEXT are as PATTERN, and returns how many there are. */
static unsigned check_lines(const char *text, const char *heading, const char *pattern)
{
	regex_t regex;
	unsigned count = 0;

	ck_assert_int_eq(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
	const char *at = strstr(text, heading);
	ck_assert_msg(at != NULL, "%s is missing in %s", heading, text);
	at = strchr(at, '\n') + 1;
	while (*at && *at != '\n') {
		size_t length = strcspn(at, "\n");
		AUTO_FREE char *line = strndup(at, length);
		ck_assert_msg(!regexec(&regex, line, 0, NULL, 0), "%s", line);
		count++;
		at += length + (at[length] == '\n');
	}
	regfree(&regex);
	return count;
}

START_TEST(lists_are_as_the_collector_prints_them)
{
	struct prof_counter_list list;

	if (!read_list("core", &list)) {
		prof_counter_list_deinit(&list);
		return;
	}
	AUTO_FREE char *text = print(&list, NULL);
	ck_assert_uint_ge(check_lines(text, "Aliased HW counters available", ALIASED), 10);
	ck_assert_uint_ge(check_lines(text, "Raw HW counters available", RAW), 100);
	ck_assert_uint_ge(check_lines(text, "Software events:", SOFTWARE), 5);
	ck_assert_ptr_nonnull(strstr(text,
		"cycles[/{0|1}],9999991 ('CPU Cycles', alias for PERF_COUNT_HW_CPU_CYCLES; "
		"CPU-cycles; precise)\n"));
	ck_assert_ptr_nonnull(
		strstr(text, "\nUNHALTED_CORE_CYCLES[/{0|1}],1000003 (CPU-cycles)\n"));
	ck_assert_ptr_nonnull(strstr(text, "\nINST_RETIRED:LOADS[/{0|1}],1000003 (load events)\n"));
	ck_assert_ptr_nonnull(
		strstr(text, "\nINST_RETIRED:STORES[/{0|1}],1000003 (store events)\n"));
	ck_assert_ptr_nonnull(strstr(text, "(not-program-related events)\n"));
	ck_assert_ptr_nonnull(
		strstr(text, "page-faults,1 ('Page Faults'; load-store events; precise)\n"));
	ck_assert_ptr_nonnull(strstr(text, "(skid)"));
	ck_assert_ptr_nonnull(strstr(text, "\nWith + before the name of a load or store counter"));
	/* In the stand-in no such counter is. */
	ck_assert_ptr_nonnull(strstr(text, "No such counter of this CPU is precise"));
	/* The stand-in counts no stall cycles. */
	ck_assert_ptr_null(strstr(text, "fe_stall"));
	prof_counter_list_deinit(&list);
}
END_TEST

START_TEST(every_name_in_the_list_can_be_asked_for)
{
	struct prof_counter_list list;

	if (!read_list("core", &list)) {
		prof_counter_list_deinit(&list);
		return;
	}
	for (size_t i = 0; i < list.entries.count; i++) {
		const struct prof_counter *listed = &list.entries.items[i].counter;
		struct prof_counters counters;
		if (list.entries.items[i].kind == PROF_COUNTER_TRACEPOINT)
			break;
		ck_assert_ok(prof_counters_read(listed->name, &counters));
		ck_assert_uint_eq(counters.list.items[0].type, listed->type);
		ck_assert_uint_eq(counters.list.items[0].config, listed->config);
		ck_assert_uint_eq(counters.list.items[0].precise, listed->precise);
		ck_assert_int_eq(counters.list.items[0].interval, listed->interval);
		ck_assert_int_eq(counters.list.items[0].unit, listed->unit);
		ck_assert_uint_eq(counters.list.items[0].access, listed->access);
		prof_counters_deinit(&counters);
	}
	prof_counter_list_deinit(&list);
}
END_TEST

START_TEST(a_pattern_selects_names)
{
	struct prof_counter_list list;

	if (!read_list("core", &list)) {
		prof_counter_list_deinit(&list);
		return;
	}
	AUTO_FREE char *faults = print(&list, "FAULT");
	AUTO_FREE char *nothing = print(&list, "\x1bnobody");
	ck_assert_uint_ge(check_lines(faults, "Software events:", SOFTWARE), 3);
	ck_assert_ptr_null(strstr(faults, "HW counters"));
	ck_assert_ptr_null(strstr(faults, "skid"));
	ck_assert_ptr_null(strstr(faults, "With +"));
	ck_assert_ptr_eq(
		strstr(nothing, "No counter of this machine has \"\\x1bnobody\" in its name.\n"),
		nothing);
	/* It may be among those that are missing here. */
	const struct prof_error *missing = list.missing[PROF_COUNTER_TRACEPOINT];
	ck_assert(!missing || strstr(nothing, prof_error_message(missing)));
	prof_counter_list_deinit(&list);
}
END_TEST

START_TEST(other_formats_have_all_columns)
{
	AUTO_TEXT struct prof_text csv = {0}, json = {0};
	struct prof_counter_list list;

	if (!read_list("core", &list)) {
		prof_counter_list_deinit(&list);
		return;
	}
	ck_assert_ok(prof_counters_print(&list, "cycles", PROF_FORMAT_CSV, &csv));
	ck_assert_ok(prof_counters_print(&list, "cycles", PROF_FORMAT_JSON, &json));
	ck_assert_ptr_nonnull(strstr(prof_text_get(&csv),
		"kind,name,registers,interval,access,unit,alias_for,title,precise\n"
		"alias,cycles,2,9999991,,CPU-cycles,PERF_COUNT_HW_CPU_CYCLES,CPU Cycles,1\n"));
	ck_assert_ptr_nonnull(strstr(prof_text_get(&json), "{\"view\": \"counters\", \"rows\": ["));
	ck_assert_ptr_nonnull(
		strstr(prof_text_get(&json), "\"name\": \"cycles\", \"registers\": 2"));
	prof_counter_list_deinit(&list);
}
END_TEST

START_TEST(what_is_missing_is_said_in_a_sentence)
{
	struct prof_counter_list list;

	pmu_absent = true;
	read_list("core", &list);
	AUTO_FREE char *text = print(&list, NULL);
	if (list.missing[PROF_COUNTER_ALIAS]) {
		ck_assert_ptr_null(strstr(text, "HW counters available"));
		ck_assert_ptr_null(strstr(text, "skid"));
		ck_assert(!strncmp(text, prof_error_message(list.missing[PROF_COUNTER_ALIAS]),
			strlen(prof_error_message(list.missing[PROF_COUNTER_ALIAS]))));
	}
	prof_counter_list_deinit(&list);
}
END_TEST

/* Tracepoints are counted by group, in lines that a terminal holds. */
START_TEST(tracepoints_are_counted_by_group)
{
	struct prof_counter_list list = {0};
	static const char *const names[] = {"a:x", "a:y", "ab:x", "b:x"};

	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		struct prof_counter_entry *entry =
			prof_counter_list_add(&list, PROF_COUNTER_TRACEPOINT, names[i], NULL, NULL);
		ck_assert_ptr_nonnull(entry);
		entry->counter.interval = 1;
	}
	AUTO_FREE char *all = print(&list, NULL);
	AUTO_FREE char *some = print(&list, "a:");
	ck_assert_ptr_nonnull(
		strstr(all, "Tracepoints: 4, in these groups\na (2), ab (1), b (1)\n"));
	ck_assert_str_eq(some, "Tracepoints:\na:x,1 (events)\na:y,1 (events)\n");
	prof_counter_list_deinit(&list);
}
END_TEST

RUN_TESTS("counters", a_pattern_selects_names, every_name_in_the_list_can_be_asked_for,
	lists_are_as_the_collector_prints_them, other_formats_have_all_columns,
	tracepoints_are_counted_by_group, what_is_missing_is_said_in_a_sentence)
