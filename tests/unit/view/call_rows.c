/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single calls as rows. */
#include "view/call_rows.h"

#include "call_events.h"
#include "metric/call_list.h"
#include "view_support.h"

/* All calls of f among those of TEXT, each number so many us, as text or CSV. */
static char *print_rows(const char *text, bool data)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = calls_of("");
	const struct prof_sheet sheet = {.experiment = experiment};
	const struct prof_choice choice = {.format = PROF_FORMAT_CSV};
	AUTO_CALL_LIST struct prof_call_list list;
	AUTO_TEXT struct prof_text printed = {0};

	add_calls_of(experiment, 7, 1000, text);
	AUTO_FREE bool *functions =
		calloc(prof_experiment_functions(experiment) + 1, sizeof *functions);
	for (uint32_t i = 0; i < experiment->functions.count; i++)
		functions[i] = *prof_experiment_function_name(experiment, i) == 'f';
	const struct prof_call_request request = {.experiment = experiment, .functions = functions};
	ck_assert_ok(prof_call_list_init(&list, &request));
	if (data)
		ck_assert_ok(prof_call_rows_print_data(&sheet, &choice, &list, &printed));
	else
		prof_call_rows_print(&sheet, &list, &printed);
	return without_marks(strdup(prof_text_get(&printed)));
}

START_TEST(a_call_has_what_it_called_below)
{
	check_words(print_rows("f(1) m(2 f(3 g(4) h(5) g(6! f(7! f(", false),
		"Start Duration\n"
		"sec. us Thread Call\n"
		"0.000003 25.000 7 m calls f (not returned)\n"
		"g: 2 calls, 10.000 us\n"
		"f: 2 calls, 7.000 us\n"
		"h: 1 call, 5.000 us\n"
		"0.000021 7.000 7 f calls f (left by a jump or an exception)\n"
		"0.000000 1.000 7 f\n"
		"0.000028 0.000 7 f calls f (not returned)\n");
}
END_TEST

START_TEST(only_the_first_callees_are_named)
{
	check_words(print_rows("f(a(7) b(6) c(5) d(4) e(3) g(2))", false),
		"Start Duration\n"
		"sec. us Thread Call\n"
		"0.000000 27.000 7 f\n"
		"a: 1 call, 7.000 us\n"
		"b: 1 call, 6.000 us\n"
		"c: 1 call, 5.000 us\n"
		"d: 1 call, 4.000 us\n"
		"e: 1 call, 3.000 us\n"
		"g: 1 call, 2.000 us\n");
	check_words(print_rows("f(a(7) b(6) c(5) d(4) e(3) g(2) h(1))", false),
		"Start Duration\n"
		"sec. us Thread Call\n"
		"0.000000 28.000 7 f\n"
		"a: 1 call, 7.000 us\n"
		"b: 1 call, 6.000 us\n"
		"c: 1 call, 5.000 us\n"
		"d: 1 call, 4.000 us\n"
		"e: 1 call, 3.000 us\n"
		"2 other functions\n");
}
END_TEST

START_TEST(data_has_a_row_for_each_callee)
{
	check_text(print_rows("m(1 f(3 g(4) h(5) g(6)) f(2", true),
		"call,start,duration,end,thread,caller,function,callee,callee_calls,callee_time\n"
		"1,0.000001,0.000018,returned,7,m,f,g,2,0.00001\n"
		"1,0.000001,0.000018,returned,7,m,f,h,1,0.000005\n"
		"2,0.000019,0.000002,open,7,m,f,,,\n");
	check_text(print_rows("f(3! m(1)", true),
		"call,start,duration,end,thread,caller,function,callee,callee_calls,callee_time\n"
		"1,0,0.000003,left,7,,f,,,\n");
}
END_TEST

START_TEST(names_are_not_trusted)
{
	AUTO_FREE char *text = print_rows("\033[2J\nm(f\033]0;x\007(\1g(1)))", false);

	ck_assert_ptr_null(strchr(text, '\033'));
	ck_assert_ptr_null(strchr(text, '\007'));
	ck_assert_ptr_null(strchr(text, '\1'));
	ck_assert_ptr_nonnull(strstr(text, " calls f"));
}
END_TEST

RUN_TESTS("view call rows", a_call_has_what_it_called_below, only_the_first_callees_are_named,
	data_has_a_row_for_each_callee, names_are_not_trusted)
