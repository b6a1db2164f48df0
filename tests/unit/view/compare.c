/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons as they are printed. */
#include "view/compare.h"

#include "view_support.h"

static const char before[] = "main;old 10\nmain;same 5\nmain;gone 3\nmain;a;b;a;old 4\n";
static const char after[] = "main;old 4\nmain;same 5\nmain;new thing 6\nmain;a;b;a;old 8\n";

#define HEADING "A: one; Samples: 22.\nB: two; Samples: 23.\n\n"

/* What a test asks for. */
struct wanted {
	const char *options; /* its own; NULL: none */
	bool normalize;
	bool time;                            /* weights are ms on a CPU */
	double rates[PROF_COMPARISON_SIDES];  /* in Hz, at which they were sampled; 0: not at all */
	uint64_t lost[PROF_COMPARISON_SIDES]; /* of the rounds in a second */
	const char *clocks[PROF_COMPARISON_SIDES]; /* NULL: "cpu" */
	struct prof_choice choice;
};

static struct prof_error *compare(
	const char *a, const char *b, const struct wanted *wanted, struct prof_text *text)
{
	struct prof_experiment *experiments[] = {
		experiment_of(a, wanted->time), experiment_of(b, wanted->time)};
	struct prof_choice choice = wanted->choice;
	const struct prof_compare_request request = {
		.experiments = {experiments[0], experiments[1]},
		.files = {"one", "two"},
		.normalize = wanted->normalize,
		.choice = &choice,
	};
	if (wanted->options)
		choice.own = choose_of(&prof_compare_options, wanted->options);
	for (int i = 0; i < PROF_COMPARISON_SIDES; i++) {
		struct prof_recording *recording = &experiments[i]->recording;
		recording->rate_asked = recording->rate_lowest = wanted->rates[i];
		recording->duration = 1000000000;
		recording->rounds = (uint64_t)wanted->rates[i] - wanted->lost[i];
		free(recording->clock);
		recording->clock = strdup(wanted->clocks[i] ? wanted->clocks[i] : "cpu");
	}
	struct prof_error *error = prof_compare_print(&request, NULL, text);

	prof_experiment_destroy(experiments[0]);
	prof_experiment_destroy(experiments[1]);
	return error;
}

/* The comparison of A and B, as a new string. */
static char *shown(const char *a, const char *b, const struct wanted *wanted)
{
	struct prof_text text = {0};

	ck_assert_ok(compare(a, b, wanted, &text));
	char *copy = strdup(prof_text_get(&text));
	prof_text_deinit(&text);
	return copy;
}

START_TEST(lists_functions_by_how_much_they_changed)
{
	struct wanted wanted = {0};

	check_text(shown(before, after, &wanted),
		HEADING "Exclusive                    Inclusive\n"
			"  Samples                      Samples\n"
			"        A   B  B - A  B / A          A   B  B - A  B / A  Name\n"
			"       22  23     +1  1.045         22  23     +1  1.045  <Total>\n"
			"        0   6     +6    new          0   6     +6    new  new thing\n"
			"        3   0     -3   gone          3   0     -3   gone  gone\n"
			"       14  12     -2  0.857         14  12     -2  0.857  old\n"
			"        0   0      0                 4   8     +4  2.000  a\n"
			"        0   0      0                 4   8     +4  2.000  b\n"
			"        0   0      0                22  23     +1  1.045  main\n"
			"        5   5      0  1.000          5   5      0  1.000  same\n");
}
END_TEST

START_TEST(sorts)
{
	static const struct {
		const char *sort;
		const char *order;
	} rows[] = {
		{NULL, "ngoabms"},
		{"sort=exclusive", "ngoabms"},
		{"sort=inclusive", "nabgoms"},
		{"sort=name", "abgmnos"},
		{"sort=first", "mosgabn"},
	};

	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		struct wanted wanted = {
			.options = rows[i].sort, .choice = {.format = PROF_FORMAT_CSV}};
		char *csv = shown(before, after, &wanted);
		char order[16] = "";
		ck_assert_str_eq(strtok(csv, "\n"),
			"name,exclusive_a,exclusive_b,exclusive_difference,exclusive_ratio,"
			"inclusive_a,inclusive_b,inclusive_difference,inclusive_ratio");
		ck_assert_str_eq(strtok(NULL, "\n"),
			"<Total>,22,23,1,1.0454545454545454,22,23,1,1.0454545454545454");
		for (char *line; (line = strtok(NULL, "\n"));)
			strncat(order, line, 1);
		ck_assert_str_eq(order, rows[i].order);
		free(csv);
	}
}
END_TEST

