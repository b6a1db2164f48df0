/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Callers and callees: gprofng's panels, and those of the Performance Analyzer's Figure 2-1. */
#include "metric_program.h"
#include "scratch.h"
#include "view_support.h"

#include "formats/callgrind.h"

/* gprofng's example, in ms; `start` stands for its `<static>@0x271c1 (<libc.so.6>)`. */
static const char recursive[] = "start;main;r;r;r;s;work 50\nstart;main;r;r;r;work 50\n"
				"start;main;r;r;work 60\nstart;main;r;r;s;work 50\n"
				"start;main;r;s;work 50\nstart;main;r;work 40\n"
				"start;main;ping;pong;ping;pong;ping;work 130\n";

/* Figure 2-1, as stacks. */
static const char figure[] = "main;A;C 2\nmain;A;C;E 4\nmain;A;C;F 1\nmain;A;C;F;G 3\nmain 2\n"
			     "main;B;C 1.5\nmain;B;C;E 3\nmain;B;C;F 1\nmain;B;C;F;G 2\nmain;B 5\n"
			     "main;B;C 1.5\nmain;B;C;E 3\nmain;B;C;F 1\nmain;B;C;F;G 2\n";

#define HEADING "Attributed\nSamples % Name\n"

START_TEST(prints_gprofngs_panels)
{
	struct prof_choice choice = {0};

	choice.metrics = "cpu";
	check_golden(show_lines("callers", recursive, true, &choice), "callers_recursive.txt");
}
END_TEST

START_TEST(prints_the_panel_of_one_function)
{
	struct prof_choice choice = {.function = "r"};

	choice.metrics = "cpu";
	check_text(show_lines("callers", recursive, true, &choice),
		"Attributed\n"
		"  CPU time\n"
		"      sec.      %   Name\n"
		"     0.210  70.00   r\n"
		"     0.090  30.00   main\n"
		"     0.      0.    *r\n"
		"     0.150  50.00   s\n"
		"     0.150  50.00   work\n"
		"     0.      0.     r\n");
}
END_TEST

START_TEST(prints_the_figures_panels)
{
	static const struct {
		const char *function, *panel;
	} rows[] = {
		{"main", "32 100.00 <Total>\n2 6.25 *main\n20 62.50 B\n10 31.25 A\n"},
		{"A", "10 100.00 main\n0 0. *A\n10 100.00 C\n"},
		{"B", "20 100.00 main\n5 25.00 *B\n15 75.00 C\n"},
		{"C", "15 60.00 B\n10 40.00 A\n5 20.00 *C\n10 40.00 E\n10 40.00 F\n"},
		{"E", "10 100.00 C\n10 100.00 *E\n"},
		{"F", "10 100.00 C\n3 30.00 *F\n7 70.00 G\n"},
	};

	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		struct prof_choice choice = {.function = rows[i].function};
		char expected[256] = HEADING;
		check_words(show_lines("callers", figure, false, &choice),
			strcat(expected, rows[i].panel));
	}
}
END_TEST

START_TEST(prints_the_panel_of_the_total)
{
	struct prof_choice choice = {.function = "<Total>"};

	check_words(show_lines("callers", "a;x 1\nb 2\na;y 4\n", false, &choice),
		HEADING "0 0. *<Total>\n5 71.43 a\n2 28.57 b\n");
}
END_TEST

START_TEST(names_a_function_that_is_not_there)
{
	struct prof_experiment *experiment = experiment_of(recursive, false);
	struct prof_choice choice = {.function = "\033pi"};
	struct prof_text text = {0};
	const struct prof_view *view = prof_view_find("callers");
	struct prof_error *error = prof_view_print(view, experiment, &choice, NULL, &text);

	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_MISSING);
	ck_assert_str_eq(prof_error_message(error), "No function \"\\x1bpi\" is in any stack.");
	prof_error_destroy(error);
	choice.function = "O";
	error = prof_view_print(view, experiment, &choice, NULL, &text);
	ck_assert_str_eq(prof_error_message(error),
		"No function \"O\" is in any stack; similar: \"work\", \"pong\".");
	prof_error_destroy(error);
	ck_assert_uint_eq(text.length, 0);
	prof_text_deinit(&text);
	prof_experiment_destroy(experiment);
}
END_TEST

