/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/callgrind.h"

#include "import_support.h"
#include "random_experiment.h"
#include "model/merge.h"
#include "store/store.h"

/* What callgrind writes of a program: names once, positions relative to those before. */
#define COSTS                                                                 \
	"# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7\n" \
	"cmd:  ./prog\npart: 1\n\ndesc: Trigger: Program termination\n\n"     \
	"positions: line\nevents: Ir sysCount\nsummary: 111 1\n\n\n"          \
	"ob=(2) /bin/prog\nfl=(1) main.c\nfn=(1) (below main)\n10 5\n"        \
	"cfn=(3) main\ncalls=1 20\n+1 100\n\n"                                \
	"fn=(3)\n20 3 1\ncob=(4) /lib/libc.so\ncfi=(7) ???\ncfn=(9) puts\n"   \
	"calls=3 0\n* 30\nfi=(8) inl.h\n3 2\nfe=(1)\n+2 1\n"                  \
	"cfn=(10) work\ncalls=2 +40\n-1 64\n0x1e 1\njump=3 4\n30\n\n"         \
	"ob=(4)\nfl=(7)\nfn=(9)\n0 30\n\nob=(2)\nfl=(1)\nfn=(10)\n46 64\n\n"  \
	"totals: 106 1\n"

/* FRAME as "OBJECT FUNCTION FILE:LINE". */
static const char *describe(
	const struct prof_experiment *experiment, uint32_t number, char buffer[256])
{
	const struct prof_frame *frame = &experiment->frames.items[number];
	const struct prof_location *location = &experiment->locations.items[frame->first_location];
	const struct prof_module *module =
		&experiment->modules.items[experiment->functions.items[location->function].module];

	snprintf(buffer, 256, "%s %s %s:%u", prof_strings_get(&experiment->strings, module->path),
		prof_experiment_function_name(experiment, location->function),
		prof_strings_get(&experiment->strings, location->file), location->line);
	return buffer;
}

START_TEST(lines_have_their_costs)
{
	static const struct {
		const char *place;
		int cost;
	} rows[] = {{"/bin/prog (below main) main.c:10", 5}, {"/bin/prog main main.c:20", 3},
		{"/bin/prog main inl.h:3", 2}, {"/bin/prog main main.c:5", 1},
		{"/bin/prog main main.c:30", 1}, {"/lib/libc.so puts :0", 30},
		{"/bin/prog work main.c:46", 64}};
	AUTO_EXPERIMENT struct prof_experiment *experiment = import_text(COSTS);
	char buffer[256];

	ck_assert_uint_eq(experiment->samples.count, PROF_COUNT(rows));
	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		uint32_t path = sample_at(experiment, i).path;
		ck_assert_str_eq(describe(experiment, experiment->paths.items[path].frame, buffer),
			rows[i].place);
		ck_assert(value_at(experiment, PROF_QUANTITY_SAMPLES, i) ==
			prof_value_of(rows[i].cost));
	}
}
END_TEST

START_TEST(calls_have_their_costs)
{
	static const struct {
		const char *caller, *callee;
		unsigned calls;
		int cost;
	} rows[] = {{"/bin/prog (below main) main.c:11", "/bin/prog main main.c:20", 1, 100},
		{"/bin/prog main main.c:20", "/lib/libc.so puts :0", 3, 30},
		{"/bin/prog main main.c:4", "/bin/prog work main.c:45", 2, 64},
		{"", "/bin/prog (below main) main.c:10", 1, 105}};
	AUTO_EXPERIMENT struct prof_experiment *experiment = import_text(COSTS);
	struct prof_arc_costs costs = {.experiment = experiment};
	char buffer[256];

	ck_assert_uint_eq(prof_arc_costs_count(experiment), PROF_COUNT(rows));
	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		ck_assert(prof_arc_costs_next(&costs));
		if (*rows[i].caller)
			ck_assert_str_eq(
				describe(experiment, costs.caller, buffer), rows[i].caller);
		else
			ck_assert_uint_eq(costs.caller, PROF_NONE);
		ck_assert_str_eq(describe(experiment, costs.callee, buffer), rows[i].callee);
		ck_assert_uint_eq(costs.calls, rows[i].calls);
		ck_assert(costs.values[PROF_QUANTITY_SAMPLES] == prof_value_of(rows[i].cost));
	}
}
END_TEST

