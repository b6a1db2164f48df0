/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gprof's flat profile and call graph: the tables of its manual, and real output of GNU's. */
#include "view_support.h"

#include "callgraph/callgraph.h"
#include "view/gprof.h"

/* A program with call counts: functions, their times in hundredths of seconds, and calls. */
struct program {
	const char *names; /* one letter each; M is `main`, S `start` */
	int self[8];
	struct {
		char caller, callee;
		int calls;
	} calls[16];
};

static const char *name_of(char letter, char buffer[2])
{
	buffer[0] = letter;
	buffer[1] = '\0';
	return letter == 'M' ? "main" : letter == 'S' ? "start" : buffer;
}

/* Prints PROGRAM as CHOICE says. */
static char *show_program(const struct program *program, const struct prof_choice *choice)
{
	struct prof_experiment *experiment;
	struct prof_call_count calls[16];
	prof_value self[8];
	struct prof_metric metric;
	struct prof_callgraph *graph;
	struct prof_text text = {0};
	size_t count = 0;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_metric_find(experiment, "cpu", &metric));
	for (uint32_t i = 0; program->names[i]; i++) {
		char buffer[2];
		const char *name = name_of(program->names[i], buffer);
		uint32_t function;
		ck_assert_ok(
			prof_experiment_function(experiment, name, strlen(name), 0, &function));
		ck_assert_uint_eq(function, i);
		self[i] = prof_value_of(program->self[i] * INT64_C(10000000));
	}
	for (; program->calls[count].caller; count++) {
		const char *caller = strchr(program->names, program->calls[count].caller);
		const char *callee = strchr(program->names, program->calls[count].callee);
		calls[count].caller = (uint32_t)(caller - program->names);
		calls[count].callee = (uint32_t)(callee - program->names);
		calls[count].calls = prof_value_of(program->calls[count].calls);
	}
	ck_assert_ok(prof_callgraph_from_calls(experiment, &metric, self, calls, count, &graph));
	prof_callgraph_check(graph);
	ck_assert_ok(prof_gprof_print(graph, choice, &text));
	prof_callgraph_destroy(graph);
	prof_experiment_destroy(experiment);
	char *shown = strdup(prof_text_get(&text));
	prof_text_deinit(&text);
	return without_marks(shown);
}

/* The manual's program, and one with the same calls that GNU gprof was run on. */
static const struct program manual = {
	.names = "SMabc",
	.self = {0, 16, 75, 102, 0},
	.calls = {{'S', 'M', 1}, {'M', 'a', 1}, {'a', 'b', 3}, {'b', 'a', 2}, {'a', 'c', 3},
		{'b', 'c', 3}},
};
static const struct program cycle = {
	.names = "abcM",
	.self = {19, 25, 0, 2},
	.calls = {{'M', 'a', 1}, {'a', 'b', 3}, {'b', 'a', 2}, {'a', 'c', 3}, {'b', 'c', 3}},
};
/* Two cycles, and a member that calls itself. */
static const struct program cycles = {
	.names = "Mabepq",
	.self = {0, 15, 10, 16, 11, 9},
	.calls = {{'M', 'a', 1}, {'M', 'b', 1}, {'M', 'p', 1}, {'M', 'e', 1}, {'a', 'b', 1},
		{'b', 'a', 1}, {'a', 'a', 1}, {'b', 'e', 2}, {'p', 'q', 2}, {'q', 'p', 1}},
};
/* Recursion, but no cycle. */
static const struct program recursive = {
	.names = "srM",
	.self = {15, 14, 0},
	.calls = {{'M', 'r', 1}, {'r', 'r', 2}, {'r', 's', 3}},
};

static const struct prof_choice graph = {.own = &(const struct prof_gprof_choice){.graph = true}};
static const struct prof_choice gnu = {
	.own = &(const struct prof_gprof_choice){.graph = true, .style = PROF_STYLE_GNU}};

