/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions with metrics beside them. */
#include "view_code.h"

#define HEADING \
	"Exclusive Inclusive\nSamples Samples Address Offset Line Instruction\n16 16 <Total>\n"
#define COLUMNS \
	"hot,address,offset,file,line,instruction,exclusive,inclusive\n0,,,,,<Total>,16,16\n"

START_TEST(shows_a_function)
{
	/* The address of a call is the last byte of its instruction. */
	check_words(show_code("disas", "compare", false, PROF_FORMAT_TEXT),
		HEADING "10 10 <Function: compare>\n"
			"9 qsort();\n"
			"## 0 10 0x000000000000002c +0x0 9 call x\n"
			"0 0 0x0000000000000031 +0x5 9 call x\n"
			"10 \033[1mreturn\033[m\n"
			"## 10 10 0x0000000000000034 -0x8 10 call x\n");
	check_text(show_code("disas", "compare", false, PROF_FORMAT_CSV),
		COLUMNS "0,,,,,<Function: compare>,10,10\n"
			"1,0x000000000000002c,+0x0,main.c,9,call x,0,10\n"
			"0,0x0000000000000031,+0x5,main.c,9,call x,0,0\n"
			"1,0x0000000000000034,-0x8,main.c,10,call x,10,10\n");
}
END_TEST

START_TEST(counts_inlined_code_where_it_is_asked_to)
{
	check_text(show_code("disas", "inl", false, PROF_FORMAT_CSV),
		COLUMNS "0,,,,,<Function: inl>,5,5\n"
			"0,,,,,\"<Function: inl, inlined in work>\",,\n"
			"1,0x000000000000001c,+0x0,,,call x,5,5\n");
	check_text(show_code("disas", "work", false, PROF_FORMAT_CSV),
		COLUMNS "0,,,,,<Function: work>,0,5\n1,0x000000000000001c,+0x0,,,call x,0,5\n");
	check_text(show_code("disas", "work", true, PROF_FORMAT_CSV),
		COLUMNS "0,,,,,<Function: work>,5,5\n1,0x000000000000001c,+0x0,,,call x,5,5\n");
}
END_TEST

START_TEST(shows_addresses_whose_code_is_unknown)
{
	check_words(show_code("disas", "qsort", false, PROF_FORMAT_TEXT),
		"No code.\n\n" HEADING
		"0 10 <Function: qsort>\n## 0 10 0x0000000000000100 qsort at 0x100\n");
}
END_TEST

START_TEST(shows_empty_stacks)
{
	check_text(show_code("disas", "<Unknown>", false, PROF_FORMAT_CSV),
		COLUMNS "0,,,,,<Unknown>,1,1\n1,,,,,<Unknown>,1,1\n");
}
END_TEST

START_TEST(shows_imported_functions)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};

	choice.metrics = "ei.samples";
	check_text(show_lines("disas", "a;b 3\na 1\n", false, &choice),
		"hot,address,offset,file,line,instruction,exclusive,inclusive\n"
		"0,,,,,<Total>,4,4\n0,,,,,<Function: b>,3,3\n1,,,,,b,3,3\n");
}
END_TEST

START_TEST(shows_nothing_of_nothing)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};

	choice.metrics = "ei.samples";
	check_text(show_lines("disas", "", false, &choice),
		"hot,address,offset,file,line,instruction,exclusive,inclusive\n"
		"0,,,,,<Total>,0,0\n");
}
END_TEST

RUN_TESTS("disas", shows_a_function, counts_inlined_code_where_it_is_asked_to,
	shows_addresses_whose_code_is_unknown, shows_empty_stacks, shows_imported_functions,
	shows_nothing_of_nothing)
