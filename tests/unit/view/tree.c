/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree: HP's guide, and what else may be chosen. */
#include "view_support.h"

#include "metric/collapse.h"

/* The six stacks of HP's guide. */
static const char guide[] = "main;r 1\nmain;r;s 1\nmain;r;r 1\nmain;r;r;s 1\nmain;r;r;r 1\n"
			    "main;r;r;r;s 1\n";

#define HEADING                       \
	"Samples Samples\n"           \
	"In or Under In Only\n"       \
	"Raw Count Raw Count Level\n" \
	"----------- --------- -----\n"

/* What most tests choose, and MORE. */
#define FULL(more) choose("tree", "collapse=full sort=first " more)

START_TEST(prints_the_guides_straight_analysis)
{
	struct prof_choice choice = {.own = choose("tree", "sort=first")};

	check_words(show_lines("tree", guide, false, &choice),
		HEADING "6 0 1 main\n6 1 2 r\n1 1 3 s\n4 1 3 r\n1 1 4 s\n2 1 4 r\n1 1 5 s\n");
}
END_TEST

START_TEST(prints_the_guides_collapsed_analysis_in_every_degree)
{
	for (int degree = PROF_COLLAPSE_DIRECT; degree < PROF_DEGREES; degree++) {
		char option[32];
		snprintf(option, sizeof option, "collapse=%s", prof_degree_names[degree]);
		struct prof_choice choice = {.own = choose("tree", option)};
		check_words(show_lines("tree", guide, false, &choice),
			HEADING "6 0 1 main\n6 3 2 r\n1 (2) 3 3 s\n3 r...\n");
	}
}
END_TEST

START_TEST(prints_the_guides_full_collapse)
{
	check_words(show_lines("tree", "main;a;b;c;b;a;d;c 1\n", false,
			    &(struct prof_choice){.own = FULL("")}),
		HEADING "1 0 1 main\n1 0 2 a\n1 0 3 b\n1 0 4 c\n5 b...\n4 a...\n0 (1) 0 3 d\n"
			"0 (1) 1 4 c\n");
}
END_TEST

START_TEST(indents_names_by_level)
{
	check_text(show_lines("tree", guide, false, &(struct prof_choice){.own = FULL("")}),
		"Samples      Samples\n"
		"In or Under  In Only\n"
		"Raw Count    Raw Count  Level\n"
		"-----------  ---------  -----\n"
		"6            0          1  main\n"
		"6            3          2   r\n"
		"1 (2)        3          3    s\n"
		"                        3    r...\n");
}
END_TEST

START_TEST(aligns_levels_of_two_digits)
{
	check_text(show_lines("tree", "a;b;c;d;e;f;g;h;i;j 12\na 100\n", false,
			   &(struct prof_choice){.own = FULL("")}),
		"Samples      Samples\n"
		"In or Under  In Only\n"
		"Raw Count    Raw Count  Level\n"
		"-----------  ---------  -----\n"
		"112          100        1   a\n"
		" 12            0        2    b\n"
		" 12            0        3     c\n"
		" 12            0        4      d\n"
		" 12            0        5       e\n"
		" 12            0        6        f\n"
		" 12            0        7         g\n"
		" 12            0        8          h\n"
		" 12            0        9           i\n"
		" 12           12        10           j\n");
}
END_TEST

START_TEST(shows_percents_of_all)
{
	struct prof_choice choice = {.own = choose("tree", "columns=percent max-level=3")};

	check_words(show_lines("tree", guide, false, &choice),
		"Samples Samples\nIn or Under In Only\nPercent Percent Level\n"
		"----------- ------- -----\n"
		"100.00 0. 1 main\n100.00 16.67 2 r\n16.67 16.67 3 s\n66.67 16.67 3 r\n");
}
END_TEST