/* What comes first of stacks, which do not count calls. */
#define NOTE_WORDS \
	"The columns \"called\" and \"calls\" hold samples: stacks do not count calls.\n\n"

START_TEST(prints_the_manuals_call_graph)
{
	check_text(show_program(&manual, &graph),
		"index  % time    self  children called     name\n"
		"                                             <spontaneous>\n"
		"[1]    100.00       0     1.93    0      start [1]\n"
		"                 0.16     1.77    1/1        main [2]\n"
		"----------------------------------------\n"
		"                 0.16     1.77    1/1        start [1]\n"
		"[2]    100.00    0.16     1.77    1      main [2]\n"
		"                 1.77        0    1/1        a <cycle 1> [5]\n"
		"----------------------------------------\n"
		"                 1.77        0    1/1        main [2]\n"
		"[3]     91.71    1.77        0    1+5    <cycle 1 as a whole> [3]\n"
		"                 1.02        0    3          b <cycle 1> [4]\n"
		"                 0.75        0    2          a <cycle 1> [5]\n"
		"                    0        0    6/6        c [6]\n"
		"----------------------------------------\n"
		"                                  3          a <cycle 1> [5]\n"
		"[4]     52.85    1.02        0    0      b <cycle 1> [4]\n"
		"                                  2          a <cycle 1> [5]\n"
		"                    0        0    3/6        c [6]\n"
		"----------------------------------------\n"
		"                 1.77        0    1/1        main [2]\n"
		"                                  2          b <cycle 1> [4]\n"
		"[5]     38.86    0.75        0    1      a <cycle 1> [5]\n"
		"                                  3          b <cycle 1> [4]\n"
		"                    0        0    3/6        c [6]\n"
		"----------------------------------------\n"
		"                    0        0    3/6        b <cycle 1> [4]\n"
		"                    0        0    3/6        a <cycle 1> [5]\n"
		"[6]      0.00       0        0    6      c [6]\n"
		"----------------------------------------\n");
}
END_TEST

START_TEST(counts_calls_of_members_to_themselves_as_the_manual_does)
{
	char *printed = show_program(&cycles, &graph);
	char *shown = squeeze(printed);

	ck_assert_ptr_nonnull(strstr(shown,
		"[2] 58.47 0.25 0.11 2+3 <cycle 1 as a whole> [2]\n"
		"0.10 0.11 1 b <cycle 1> [3]\n"
		"0.15 0 2 a <cycle 1> [6]\n"
		"0.11 0 2/3 e [5]\n----"));
	ck_assert_ptr_nonnull(strstr(shown,
		"0.13 0.05 1/2 main [1]\n1 b <cycle 1> [3]\n"
		"1 a <cycle 1> [6]\n"
		"[6] 24.59 0.15 0 1+1 a <cycle 1> [6]\n"
		"1 a <cycle 1> [6]\n1 b <cycle 1> [3]\n----"));
	free(printed);
	free(shown);
}
END_TEST

/* What stands before the heading is not compared: it tells of the sampling of gprof's. */
static void check_gnu(const struct program *program, const char *expected)
{
	char *shown = show_program(program, &gnu);

	ck_assert_str_eq(strstr(shown, "index % time"), expected);
	free(shown);
}

