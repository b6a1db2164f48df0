/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls in their order, as callgrind tells them. */
#include "import_support.h"
#include "formats/callgrind_calls.h"

#include "base/text.h"

#define HEAD "==7== Callgrind, a call-graph generating cache profiler\n"
#define CALL(depth) "+  " #depth " 0x10 => 0x20 [calls 1/Ir 0, Dr 0, Dw 0], SP 0x1, RA 0x2\n"
#define BLOCK(name) "     0010919a/T  536:" name " prog /src/a.c:4\n"
#define END(depth) "-  " #depth " 0x20 => 0x10 main prog (/src/a.c:4), SP 0x1\n"
#define COST(pair, sum) "Cost [0x10020" pair "]: Ir " sum "\n"

static struct prof_experiment *read_text(const char *text)
{
	return read_by(prof_callgrind_calls_read, text);
}

static void assert_refused(const char *text, const char *part)
{
	struct prof_experiment *experiment = NULL;

	enter_scratch();
	write_text("x", text, strlen(text));
	assert_error(prof_callgrind_calls_read("x", NULL, &experiment), PROF_ERROR_DAMAGED, part);
	ck_assert_ptr_null(experiment);
}

/* The calls in TEXT are these lines: THREAD STACK COST. */
static void expect(const char *trace, const char *lines)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_text(trace);
	AUTO_TEXT struct prof_text text = {0};

	for (size_t i = 0; i < experiment->samples.count; i++) {
		const struct prof_sample_row row = row_at(experiment, i);
		const struct prof_sample *sample = &row.sample;
		char cost[PROF_VALUE_TEXT];
		prof_text_print(&text, "%lld ",
			(long long)prof_experiment_thread_row(experiment, sample->thread).id);
		print_path(experiment, sample->path, &text);
		prof_text_print(&text, " %s\n",
			prof_value_print(value_at(experiment, PROF_QUANTITY_SAMPLES, i), 1, cost));
	}
	ck_assert_str_eq(prof_text_get(&text), lines);
}

START_TEST(calls_nest_and_cost_what_is_told_at_their_end)
{
	expect(HEAD CALL(1) BLOCK("main") BLOCK("main") CALL(2) BLOCK("f") END(1) COST("A0", "30")
			BLOCK("main") CALL(2) BLOCK("g") CALL(3) BLOCK("f") END(2) COST("b0", "5")
				END(1) COST("c0", "25") END(0) COST("D0", "100"),
		"1 main 45\n1 main;f 30\n1 main;g 20\n1 main;g;f 5\n");
}
END_TEST

START_TEST(costs_of_the_same_pair_are_told_as_their_sum)
{
	expect(HEAD CALL(1) BLOCK("f") CALL(2) BLOCK("g") END(1) COST("A0", "10") CALL(2) BLOCK("g")
			END(1) COST("A0", "17") CALL(2) BLOCK("g") END(1) COST("A0", "4") END(0)
				COST("10", "30"),
		"1 f 9\n1 f;g 10\n1 f;g 7\n1 f;g 4\n");
}
END_TEST

START_TEST(functions_have_their_objects_and_no_numbers)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		read_text(HEAD "     001/T  1:f'2 lib.so /a/b.c:3\n" CALL(
			1) "     001/P  2:operator new(unsigned long) "
			   "libstdc++.so.6\n" CALL(2) "     001/U  3:g'x lib.so\n");

	ck_assert_uint_eq(experiment->functions.count, 3);
	ck_assert_str_eq(prof_experiment_function_name(experiment, 0), "f");
	ck_assert_str_eq(
		prof_experiment_function_name(experiment, 1), "operator new(unsigned long)");
	ck_assert_str_eq(prof_experiment_function_name(experiment, 2), "g'x");
	ck_assert_str_eq(
		prof_strings_get(&experiment->strings,
			experiment->modules.items[experiment->functions.items[1].module].path),
		"libstdc++.so.6");
	ck_assert_uint_eq(experiment->recording.open_calls, 3);
}
END_TEST

START_TEST(threads_have_stacks_of_their_own)
{
	expect(HEAD ">> thread 1 (was 0)\n" CALL(1) BLOCK("f") ">> thread 2 (was 1)\n" CALL(1)
			BLOCK("g") ">> thread 1 (was 2)\n" END(0)
				COST("A0", "3") ">> thread 2 (was 1)\n" END(0) COST("B0", "4"),
		"1 f 3\n2 g 4\n");
}
END_TEST

START_TEST(what_is_not_told_is_done_without)
{
	/* Ends that were left out, ends of what was not seen to begin, and what costs nothing. */
	expect(HEAD "anything\n     text\n- print_bbccs(tid 1)\n" CALL(4) BLOCK("f") CALL(7)
			BLOCK("g") CALL(5) BLOCK("h") END(2) COST("A0", "9") END(1) CALL(1)
				BLOCK("i") END(0) "+  1 [Skipped JCC], SP 0x1, RA 0x2\n" BLOCK(
					"j") "-  0 [Skipped JCC], SP 0x1\n",
		"1 f 9\n1 f;g 0\n1 f;h 0\n1 i 0\n1 j 0\n");
}
END_TEST

START_TEST(damage_is_told_with_its_line)
{
	assert_refused(HEAD CALL(1) "     001/T  nothing\n", "line 3 has no function");
	assert_refused(HEAD CALL(1) "     001/T  1:f\n", "line 3 has no name");
	assert_refused(HEAD CALL(1) BLOCK("f") END(0) "Cost [0xA0]: Ir x\n", "line 5 has no cost");
	assert_refused(HEAD CALL(1) BLOCK("f") END(0) "Cost [0xA0]: Ir 99999999999999999999\n",
		"line 5 has no cost");
	assert_refused(HEAD ">> thread x\n", "line 2 has no number");
	assert_refused(HEAD, "has no calls.  Run callgrind with --ct-verbose=2");
	assert_refused(HEAD ">> thread 1 (was 0)\n", "has no calls");
	assert_refused(HEAD CALL(1) BLOCK("f") END(0) COST("A0", "4611686018427387903") CALL(1)
			       BLOCK("f") END(0) COST("B0", "4611686018427387903") CALL(1)
				       BLOCK("f") END(0) COST("C0", "4611686018427387903"),
		"line 13 makes the sum of costs too large");
}
END_TEST

START_TEST(it_is_known_by_how_callgrind_begins)
{
	ck_assert(prof_callgrind_calls_probe(HEAD, strlen(HEAD)));
	ck_assert(!prof_callgrind_calls_probe("==7== Memcheck, a", 17));
	ck_assert(!prof_callgrind_calls_probe("==== Callgrind, ", 16));
	ck_assert(!prof_callgrind_calls_probe("", 0));
}
END_TEST

RUN_TESTS("callgrind calls", calls_nest_and_cost_what_is_told_at_their_end,
	costs_of_the_same_pair_are_told_as_their_sum, functions_have_their_objects_and_no_numbers,
	threads_have_stacks_of_their_own, what_is_not_told_is_done_without,
	damage_is_told_with_its_line, it_is_known_by_how_callgrind_begins)