START_TEST(compares_shares)
{
	struct wanted wanted = {.normalize = true};

	/* The second run is four times as long, and only `b` is another part of it. */
	check_text(shown("a 50\nb 25\nc 25\n", "a 200\nb 50\nc 150\n", &wanted),
		"A: one; Samples: 100.\nB: two; Samples: 400.\n"
		"All values are percent of the total on their side.\n\n"
		"Exclusive                         Inclusive\n"
		"  Samples                           Samples\n"
		"        A       B   B - A  B / A          A       B   B - A  B / A  Name\n"
		"   100.00  100.00    0.    1.000     100.00  100.00    0.    1.000  <Total>\n"
		"    25.00   12.50  -12.50  0.500      25.00   12.50  -12.50  0.500  b\n"
		"    25.00   37.50  +12.50  1.500      25.00   37.50  +12.50  1.500  c\n"
		"    50.00   50.00    0.    1.000      50.00   50.00    0.    1.000  a\n");
	wanted.choice.format = PROF_FORMAT_CSV;
	wanted.options = "limit=2";
	check_text(shown("a 1\n", "a 3\nb 1\n", &wanted),
		"name,exclusive_a,exclusive_b,exclusive_difference,exclusive_ratio,"
		"inclusive_a,inclusive_b,inclusive_difference,inclusive_ratio\n"
		"<Total>,100,100,0,1,100,100,0,1\na,100,75,-25,0.75,100,75,-25,0.75\n");
}
END_TEST

START_TEST(shows_time)
{
	struct wanted wanted = {.time = true};

	wanted.choice.metrics = "cpu";
	check_words(shown("a 600\nb 200\n", "a 200\nb 200\nc 300\n", &wanted),
		"A: one; CPU time: 0.800 sec.\nB: two; CPU time: 0.700 sec.\n\n"
		"Exclusive Inclusive\nCPU time CPU time\nA B B - A B / A A B B - A B / A Name\n"
		"0.800 0.700 -0.100 0.875 0.800 0.700 -0.100 0.875 <Total>\n"
		"0.600 0.200 -0.400 0.333 0.600 0.200 -0.400 0.333 a\n"
		"0. 0.300 +0.300 new 0. 0.300 +0.300 new c\n"
		"0.200 0.200 0. 1.000 0.200 0.200 0. 1.000 b\n");
	wanted.choice.format = PROF_FORMAT_CSV;
	wanted.options = "limit=2";
	check_text(shown("a 600.000001\n", "a 200\n", &wanted),
		"name,exclusive_a,exclusive_b,exclusive_difference,exclusive_ratio,"
		"inclusive_a,inclusive_b,inclusive_difference,inclusive_ratio\n"
		"<Total>,0.600000001,0.2,-0.400000001,0.33333333277777777,"
		"0.600000001,0.2,-0.400000001,0.33333333277777777\n"
		"a,0.600000001,0.2,-0.400000001,0.33333333277777777,"
		"0.600000001,0.2,-0.400000001,0.33333333277777777\n");
}
END_TEST

/* The heading of the comparison of A and B, with less than a screen of rows. */
static char *heading(const char *a, const char *b, const struct wanted *wanted)
{
	char *text = shown(a, b, wanted);

	*strstr(text, "\n\n") = '\0';
	return text;
}