START_TEST(prints_a_cycle_as_gnu_gprof_does)
{
	check_gnu(&cycle,
		"index % time    self  children    called     name\n"
		"                                                 <spontaneous>\n"
		"[1]    100.0    0.02    0.44                 main [1]\n"
		"                0.44    0.00       1/1           a <cycle 1> [4]\n"
		"-----------------------------------------------\n"
		"[2]     95.7    0.44    0.00       1+5       <cycle 1 as a whole> [2]\n"
		"                0.25    0.00       3             b <cycle 1> [3]\n"
		"                0.19    0.00       3             a <cycle 1> [4]\n"
		"-----------------------------------------------\n"
		"                                   3             a <cycle 1> [4]\n"
		"[3]     54.3    0.25    0.00       3         b <cycle 1> [3]\n"
		"                0.00    0.00       3/6           c [5]\n"
		"                                   2             a <cycle 1> [4]\n"
		"-----------------------------------------------\n"
		"                                   2             b <cycle 1> [3]\n"
		"                0.44    0.00       1/1           main [1]\n"
		"[4]     41.3    0.19    0.00       3         a <cycle 1> [4]\n"
		"                0.00    0.00       3/6           c [5]\n"
		"                                   3             b <cycle 1> [3]\n"
		"-----------------------------------------------\n"
		"                0.00    0.00       3/6           b <cycle 1> [3]\n"
		"                0.00    0.00       3/6           a <cycle 1> [4]\n"
		"[5]      0.0    0.00    0.00       6         c [5]\n"
		"-----------------------------------------------\n"
		"\n"
		"Index by function name\n"
		"\n"
		"   [4] a                       [5] c                       [2] <cycle 1>\n"
		"   [3] b                       [1] main\n");
}
END_TEST

START_TEST(prints_two_cycles_as_gnu_gprof_does)
{
	char *shown = show_program(&cycles, &gnu);

	check_golden(strdup(strstr(shown, "index % time")), "gprof_two_cycles_gnu.txt");
	free(shown);
}
END_TEST

START_TEST(prints_direct_recursion_as_gnu_gprof_does)
{
	check_gnu(&recursive,
		"index % time    self  children    called     name\n"
		"                                   2             r [1]\n"
		"                0.14    0.15       1/1           main [2]\n"
		"[1]    100.0    0.14    0.15       1+2       r [1]\n"
		"                0.15    0.00       3/3           s [3]\n"
		"                                   2             r [1]\n"
		"-----------------------------------------------\n"
		"                                                 <spontaneous>\n"
		"[2]    100.0    0.00    0.29                 main [2]\n"
		"                0.14    0.15       1/1           r [1]\n"
		"-----------------------------------------------\n"
		"                0.15    0.00       3/3           r [1]\n"
		"[3]     51.7    0.15    0.00       3         s [3]\n"
		"-----------------------------------------------\n"
		"\n"
		"Index by function name\n"
		"\n"
		"   [1] r                       [3] s\n");
}
END_TEST

START_TEST(prints_the_flat_profile)
{
	struct prof_choice choice = {.own = choose("gprof", "flat")};

	check_words(show_program(&cycle, &choice),
		"Flat profile:\n\n"
		"%   cumulative   self              self     total\n"
		"time   seconds   seconds    calls  ms/call  ms/call  name\n"
		"54.35      0.25     0.25        3    83.33    83.33  b\n"
		"41.30      0.44     0.19        3    63.33    63.33  a\n"
		" 4.35      0.46     0.02                             main\n"
		" 0.00      0.46     0.00        6     0.00     0.00  c\n");
}
END_TEST

START_TEST(prints_both_unless_told)
{
	struct prof_choice both = {.own = choose("gprof", "flat graph")};
	struct prof_choice neither = {.own = choose("gprof", "")};
	char *shown = show_program(&manual, &neither);
	const char *second = strstr(shown, "\n\nindex");

	ck_assert_int_eq(strncmp(shown, "Flat profile:\n", 14), 0);
	ck_assert_ptr_nonnull(second);
	check_text(show_program(&manual, &both), shown);
	check_text(show_program(&manual, &graph), second + 2);
	free(shown);
}
END_TEST

START_TEST(prints_the_call_graph_as_csv)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV, .own = choose("gprof", "graph")};

	check_golden(show_program(&manual, &choice), "gprof_graph.csv");
}
END_TEST