/* As of callgrind. */
START_TEST(costs_without_stacks_have_their_own_sentence)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	AUTO_TEXT struct prof_text text = {0};
	const struct prof_choice choice = {.function = "g"};

	enter_scratch();
	FILE *file = fopen("x", "w");
	fputs("events: samples\nfn=f\n1 5\n", file);
	fclose(file);
	ck_assert_ok(prof_callgrind_read("x", NULL, &experiment));
	AUTO_ERROR struct prof_error *error =
		prof_view_print(prof_view_find("callers"), experiment, &choice, NULL, &text);
	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_MISSING);
	ck_assert_str_eq(prof_error_message(error), "No function \"g\" has a cost.");
}
END_TEST

START_TEST(suggests_five_names_at_most)
{
	struct prof_experiment *experiment =
		experiment_of("f1 1\nf2 1\nf3 1\nf4 1\nf5 1\nf6 1\n", false);
	struct prof_choice choice = {.function = "f"};
	struct prof_text text = {0};
	struct prof_error *error =
		prof_view_print(prof_view_find("callers"), experiment, &choice, NULL, &text);

	ck_assert_str_eq(prof_error_message(error),
		"No function \"f\" is in any stack; similar: "
		"\"f1\", \"f2\", \"f3\", \"f4\", \"f5\".");
	prof_error_destroy(error);
	prof_text_deinit(&text);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(prints_a_panel_for_each_function_of_a_name)
{
	struct prof_choice choice = {.function = "init"};
	struct prof_experiment *experiment = experiment_of_namesakes();

	check_words(show("callers", experiment, &choice),
		HEADING "3 100.00 <Total>\n3 100.00 *init\n\n2 100.00 <Total>\n2 100.00 *init\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(limits_panels)
{
	struct prof_choice choice = {.own = choose("callers", "limit=2")};

	check_words(show_lines("callers", "a;b 1\n", false, &choice),
		HEADING "0 0. *<Total>\n1 100.00 a\n\n1 100.00 a\n1 100.00 *b\n");
}
END_TEST

/* gprofng's rules for fragments, see metric_fragment.c. */
START_TEST(prints_the_panel_of_a_fragment)
{
	struct prof_choice choice = {.function = "r s"};

	choice.metrics = "cpu";
	check_text(show_lines("callers", recursive, true, &choice),
		"Attributed\n"
		"  CPU time\n"
		"      sec.       %   Name\n"
		"     0.100   66.67   r\n"
		"     0.050   33.33   main\n"
		"                    *r\n"
		"     0.       0.    *s\n"
		"     0.150  100.00   work\n");
	choice.function = "main r r";
	check_words(show_lines("callers", recursive, true, &choice),
		"Attributed\nCPU time\nsec. % Name\n0.210 100.00 start\n*main\n*r\n0. 0. *r\n"
		"0.100 47.62 r\n0.060 28.57 work\n0.050 23.81 s\n");
	choice.format = PROF_FORMAT_CSV;
	choice.function = "r work";
	check_text(show_lines("callers", recursive, true, &choice),
		"focus,role,name,attributed,percent\n"
		"r work,caller,r,0.11,73.33333333333333\n"
		"r work,caller,main,0.04,26.666666666666668\n"
		"r work,fragment,r,,\n"
		"r work,self,work,0.15,100\n");
}
END_TEST

START_TEST(finds_names_that_hold_spaces)
{
	static const char lines[] = "main;operator new(unsigned long);x 1\n"
				    "main;operator new;x 2\nmain;new;f(int, char) const 4\n"
				    "a b;main 8\n";
	static const struct {
		const char *function, *panel;
	} rows[] = {
		{"operator new", "2 100.00 main\n0 0. *operator new\n2 100.00 x\n"},
		{"main operator new(unsigned long)",
			"1 100.00 <Total>\n*main\n0 0. *operator new(unsigned long)\n1 100.00 x\n"},
		{"main operator new x", "2 100.00 <Total>\n*main\n*operator new\n2 100.00 *x\n"},
		{"new f(int, char) const", "4 100.00 main\n*new\n4 100.00 *f(int, char) const\n"},
		{"a b main", "8 100.00 <Total>\n*a b\n8 100.00 *main\n"},
	};

	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		struct prof_choice choice = {.function = rows[i].function};
		char expected[256] = HEADING;
		check_words(show_lines("callers", lines, false, &choice),
			strcat(expected, rows[i].panel));
	}
}
END_TEST

START_TEST(says_what_is_wrong_with_a_fragment)
{
	static const struct {
		const char *function, *message;
	} rows[] = {
		{"main zz work", "No function \"zz\" is in any stack."},
		{"s r", "No stack has these functions in a row: \"s\", \"r\".  Name callers before callees."},
		{"zz main", "No function \"zz main\" is in any stack."},
	};
	struct prof_experiment *experiment = experiment_of(recursive, false);

	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		struct prof_choice choice = {.function = rows[i].function};
		struct prof_text text = {0};
		struct prof_error *error = prof_view_print(
			prof_view_find("callers"), experiment, &choice, NULL, &text);
		ck_assert_ptr_nonnull(error);
		ck_assert_str_eq(prof_error_message(error), rows[i].message);
		prof_error_destroy(error);
		prof_text_deinit(&text);
	}
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(takes_namesakes_in_a_fragment_for_one)
{
	struct prof_choice choice = {.function = "init init"};
	struct prof_experiment *experiment = experiment_of("main;init;init 1\n", false);
	const prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(2)};
	struct prof_sample sample = {0};
	uint32_t module, function, frame;

	/* The same again, but that the inner one is in a library. */
	sample.path = experiment->paths.items[sample_at(experiment, 0).path].parent;
	ck_assert_ok(prof_experiment_module(experiment, "/lib/other.so", "", &module));
	ck_assert_ok(prof_experiment_function(experiment, "init", 4, module, &function));
	ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
	ck_assert_ok(prof_experiment_path(experiment, sample.path, frame, &sample.path));
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	check_words(show("callers", experiment, &choice),
		HEADING "3 100.00 main\n*init\n3 100.00 *init\n");
	prof_experiment_destroy(experiment);
}
END_TEST

/* C++: see metric_names.c for what names stand for. */
static const char overloads[] = "main;app::run(int);s 1\nmain;app::run(char);app::run(int);s 2\n"
				"main;t;app::run(char) 4\n";

START_TEST(prints_a_panel_for_each_overload)
{
	static const char one[] = "2 66.67 app::run(char)\n1 33.33 main\n"
				  "0 0. *app::run(int)\n3 100.00 s\n";
	static const char other[] = "4 66.67 t\n2 33.33 main\n4 66.67 *app::run(char)\n"
				    "2 33.33 app::run(int)\n";
	struct prof_choice choice = {.function = "run"};
	char expected[512] = HEADING;

	check_words(show_lines("callers", overloads, false, &choice),
		strcat(strcat(strcat(expected, one), "\n"), other));
	choice.function = "app::run(char)";
	strcpy(expected, HEADING);
	check_words(show_lines("callers", overloads, false, &choice), strcat(expected, other));
}
END_TEST

START_TEST(takes_overloads_in_a_fragment_for_one)
{
	struct prof_choice choice = {.function = "main app::run s"};

	/* What stands for several functions is shown as it was typed. */
	check_words(show_lines("callers", overloads, false, &choice),
		HEADING "1 100.00 <Total>\n*main\n*app::run\n1 100.00 *s\n");
	choice.function = "main run";
	check_words(show_lines("callers", overloads, false, &choice),
		HEADING "3 100.00 <Total>\n*main\n0 0. *run\n2 66.67 app::run(int)\n"
			"1 33.33 s\n");
	choice.function = "t run";
	choice.format = PROF_FORMAT_CSV;
	check_text(show_lines("callers", overloads, false, &choice),
		"focus,role,name,attributed,percent\nt run,caller,main,4,100\n"
		"t run,fragment,t,,\nt run,self,run,4,100\n");
	choice.function = "run(char) run";
	check_text(show_lines("callers", overloads, false, &choice),
		"focus,role,name,attributed,percent\n"
		"app::run(char) run,caller,main,2,100\n"
		"app::run(char) run,fragment,app::run(char),,\n"
		"app::run(char) run,self,run,0,0\napp::run(char) run,callee,s,2,100\n");
}
END_TEST

START_TEST(shows_metrics_side_by_side)
{
	struct prof_choice choice = {.function = "main"};
	struct prof_experiment *experiment = program_create();

	experiment->recording.rate_asked = 0;
	choice.metrics = ".samples,cpu,%wall";
	check_text(show("callers", experiment, &choice),
		"            Attributed           Attributed\n"
		"Attributed    CPU time          Thread time\n"
		"   Samples        sec.       %            %   Name\n"
		"        15      15.000  100.00       100.00   <Total>\n"
		"         0       0.       0.           0.    *main\n"
		"        10      10.000   66.67        45.45   qsort\n"
		"         5       5.000   33.33        22.73   work\n"
		"         0       0.       0.          31.82   <Unknown>\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(shows_callers_that_only_one_metric_has)
{
	struct prof_choice choice = {.function = "main", .format = PROF_FORMAT_CSV};
	struct prof_experiment *experiment = program_create();

	choice.metrics = ".cpu,.lock";
	check_text(show("callers", experiment, &choice),
		"focus,role,name,cpu_attributed,lock_attributed\n"
		"main,caller,<Total>,15,7\n"
		"main,self,main,0,0\n"
		"main,callee,qsort,10,0\n"
		"main,callee,work,5,0\n"
		"main,callee,<Unknown>,0,7\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(prints_csv)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV};

	check_text(show_lines("callers", "a;b 1.5\na 0.5\n", false, &choice),
		"focus,role,name,attributed,percent\n"
		"<Total>,self,<Total>,0,0\n"
		"<Total>,callee,a,2,100\n"
		"b,caller,a,1.5,100\n"
		"b,self,b,1.5,100\n"
		"a,caller,<Total>,2,100\n"
		"a,self,a,0.5,25\n"
		"a,callee,b,1.5,75\n");
}
END_TEST

START_TEST(prints_json)
{
	struct prof_choice choice = {.format = PROF_FORMAT_JSON, .function = "a"};

	check_text(show_lines("callers", "a 3\n", false, &choice),
		"{\"view\": \"callers\", \"metric\": \"samples\", \"unit\": \"samples\", "
		"\"total\": 3, \"rows\": ["
		"{\"focus\": \"a\", \"role\": \"caller\", \"name\": \"<Total>\", "
		"\"attributed\": 3, \"percent\": 100.0}, "
		"{\"focus\": \"a\", \"role\": \"self\", \"name\": \"a\", "
		"\"attributed\": 3, \"percent\": 100.0}]}\n");
}
END_TEST

START_TEST(lists_many_functions_in_little_time)
{
	enum { NUMBER = 100000 };
	struct prof_choice choice = {0};
	char *lines = malloc((size_t)NUMBER * 32);
	char *at = lines;

	for (int i = 0; i < NUMBER; i++)
		at += sprintf(at, "m;f%d;g%d 1\n", i, i % 7);
	char *shown = show_lines("callers", lines, false, &choice);
	ck_assert_ptr_nonnull(strstr(shown, "*f99999\n"));
	free(shown);
	free(lines);
}
END_TEST

/* main calls f 3 times, and f calls g 2 times, as --count has it. */
static struct prof_experiment *experiment_of_counted_calls(void)
{
	struct prof_experiment *experiment;
	uint32_t module;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_module(experiment, "/bin/prog", "", &module));
	uint32_t outer = program_frame(experiment, module, 0x1000, "main", "a.c", 1, NULL);
	uint32_t f = program_frame(experiment, module, 0x2000, "f", "a.c", 1, NULL);
	uint32_t g = program_frame(experiment, module, 0x3000, "g", "a.c", 1, NULL);
	const struct prof_arc rows[] = {
		{1, f, outer, 3, PROF_ARC_CALLS}, {2, g, f, 2, PROF_ARC_CALLS}};
	for (size_t i = 0; i < PROF_COUNT(rows); i++)
		ck_assert_ok(prof_experiment_arc(experiment, &rows[i]));
	return experiment;
}

START_TEST(shows_calls_where_no_samples_were_taken)
{
	struct prof_choice choice = {.function = "f"};
	struct prof_experiment *experiment = experiment_of_counted_calls();

	check_words(show("callers", experiment, &choice),
		"Attributed\nCalls % Name\n3 60.00 main\n2 40.00 <Total>\n3 60.00 *f\n2 40.00 g\n");
	choice.metrics = "samples";
	check_text(show("callers", experiment, &choice), "No samples.\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(shows_samples_beside_counted_calls)
{
	struct prof_choice choice = {.function = "f"};
	struct prof_experiment *experiment = experiment_of_counted_calls();
	const prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(2)};

	add_stack(experiment, "f", ';', values);
	check_words(
		show("callers", experiment, &choice), HEADING "2 100.00 <Total>\n2 100.00 *f\n");
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("callers", prints_a_panel_for_each_overload, takes_overloads_in_a_fragment_for_one,
	prints_the_panel_of_a_fragment, finds_names_that_hold_spaces,
	says_what_is_wrong_with_a_fragment, takes_namesakes_in_a_fragment_for_one,
	shows_metrics_side_by_side, shows_callers_that_only_one_metric_has, prints_gprofngs_panels,
	prints_the_panel_of_one_function, prints_the_figures_panels, prints_the_panel_of_the_total,
	names_a_function_that_is_not_there, costs_without_stacks_have_their_own_sentence,
	suggests_five_names_at_most, prints_a_panel_for_each_function_of_a_name, limits_panels,
	prints_csv, prints_json, lists_many_functions_in_little_time,
	shows_calls_where_no_samples_were_taken, shows_samples_beside_counted_calls)