START_TEST(shows_percents_of_the_parent)
{
	struct prof_choice choice = {.own = choose("tree", "columns=parent")};

	check_words(show_lines("tree", guide, false, &choice),
		"Samples Samples\nIn or Under In Only\nParent Percent Parent Percent Level\n"
		"-------------- -------------- -----\n"
		"100.00 0. 1 main\n100.00 16.67 2 r\n16.67 16.67 3 s\n66.67 16.67 3 r\n"
		"25.00 25.00 4 s\n50.00 25.00 4 r\n50.00 50.00 5 s\n");
}
END_TEST

START_TEST(shows_all_columns)
{
	struct prof_choice choice = {.own = FULL("columns=all")};

	check_text(show_lines("tree", guide, false, &choice),
		"Samples      Samples        Samples         Samples\n"
		"In or Under  In Only    In or Under     In or Under\n"
		"Raw Count    Raw Count      Percent  Parent Percent  Level\n"
		"-----------  ---------  -----------  --------------  -----\n"
		"6            0               100.00          100.00  1  main\n"
		"6            3               100.00          100.00  2   r\n"
		"1 (2)        3                50.00           50.00  3    s\n"
		"                                                     3    r...\n");
}
END_TEST

START_TEST(shows_times_in_seconds)
{
	struct prof_choice choice = {0};

	choice.metrics = "cpu";
	check_words(show_lines("tree", "main;a 12340\nmain 0\n", true, &choice),
		"CPU time CPU time\nIn or Under In Only\nsec. sec. Level\n"
		"----------- -------- -----\n"
		"12.340 0. 1 main\n12.340 12.340 2 a\n");
}
END_TEST

/* Siblings that every order puts another way. */
static const char siblings[] = "m;c 3\nm;a;x 9\nm;b 5\nm;a 1\nm;d;m 7\n";

START_TEST(sorts_siblings)
{
	static const struct {
		const char *sort;
		const char *order;
	} rows[] = {
		{"", "m c a x b d m "},
		{"sort=first", "m c a x b d m "},
		{"sort=name", "m a x b c d m "},
		{"sort=inclusive", "m a x d m b c "},
		{"sort=exclusive", "m b c a x d m "},
	};

	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		struct prof_choice choice = {
			.format = PROF_FORMAT_CSV, .own = choose("tree", rows[i].sort)};
		char *csv = show_lines("tree", siblings, false, &choice);
		char order[64] = "";
		strtok(csv, "\n");
		for (char *line; (line = strtok(NULL, "\n"));)
			strncat(strcat(order, (char[]){strchr(line, ',')[1], '\0'}), " ", 2);
		ck_assert_str_eq(order, rows[i].order);
		free(csv);
	}
}
END_TEST

START_TEST(puts_stubs_behind_values_but_among_names)
{
	struct prof_choice choice = {.own = FULL("sort=inclusive")};
	static const char stacks[] = "r;r;s 1\nr;t 0.5\n";

	check_words(show_lines("tree", stacks, false, &choice),
		HEADING "1.5 0 1 r\n0 (1) 1 2 s\n0.5 0.5 2 t\n2 r...\n");
	choice.own = FULL("sort=name");
	check_words(show_lines("tree", stacks, false, &choice),
		HEADING "1.5 0 1 r\n2 r...\n0 (1) 1 2 s\n0.5 0.5 2 t\n");
}
END_TEST

START_TEST(cuts_small_nodes_with_all_below)
{
	struct prof_choice choice = {.own = choose("tree", "min-percent=20")};

	check_words(show_lines("tree", guide, false, &choice),
		HEADING "6 0 1 main\n6 1 2 r\n4 1 3 r\n2 1 4 r\n");
}
END_TEST

START_TEST(cuts_levels_and_rows)
{
	struct prof_choice levels = {.own = choose("tree", "max-level=1")};
	struct prof_choice rows = {.own = choose("tree", "limit=3")};

	check_words(show_lines("tree", guide, false, &levels), HEADING "6 0 1 main\n");
	check_words(
		show_lines("tree", guide, false, &rows), HEADING "6 0 1 main\n6 1 2 r\n1 1 3 s\n");
}
END_TEST