START_TEST(prints_the_flat_profile_as_csv)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV, .own = choose("gprof", "flat")};

	check_text(show_program(&cycle, &choice),
		"name,percent,cumulative,self,calls,self_per_call,total_per_call\n"
		"b,54.34782608695652,0.25,0.25,3,0.08333333333333333,0.08333333333333333\n"
		"a,41.30434782608695,0.44,0.19,3,0.06333333333333334,0.06333333333333334\n"
		"main,4.3478260869565215,0.46,0.02,0,,\n"
		"c,0,0.46,0,6,0,0\n");
}
END_TEST

START_TEST(prints_json)
{
	struct prof_choice choice = {
		.format = PROF_FORMAT_JSON, .own = choose("gprof", "flat limit=1")};

	check_text(show_program(&manual, &choice),
		"{\"view\": \"gprof\", \"metric\": \"cpu\", \"unit\": \"sec.\", "
		"\"total\": 1.9299999999999999, \"rows\": ["
		"{\"name\": \"b\", \"percent\": 52.84974093264249, \"cumulative\": 1.02, "
		"\"self\": 1.02, \"calls\": 3, \"self_per_call\": 0.34000000000000002, "
		"\"total_per_call\": 0.34000000000000002}]}\n");
	choice.own = choose("gprof", "limit=1");
	check_golden(show_program(&manual, &choice), "gprof_both.json");
}
END_TEST

/* Stacks: two cycles that touch each other in no stack, and direct recursion. */
static const char stacks[] = "main;r 1\nmain;r;s 1\nmain;r;r 1\nmain;r;r;s 1\n"
			     "main;ping;pong;ping;work 7.5\n";

START_TEST(prints_the_call_graph_of_stacks)
{
	check_golden(
		show_lines("gprof", stacks, false, &(struct prof_choice){0}), "gprof_stacks.txt");
}
END_TEST

START_TEST(prints_the_call_graph_of_stacks_in_gnus_style)
{
	struct prof_choice choice = {.own = choose("gprof", "style=gnu")};

	choice.metrics = "cpu";
	check_golden(show_lines("gprof", stacks, true, &choice), "gprof_stacks_gnu.txt");
}
END_TEST

START_TEST(leaves_times_per_call_empty_without_call_counts)
{
	struct prof_choice choice = {.format = PROF_FORMAT_CSV, .own = choose("gprof", "flat")};

	check_text(show_lines("gprof", "a;b 3\n", false, &choice),
		"name,percent,cumulative,self,calls,self_per_call,total_per_call\n"
		"b,100,3,3,3,,\na,0,3,0,3,,\n");
}
END_TEST

static uint32_t frame_of(struct prof_experiment *experiment, const char *name)
{
	uint32_t function, frame;

	ck_assert_ok(prof_experiment_function(experiment, name, strlen(name), 0, &function));
	ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
	return frame;
}

static void count(struct prof_experiment *experiment, const char *caller, const char *callee,
	uint64_t calls, enum prof_arc_kind kind)
{
	struct prof_arc counted = {0, frame_of(experiment, callee), frame_of(experiment, caller),
		calls, (uint8_t)kind};

	ck_assert_ok(prof_experiment_arc(experiment, &counted));
}

/* Times of stacks, with calls of r, which recurs, all of a and some of b, none of main. */
static char *show_counted(const struct prof_choice *choice)
{
	struct prof_experiment *experiment = experiment_of("main;a;r;r 3000\nmain;b 1000\n", true);
	const struct prof_view *view = prof_view_find("gprof");
	struct prof_text text = {0};

	experiment->recording.duration = 10000000000;
	experiment->recording.counting = 36000000;
	count(experiment, "main", "a", 2, PROF_ARC_CALLS);
	count(experiment, "a", "r", 4, PROF_ARC_CALLS);
	count(experiment, "b", "r", 1, PROF_ARC_CALLS);
	count(experiment, "r", "r", 5, PROF_ARC_CALLS);
	count(experiment, "main", "b", 6, PROF_ARC_CALLS);
	count(experiment, "b", "b", 0, PROF_ARC_PART);
	count(experiment, "idle", "idle", 0, PROF_ARC_BEGIN);
	prof_experiment_check(experiment);
	ck_assert_ok(prof_view_print(view, experiment, choice, NULL, &text));
	prof_experiment_destroy(experiment);
	char *shown = strdup(prof_text_get(&text));
	prof_text_deinit(&text);
	return shown;
}

