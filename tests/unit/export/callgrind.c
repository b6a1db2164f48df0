/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of callgrind that are written, and read again; and what views show of them. */
#include "view_trip.h"

#include "metric_program.h"

/* The rows of a list of functions or lines by name, as CSV. */
static char *list(const char *view, struct prof_experiment *experiment)
{
	const struct prof_choice choice = {
		.format = PROF_FORMAT_CSV, .own = choose(view, "sort=name")};

	return show(view, experiment, &choice);
}

/* EXPERIMENT's METRICS as a file of callgrind, read and written again. */
static void assert_kept(struct prof_experiment *before, const char *metrics)
{
	AUTO_EXPERIMENT struct prof_experiment *after = trip(before, "callgrind", metrics, true);
	AUTO_EXPERIMENT struct prof_experiment *again = trip(after, "callgrind", metrics, true);

	trip_same(after, again, "callgrind", metrics, true);
	char *here = list("functions", before);
	check_text(list("functions", after), here);
	free(here);
}

START_TEST(nothing_that_callgrind_holds_is_lost)
{
	AUTO_EXPERIMENT struct prof_experiment *program = program_create();
	AUTO_EXPERIMENT struct prof_experiment *stacks =
		experiment_of("main;f;f;g 5\nmain;g 3\ng;main 1\nf 2\n", false);

	assert_kept(program, "samples,user,system,lock");
	assert_kept(stacks, "samples");
}
END_TEST

static struct prof_experiment *read_costs(void)
{
	struct prof_text text = {0};

	prof_text_print(&text,
		"events: Ir\nfl=a.c\nfn=main\n1 5\ncfn=f\ncalls=2 10\n2 60\ncfn=g\ncalls=1 20\n"
		"3 35\nfn=f\n10 40\ncfn=g\ncalls=4 20\n11 20\nfn=g\n20 45\ncfn=g\ncalls=9 20\n"
		"21 30\n20 10\n");
	struct prof_experiment *experiment = trip_read(&text);
	prof_text_deinit(&text);
	return experiment;
}

START_TEST(functions_and_lines_have_what_their_calls_cost)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_costs();

	struct prof_choice choice = {.own = choose("functions", "limit=1")};

	check_text(show("functions", experiment, &choice),
		"The file has costs of lines and of calls, and no stacks.\n\n"
		"Exclusive          Inclusive\n"
		"  Samples       %    Samples       %  Name\n"
		"      100  100.00        100  100.00  <Total>\n");
	check_text(list("functions", experiment),
		"name,exclusive,inclusive,exclusive_percent,inclusive_percent\n"
		"<Total>,100,100,100,100\nf,40,60,40,60\ng,55,55,55,55\nmain,5,100,5,100\n");
	check_text(list("lines", experiment),
		"name,exclusive,inclusive,exclusive_percent,inclusive_percent\n"
		"<Total>,100,100,100,100\n"
		"\"f, line 10 in \"\"a.c\"\"\",40,40,40,40\n"
		"\"f, line 11 in \"\"a.c\"\"\",0,20,0,20\n"
		"\"g, line 20 in \"\"a.c\"\"\",55,55,55,55\n"
		"\"g, line 21 in \"\"a.c\"\"\",0,30,0,30\n"
		"\"main, line 1 in \"\"a.c\"\"\",5,5,5,5\n"
		"\"main, line 2 in \"\"a.c\"\"\",0,60,0,60\n"
		"\"main, line 3 in \"\"a.c\"\"\",0,35,0,35\n");
}
END_TEST

START_TEST(source_has_what_its_calls_cost)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_costs();
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};

	choice.function = "f";
	check_text(show("source", experiment, &choice),
		"hot,file,line,source,exclusive,inclusive,exclusive_percent,inclusive_percent\n"
		"0,,,<Total>,100,100,100,100\n0,a.c,,<Function: f>,40,60,40,60\n"
		"1,a.c,10,,40,40,40,40\n0,a.c,11,,0,20,0,20\n");
}
END_TEST

START_TEST(callers_and_callees_are_those_of_the_calls)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_costs();
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};

	choice.function = "g";
	check_text(show("callers", experiment, &choice),
		"focus,role,name,attributed,percent\n"
		"g,caller,main,35,63.63636363636363\ng,caller,g,30,54.54545454545455\n"
		"g,caller,f,20,36.36363636363637\ng,self,g,55,100\n"
		"g,callee,g,30,54.54545454545455\n");
}
END_TEST

START_TEST(the_call_graph_has_calls_and_their_costs)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_costs();
	struct prof_choice choice = {.format = PROF_FORMAT_CSV, .own = choose("gprof", "graph")};

	check_text(show("gprof", experiment, &choice),
		"entry,role,name,cycle,percent,self,children,called,of\n"
		"1,caller,<spontaneous>,0,,,,,\n1,primary,main,0,100,5,95,1,0\n"
		"1,callee,f,0,,40,20,2,2\n1,callee,g,0,,35,0,1,5\n"
		"2,caller,main,0,,40,20,2,2\n2,primary,f,0,60,40,20,2,0\n"
		"2,callee,g,0,,20,0,4,5\n3,caller,f,0,,20,0,4,5\n"
		"3,caller,main,0,,35,0,1,5\n3,caller,g,0,,,,9,\n"
		"3,primary,g,0,55,55,0,5,9\n3,callee,g,0,,,,9,\n");
}
END_TEST

START_TEST(what_needs_stacks_says_so)
{
	static const char *const views[] = {"tree", "phases"};
	static const char *const exports[] = {"folded", "pprof", "speedscope"};
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_costs();
	struct prof_choice choice = {.function = "main f"};
	struct prof_filter filter = {.values = {[PROF_CONDITION_FUNCTION] = "f"}};

	for (size_t i = 0; i <= PROF_COUNT(views); i++) {
		AUTO_TEXT struct prof_text text = {0};
		ck_assert_error(prof_view_print(prof_view_find(i < 2 ? views[i] : "callers"),
					experiment, &choice, NULL, &text),
			", but a callgrind file has only costs of lines");
	}
	for (size_t i = 0; i < PROF_COUNT(exports); i++) {
		AUTO_TEXT struct prof_text text = {0};
		AUTO_SHEET struct prof_sheet sheet = {0};
		const struct prof_export *format;
		ck_assert_ok(prof_export_find(exports[i], &format));
		struct prof_sheet_request request = {NULL, &choice.filter, format->kind, true,
			format->want, format->needs, "It"};
		ck_assert_error(
			prof_sheet_init(&sheet, experiment, &request, NULL), "It needs stacks");
	}
	choice.filter = filter;
	AUTO_TEXT struct prof_text text = {0};
	ck_assert_error(
		prof_view_print(prof_view_find("functions"), experiment, &choice, NULL, &text),
		"A filter needs stacks");
}
END_TEST

RUN_TESTS("callgrind", nothing_that_callgrind_holds_is_lost,
	functions_and_lines_have_what_their_calls_cost, source_has_what_its_calls_cost,
	callers_and_callees_are_those_of_the_calls, the_call_graph_has_calls_and_their_costs,
	what_needs_stacks_says_so)