START_TEST(events_may_be_times_and_threads_are_apart)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		import_text("events: cpu samples lock\nthread: 7\nfn=f\n1 1000 2 5\nthread: 8\n"
			    "fn=<Total>\ncfn=f\ncalls=1 0\n0 9 4\nthread: 7\nfn=f\n2 3 1\n");

	ck_assert_uint_eq(experiment->threads.count, 3);
	ck_assert_int_eq(prof_experiment_thread_row(experiment, 1).id, 7);
	ck_assert_uint_eq(sample_at(experiment, 1).thread, 1);
	ck_assert(value_at(experiment, PROF_QUANTITY_SAMPLES, 0) == prof_value_of(2));
	ck_assert(value_at(experiment, PROF_QUANTITY_SPENT + PROF_STATE_USER, 0) ==
		prof_value_of(1000));
	ck_assert(
		value_at(experiment, PROF_QUANTITY_SPENT + PROF_STATE_LOCK, 0) == prof_value_of(5));
	ck_assert_int_eq(experiment->arcs.items[0].kind, PROF_ARC_OUTERMOST);
}
END_TEST

START_TEST(instructions_are_left_out)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = import_text(
		"positions: instr line\nevents: Ir\nfl=a.c\nfn=f\n0x401000 7 1\n+4 +1 2\n* * 3\n");
	char buffer[256];

	ck_assert_uint_eq(experiment->samples.count, 3);
	ck_assert_str_eq(describe(experiment, 1, buffer), "<Unknown> f a.c:8");
	ck_assert_uint_eq(experiment->frames.count, 2);
}
END_TEST

START_TEST(damage_is_told_with_its_line)
{
	static const struct {
		const char *text, *told;
	} rows[] = {{"events: a\n", "\"x\" has no costs"},
		{"events: a\nfn=f\n1 2 3\n", "line 3 has more than 1 costs"},
		{"events: a\nfn=f\n1 y\n", "line 3 has \"y\", which is not a cost"},
		{"events: a\nfn=f\n0xy 1\n", "line 3 has \"0xy\", which is not a position"},
		{"events: a\nfn=f\n-1 1\n", "line 3 is for the line -1"},
		{"events: a\nfn=f\n9999999999 1\n", "line 3 is for the line 9999999999"},
		{"events: a\nfn=(7)\n", "line 2 refers to the name (7), which is not defined"},
		{"events: a\ncalls=1 2\n", "line 2 has calls, but no line \"cfn=\" came before it"},
		{"events: a\ncfn=f\ncalls=x 2\n",
			"line 3 has \"x\", which is not a number of calls"},
		{"events: a\ncfn=f\ncalls=1 2\nfn=g\n",
			"line 4 is not the cost of the call before it"},
		{"events: a\ncfn=f\ncalls=1 2\n",
			"is the end, where the cost of a call is missing"},
		{"events: a\n$%&\n", "line 2 is not in callgrind's format"},
		{"events: a\npositions: bytes\n", "line 2 has positions other than"},
		{"events: a\nthread: x\n", "line 2 has \"x\", which is not a thread"},
		{"version: 1\nevents:\nfn=f\n1 1\n", "line 4 has costs, but no line"},
		{"events: cpu\nfn=f\n1 9999999999999999999\n", "is not a cost"}};
	struct prof_experiment *experiment;

	enter_scratch();
	for (size_t i = 0; i < PROF_COUNT(rows); i++) {
		write_text("x", rows[i].text, strlen(rows[i].text));
		assert_error(
			prof_import_read("x", NULL, &experiment), PROF_ERROR_DAMAGED, rows[i].told);
	}
}
END_TEST

START_TEST(broken_files_break_nothing)
{
	char text[] = COSTS;
	uint64_t state = 3;

	enter_scratch();
	for (size_t i = 0; i < sizeof text - 1; i++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
		char right = text[i];
		text[i] = (char)chance(&state, 256);
		write_text("x", text, sizeof text - 1 - chance(&state, 2) * i);
		AUTO_ERROR struct prof_error *error = prof_callgrind_read("x", NULL, &experiment);
		if (!error)
			prof_experiment_check(experiment);
		text[i] = right;
	}
}
END_TEST

START_TEST(costs_are_added_up_with_costs_only)
{
	AUTO_EXPERIMENT struct prof_experiment *one = import_text(COSTS);
	AUTO_EXPERIMENT struct prof_experiment *other = import_text(COSTS);
	AUTO_EXPERIMENT struct prof_experiment *stacks = import_text("a;b 1\n");

	ck_assert_ok(prof_experiment_merge(one, other, NULL));
	prof_experiment_check(one);
	ck_assert_uint_eq(one->arcs.count, 8);
	ck_assert_uint_eq(one->arcs.items[4].callee, one->arcs.items[0].callee);
	assert_error(
		prof_experiment_merge(one, stacks, NULL), PROF_ERROR_MISMATCH, "has no stacks");
}
END_TEST

RUN_TESTS("callgrind", lines_have_their_costs, calls_have_their_costs,
	events_may_be_times_and_threads_are_apart, instructions_are_left_out,
	damage_is_told_with_its_line, broken_files_break_nothing,
	costs_are_added_up_with_costs_only)