START_TEST(compares_times_where_rates_differ)
{
	struct wanted wanted = {.time = true, .rates = {100, 300}};
	char *text = heading("a 640\n", "a 320\na 325\n", &wanted);

	ck_assert_ptr_nonnull(strstr(text, "A: one; CPU time: 0.640 sec."));
	ck_assert_ptr_nonnull(strstr(text,
		"\nA was sampled at 100 Hz by the clock cpu, B at 300 Hz by the clock cpu:\n"
		"their times are compared (--metric=cpu), not their samples."));
	free(text);
	/* Threads that wait are samples by the wall clock. */
	wanted.clocks[0] = wanted.clocks[1] = "wall";
	text = heading("a 640\n", "a 645\n", &wanted);
	ck_assert_ptr_nonnull(strstr(text, "B: two; Thread time: 0.645 sec."));
	free(text);
	wanted = (struct wanted){.time = true, .rates = {100, 100}, .clocks = {"cpu", "wall"}};
	text = heading("a 640\n", "a 645\n", &wanted);
	ck_assert_ptr_nonnull(strstr(text, "B: two; CPU time: 0.645 sec."));
	free(text);
	/* At the same rate samples are as good. */
	wanted.clocks[1] = NULL;
	text = heading("a 640\n", "a 645\n", &wanted);
	ck_assert_ptr_nonnull(strstr(text, "A: one; Samples: 1.\n"));
	ck_assert_ptr_null(strstr(text, "was sampled"));
	free(text);
	/* Shares do not depend on the rate. */
	wanted = (struct wanted){.time = true, .rates = {100, 300}, .normalize = true};
	text = heading("a 640\n", "a 645\n", &wanted);
	ck_assert_ptr_nonnull(strstr(text, "A: one; Samples: 1.\n"));
	ck_assert_ptr_null(strstr(text, "was sampled"));
	free(text);
}
END_TEST

START_TEST(says_that_samples_of_different_rates_are_no_measure)
{
	struct wanted wanted = {.time = true, .rates = {100, 300}};

	wanted.choice.metrics = "samples";
	char *text = heading("a 640\n", "a 645\n", &wanted);
	ck_assert_ptr_nonnull(strstr(text,
		"equal runs differ in their samples.  Compare times (--metric=cpu) or shares "
		"(--normalize)."));
	free(text);
	/* Where there is no time. */
	wanted = (struct wanted){.rates = {100, 300}};
	text = heading("a 640\n", "a 1930\n", &wanted);
	ck_assert_ptr_nonnull(
		strstr(text, "equal runs differ in their samples.  Compare shares (--normalize)."));
	free(text);
	/* A rate that was not reached. */
	wanted = (struct wanted){.time = true, .rates = {100, 100}, .lost = {0, 50}};
	text = heading("a 640\n", "a 645\n", &wanted);
	ck_assert_ptr_nonnull(
		strstr(text, "A was sampled at a rate of 100 Hz, B of 50 Hz:\nequal runs differ"));
	free(text);
}
END_TEST

START_TEST(shows_callers)
{
	struct wanted wanted = {.options = "view=callers limit=3"};

	check_words(shown(before, after, &wanted),
		HEADING "Attributed\nSamples\nA B B - A B / A Name\n"
			"0 0 0 *<Total>\n22 23 +1 1.045 main\n\n"
			"0 6 +6 new main\n0 6 +6 new *new thing\n\n"
			"3 0 -3 gone main\n3 0 -3 gone *gone\n");
	wanted.choice = (struct prof_choice){.function = "old", .format = PROF_FORMAT_CSV};
	check_text(shown(before, after, &wanted),
		"focus,role,name,attributed_a,attributed_b,attributed_difference,attributed_ratio\n"
		"old,caller,main,10,4,-6,0.4\n"
		"old,caller,a,4,8,4,2\n"
		"old,self,old,14,12,-2,0.8571428571428571\n");
	wanted.choice.function = "a old";
	check_text(shown(before, after, &wanted),
		"focus,role,name,attributed_a,attributed_b,attributed_difference,attributed_ratio\n"
		"a old,caller,b,4,8,4,2\n"
		"a old,fragment,a,,,,\n"
		"a old,self,old,4,8,4,2\n");
	/* What only one of the two has is a fragment too. */
	wanted.choice.function = "main new thing";
	check_text(shown(before, after, &wanted),
		"focus,role,name,attributed_a,attributed_b,attributed_difference,attributed_ratio\n"
		"main new thing,caller,<Total>,0,6,6,\n"
		"main new thing,fragment,main,,,,\n"
		"main new thing,self,new thing,0,6,6,\n");
}
END_TEST

