/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that are left out: stacks are cut there, and what was counted of them goes. */
#include "metric/cuts.h"

#include "metric_callgraph.h"
#include "model/experiment.h"

#define STACK(text, units) stacks_add(&stacks, text, prof_value_of(units))
#define ENTRY(name, self, children, ...) \
	expect_entry(&stacks, graph, name, 100 * (self), 100 * (children), __VA_ARGS__)
#define ARC(caller, callee, self, children, calls) \
	expect_arc(&stacks, graph, caller, callee, 100 * (self), 100 * (children), calls)

/* Adds to CUTS the calls of TO by FROM, functions of STACKS. */
static void add_cut(struct prof_cuts *cuts, struct stacks *stacks, const char *from, const char *to)
{
	struct prof_cut_calls *calls = prof_array_push(&cuts->list);

	ck_assert_ptr_nonnull(calls);
	*calls = (struct prof_cut_calls){
		calloc(STACKS_NAMES, sizeof(bool)), calloc(STACKS_NAMES, sizeof(bool))};
	ck_assert(calls->from && calls->to);
	calls->from[stacks_function(stacks, from)] = true;
	calls->to[stacks_function(stacks, to)] = true;
}

START_TEST(cycle_ends_where_its_stacks_are_cut)
{
	AUTO_STACKS struct stacks stacks = {0};
	AUTO_CUTS struct prof_cuts cuts = {0};
	struct prof_call_counts none = {0};
	struct prof_profile *cut;
	struct prof_callgraph *graph;

	STACK("main a b", 1);
	STACK("main a b a", 2);
	STACK("main a b a b c", 4);
	STACK("b c", 8);
	add_cut(&cuts, &stacks, "b", "a");
	ck_assert_ok(prof_cuts_stacks(&cuts, stacks_profile(&stacks), &cut));
	prof_calltree_check(&cut->tree);
	ck_assert_ok(prof_callgraph_from_stacks(cut, &none, &graph));
	prof_callgraph_check(graph);
	ck_assert_uint_eq(graph->entries.count, graph->functions);
	ck_assert_value(graph->total, prof_value_of(15));
	ENTRY("main", 0, 7, 7, 0, 0);
	ENTRY("a", 2, 5, 7, 0, 0);
	ENTRY("b", 1, 12, 13, 0, 0);
	ARC("main", "a", 2, 5, 7);
	ARC("a", "b", 1, 4, 5);
	ARC("b", "c", 12, 0, 12);
	prof_callgraph_destroy(graph);
	prof_profile_destroy(cut);
}
END_TEST

START_TEST(stack_without_a_higher_instance_is_cut_in_two)
{
	AUTO_STACKS struct stacks stacks = {0};
	AUTO_CUTS struct prof_cuts cuts = {0};
	struct prof_call_counts none = {0};
	struct prof_profile *cut;
	struct prof_callgraph *graph;

	STACK("main b", 1);
	STACK("main b a c", 2);
	STACK("main a", 4);
	add_cut(&cuts, &stacks, "b", "a");
	ck_assert_ok(prof_cuts_stacks(&cuts, stacks_profile(&stacks), &cut));
	ck_assert_ok(prof_callgraph_from_stacks(cut, &none, &graph));
	prof_callgraph_check(graph);
	ck_assert_value(graph->total, prof_value_of(7));
	ENTRY("main", 0, 5, 5, 0, 0);
	ENTRY("b", 1, 0, 1, 0, 0);
	ENTRY("a", 4, 2, 6, 0, 0);
	ARC("main", "a", 4, 0, 4);
	ck_assert(is_spontaneous(&stacks, graph, "a"));
	prof_callgraph_destroy(graph);
	prof_profile_destroy(cut);
}
END_TEST