static const struct prof_choice flat = {.own = &(const struct prof_gprof_choice){.flat = true}};

START_TEST(counted_calls_are_told_from_those_that_were_not)
{
	check_words(show_counted(&flat),
		"Counted calls of a, r, b, idle: 18.\nSome calls of b were not counted.\n"
		"The columns \"called\" and \"calls\" are of functions whose calls were counted or traced, "
		"and "
		"empty for all others.\nCalls are those of the whole recording, without any "
		"filter.\n\n"
		"Flat profile:\n\n% cumulative self self total\n"
		"time seconds seconds calls s/call s/call name\n"
		"75.00 3.00 3.00 5 0.60 0.60 r\n25.00 4.00 1.00 >6 b\n"
		"0.00 4.00 0.00 2 0.00 1.50 a\n0.00 4.00 0.00 main\n");
	check_words(show_counted(&graph),
		"Counted calls of a, r, b, idle: 18.\nSome calls of b were not counted.\n"
		"The columns \"called\" and \"calls\" are of functions whose calls were counted or traced, "
		"and "
		"empty for all others.\nCalls are those of the whole recording, without any "
		"filter.\n\n"
		"index % time self children called name\n"
		"<spontaneous>\n[1] 100.00 0 4.00 main [1]\n"
		"0 3.00 2/2 a [3]\n1.00 0 >6/>6 b [4]\n"
		"----------------------------------------\n"
		"0 0 1/5 b [4]\n3.00 0 4/5 a [3]\n5 r [2]\n[2] 75.00 3.00 0 5+5 r [2]\n5 r [2]\n"
		"----------------------------------------\n"
		"0 3.00 2/2 main [1]\n[3] 75.00 0 3.00 2 a [3]\n3.00 0 4/5 r [2]\n"
		"----------------------------------------\n"
		"1.00 0 >6/>6 main [1]\n[4] 25.00 1.00 0 >6 b [4]\n0 0 1/5 r [2]\n"
		"----------------------------------------\n");
}
END_TEST

START_TEST(tables_say_what_was_counted)
{
	check_text(show_counted(&(struct prof_choice){
			   .format = PROF_FORMAT_CSV, .own = choose("gprof", "flat")}),
		"name,percent,cumulative,self,calls,self_per_call,total_per_call,counted\n"
		"r,75,3,3,5,0.6,0.6,all\nb,25,4,1,6,,,part\na,0,4,0,2,0,1.5,all\n"
		"main,0,4,0,,,,no\n");
	char *shown = show_counted(
		&(struct prof_choice){.format = PROF_FORMAT_CSV, .own = choose("gprof", "graph")});
	ck_assert_ptr_nonnull(strstr(shown,
		"entry,role,name,cycle,percent,self,children,called,of,counted\n"
		"1,caller,<spontaneous>,0,,,,,,\n1,primary,main,0,100,0,4,,,no\n"
		"1,callee,a,0,,0,3,2,2,all\n1,callee,b,0,,1,0,6,6,part\n"));
	free(shown);
	shown = show_counted(
		&(struct prof_choice){.format = PROF_FORMAT_JSON, .own = choose("gprof", "flat")});
	ck_assert_ptr_nonnull(strstr(shown, "\"calls\": 6"));
	ck_assert_ptr_nonnull(strstr(shown, "\"calls\": null"));
	ck_assert_ptr_nonnull(strstr(shown, "\"counted\": \"part\""));
	free(shown);
}
END_TEST

