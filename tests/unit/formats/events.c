/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of call and return events. */
#include "import_support.h"
#include "random_experiment.h"
#include "same_experiment.h"
#include "formats/events.h"

#include "base/compat.h"
#include "base/text.h"

#include <malloc.h>

static struct prof_experiment *read_text(const char *text)
{
	return read_by(prof_events_read, text);
}

static void assert_bytes_refused(const char *bytes, size_t length, const char *part)
{
	struct prof_experiment *experiment = NULL;

	write_text("x", bytes, length);
	assert_error(prof_events_read("x", NULL, &experiment), PROF_ERROR_DAMAGED, part);
	ck_assert_ptr_null(experiment);
}

static void assert_refused(const char *text, const char *part)
{
	assert_bytes_refused(text, strlen(text), part);
}

/* The samples are these lines: THREAD STACK COST USER-NS TIME. */
static void expect(const struct prof_experiment *experiment, const char *lines)
{
	AUTO_TEXT struct prof_text text = {0};

	for (size_t i = 0; i < experiment->samples.count; i++) {
		const struct prof_sample_row row = row_at(experiment, i);
		const struct prof_sample *sample = &row.sample;
		char cost[PROF_VALUE_TEXT], time[PROF_VALUE_TEXT];
		prof_text_print(&text, "%lld ",
			(long long)prof_experiment_thread_row(experiment, sample->thread).id);
		print_path(experiment, sample->path, &text);
		prof_text_print(&text, " %s %s %lld\n",
			prof_value_print(value_at(experiment, PROF_QUANTITY_SAMPLES, i), 1, cost),
			prof_value_print(
				value_at(experiment, PROF_QUANTITY_SPENT + PROF_STATE_USER, i), 1,
				time),
			(long long)sample->time);
	}
	ck_assert_str_eq(prof_text_get(&text), lines);
}

START_TEST(each_call_is_a_sample_in_the_order_of_calls)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		read_text("call f 0\ncall g 10\ncall h 30\nret 60\nret 100\nret 160\n");

	expect(experiment, "0 f 70 0 0\n0 f;g 60 0 0\n0 f;g;h 30 0 0\n");
	ck_assert_uint_eq(experiment->recording.extra_ends, 0);
	ck_assert_uint_eq(experiment->recording.open_calls, 0);
	ck_assert_str_eq(experiment->recording.source, "x");
	ck_assert(experiment->recording.rate_asked == 0);
}
END_TEST

START_TEST(calls_of_one_function_are_samples_of_their_own)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_text(
		"call f 0\ncall g 5\nret 15\ncall h 20\nret 30\ncall g 35\nret 50\nret 60\n"
		"call f 60\nret 60\n");

	expect(experiment, "0 f 25 0 0\n0 f;g 10 0 0\n0 f;h 10 0 0\n0 f;g 15 0 0\n0 f 0 0 0\n");
}
END_TEST

START_TEST(time_goes_beside_the_ticks)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		read_text("call f 0 1.5\ncall g 10 1.500000001\nret 60 2.\nret 70 2.0000000049\n");

	expect(experiment, "0 f 20 5 0\n0 f;g 50 499999999 1\n");
	ck_assert_int_eq(experiment->recording.duration, 500000004);
}
END_TEST

START_TEST(threads_have_calls_of_their_own)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		read_text("thread 7 main\ncall f 0 1\nthread 9 \"the worker\"\ncall w 100 0.5\n"
			  "thread 7\nret 30 4\nthread 9\nret 105 1\n");

	expect(experiment, "7 f 30 3000000000 500000000\n9 w 5 500000000 0\n");
	ck_assert_uint_eq(experiment->threads.count, 2);
	ck_assert_str_eq(prof_strings_get(&experiment->strings,
				 prof_experiment_thread_row(experiment, 1).name),
		"the worker");
	ck_assert_int_eq(experiment->recording.duration, 3500000000);
}
END_TEST

START_TEST(names_may_be_quoted)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_text(
		"call \"operator new(unsigned long)\" 0\ncall \"a\\\"b\\\\c\\d\" 0\nret 0\nret 0\n"
		"call operator\"\"_s 1\ncall \xff\x01;# 2\n");

	expect(experiment,
		"0 operator new(unsigned long) 0 0 0\n"
		"0 operator new(unsigned long);a\"b\\c\\d 0 0 0\n"
		"0 operator\"\"_s 1 0 0\n0 operator\"\"_s;\xff\x01;# 0 0 0\n");
}
END_TEST

START_TEST(blanks_comments_and_carriage_returns_are_skipped)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		read_text("# made by hand\r\n\r\n \tcall \t f  1 \r\n\n#x\n    ret\t5");

	expect(experiment, "0 f 4 0 0\n");
}
END_TEST

START_TEST(extra_ends_are_left_out_and_counted)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		read_text("ret 0\ncall f 1\nret 3\nret 4\nret 5\ncall g 6\nret 7\n");

	expect(experiment, "0 f 2 0 0\n0 g 1 0 0\n");
	ck_assert_uint_eq(experiment->recording.extra_ends, 3);
}
END_TEST