START_TEST(no_cut_leaves_all_as_it_is)
{
	AUTO_STACKS struct stacks stacks = {0};
	struct prof_cuts none = {0};
	struct prof_profile *cut;

	STACK("main a", 3);
	STACK("main a b", 4);
	ck_assert_ok(prof_cuts_stacks(&none, stacks_profile(&stacks), &cut));
	ck_assert_uint_eq(cut->tree.nodes.count, 4);
	ck_assert_value(cut->inclusive[0], prof_value_of(7));
	ck_assert_value(cut->inclusive[1], prof_value_of(7));
	prof_profile_destroy(cut);
}
END_TEST

START_TEST(counted_calls_go_as_well)
{
	AUTO_STACKS struct stacks stacks = {0};
	AUTO_CUTS struct prof_cuts cuts = {0};
	uint32_t a = stacks_function(&stacks, "a"), b = stacks_function(&stacks, "b");
	const struct prof_call_count counts[] = {
		{a, b, prof_value_of(3), 0}, {b, a, prof_value_of(4), 0}, {PROF_NONE, a, 5, 0}};
	AUTO_CALL_COUNTS struct prof_call_counts calls = {0};

	for (size_t i = 0; i < PROF_COUNT(counts); i++)
		*prof_array_push(&calls.list) = counts[i];
	add_cut(&cuts, &stacks, "a", "b");
	prof_cuts_calls(&cuts, &calls);
	ck_assert_uint_eq(calls.list.count, 2);
	ck_assert_uint_eq(calls.list.items[0].caller, b);
	ck_assert_uint_eq(calls.list.items[1].caller, PROF_NONE);
}
END_TEST

/* An experiment with the functions NAMES, in their order from 0 on. */
static struct prof_experiment *experiment_of(const char *const *names, size_t count)
{
	struct prof_experiment *experiment;
	uint32_t function;

	ck_assert_ok(prof_experiment_create(&experiment));
	for (size_t i = 0; i < count; i++) {
		ck_assert_ok(prof_experiment_function(
			experiment, names[i], strlen(names[i]), 0, &function));
		ck_assert_uint_eq(function, i);
	}
	return experiment;
}

START_TEST(names_are_those_of_views)
{
	static const char *const names[] = {"main", "f(int, char)", "A::operator/(A const&)", "g"};
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		experiment_of(names, PROF_COUNT(names));
	AUTO_CUTS struct prof_cuts cuts = {0};

	ck_assert_ok(prof_cuts_init(
		&cuts, experiment, "main/f(int, char),A::operator//g,main/operator/,/main,g/"));
	ck_assert_uint_eq(cuts.list.count, 5);
	ck_assert(prof_cuts_have(&cuts, 0, 1));
	ck_assert(prof_cuts_have(&cuts, 2, 3));
	ck_assert(prof_cuts_have(&cuts, 0, 2));
	ck_assert(prof_cuts_have(&cuts, 1, 0));
	ck_assert(prof_cuts_have(&cuts, 3, 1));
	ck_assert(!prof_cuts_have(&cuts, 1, 2));
	ck_assert(!prof_cuts_have(&cuts, PROF_NONE, 0));
}
END_TEST

START_TEST(wrong_names_are_told)
{
	static const char *const names[] = {"main", "f"};
	static const char *const wrong[][2] = {{"main", "FROM/TO, not \"main\""},
		{"", "FROM/TO, not \"\""}, {"main/nope", "no function \"nope\""},
		{"nope/f", "no function \"nope\""}, {"main/f,f", "not \"f\""}};
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		experiment_of(names, PROF_COUNT(names));

	for (size_t i = 0; i < PROF_COUNT(wrong); i++) {
		struct prof_cuts cuts = {0};
		AUTO_ERROR struct prof_error *error =
			prof_cuts_init(&cuts, experiment, wrong[i][0]);
		ck_assert_ptr_nonnull(error);
		ck_assert_ptr_nonnull(strstr(prof_error_message(error), wrong[i][1]));
	}
}
END_TEST

RUN_TESTS("cuts", cycle_ends_where_its_stacks_are_cut,
	stack_without_a_higher_instance_is_cut_in_two, no_cut_leaves_all_as_it_is,
	counted_calls_go_as_well, names_are_those_of_views, wrong_names_are_told)