START_TEST(shows_the_tree)
{
	struct wanted wanted = {.options = "view=tree collapse=full"};

	check_text(shown(before, after, &wanted),
		HEADING "In or Under                    In Only\n"
			"    Samples                    Samples\n"
			"          A   B  B - A  B / A        A  B  B - A  B / A  Level\n"
			"-----------   -  -----  -----  -------  -  -----  -----  -----\n"
			"         22  23     +1  1.045        0  0      0         1  main\n"
			"          0   6     +6    new        0  6     +6    new  2   new thing\n"
			"         10   4     -6  0.400       10  4     -6  0.400  2   old\n"
			"          4   8     +4  2.000        0  0      0         2   a\n"
			"          4   8     +4  2.000        0  0      0         3    b\n"
			"                                                         4     a...\n"
			"          4   8     +4  2.000        4  8     +4  2.000  3    old\n"
			"          3   0     -3   gone        3  0     -3   gone  2   gone\n"
			"          5   5      0  1.000        5  5      0  1.000  2   same\n");
}
END_TEST

START_TEST(cuts_and_sorts_the_tree)
{
	static const char heads[] =
		"level,name,stub,in_or_under_a,in_or_under_b,in_or_under_difference,"
		"in_or_under_ratio,in_only_a,in_only_b,in_only_difference,in_only_ratio\n";
	static const struct {
		const char *options;
		const char *names;
	} rows[] = {
		{"view=tree max-level=2", "mnoags"},
		/* Of A it is 3 of 22, of B nothing; enough on one side is enough. */
		{"view=tree min-percent=13 max-level=2", "mnoags"},
		{"view=tree min-percent=14 max-level=2", "mnoas"},
		{"view=tree limit=3", "mno"},
		{"view=tree sort=first max-level=2", "mosgan"},
		{"view=tree sort=name max-level=2", "magnos"},
		{"view=tree sort=exclusive max-level=2", "mnogas"},
	};

	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		struct wanted wanted = {
			.options = rows[i].options, .choice = {.format = PROF_FORMAT_CSV}};
		char *csv = shown(before, after, &wanted);
		char names[32] = "";
		ck_assert_int_eq(strncmp(csv, heads, sizeof heads - 1), 0);
		strtok(csv, "\n");
		for (char *line; (line = strtok(NULL, "\n"));)
			strncat(names, strchr(line, ',') + 1, 1);
		ck_assert_str_eq(names, rows[i].names);
		free(csv);
	}
}
END_TEST

START_TEST(prints_json)
{
	struct wanted wanted = {.options = "limit=1", .choice = {.format = PROF_FORMAT_JSON}};

	check_text(shown("a 2\n", "b 3\n", &wanted),
		"{\"view\": \"compare\", \"metric\": \"samples\", \"unit\": \"samples\", "
		"\"by\": \"functions\", \"normalized\": false, "
		"\"a\": {\"file\": \"one\", \"total\": 2}, "
		"\"b\": {\"file\": \"two\", \"total\": 3}, \"rows\": ["
		"{\"name\": \"<Total>\", \"exclusive_a\": 2, \"exclusive_b\": 3, "
		"\"exclusive_difference\": 1, \"exclusive_ratio\": 1.5, \"inclusive_a\": 2, "
		"\"inclusive_b\": 3, \"inclusive_difference\": 1, \"inclusive_ratio\": 1.5}]}\n");
}
END_TEST

