/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/markup.h"

#include "report/grid.h"
#include "suite.h"

static const struct prof_markup file = {0};
static const struct prof_markup screen = {.screen = true, .columns = 30};
static const struct prof_markup full = {.names = PROF_NAMES_FULL, .screen = true, .columns = 30};
static const struct prof_markup wide = {.screen = true};

#define LONG "std::vector<long, std::allocator<long> >::push_back(unsigned long)"

/* The text after BEFORE, the name NAME, and AFTER, by LOOK. */
static void prints(const struct prof_markup *markup, const char *before, const char *name,
	const char *after, const char *expected)
{
	AUTO_TEXT struct prof_text marked = {0};
	AUTO_TEXT struct prof_text text = {0};

	prof_text_print(&marked, "%s", before);
	prof_markup_name(&marked, name);
	prof_text_print(&marked, "%s", after);
	prof_markup_print(markup, prof_text_get(&marked), &text);
	ck_assert_str_eq(prof_text_get(&text), expected);
}

START_TEST(files_have_full_names)
{
	prints(&file, "  1  ", LONG, "\n", "  1  " LONG "\n");
	prints(&full, "  1  ", LONG, "\n", "  1  " LONG "\n");
}
END_TEST

START_TEST(screens_have_short_names)
{
	prints(&wide, "  1  ", LONG, "\n", "  1  std::vector<...>::push_back(unsigned long)\n");
	prints(&screen, "  1  ", "f(int)", " x\n", "  1  f(int) x\n");
}
END_TEST

START_TEST(names_are_cut_to_the_screen)
{
	prints(&screen, "  1  ", LONG, "\n", "  1  std::ve...push_back(...)\n");
	prints(&screen, "  1  ", "f(unsigned long, unsigned long)", "\n", "  1  f(...)\n");
}
END_TEST

START_TEST(a_name_keeps_some_columns)
{
	prints(&screen, "  123456789012345678901234567890  ", "abcdefghijklmnopqrstuvw", "",
		"  123456789012345678901234567890  a...tuvw");
}
END_TEST

START_TEST(sentences_are_wrapped)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_markup_print(&screen,
		"This sentence has more than thirty columns, and some more.\nA  table has more than thirty columns\n",
		&text);
	ck_assert_str_eq(prof_text_get(&text),
		"This sentence has more than\nthirty columns, and some more.\nA  table has more than thirty columns\n");
}
END_TEST

START_TEST(two_sentences_are_wrapped)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_markup_print(&screen,
		"The first sentence ends here.  The next has more of them.\nrow 0.  a table of more columns than that\n",
		&text);
	ck_assert_str_eq(prof_text_get(&text),
		"The first sentence ends here.\nThe next has more of them.\nrow 0.  a table of more columns than that\n");
}
END_TEST

START_TEST(lines_of_source_are_cut_at_their_end)
{
	AUTO_TEXT struct prof_text marked = {0};
	AUTO_TEXT struct prof_text text = {0};

	prof_text_print(&marked, "   12  ");
	prof_markup_begin(&marked, PROF_MARKUP_LINE);
	prof_text_print(&marked, "\033[34mint\033[m x = a_long_function<int, long>();");
	prof_markup_end(&marked);
	prof_markup_print(&screen, prof_text_get(&marked), &text);
	ck_assert_str_eq(
		prof_text_get(&text), "   12  \033[34mint\033[m x = a_long_function\033[m");
}
END_TEST

START_TEST(marks_of_names_do_not_survive)
{
	prints(&file, "", "a\001b\004", "", "a\\x01b\\x04");
	prints(&screen, "", "a\001b\004", "", "a\\x01b\\x04");
}
END_TEST

START_TEST(names_before_other_columns_stay_aligned)
{
	static const struct prof_grid_column heads[] = {
		{{NULL, NULL, "Name"}, false}, {{NULL, NULL, "n"}, true}};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = 2};
	AUTO_TEXT struct prof_text marked = {0};
	AUTO_TEXT struct prof_text text = {0};

	prof_grid_name(&grid, "", "f<unsigned>", "");
	prof_grid_cell(&grid, "1");
	prof_grid_name(&grid, "", "関数", "");
	prof_grid_cell(&grid, "2");
	prof_grid_print(&grid, &marked);
	prof_markup_print(&wide, prof_text_get(&marked), &text);
	ck_assert_str_eq(prof_text_get(&text), "Name         n\nf<unsigned>  1\n関数         2\n");
}
END_TEST

START_TEST(styles_take_no_columns)
{
	struct prof_markup markup = {.screen = true,
		.columns = 30,
		.styles = {[PROF_MARKUP_FUNCTION] = "\033[33m", [PROF_MARKUP_HOT] = "\033[31m"}};
	struct prof_grid_column heads[] = {
		{{NULL, NULL, "%"}, true}, {{NULL, NULL, "Name"}, false}};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = 2};
	AUTO_TEXT struct prof_text marked = {0};
	AUTO_TEXT struct prof_text text = {0};

	prints(&markup, "  1  ", "work", "...\n", "  1  \033[33mwork\033[m...\n");
	prints(&markup, "  1  ", "<Total>", "\n", "  1  <Total>\n");
	prof_grid_hot(&grid, "97.00");
	prof_grid_function(&grid, "", "a_name_that_is_too_long_for_a_line", "");
	prof_grid_cell(&grid, "3.00");
	prof_grid_name(&grid, "", "/lib/libc.so", "");
	prof_grid_print(&grid, &marked);
	prof_markup_print(&markup, prof_text_get(&marked), &text);
	ck_assert_str_eq(prof_text_get(&text),
		"    %  Name\n"
		"\033[31m97.00\033[m  \033[33ma_name...ong_for_a_line\033[m\n"
		" 3.00  /lib/libc.so\n");
	markup.names = PROF_NAMES_FULL;
	markup.columns = 0;
	prints(&markup, "", "work", "\n", "\033[33mwork\033[m\n");
}
END_TEST

RUN_TESTS("markup", styles_take_no_columns, files_have_full_names, screens_have_short_names,
	names_are_cut_to_the_screen, a_name_keeps_some_columns, sentences_are_wrapped,
	two_sentences_are_wrapped, lines_of_source_are_cut_at_their_end,
	marks_of_names_do_not_survive, names_before_other_columns_stay_aligned)
