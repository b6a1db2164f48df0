/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source with metrics beside it. */
#include "view_code.h"

#define HEADING "Exclusive Inclusive\nSamples Samples Line Source\n16 16 <Total>\n"
#define COLUMNS "hot,file,line,source,exclusive,inclusive\n0,,,<Total>,16,16\n"

START_TEST(shows_a_function)
{
	check_words(show_code("source", "compare", false, PROF_FORMAT_TEXT),
		HEADING "\n"
			"Source file: main.c\n"
			"10 10 <Function: compare>\n"
			"7 int compare(void)\n"
			"8 {\n"
			"## 0 10 9 qsort();\n"
			"## 10 10 10 \033[1mreturn\033[m\n"
			"0 0 11 }\n");
}
END_TEST

START_TEST(lines_up)
{
	check_text(show_code("source", "compare", false, PROF_FORMAT_TEXT),
		"    Exclusive  Inclusive\n"
		"      Samples    Samples  Line  Source\n"
		"           16         16        <Total>\n"
		"\n"
		"                                Source file: main.c\n"
		"           10         10        <Function: compare>\n"
		"                             7  int compare(void)\n"
		"                             8  {\n"
		"##          0         10     9    qsort();\n"
		"##         10         10    10  \033[1mreturn\033[m\n"
		"            0          0    11  }\n");
}
END_TEST

START_TEST(shows_a_file)
{
	/* Of the functions' own metrics, which are not those of lines, none is hot. */
	check_text(show_code("source", "main.c", false, PROF_FORMAT_CSV),
		COLUMNS "0,main.c,1,/* main */,,\n"
			"0,main.c,2,,,\n"
			"0,main.c,,<Function: main>,0,15\n"
			"0,main.c,3,int main(void),,\n"
			"0,main.c,4,{,,\n"
			"1,main.c,5,  sort(compare);,0,15\n"
			"0,main.c,6,},,\n"
			"0,main.c,,<Function: compare>,10,10\n"
			"0,main.c,7,int compare(void),,\n"
			"0,main.c,8,{,,\n"
			"0,main.c,9,  qsort();,0,10\n"
			"1,main.c,10,\\x1b[1mreturn\\x1b[m,10,10\n"
			"0,main.c,11,},0,0\n");
}
END_TEST

START_TEST(shows_the_lines_of_a_file_that_is_missing)
{
	check_words(show_code("source", "inl", false, PROF_FORMAT_TEXT),
		"No inl.h.\n\n" HEADING "\nSource file: inl.h\n5 5 <Function: inl>\n## 5 5 3\n");
	check_text(show_code("source", "inl.h", false, PROF_FORMAT_CSV),
		COLUMNS "0,inl.h,,<Function: inl>,5,5\n1,inl.h,3,,5,5\n");
}
END_TEST

START_TEST(counts_inlined_code_where_it_is_asked_to)
{
	check_text(show_code("source", "work", false, PROF_FORMAT_CSV),
		COLUMNS "0,work.c,,<Function: work>,0,5\n1,work.c,17,,0,5\n");
	check_text(show_code("source", "work", true, PROF_FORMAT_CSV),
		COLUMNS "0,inl.h,,<Function: work>,5,5\n1,inl.h,3,,5,5\n");
}
END_TEST

START_TEST(shows_code_without_lines_in_one_row)
{
	check_text(show_code("source", "qsort", false, PROF_FORMAT_CSV),
		COLUMNS "0,,,<Function: qsort>,0,10\n"
			"1,,,\"<Function: qsort, instructions without line numbers>\",0,10\n");
}
END_TEST

