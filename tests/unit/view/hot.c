/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hot path with its lines. */
#include "view_code.h"

START_TEST(shows_lines_below_functions)
{
	check_words(show_code("hot", NULL, false, PROF_FORMAT_TEXT),
		"In or Under In Only\n"
		"Samples % % Hot path\n"
		"----------- - ------- --------\n"
		"15 93.75 main at main.c:5\n"
		"5 sort(compare);\n"
		"10 62.50 qsort\n"
		"10 62.50 62.50 compare at main.c:10\n"
		"62.50 10 \033[1mreturn\033[m\n"
		"\nThe path ends here: the callee with the most has 62.50 % of the total.\n");
}
END_TEST

START_TEST(prints_csv)
{
	check_text(show_code("hot", NULL, false, PROF_FORMAT_CSV),
		"level,name,in_or_under,in_only,percent,in_only_percent,file,line,line_value,source\n"
		"1,main,15,0,93.75,0,main.c,5,10,  sort(compare);\n"
		"2,qsort,10,0,62.5,0,,,,\n"
		"3,compare,10,10,62.5,62.5,main.c,10,10,  return 0;\n");
}
END_TEST

START_TEST(tells_where_it_ends)
{
	static const char small[] = "m;a 3\nm;b 3\nm;c 3\nm;d 3\nm;e 3\nm;f 3\nm;g 3\nm;h 3\n"
				    "m;i 3\nm;j 3\nm;k 3\n";

	check_words(show_lines("hot", "m;w;x 4\nm;w 56\n", false, &(struct prof_choice){0}),
		"In or Under In Only\nSamples % % Hot path\n----------- - ------- --------\n"
		"60 100.00 m\n60 100.00 93.33 w\n\n"
		"The path ends here: the callee with the most has 6.67 % of the total.\n");
	check_words(show_lines("hot", small, false, &(struct prof_choice){0}),
		"In or Under In Only\nSamples % % Hot path\n----------- - ------- --------\n"
		"33 100.00 m\n\n"
		"The path ends here: no callee has 10 % of the total, the most is 9.09 %.\n");
	check_text(show_lines("hot", "a 3\nb 3\nc 3\nd 3\ne 3\nf 3\ng 3\nh 3\ni 3\nj 3\nk 3\n",
			   false, &(struct prof_choice){0}),
		"No outermost function has 10 % of the total.\n");
}
END_TEST

RUN_TESTS("hot", shows_lines_below_functions, prints_csv, tells_where_it_ends)