START_TEST(open_calls_end_with_the_last_event_and_are_counted)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_text(
		"call f 0\ncall g 10\ncall h 30\nret 60\nthread 1\ncall f 500\ncall g 510\n");

	expect(experiment, "0 f 10 0 0\n0 f;g 20 0 0\n0 f;g;h 30 0 0\n1 f 10 0 0\n1 f;g 0 0 0\n");
	ck_assert_uint_eq(experiment->recording.open_calls, 4);
}
END_TEST

START_TEST(ticks_are_exact)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		read_text("call f 1\nret 9223372036854775807\n");

	expect(experiment, "0 f 9223372036854775806 0 0\n");
}
END_TEST

START_TEST(wrong_lines_are_named)
{
	enter_scratch();
	assert_refused("call f 0\nrte 5\n",
		"\"x\" is damaged: line 2 has \"rte\" where call, ret, left or thread should be");
	assert_refused("call\n", "line 1 has no name");
	assert_refused("# c\n\ncall f\n", "line 3 has no tick");
	assert_refused("call f 0\nret\n", "line 2 has no tick");
	assert_refused("call operator new 5\n", "has \"new\" where its tick should be");
	assert_refused("call f -1\n", "has \"-1\" where its tick should be");
	assert_refused("call f 1.5\n", "has \"1.5\" where its tick should be");
	assert_refused("call f 0x10\n", "has \"0x10\" where its tick");
	assert_refused("call f 9223372036854775808\n", "where its tick should be");
	assert_refused("call f 0 1e5\n", "has \"1e5\" where its time should be");
	assert_refused("call f 0 .\n", "has \".\" where its time should be");
	assert_refused("call f 0 1.2.3\n", "has \"1.2.3\" where its time should be");
	assert_refused("call f 0 9999999999\n", "where its time should be");
	assert_refused("call f 0 1 x\n", "has \"x\" where it should end");
	assert_refused("call f 0\nret 1 2\n", "line 2 has a time, unlike the events before");
	assert_refused("call f 0 1\nret 1\n", "line 2 has no time, unlike the events before");
	assert_refused("call f 10\nret 5\n", "line 2 goes back from tick 10 to 5");
	assert_refused("call f 1 2.5\nret 2 2.25\n", "line 2 goes back from the time 2.5 to 2.25");
	assert_refused("call \"f 0\n", "has no quote at the end of its name");
	assert_refused("call \"f\\\" 0\n", "has no quote at the end of its name");
	assert_refused("call \"f\"0\n", "has no blank behind its name");
	assert_refused("call \"\" 0\n", "has a name with nothing in it");
	assert_refused("thread\ncall f 0\n", "line 1 has no id");
	assert_refused("thread x\n", "has \"x\" where its id should be");
	assert_refused("thread 1 a b\n", "has \"b\" where it should end");
	assert_bytes_refused("call f\0 0\n", 10, "line 1 holds a NUL byte");
}
END_TEST

START_TEST(file_without_calls_is_refused)
{
	enter_scratch();
	assert_refused("", "\"x\" has no calls");
	assert_refused("# c\nthread 1\nret 5\n", "\"x\" has no calls");
}
END_TEST