START_TEST(counts_a_line_once_that_several_functions_share)
{
	struct prof_experiment *experiment;
	struct prof_choice choice = {.function = "t.h", .format = PROF_FORMAT_CSV};
	uint32_t module, thread;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_module(experiment, "/bin/t", "", &module));
	ck_assert_ok(prof_experiment_thread(experiment, 1, "t", &thread));
	uint32_t one = program_frame(experiment, module, 1, "f<int>", "a/t.h", 4, NULL);
	uint32_t two = program_frame(experiment, module, 2, "f<char>", "a/t.h", 4, NULL);
	uint32_t other = program_frame(experiment, module, 3, "g", "not.h", 4, NULL);
	program_sample(experiment, (uint32_t[]){other, one, two, one}, 4, thread, PROF_STATE_USER,
		1, 3, 3);
	choice.metrics = "ei.samples";
	check_text(show("source", experiment, &choice),
		"hot,file,line,source,exclusive,inclusive\n0,,,<Total>,3,3\n"
		"0,a/t.h,,<Function: f<int>>,3,3\n0,a/t.h,,<Function: f<char>>,0,3\n"
		"1,a/t.h,4,,3,3\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(begins_with_the_hottest)
{
	char *shown = show_code("source", NULL, false, PROF_FORMAT_CSV);

	ck_assert_ptr_nonnull(strstr(shown, "<Function: compare>,10,10\n"));
	ck_assert_ptr_null(strstr(shown, "<Function: main>"));
	free(shown);
}
END_TEST

START_TEST(says_what_is_not_there)
{
	struct prof_experiment *experiment = program_create();
	struct prof_choice choice = {.function = "comp"};
	struct prof_text text = {0};

	ck_assert_error(prof_view_print(prof_view_find("source"), experiment, &choice, NULL, &text),
		"No function and no source file \"comp\" is in any stack; similar: \"compare\".");
	choice.function = "ain.c";
	ck_assert_error(prof_view_print(prof_view_find("source"), experiment, &choice, NULL, &text),
		"No function and no source file \"ain.c\" is in any stack.");
	choice.function = "main.c";
	ck_assert_error(prof_view_print(prof_view_find("disas"), experiment, &choice, NULL, &text),
		"No function \"main.c\" is in any stack.");
	ck_assert_uint_eq(text.length, 0);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(marks_what_has_three_quarters_of_the_most)
{
	struct prof_experiment *experiment;
	struct prof_choice choice = {.function = "f", .format = PROF_FORMAT_CSV};
	uint32_t module, thread;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_module(experiment, "/bin/t", "", &module));
	ck_assert_ok(prof_experiment_thread(experiment, 1, "t", &thread));
	for (uint32_t i = 0; i < 4; i++) {
		static const int samples[] = {40, 30, 29, 0};
		uint32_t frame = program_frame(experiment, module, i + 1, "f", "f.c", i + 1, NULL);
		program_sample(experiment, &frame, 1, thread, PROF_STATE_USER, 1, samples[i], 0);
	}
	choice.metrics = "e.samples";
	check_text(show("source", experiment, &choice),
		"hot,file,line,source,exclusive\n0,,,<Total>,99\n0,f.c,,<Function: f>,99\n"
		"1,f.c,1,,40\n1,f.c,2,,30\n0,f.c,3,,29\n0,f.c,4,,0\n");
	prof_experiment_destroy(experiment);
}
END_TEST

/* A debugger that tells of files and code with names that a terminal would obey. */
static struct prof_error *hostile_source(struct prof_code *code,
	const struct prof_experiment *experiment, const char *file, struct prof_code_source *ret)
{
	(void)code;
	(void)experiment;
	(void)file;
	ret->path = strdup("/\033[2J\n");
	return NULL;
}

static struct prof_error *hostile_block(struct prof_code *code,
	const struct prof_experiment *experiment, uint32_t frame, struct prof_code_block *ret)
{
	struct prof_code_instruction *at = prof_array_push(&ret->instructions);
	uint64_t address = experiment->frames.items[frame].address;

	(void)code;
	*at = (struct prof_code_instruction){
		address, address + 1, 0, strdup("nop \033[2J"), strdup("\033[2J"), 1};
	return NULL;
}

START_TEST(lets_no_name_reach_the_terminal)
{
	struct prof_experiment *experiment = program_create();
	struct prof_code code = {hostile_source, program_extent, hostile_block, {0}};

	for (int format = 0; format < PROF_FORMATS; format++) {
		struct prof_choice choice = {
			.function = "compare", .format = (enum prof_format)format, .code = &code};
		char *shown[] = {
			show("source", experiment, &choice), show("disas", experiment, &choice)};
		for (size_t i = 0; i < PROF_COUNT(shown); i++) {
			/* JSON has it as \u001b. */
			ck_assert_ptr_null(strchr(shown[i], '\033'));
			ck_assert(format != PROF_FORMAT_TEXT || strstr(shown[i], "\\x1b[2J"));
			free(shown[i]);
		}
	}
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("source", shows_a_function, lines_up, shows_a_file,
	shows_the_lines_of_a_file_that_is_missing, counts_inlined_code_where_it_is_asked_to,
	shows_code_without_lines_in_one_row, counts_a_line_once_that_several_functions_share,
	begins_with_the_hottest, says_what_is_not_there, lets_no_name_reach_the_terminal,
	marks_what_has_three_quarters_of_the_most)
