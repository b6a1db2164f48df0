/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The call graph from calls whose costs are known. */
#include "metric_callgraph.h"

struct call {
	const char *caller, *callee; /* caller "": nobody */
	int calls, cost;             /* hundredths */
};

struct known {
	const char *name;
	int self; /* hundredths */
};

static struct prof_callgraph *create(struct stacks *stacks, const struct known *known,
	size_t functions, const struct call *calls, size_t count)
{
	prof_value self[STACKS_NAMES] = {0};
	struct prof_call_count list[16];
	struct prof_callgraph *graph;

	ck_assert_uint_le(count, PROF_COUNT(list));
	for (size_t i = 0; i < functions; i++)
		self[stacks_function(stacks, known[i].name)] = cents(known[i].self);
	for (size_t i = 0; i < count; i++)
		list[i] = (struct prof_call_count){
			.caller = *calls[i].caller ? stacks_function(stacks, calls[i].caller)
						   : PROF_NONE,
			.callee = stacks_function(stacks, calls[i].callee),
			.calls = prof_value_of(calls[i].calls),
			.value = cents(calls[i].cost),
		};
	ck_assert_ok(prof_callgraph_from_costs(
		&stacks->experiment, prof_metrics, self, list, count, &graph));
	ck_assert(graph->counted && !graph->partly);
	return graph;
}

#define CREATE(known, calls) create(&stacks, known, PROF_COUNT(known), calls, PROF_COUNT(calls))
#define ENTRY(...) expect_entry(&stacks, graph, __VA_ARGS__)
#define ARC(...) expect_arc(&stacks, graph, __VA_ARGS__)
#define INSIDE(...) expect_inside(&stacks, graph, __VA_ARGS__)

/* One call of many may take nearly all: gprof would share the time out by calls. */
START_TEST(arcs_have_what_their_calls_cost)
{
	static const struct known known[] = {{"main", 10}, {"a", 5}, {"b", 5}, {"work", 80}};
	static const struct call calls[] = {{"", "main", 1, 100}, {"main", "a", 1, 75},
		{"main", "b", 1, 15}, {"a", "work", 1, 70}, {"b", "work", 9, 10}};
	AUTO_STACKS struct stacks stacks = {0};
	struct prof_callgraph *graph = CREATE(known, calls);

	prof_callgraph_check(graph);
	ENTRY("main", 10, 90, 1, 0, 0);
	ENTRY("a", 5, 70, 1, 0, 0);
	ENTRY("work", 80, 0, 10, 0, 0);
	ARC("a", "work", 70, 0, 1);
	ARC("b", "work", 10, 0, 9);
	ARC("main", "a", 5, 70, 1);
	ck_assert(is_spontaneous(&stacks, graph, "main"));
	prof_callgraph_destroy(graph);
}
END_TEST

/* What two callers cause is divided in self and children as the function's time is. */
START_TEST(costs_are_divided_as_those_of_the_function)
{
	static const struct known known[] = {{"main", 0}, {"g", 0}, {"f", 30}, {"leaf", 60}};
	static const struct call calls[] = {{"", "main", 1, 60}, {"", "g", 1, 30},
		{"main", "f", 2, 60}, {"g", "f", 2, 30}, {"f", "leaf", 4, 60}};
	AUTO_STACKS struct stacks stacks = {0};
	struct prof_callgraph *graph = CREATE(known, calls);

	prof_callgraph_check(graph);
	ARC("main", "f", 20, 40, 2);
	ARC("g", "f", 10, 20, 2);
	prof_callgraph_destroy(graph);
}
END_TEST

/* In recursion callgrind counts costs again and again: such calls have no time, as in gprof. */
START_TEST(recursion_has_the_time_with_which_it_was_entered)
{
	static const struct known known[] = {{"main", 5}, {"f", 40}, {"g", 55}};
	static const struct call calls[] = {{"", "main", 1, 100}, {"main", "f", 2, 95},
		{"f", "g", 4, 120}, {"g", "f", 3, 77}, {"g", "g", 9, 30}};
	AUTO_STACKS struct stacks stacks = {0};
	struct prof_callgraph *graph = CREATE(known, calls);

	prof_callgraph_check(graph);
	ENTRY("main", 5, 95, 1, 0, 0);
	expect_cycle(&stacks, graph, "f", 1);
	expect_cycle(&stacks, graph, "g", 1);
	INSIDE("f", "g", 4);
	INSIDE("g", "g", 9);
	ARC("main", "f", 95, 0, 2);
	prof_callgraph_destroy(graph);
}
END_TEST

/* Files may contradict themselves; what they say of calls is shown. */
START_TEST(costs_that_contradict_each_other_are_kept)
{
	static const struct known known[] = {{"main", 0}, {"f", 100}};
	static const struct call calls[] = {{"main", "f", 1, 10}, {"f", "leaf", 1, 0}};
	AUTO_STACKS struct stacks stacks = {0};
	struct prof_callgraph *graph = CREATE(known, calls);

	ARC("main", "f", 10, 0, 1);
	ARC("f", "leaf", 0, 0, 1);
	ENTRY("f", 100, 0, 1, 0, 0);
	prof_callgraph_destroy(graph);
}
END_TEST

RUN_TESTS("callgraph costs", arcs_have_what_their_calls_cost,
	costs_are_divided_as_those_of_the_function,
	recursion_has_the_time_with_which_it_was_entered, costs_that_contradict_each_other_are_kept)