START_TEST(says_what_the_filter_is)
{
	struct wanted wanted = {0};

	wanted.choice.filter.values[PROF_CONDITION_FUNCTION] = "gone";
	check_words(shown(before, after, &wanted),
		"A: one; Samples: 3.\nB: two; Samples: 0.\n"
		"Filter: --function=gone (1 of 4 records of A, 0 of 4 of B).\n"
		"B: The experiment has no function \"gone\"; see prof-functions.\n\n"
		"Exclusive Inclusive\nSamples Samples\nA B B - A B / A A B B - A B / A Name\n"
		"3 0 -3 gone 3 0 -3 gone <Total>\n3 0 -3 gone 3 0 -3 gone gone\n"
		"0 0 0 3 0 -3 gone main\n");
	wanted.choice.filter.values[PROF_CONDITION_FUNCTION] = "old";
	wanted.choice.filter.values[PROF_CONDITION_TIME] = "1s-2s";
	check_text(shown(before, after, &wanted),
		"A: one; Samples: 0.\nB: two; Samples: 0.\n"
		"Filter: --time=1s-2s --function=old (0 of 4 records of A, 0 of 4 of B).\n\n"
		"The filter leaves no sample.\n");
}
END_TEST

START_TEST(says_that_there_is_nothing)
{
	struct wanted wanted = {0};

	wanted.choice.metrics = "lock";
	check_text(shown(before, after, &wanted),
		"A: one; Wait for a lock: 0.000 sec.\nB: two; Wait for a lock: 0.000 sec.\n\n"
		"All values of the metric \"lock\" are 0, on both sides.\n");
}
END_TEST

START_TEST(refuses_several_metrics_and_unknown_functions)
{
	struct wanted wanted = {.options = "view=callers", .choice = {.function = "zz"}};
	struct prof_text text = {0};

	ck_assert_error(compare(before, after, &wanted, &text), "No function \"zz\"");
	wanted.choice.function = "new thing gone";
	ck_assert_error(compare(before, after, &wanted, &text),
		"No stack has these functions in a row: \"new thing\", \"gone\".  Name callers before callees.");
	wanted.choice.metrics = "cpu,lock";
	ck_assert_error(compare(before, after, &wanted, &text), "one metric at a time");
	ck_assert_uint_eq(text.length, 0);
	prof_text_deinit(&text);
}
END_TEST

START_TEST(adds_no_limit_of_its_own)
{
	enum { NUMBER = 20000 };
	struct wanted wanted = {.options = "view=callers"};
	char *lines = malloc((size_t)NUMBER * 32);
	char *at = lines;

	for (int i = 0; i < NUMBER; i++)
		at += sprintf(at, "m;f%d;g%d 1\n", i, i % 7);
	char *text = shown(lines, lines, &wanted);
	ck_assert_ptr_nonnull(strstr(text, "*f19999\n"));
	free(text);
	free(lines);
}
END_TEST

START_TEST(compares_two_parts_of_one)
{
	struct prof_experiment *experiment = experiment_of(before, false);
	const struct prof_filter filters[] = {
		{{[PROF_CONDITION_FUNCTION] = "gone"}}, {{[PROF_CONDITION_FUNCTION] = "a"}}};
	const struct prof_choice choice = {0};
	const struct prof_compare_request request = {
		.experiments = {experiment, experiment},
		.files = {"one", "two"},
		.filters = {&filters[0], &filters[1]},
		.choice = &choice,
	};
	struct prof_text text = {0};

	ck_assert_ok(prof_compare_print(&request, NULL, &text));
	const char *printed = prof_text_get(&text);
	ck_assert_ptr_nonnull(strstr(printed,
		"A: one; Samples: 3.\nB: two; Samples: 4.\n"
		"Filter: --function=gone for A, --function=a for B (1 of 4 records of A, 1 of 4 of B).\n\n"));
	prof_text_deinit(&text);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("compare", lists_functions_by_how_much_they_changed, sorts, compares_shares, shows_time,
	compares_times_where_rates_differ, says_that_samples_of_different_rates_are_no_measure,
	shows_callers, shows_the_tree, cuts_and_sorts_the_tree, prints_json,
	says_what_the_filter_is, says_that_there_is_nothing,
	refuses_several_metrics_and_unknown_functions, adds_no_limit_of_its_own,
	compares_two_parts_of_one)