START_TEST(prints_csv)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV, .own = FULL("")};

	check_text(show_lines("tree", guide, false, &choice),
		"level,name,stub,direct,indirect,in_only,percent,parent_percent\n"
		"1,main,0,6,0,0,100,100\n"
		"2,r,0,6,0,3,100,100\n"
		"3,s,0,1,2,3,50,50\n"
		"3,r,1,,,,,\n");
}
END_TEST

START_TEST(prints_json)
{
	struct prof_choice choice = {.format = PROF_FORMAT_JSON, .own = FULL("")};

	check_text(show_lines("tree", "r;r 1.5\n", false, &choice),
		"{\"view\": \"tree\", \"metric\": \"samples\", \"unit\": \"samples\", "
		"\"total\": 1.5, \"rows\": ["
		"{\"level\": 1, \"name\": \"r\", \"stub\": 0, \"direct\": 1.5, \"indirect\": 0, "
		"\"in_only\": 1.5, \"percent\": 100.0, \"parent_percent\": 100.0}, "
		"{\"level\": 2, \"name\": \"r\", \"stub\": 1, \"direct\": null, "
		"\"indirect\": null, \"in_only\": null, \"percent\": null, "
		"\"parent_percent\": null}]}\n");
}
END_TEST

START_TEST(prints_deep_trees_in_little_space)
{
	enum { DEPTH = 50000 };
	struct prof_choice choice = {0};
	char *line = malloc(DEPTH * 7 + 16);
	char *at = line;

	for (int i = 0; i < DEPTH; i++)
		at += sprintf(at, "%sf%d", i ? ";" : "", i);
	strcpy(at, " 1\n");
	char *shown = show_lines("tree", line, false, &choice);
	ck_assert_uint_lt(strlen(shown), DEPTH * 128);
	ck_assert_ptr_nonnull(strstr(shown, "f49999\n"));
	free(shown);
	free(line);
}
END_TEST

START_TEST(prints_broad_trees_in_little_time)
{
	enum { BREADTH = 100000 };
	struct prof_choice choice = {.own = choose("tree", "sort=name")};
	char *lines = malloc((size_t)BREADTH * 16);
	char *at = lines;

	for (int i = 0; i < BREADTH; i++)
		at += sprintf(at, "m;f%d 1\n", i);
	char *shown = show_lines("tree", lines, false, &choice);
	ck_assert_ptr_nonnull(strstr(shown, "  f99999\n"));
	free(shown);
	free(lines);
}
END_TEST

/* Stacks that were on a CPU, and others that have waited for a lock, for so many ms. */
static struct prof_experiment *waiting(void)
{
	static const struct {
		const char *stack;
		int cpu, lock;
	} rows[] = {{"m;a", 200, 0}, {"m;w", 0, 400}, {"m;a;a", 300, 100}, {"m;w;x", 0, 500}};
	struct prof_experiment *experiment = experiment_of("", true);

	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		const prof_value values[PROF_QUANTITIES] = {
			[PROF_QUANTITY_SPENT + PROF_STATE_USER] =
				prof_value_of(rows[i].cpu * INT64_C(1000000)),
			[PROF_QUANTITY_SPENT + PROF_STATE_LOCK] =
				prof_value_of(rows[i].lock * INT64_C(1000000)),
		};
		add_stack(experiment, rows[i].stack, ';', values);
	}
	/* As if it had been sampled: stacks without a metric are not in its tree. */
	experiment->recording.rate_asked = 100;
	return experiment;
}

#define RECORDED                                                \
	"Rate: 100 Hz asked for; 0 of 0 ticks lost (0.00 %).\n" \
	"The program was kept from running for 0.00 % of its time.\n\n"

