/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of source lines. */
#include "metric_program.h"
#include "view_support.h"

#define HEADING "Exclusive Inclusive\nSamples % Samples % Name\n"

START_TEST(lists_lines_of_functions)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV, .own = choose("lines", "limit=3")};
	struct prof_experiment *experiment = program_create();

	choice.metrics = "e.samples:i.samples";
	check_text(show("lines", experiment, &choice),
		"name,samples_exclusive,samples_inclusive\n<Total>,16,16\n"
		"\"compare, line 10 in \"\"main.c\"\"\",10,10\n"
		"\"inl, line 3 in \"\"inl.h\"\"\",5,5\n");
	choice.folded = true;
	check_text(show("lines", experiment, &choice),
		"name,samples_exclusive,samples_inclusive\n<Total>,16,16\n"
		"\"compare, line 10 in \"\"main.c\"\"\",10,10\n"
		"\"work, line 3 in \"\"inl.h\"\"\",5,5\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(code_without_line_numbers_is_one_row_of_its_function)
{
	struct prof_choice choice = {0};
	struct prof_experiment *experiment = experiment_of_namesakes();

	check_words(show("lines", experiment, &choice),
		HEADING "5 100.00 5 100.00 <Total>\n"
			"3 60.00 3 60.00 <Function: init, instructions without line numbers>\n"
			"2 40.00 2 40.00 <Function: init, instructions without line numbers> "
			"(other.so)\n");
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("lines", lists_lines_of_functions, code_without_line_numbers_is_one_row_of_its_function)
