/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment_support.h"
#include "formats/folded.h"
#include "formats/import.h"
#include "import_support.h"

static struct prof_experiment *read_folded(const char *bytes, size_t length)
{
	struct prof_experiment *experiment;

	enter_scratch();
	write_text("x", bytes, length);
	ck_assert_ok(prof_folded_read("x", NULL, &experiment));
	prof_experiment_check(experiment);
	return experiment;
}

static struct prof_experiment *read_text(const char *text)
{
	return read_folded(text, strlen(text));
}

static void assert_bytes_refused(const char *bytes, size_t length, const char *part)
{
	struct prof_experiment *experiment = NULL;

	write_text("x", bytes, length);
	assert_error(prof_folded_read("x", NULL, &experiment), PROF_ERROR_DAMAGED, part);
	ck_assert_ptr_null(experiment);
}

static void assert_refused(const char *text, const char *part)
{
	assert_bytes_refused(text, strlen(text), part);
}

/* The name of the frame LEVEL steps out from the leaf of SAMPLE's stack; NULL: it ends before. */
static const char *name_at(const struct prof_experiment *experiment, size_t sample, int level)
{
	uint32_t path = sample_at(experiment, sample).path;

	while (path && level-- > 0)
		path = experiment->paths.items[path].parent;
	if (!path)
		return NULL;
	const struct prof_frame *frame =
		&experiment->frames.items[experiment->paths.items[path].frame];
	return prof_experiment_function_name(
		experiment, experiment->locations.items[frame->first_location].function);
}

static prof_value weight(const struct prof_experiment *experiment, size_t sample)
{
	return value_at(experiment, PROF_QUANTITY_SAMPLES, sample);
}

START_TEST(each_line_is_a_sample_with_its_weight)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		read_text("main;f;g 3\nmain 2\nmain;f;g 5\n");

	ck_assert_uint_eq(experiment->samples.count, 3);
	ck_assert_str_eq(name_at(experiment, 0, 0), "g");
	ck_assert_str_eq(name_at(experiment, 0, 2), "main");
	ck_assert_ptr_null(name_at(experiment, 0, 3));
	ck_assert_uint_eq(sample_at(experiment, 2).path, sample_at(experiment, 0).path);
	ck_assert(weight(experiment, 0) == prof_value_of(3));
	ck_assert(weight(experiment, 2) == prof_value_of(5));
	ck_assert_str_eq(experiment->recording.source, "x");
	ck_assert_uint_eq(experiment->threads.count, 1);
	ck_assert_uint_eq(experiment->functions.items[0].module, 0);
	ck_assert_uint_eq(experiment->frames.items[0].address, 0);
}
END_TEST

START_TEST(weights_are_exact)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		read_text("a 0.1\na 9007199254740993\na 999999999999999999.999999\na 0\n");

	ck_assert(weight(experiment, 0) == PROF_VALUE_ONE / 10);
	ck_assert(weight(experiment, 1) == prof_value_of(INT64_C(9007199254740993)));
	ck_assert(weight(experiment, 2) ==
		prof_value_of(INT64_C(999999999999999999)) + PROF_VALUE_ONE - 1);
	ck_assert(weight(experiment, 3) == 0);
}
END_TEST

START_TEST(names_keep_spaces_and_any_byte_but_nul)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		read_text("operator new (int) ; \xff\x01;\xc3\xa9 1\n");

	ck_assert_str_eq(name_at(experiment, 0, 2), "operator new (int) ");
	ck_assert_str_eq(name_at(experiment, 0, 1), " \xff\x01");
	ck_assert_str_eq(name_at(experiment, 0, 0), "\xc3\xa9");
}
END_TEST

START_TEST(blank_lines_comments_and_carriage_returns_are_skipped)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		read_text("# a;b 1\r\n\r\n \t\n\na;b 7\r\na 2 \t\r\na 9");

	ck_assert_uint_eq(experiment->samples.count, 3);
	ck_assert_str_eq(name_at(experiment, 0, 0), "b");
	ck_assert(weight(experiment, 0) == prof_value_of(7));
	ck_assert(weight(experiment, 1) == prof_value_of(2));
	ck_assert(weight(experiment, 2) == prof_value_of(9));
}
END_TEST

START_TEST(wrong_lines_are_named)
{
	enter_scratch();
	assert_refused("a 1\n\nmain;f\n", "\"x\" is damaged: line 3 has no weight");
	assert_refused("main\n", "line 1 has no weight");
	assert_refused("5\n", "line 1 has no weight");
	assert_refused("a 1\nmain f\n", "line 2 ends in \"f\", which is not a weight");
	assert_refused("a 1e5\n", "line 1 ends in \"1e5\", which is not a weight");
	assert_refused("a 0x10\n", "not a weight");
	assert_refused("a nan\n", "not a weight");
	assert_refused("a 1000000000000000000\n", "not a weight");
	assert_refused("a -5\n", "line 1 has the negative weight -5");
	assert_refused("a;;b 5\n", "line 1 has a frame without a name");
	assert_refused(";a 5\n", "line 1 has a frame without a name");
	assert_refused("a; 5\n", "line 1 has a frame without a name");
	assert_refused(" 5\n", "line 1 has a frame without a name");
	assert_bytes_refused("a 1\na\0b 1\n", 10, "line 2 holds a NUL byte");
	assert_bytes_refused("a 1\0", 4, "line 1 holds a NUL byte");
}
END_TEST