START_TEST(shows_several_metrics)
{
	struct prof_experiment *experiment = waiting();
	struct prof_choice choice = {.own = choose("tree", "collapse=full")};

	choice.metrics = "cpu,i%lock";
	check_words(show("tree", experiment, &choice),
		RECORDED "In or Under In Only In or Under\n"
			 "CPU time CPU time Wait for a lock\nsec. % sec. % % Level\n"
			 "----------- - -------- - --------------- -----\n"
			 "0.500 100.00 0. 0. 100.00 1 m\n"
			 "0.500 100.00 0.500 100.00 10.00 2 a\n3 a...\n"
			 "0. 0. 0. 0. 90.00 2 w\n0. 0. 0. 0. 50.00 3 x\n");
	choice = (struct prof_choice){.format = PROF_FORMAT_CSV};
	choice.metrics = "e.lock:.cpu";
	check_text(show("tree", experiment, &choice),
		"level,name,stub,lock_in_only,cpu_in_or_under,cpu_in_only\n"
		"1,m,0,0,0.5,0\n2,a,0,0,0.5,0.2\n3,a,0,0.1,0.3,0.3\n2,w,0,0.4,0,0\n3,x,0,0.5,0,"
		"0\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(sorts_and_cuts_by_several_metrics)
{
	struct prof_experiment *experiment = waiting();
	struct prof_choice choice = {
		.format = PROF_FORMAT_CSV, .own = choose("tree", "sort=inclusive")};

	choice.metrics = "i.lock,i.cpu";
	choice.own = choose("tree", "sort=inclusive min-percent=20");
	check_text(show("tree", experiment, &choice),
		"level,name,stub,lock_in_or_under,cpu_in_or_under\n"
		"1,m,0,1,0.5\n2,w,0,0.9,0\n3,x,0,0.5,0\n2,a,0,0.1,0.5\n3,a,0,0.1,0.3\n");
	choice.own = choose("tree", "sort=inclusive min-percent=55 limit=3");
	check_text(show("tree", experiment, &choice),
		"level,name,stub,lock_in_or_under,cpu_in_or_under\n"
		"1,m,0,1,0.5\n2,w,0,0.9,0\n2,a,0,0.1,0.5\n");
	choice = (struct prof_choice){
		.format = PROF_FORMAT_CSV, .own = choose("tree", "sort=exclusive")};
	choice.metrics = "e.cpu";
	choice.own = choose("tree", "sort=exclusive max-level=2");
	check_text(show("tree", experiment, &choice),
		"level,name,stub,cpu_in_only\n1,m,0,0\n2,a,0,0.2\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(columns_of_several_metrics_are_chosen_with_them)
{
	struct prof_experiment *experiment = waiting();
	struct prof_choice choice = {.own = choose("tree", "columns=parent")};
	struct prof_text text = {0};

	choice.metrics = "cpu,lock";
	ck_assert_error(prof_view_print(prof_view_find("tree"), experiment, &choice, NULL, &text),
		"not by --columns");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(bars_are_shares_of_the_largest)
{
	struct prof_choice choice = {.blocks = true, .own = FULL("bars")};

	check_text(show_lines("tree", "a;b 3\na;c;b;b 3\nd 1\n", false, &choice),
		"Samples      Samples\n"
		"In or Under  In Only\n"
		"Raw Count    Raw Count              Level\n"
		"-----------  ---------              -----\n"
		"6            0          ██████████  1  a\n"
		"3            3          █████       2   b\n"
		"3            0          █████       2   c\n"
		"3            3          █████       3    b\n"
		"                                    4     b...\n"
		"1            1          █▋          1  d\n");
	choice = (struct prof_choice){.blocks = true, .own = choose("tree", "bars")};
	choice.metrics = "i.samples,i.cpu";
	check_words(show_lines("tree", "a;b 1\na 3\n", false, &choice),
		"In or Under\nIn or Under CPU time\nSamples sec. Level\n"
		"----------- ----------- -----\n4 0. ██████████ 1 a\n1 0. ██▌ 2 b\n");
}
END_TEST

/* A screen of 60 columns. */
static const struct prof_markup screen = {.screen = true, .columns = 60};

static const char chains[] = "_start;start_main;main;work;leaf 70\n_start;start_main;main;idle 20\n"
			     "_start;start_main;main 10\n";

START_TEST(a_screen_shows_chains_and_the_hot_path)
{
	struct prof_choice choice = {.markup = screen};

	check_text(show_lines("tree", chains, false, &choice),
		"In or Under          In Only\n"
		"    Samples       %        %  Hot  Level\n"
		"-----------       -  -------  ---  -----\n"
		"        100  100.00    10.00  *    1  _start > start_main >\n"
		"                                        main\n"
		"         70   70.00    70.00  *    4   work > leaf\n"
		"         20   20.00    20.00       4   idle\n");
}
END_TEST

START_TEST(what_has_figures_of_its_own_is_no_chain)
{
	struct prof_choice choice = {.markup = screen, .own = FULL("columns=both sort=first")};

	check_words(show_lines("tree", "a;b;c 40\na;b 1\na;d;d 40\n", false, &choice),
		"In or Under In Only\n"
		"Samples % % Hot Level\n"
		"----------- - ------- --- -----\n"
		"81 100.00 * 1 a\n41 50.62 1.23 * 2 b\n40 49.38 49.38 * 3 c\n"
		"40 49.38 49.38 2 d\n3 d...\n");
}
END_TEST

START_TEST(chains_that_do_not_fit_go_on_below)
{
	struct prof_choice choice = {.markup = {.screen = true, .columns = 50}};

	check_text(show_lines("tree", "alpha_function;beta_function;gamma_function 40\n", false,
			   &choice),
		"In or Under          In Only\n"
		"    Samples       %        %  Hot  Level\n"
		"-----------       -  -------  ---  -----\n"
		"         40  100.00   100.00  *    1  al...ction >\n"
		"                                        b...tion >\n"
		"                                        ga...ction\n");
}
END_TEST

START_TEST(a_chain_is_one_of_the_rows)
{
	struct prof_choice choice = {.markup = screen, .own = choose("tree", "limit=2")};

	check_words(show_lines("tree", chains, false, &choice),
		"In or Under In Only\n"
		"Samples % % Hot Level\n"
		"----------- - ------- --- -----\n"
		"100 100.00 10.00 * 1 _start > start_main >\nmain\n"
		"70 70.00 70.00 * 4 work > leaf\n");
}
END_TEST

START_TEST(files_may_have_chains)
{
	struct prof_choice choice = {.own = choose("tree", "columns=both")};

	choice.metrics = "i.samples,i%samples";
	check_words(show_lines("tree", chains, false, &choice),
		"In or Under In or Under\nSamples % Hot Level\n"
		"----------- ----------- --- -----\n"
		"100 100.00 * 1 _start > start_main > main\n"
		"70 70.00 * 4 work > leaf\n20 20.00 4 idle\n");
}
END_TEST

START_TEST(a_screen_shows_raw_counts_where_they_are_asked_for)
{
	struct prof_choice choice = {
		.markup = screen, .own = choose("tree", "columns=raw sort=first")};

	check_words(show_lines("tree", guide, false, &choice),
		HEADING "6 0 1 main\n6 1 2 r\n1 1 3 s\n4 1 3 r\n1 1 4 s\n2 1 4 r\n1 1 5 s\n");
}
END_TEST

RUN_TESTS("tree", a_screen_shows_chains_and_the_hot_path, what_has_figures_of_its_own_is_no_chain,
	chains_that_do_not_fit_go_on_below, a_chain_is_one_of_the_rows, files_may_have_chains,
	a_screen_shows_raw_counts_where_they_are_asked_for, prints_the_guides_straight_analysis,
	prints_the_guides_collapsed_analysis_in_every_degree, prints_the_guides_full_collapse,
	indents_names_by_level, aligns_levels_of_two_digits, shows_percents_of_all,
	shows_percents_of_the_parent, shows_all_columns, shows_times_in_seconds, sorts_siblings,
	puts_stubs_behind_values_but_among_names, cuts_small_nodes_with_all_below,
	cuts_levels_and_rows, prints_csv, prints_json, prints_deep_trees_in_little_space,
	prints_broad_trees_in_little_time, shows_several_metrics, sorts_and_cuts_by_several_metrics,
	columns_of_several_metrics_are_chosen_with_them, bars_are_shares_of_the_largest)