START_TEST(deep_and_long_lists_are_read)
{
	enum { DEPTH = 200000 };
	struct prof_experiment *experiment;

	enter_scratch();
	FILE *file = fopen("x", "w");
	for (int i = 0; i < DEPTH; i++)
		fprintf(file, "call %c %d\n", "ab"[i % 2], i);
	fclose(file);
	ck_assert_ok(prof_events_read("x", NULL, &experiment));
	ck_assert_uint_eq(experiment->samples.count, DEPTH);
	ck_assert_uint_eq(experiment->paths.count, DEPTH + 1);
	ck_assert_uint_eq(experiment->recording.open_calls, DEPTH);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(many_threads_take_little_memory)
{
	enum { THREADS = 20000, BYTES_EACH = 1000 };
	struct prof_experiment *experiment;

	enter_scratch();
	FILE *file = fopen("x", "w");
	for (int i = 0; i < THREADS; i++)
		fprintf(file, "thread %d\ncall f 0\nret 1\n", i);
	fclose(file);
	size_t before = mallinfo2().uordblks;
	ck_assert_ok(prof_events_read("x", NULL, &experiment));
	ck_assert_uint_lt(mallinfo2().uordblks - before, (size_t)THREADS * BYTES_EACH);
	ck_assert_uint_eq(experiment->samples.count, THREADS);
	prof_experiment_destroy(experiment);
}
END_TEST

/* Bytes of a good file are changed, taken out, doubled: there is an error, or a whole experiment.
 */
START_TEST(damage_by_chance_does_no_harm)
{
	static const char good[] =
		"thread 3 \"a b\"\ncall f 0 1.5\ncall \"g \\\" h\" 10 2\nret 20 3\nthread 4\n"
		"call k 5 1\nret 6 1.25\nthread 3\nret 30 4\n# end\n";
	static const char bytes[] = "\n \t\"\\#.0919;callretthread\xff\x01-";
	uint64_t state = 1;
	int good_ones = 0;

	enter_scratch();
	for (int round = 0; round < 3000; round++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
		char text[2 * sizeof good];
		size_t length = sizeof good - 1;
		memcpy(text, good, length);
		for (uint32_t i = chance(&state, 4); i-- > 0;) {
			size_t at = chance(&state, (uint32_t)length);
			if (chance(&state, 3))
				text[at] = bytes[chance(&state, sizeof bytes)];
			else
				length = at + 1;
		}
		write_text("x", text, length);
		struct prof_error *error = prof_events_read("x", NULL, &experiment);
		if (error) {
			assert_error(error, PROF_ERROR_DAMAGED, "\"x\"");
			continue;
		}
		prof_experiment_check(experiment);
		good_ones++;
	}
	ck_assert_int_gt(good_ones, 300);
}
END_TEST

START_TEST(calls_with_times_are_single_calls)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_text(
		"call f 0 1.0\ncall g 10 1.5\nret 20 1.75\ncall g 20 2\nleft 30 2.25\n"
		"thread 2\ncall h 0 3\ncall g 0 3\nret 1 3\nthread 0\nret 40 4\nleft 41 4\n"
		"thread 2\ncall k 9 3.5\ncall k 9 3.5\n");

	expect_calls(experiment,
		"0 3000000000 returned\n1 250000000 returned\n2 250000000 left\n"
		"3 500000000 open\n4 0 returned\n5 0 open\n6 0 open\n");
	ck_assert_uint_eq(experiment->recording.open_calls, 3);
	ck_assert_uint_eq(experiment->recording.extra_ends, 1);
}
END_TEST

START_TEST(calls_without_times_are_no_single_calls)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		read_text("call f 0\ncall g 10\nleft 20\nret 30\n");

	expect(experiment, "0 f 20 0 0\n0 f;g 10 0 0\n");
	expect_calls(experiment, "");
	assert_refused("call f 0 1\nleft 1\n", "line 2 has no time");
	assert_refused("call f 0 1\nleft\n", "line 2 has no tick");
	assert_refused("call f 9 1\nleft 8 1\n", "line 2 goes back");
}
END_TEST

static bool refuse(void *context, const char *what, uint64_t done, uint64_t total)
{
	(void)what;
	ck_assert_uint_le(done, total);
	++*(int *)context;
	return false;
}

START_TEST(reading_can_be_interrupted)
{
	struct prof_experiment *experiment = NULL;
	int calls = 0;
	const struct prof_progress progress = {refuse, &calls};

	enter_scratch();
	FILE *file = fopen("x", "w");
	for (int i = 0; i < 200000; i++)
		fprintf(file, "call f 1\n");
	fclose(file);
	assert_error(prof_events_read("x", &progress, &experiment), PROF_ERROR_INTERRUPTED,
		"Interrupted");
	ck_assert_int_eq(calls, 1);
	ck_assert_ptr_null(experiment);
}
END_TEST

static bool probe(const char *text)
{
	return prof_events_probe(text, strlen(text));
}

START_TEST(probe_knows_lists_by_their_first_call)
{
	ck_assert(probe("call f 0\n"));
	ck_assert(probe("call f"));
	ck_assert(probe("  call \"a;b\" 0\n"));
	ck_assert(probe("# c\n\nthread 1 main\r\nret 5\ncall f 0\nnonsense\n"));
	ck_assert(!probe(""));
	ck_assert(!probe("thread 5\n"));
	ck_assert(probe("left 5\ncall f 6\n"));
	ck_assert(!probe("ret 5\n"));
	ck_assert(!probe("thread 5\nthread;f 6\n"));
	ck_assert(!probe("call center;main 5\n"));
	ck_assert(!probe("caller 5\n"));
	ck_assert(!probe("call\n"));
	ck_assert(!probe("main;call f 5\n"));
}
END_TEST

RUN_TESTS("events", each_call_is_a_sample_in_the_order_of_calls,
	calls_of_one_function_are_samples_of_their_own, time_goes_beside_the_ticks,
	threads_have_calls_of_their_own, names_may_be_quoted,
	blanks_comments_and_carriage_returns_are_skipped, extra_ends_are_left_out_and_counted,
	open_calls_end_with_the_last_event_and_are_counted, ticks_are_exact, wrong_lines_are_named,
	file_without_calls_is_refused, deep_and_long_lists_are_read,
	calls_with_times_are_single_calls, calls_without_times_are_no_single_calls,
	many_threads_take_little_memory, damage_by_chance_does_no_harm, reading_can_be_interrupted,
	probe_knows_lists_by_their_first_call)