START_TEST(file_without_stacks_is_refused)
{
	enter_scratch();
	assert_refused("", "\"x\" has no stacks");
	assert_refused("# only\n\n   \n# comments", "\"x\" has no stacks");
}
END_TEST

/* Stacks that were read before, or begin as the one before, are taken from what is known. */
START_TEST(each_line_has_the_stack_that_it_names)
{
	static const char *const stacks[] = {"main", "main;f", "main;f;g", "main;f;gh", "main;f",
		"mai", "main;f;gh;f", "main;f;g;f", "x", "main;fg", "main;f;g", "main;f;g;f;main",
		"f;g", "mainf", "main;f;gh;f"};
	AUTO_TEXT struct prof_text text = {0};

	for (size_t i = 0; i < PROF_COUNT(stacks); i++)
		prof_text_print(&text, "%s %zu\n", stacks[i], i);
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_text(prof_text_get(&text));
	ck_assert_uint_eq(experiment->samples.count, PROF_COUNT(stacks));
	ck_assert_uint_eq(experiment->paths.count, 14);
	for (size_t i = 0; i < PROF_COUNT(stacks); i++) {
		AUTO_TEXT struct prof_text stack = {0};
		print_path(experiment, sample_at(experiment, i).path, &stack);
		ck_assert_str_eq(prof_text_get(&stack), stacks[i]);
		ck_assert(weight(experiment, i) == prof_value_of((int64_t)i));
	}
	prof_experiment_check(experiment);
}
END_TEST

START_TEST(deep_stack_is_read_whole)
{
	enum { DEPTH = 200000 };
	AUTO_FREE char *text = malloc(2 * DEPTH + 8);

	for (int i = 0; i < DEPTH; i++)
		memcpy(text + 2 * i, i % 2 ? "a;" : "b;", 2);
	strcpy(text + 2 * DEPTH - 1, " 1\n");
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_text(text);
	ck_assert_uint_eq(experiment->paths.count, DEPTH + 1);
	ck_assert_uint_eq(experiment->functions.count, 2);
}
END_TEST

START_TEST(endless_line_takes_no_endless_memory)
{
	struct prof_experiment *experiment = NULL;

	enter_scratch();
	write_text("x", "a 1\n", 4);
	ck_assert_int_eq(truncate("x", (off_t)1 << 40), 0);
	assert_error(prof_folded_read("x", NULL, &experiment), PROF_ERROR_DAMAGED,
		"line 2 is longer than 67108864 bytes");
}
END_TEST

static bool refuse(void *context, const char *what, uint64_t done, uint64_t total)
{
	(void)what;
	ck_assert_uint_lt(done, total);
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
	for (int i = 0; i < 400000; i++)
		fputs("main;function 1\n", file);
	fclose(file);
	assert_error(prof_folded_read("x", &progress, &experiment), PROF_ERROR_INTERRUPTED,
		"Interrupted");
	ck_assert_int_eq(calls, 1);
	ck_assert_ptr_null(experiment);
}
END_TEST

START_TEST(what_is_no_file_is_refused)
{
	struct prof_experiment *experiment = NULL;

	assert_error(prof_folded_read("/dev/zero", NULL, &experiment), PROF_ERROR_USAGE,
		"\"/dev/zero\" cannot be read: it is not a regular file");
	assert_error(prof_folded_read("/", NULL, &experiment), PROF_ERROR_USAGE,
		"\"/\" cannot be read: it is a directory");
}
END_TEST

static bool probe(const char *text)
{
	return prof_folded_probe(text, strlen(text));
}

START_TEST(probe_knows_folded_stacks_by_their_first_line)
{
	ck_assert(probe("main;f 1\n"));
	ck_assert(probe("\n# comment\nmain 1.5\n"));
	ck_assert(probe("main;f"));
	ck_assert(probe("main -1\r\n"));
	ck_assert(probe("\xff;b 1\n"));
	ck_assert(probe(""));
	ck_assert(probe("# comment"));
	ck_assert(!probe("plain words\n"));
	ck_assert(!probe("main\nmain;f 1\n"));
	ck_assert(!probe("\x01;b 1\n"));
	ck_assert(!prof_folded_probe("\0;b 1\n", 6));
}
END_TEST

RUN_TESTS("folded", each_line_is_a_sample_with_its_weight, weights_are_exact,
	names_keep_spaces_and_any_byte_but_nul,
	blank_lines_comments_and_carriage_returns_are_skipped, wrong_lines_are_named,
	file_without_stacks_is_refused, each_line_has_the_stack_that_it_names,
	deep_stack_is_read_whole, endless_line_takes_no_endless_memory, reading_can_be_interrupted,
	what_is_no_file_is_refused, probe_knows_folded_stacks_by_their_first_line)
