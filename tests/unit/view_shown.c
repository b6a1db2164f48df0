#include "view/shown.h"

#include "suite.h"

#include <stdio.h>

/* How the metrics of TEXT are shown, in a plain form. */
static void check(const char *text, const char *expected)
{
	struct prof_shown_list list;
	char told[256] = "";

	ck_assert_ok(prof_shown_read(text, &list));
	for (size_t i = 0; i < list.count; i++) {
		const struct prof_shown *shown = &list.items[i];
		size_t length = strlen(told);
		snprintf(told + length, sizeof told - length, "%s%s%s%s%s %s", i ? ", " : "",
			shown->exclusive ? "e" : "", shown->inclusive ? "i" : "",
			shown->value ? "." : "", shown->percent ? "%" : "", shown->metric->name);
	}
	ck_assert_str_eq(told, expected);
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
	static const char *const texts[] = {
		"", "cpu,", ",cpu", "x.cpu", "e.", "e.cpux", "e cpu", "cpu;wall", "d.cpu"};

	for (size_t i = 0; i < PROF_COUNT(texts); i++) {
		struct prof_shown_list list;
		ck_assert_error(prof_shown_read(texts[i], &list), "There is no metric");
	}
}
END_TEST

START_TEST(there_is_room_for_sixteen)
{
	struct prof_shown_list list;
	char text[128] = "cpu";

	for (int i = 1; i < 16; i++)
		strcat(text, ",cpu");
	ck_assert_ok(prof_shown_read(text, &list));
	ck_assert_uint_eq(list.count, 16);
	strcat(text, ",cpu");
	ck_assert_error(prof_shown_read(text, &list), "16 metrics at most");
}
END_TEST

RUN_TESTS("view_shown", names_alone_show_all, words_of_the_analyzer_choose,
	what_is_unknown_is_refused, there_is_room_for_sixteen)