START_TEST(shows_who_is_called_by_nobody_as_well)
{
	check_words(show_lines("gprof", "a;b 1\nb 2\n", false, &graph),
		NOTE_WORDS "index % time self children called name\n"
			   "<spontaneous>\n1.00 0 1/3 a [2]\n[1] 100.00 3.00 0 3 b [1]\n"
			   "----------------------------------------\n"
			   "<spontaneous>\n[2] 33.33 0 1.00 1 a [2]\n1.00 0 1/3 b [1]\n"
			   "----------------------------------------\n");
}
END_TEST

START_TEST(limits_entries)
{
	struct prof_choice choice = {
		.format = PROF_FORMAT_CSV, .own = choose("gprof", "graph limit=1")};

	check_text(show_program(&manual, &choice),
		"entry,role,name,cycle,percent,self,children,called,of\n"
		"1,caller,<spontaneous>,0,,,,,\n"
		"1,primary,start,0,100,0,1.93,0,0\n"
		"1,callee,main,0,,0.16,1.77,1,1\n");
}
END_TEST

START_TEST(keeps_long_numbers_apart)
{
	check_words(show_lines("gprof", "a;b 123456789012.25\n", false, &graph),
		NOTE_WORDS "index % time self children called name\n"
			   "<spontaneous>\n[1] 100.00 0 123456789012.25 123456789012.25 a [1]\n"
			   "123456789012.25 0 123456789012.25/123456789012.25 b [2]\n"
			   "----------------------------------------\n"
			   "123456789012.25 0 123456789012.25/123456789012.25 a [1]\n"
			   "[2] 100.00 123456789012.25 0 123456789012.25 b [2]\n"
			   "----------------------------------------\n");
}
END_TEST

START_TEST(prints_many_functions_in_little_time)
{
	enum { NUMBER = 100000 };
	char *lines = malloc((size_t)NUMBER * 32);
	char *at = lines;

	for (int i = 0; i < NUMBER; i++)
		at += sprintf(at, "m;f%d;g 1\n", i);
	char *shown = show_lines("gprof", lines, false, &(struct prof_choice){0});
	ck_assert_ptr_nonnull(strstr(shown, "f99999 ["));
	free(shown);
	free(lines);
}
END_TEST

START_TEST(refuses_options_of_a_gmon_out)
{
	static const char *const options[] = {
		"all", "line", "only=a", "without=a", "only-time=a", "without-time=a"};
	struct prof_experiment *experiment = experiment_of("a;b 1\n", false);
	struct prof_text text = {0};

	for (size_t i = 0; i < PROF_COUNT(options); i++) {
		const struct prof_choice choice = {.own = choose("gprof", options[i])};
		ck_assert_error(
			prof_view_print(prof_view_find("gprof"), experiment, &choice, NULL, &text),
			"--only-time and --without-time need a gmon.out");
	}
	const struct prof_choice cut = {.own = choose("gprof", "cut=a/b")};
	ck_assert_ok(prof_view_print(prof_view_find("gprof"), experiment, &cut, NULL, &text));
	prof_text_deinit(&text);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("gprof", refuses_options_of_a_gmon_out, prints_the_manuals_call_graph,
	counts_calls_of_members_to_themselves_as_the_manual_does, prints_a_cycle_as_gnu_gprof_does,
	prints_two_cycles_as_gnu_gprof_does, prints_direct_recursion_as_gnu_gprof_does,
	prints_the_flat_profile, prints_both_unless_told, prints_the_call_graph_as_csv,
	prints_the_flat_profile_as_csv, prints_json, prints_the_call_graph_of_stacks,
	prints_the_call_graph_of_stacks_in_gnus_style,
	leaves_times_per_call_empty_without_call_counts,
	counted_calls_are_told_from_those_that_were_not, tables_say_what_was_counted,
	shows_who_is_called_by_nobody_as_well, limits_entries, keeps_long_numbers_apart,
	prints_many_functions_in_little_time)
