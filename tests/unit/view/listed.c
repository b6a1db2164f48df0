/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a debugger lists, with shares. */
#include "view/listed.h"

#include "view_code.h"

/* What is made of LISTED, lines of FILE, of metric_program.h's program on a screen of COLUMNS. */
static char *list(const char *file, const char *listed, size_t columns)
{
	struct prof_experiment *experiment = program_create();
	struct prof_choice choice = {.markup = {.screen = true, .columns = columns}};
	struct prof_text text = {0};

	ck_assert_ok(prof_listed_print(experiment, &choice, file, listed, NULL, &text));
	char *shown = strdup(prof_text_get(&text));
	prof_text_deinit(&text);
	prof_experiment_destroy(experiment);
	return shown;
}

START_TEST(lines_have_their_shares)
{
	check_text(list("main.c", "9\t  qsort();\n10\t  return\t0;\n11\t}\n", 0),
		"  Excl.  Incl.\n"
		"      %      %  Line  Source\n"
		"            62     9    qsort();\n"
		"     62     62    10    return        0;\n"
		"                  11  }\n");
}
END_TEST

START_TEST(paths_may_be_longer_or_shorter)
{
	check_words(list("/src/main.c", "9\tx\n", 0), "Excl. Incl.\n% % Line Source\n62 9 x\n");
	check_words(list("n.c", "9\tx\n", 0), "Excl. Incl.\n% % Line Source\n9 x\n");
}
END_TEST

START_TEST(lists_of_several_places_name_their_files)
{
	check_words(list("other.c",
			    "file: \"main.c\", line number: 9, symbol: \"compare\"\n9\tx\n"
			    "file: \"inl.h\", line number: 3, symbol: \"inl\"\n3\ty\n",
			    0),
		"Excl. Incl.\n% % Line Source\n"
		"file: \"main.c\", line number: 9, symbol: \"compare\"\n62 9 x\n"
		"file: \"inl.h\", line number: 3, symbol: \"inl\"\n31 31 3 y\n");
}
END_TEST

START_TEST(styled_lines_are_cut)
{
	check_text(list("main.c", "\033[2m9\033[m\t\033[1mqsort\033[m(one, two);\n", 30),
		"  Excl.  Incl.\n"
		"      %      %  Line  Source\n"
		"            62     9  \033[1mqsort\033[m(on\033[m\n");
}
END_TEST

RUN_TESTS("listed", lines_have_their_shares, paths_may_be_longer_or_shorter,
	lists_of_several_places_name_their_files, styled_lines_are_cut)
