/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of functions. */
#include "view_support.h"

#define HEADING "Exclusive Inclusive\nSamples % Samples % Name\n"

/* gprofng's example: `work` does all, below a recursion and a mutual one; in ms. */
static const char recursive[] = "start;main;r;r;r;s;work 50\nstart;main;r;r;r;work 50\n"
				"start;main;r;r;work 60\nstart;main;r;r;s;work 50\n"
				"start;main;r;s;work 50\nstart;main;r;work 40\n"
				"start;main;ping;pong;ping;pong;ping;work 130\n";

START_TEST(lists_what_gprofng_lists)
{
	struct prof_choice choice = {0};

	choice.metrics = "cpu";
	check_text(show_lines("functions", recursive, true, &choice),
		"Exclusive          Inclusive\n"
		" CPU time           CPU time\n"
		"     sec.       %       sec.       %  Name\n"
		"    0.430  100.00      0.430  100.00  <Total>\n"
		"    0.430  100.00      0.430  100.00  work\n"
		"    0.       0.        0.430  100.00  main\n"
		"    0.       0.        0.130   30.23  ping\n"
		"    0.       0.        0.130   30.23  pong\n"
		"    0.       0.        0.300   69.77  r\n"
		"    0.       0.        0.150   34.88  s\n"
		"    0.       0.        0.430  100.00  start\n");
}
END_TEST

START_TEST(sorts)
{
	static const char lines[] = "m;c 1\nm;b;x 4\nm;a 1\nm;b 2\n";
	static const struct {
		const char *sort;
		const char *order;
	} rows[] = {
		{"", "xbacm"},
		{"sort=exclusive", "xbacm"},
		{"sort=inclusive", "mbxac"},
		{"sort=name", "abcmx"},
		{"sort=first", "mcbxa"},
	};

	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		struct prof_choice choice = {
			.format = PROF_FORMAT_CSV, .own = choose("functions", rows[i].sort)};
		char *csv = show_lines("functions", lines, false, &choice);
		char order[16] = "";
		ck_assert_str_eq(strtok(csv, "\n"),
			"name,exclusive,inclusive,exclusive_percent,inclusive_percent");
		ck_assert_str_eq(strtok(NULL, "\n"), "<Total>,8,8,100,100");
		for (char *line; (line = strtok(NULL, "\n"));)
			strncat(order, line, 1);
		ck_assert_str_eq(order, rows[i].order);
		free(csv);
	}
}
END_TEST

START_TEST(lists_functions_of_one_name_apart)
{
	struct prof_choice choice = {0};
	struct prof_experiment *experiment = experiment_of_namesakes();

	check_words(show("functions", experiment, &choice),
		HEADING "5 100.00 5 100.00 <Total>\n3 60.00 3 60.00 init\n"
			"2 40.00 2 40.00 init (other.so)\n");
	/* Programs that read a list know names as they are. */
	choice.format = PROF_FORMAT_CSV;
	check_text(show("functions", experiment, &choice),
		"name,exclusive,inclusive,exclusive_percent,inclusive_percent\n"
		"<Total>,5,5,100,100\ninit,3,3,60,60\ninit,2,2,40,40\n");
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("functions", lists_what_gprofng_lists, sorts, lists_functions_of_one_name_apart)
