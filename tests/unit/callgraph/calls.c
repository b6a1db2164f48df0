/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric_callgraph.h"

/* What is known of a program: NAMEs with their own times in hundredths, and calls among them. */
struct known {
	const char *name;
	int self;
};

struct call {
	const char *caller, *callee; /* caller "": nobody */
	int calls;
};

static struct prof_callgraph *create(struct stacks *stacks, const struct known *known,
	size_t functions, const struct call *calls, size_t count)
{
	prof_value self[STACKS_NAMES] = {0};
	struct prof_call_count gmon[64];
	struct prof_callgraph *graph;

	ck_assert_uint_le(count, PROF_COUNT(gmon));
	for (size_t i = 0; i < functions; i++)
		self[stacks_function(stacks, known[i].name)] = cents(known[i].self);
	for (size_t i = 0; i < count; i++)
		gmon[i] = (struct prof_call_count){
			.caller = *calls[i].caller ? stacks_function(stacks, calls[i].caller)
						   : PROF_NONE,
			.callee = stacks_function(stacks, calls[i].callee),
			.calls = prof_value_of(calls[i].calls),
		};
	ck_assert_ok(prof_callgraph_from_calls(
		&stacks->experiment, prof_metrics, self, gmon, count, &graph));
	prof_callgraph_check(graph);
	ck_assert(graph->counted);
	ck_assert_ptr_eq(graph->experiment, &stacks->experiment);
	return graph;
}

#define CREATE(known, calls) create(&stacks, known, PROF_COUNT(known), calls, PROF_COUNT(calls))
#define ENTRY(...) expect_entry(&stacks, graph, __VA_ARGS__)
#define ARC(...) expect_arc(&stacks, graph, __VA_ARGS__)
#define INSIDE(...) expect_inside(&stacks, graph, __VA_ARGS__)

/* The program of the manual's chapter on cycles; with its own times, c's being given. */
static struct prof_callgraph *create_manual(struct stacks *stacks, int c)
{
	const struct known known[] = {{"start", 0}, {"main", 16}, {"a", 75}, {"b", 102}, {"c", c}};
	static const struct call calls[] = {{"start", "main", 1}, {"main", "a", 1}, {"a", "b", 3},
		{"b", "a", 2}, {"a", "c", 3}, {"b", "c", 3}};

	return create(stacks, known, PROF_COUNT(known), calls, PROF_COUNT(calls));
}

START_TEST(shows_the_tables_of_the_manual)
{
	AUTO_STACKS struct stacks stacks = {0};
	struct prof_callgraph *graph = create_manual(&stacks, 0);

	ck_assert_cents(graph->total, 193);
	ck_assert_uint_eq(graph->entries.count, 6);
	ENTRY("start", 0, 193, 0, 0, 0);
	ENTRY("main", 16, 177, 1, 0, 0);
	ENTRY("<cycle 1>", 177, 0, 1, 5, 0);
	ENTRY("a", 75, 0, 1, 0, 2);
	ENTRY("b", 102, 0, 0, 0, 3);
	ENTRY("c", 0, 0, 6, 0, 0);
	ARC("start", "main", 16, 177, 1);
	ARC("main", "a", 177, 0, 1);
	ARC("main", "<cycle 1>", 177, 0, 1);
	ARC("<cycle 1>", "c", 0, 0, 6);
	ARC("a", "c", 0, 0, 3);
	ARC("b", "c", 0, 0, 3);
	INSIDE("a", "b", 3);
	INSIDE("b", "a", 2);
	expect_cycle(&stacks, graph, "main", 0);
	expect_cycle(&stacks, graph, "a", 1);
	expect_cycle(&stacks, graph, "b", 1);
	ck_assert(is_spontaneous(&stacks, graph, "start"));
	ck_assert(!is_spontaneous(&stacks, graph, "main"));
	ck_assert(!is_spontaneous(&stacks, graph, "<cycle 1>"));
	ck_assert(!is_spontaneous(&stacks, graph, "b"));
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(shares_time_outside_of_a_cycle_with_its_members)
{
	AUTO_STACKS struct stacks stacks = {0};
	struct prof_callgraph *graph = create_manual(&stacks, 50);

	ck_assert_cents(graph->total, 243);
	ENTRY("main", 16, 227, 1, 0, 0);
	ENTRY("<cycle 1>", 177, 50, 1, 5, 0);
	ENTRY("a", 75, 25, 1, 0, 2);
	ENTRY("b", 102, 25, 0, 0, 3);
	ARC("main", "<cycle 1>", 177, 50, 1);
	ARC("<cycle 1>", "c", 50, 0, 6);
	ARC("a", "c", 25, 0, 3);
	ARC("b", "c", 25, 0, 3);
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(agrees_with_gnu_gprof_on_one_cycle)
{
	AUTO_STACKS struct stacks stacks = {0};
	static const struct known known[] = {{"main", 2}, {"a", 19}, {"b", 25}, {"c", 0}};
	static const struct call calls[] = {
		{"main", "a", 1}, {"a", "b", 3}, {"b", "a", 2}, {"a", "c", 3}, {"b", "c", 3}};
	struct prof_callgraph *graph = CREATE(known, calls);

	ck_assert_cents(graph->total, 46);
	ENTRY("main", 2, 44, 0, 0, 0);
	ENTRY("<cycle 1>", 44, 0, 1, 5, 0);
	ENTRY("a", 19, 0, 1, 0, 2); /* GNU gprof prints 1 + 2 */
	ENTRY("b", 25, 0, 0, 0, 3);
	ARC("main", "a", 44, 0, 1);
	ck_assert(is_spontaneous(&stacks, graph, "main"));
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(agrees_with_gnu_gprof_on_a_cut_cycle)
{
	AUTO_STACKS struct stacks stacks = {0};
	static const struct known known[] = {{"main", 2}, {"a", 19}, {"b", 25}, {"c", 0}};
	static const struct call calls[] = {
		{"main", "a", 1}, {"a", "b", 3}, {"a", "c", 3}, {"b", "c", 3}};
	struct prof_callgraph *graph = CREATE(known, calls);

	ck_assert_uint_eq(graph->entries.count, 4);
	ENTRY("main", 2, 44, 0, 0, 0);
	ENTRY("a", 19, 25, 1, 0, 0);
	ENTRY("b", 25, 0, 3, 0, 0);
	ARC("main", "a", 19, 25, 1);
	ARC("a", "b", 25, 0, 3);
	ARC("a", "c", 0, 0, 3);
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(agrees_with_gnu_gprof_on_two_cycles)
{
	AUTO_STACKS struct stacks stacks = {0};
	static const struct known known[] = {
		{"main", 0}, {"a", 15}, {"b", 10}, {"p", 11}, {"q", 9}, {"e", 16}};
	static const struct call calls[] = {{"main", "p", 1}, {"main", "b", 1}, {"main", "a", 1},
		{"main", "e", 1}, {"a", "a", 1}, {"a", "b", 1}, {"b", "a", 1}, {"b", "e", 2},
		{"p", "q", 2}, {"q", "p", 1}};
	struct prof_callgraph *graph = CREATE(known, calls);

	ck_assert_cents(graph->total, 61);
	ENTRY("main", 0, 61, 0, 0, 0);
	ENTRY("<cycle 1>", 25, 11, 2, 3, 0); /* GNU gprof prints 2+2: it leaves a's own call out */
	ENTRY("a", 15, 0, 1, 1, 1);          /* GNU gprof: 1 + 1, and +1 */
	ENTRY("b", 10, 11, 1, 0, 1);
	ENTRY("<cycle 2>", 20, 0, 1, 3, 0);
	ENTRY("p", 11, 0, 1, 0, 1);
	ENTRY("q", 9, 0, 0, 0, 2);
	ENTRY("e", 16, 0, 3, 0, 0);
	ARC("main", "p", 20, 0, 1);
	ARC("main", "b", 13, 5, 1);
	ARC("main", "a", 13, 5, 1);
	ARC("main", "e", 5, 0, 1);
	ARC("b", "e", 11, 0, 2);
	ARC("main", "<cycle 1>", 25, 11, 2);
	ARC("<cycle 1>", "e", 11, 0, 2);
	INSIDE("a", "a", 1);
	INSIDE("p", "q", 2);
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(agrees_with_gnu_gprof_on_direct_recursion)
{
	AUTO_STACKS struct stacks stacks = {0};
	static const struct known known[] = {{"main", 0}, {"r", 14}, {"s", 15}};
	static const struct call calls[] = {{"main", "r", 1}, {"r", "r", 2}, {"r", "s", 3}};
	struct prof_callgraph *graph = CREATE(known, calls);

	ck_assert_uint_eq(graph->entries.count, 3);
	ENTRY("main", 0, 29, 0, 0, 0);
	ENTRY("r", 14, 15, 1, 2, 0);
	ENTRY("s", 15, 0, 3, 0, 0);
	ARC("main", "r", 14, 15, 1);
	ARC("r", "s", 15, 0, 3);
	INSIDE("r", "r", 2);
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(shares_by_calls_what_only_stacks_could_tell)
{
	AUTO_STACKS struct stacks stacks = {0};
	static const struct known known[] = {{"work", 10000}};
	static const struct call calls[] = {
		{"main", "a", 1}, {"main", "b", 1}, {"a", "work", 1}, {"b", "work", 1}};
	struct prof_callgraph *graph = CREATE(known, calls);

	ARC("a", "work", 5000, 0, 1);
	ARC("b", "work", 5000, 0, 1);
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(loses_nothing_to_rounding)
{
	AUTO_STACKS struct stacks stacks = {0};
	static const struct known known[] = {{"main", 0}, {"work", 100}};
	static const struct call calls[] = {{"main", "a", 1}, {"main", "b", 1}, {"main", "c", 1},
		{"a", "work", 1}, {"b", "work", 1}, {"c", "work", 1}};
	struct prof_callgraph *graph = CREATE(known, calls);

	ck_assert_value(
		graph->entries.items[stacks_function(&stacks, "main")].children, PROF_VALUE_ONE);
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(adds_up_what_is_told_in_parts)
{
	AUTO_STACKS struct stacks stacks = {0};
	static const struct known known[] = {{"main", 0}, {"work", 100}};
	static const struct call calls[] = {
		{"main", "work", 1}, {"", "work", 1}, {"main", "work", 2}, {"work", "work", 0}};
	struct prof_callgraph *graph = CREATE(known, calls);

	ck_assert_uint_eq(graph->arcs.count, 2);
	/* What came from nobody stays with work. */
	ENTRY("work", 100, 0, 4, 0, 0);
	ENTRY("main", 0, 75, 0, 0, 0);
	ARC("main", "work", 75, 0, 3);
	ck_assert(is_spontaneous(&stacks, graph, "work"));
	ck_assert(is_spontaneous(&stacks, graph, "main"));
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(takes_a_cycle_that_nobody_calls_for_spontaneous)
{
	AUTO_STACKS struct stacks stacks = {0};
	static const struct known known[] = {{"a", 10}, {"b", 20}, {"never", 0}};
	static const struct call calls[] = {{"a", "b", 1}, {"b", "a", 1}, {"b", "never", 0}};
	struct prof_callgraph *graph = CREATE(known, calls);

	ENTRY("<cycle 1>", 30, 0, 0, 2, 0);
	ck_assert(is_spontaneous(&stacks, graph, "<cycle 1>"));
	ck_assert(!is_spontaneous(&stacks, graph, "a"));
	ck_assert(!graph->entries.items[stacks_function(&stacks, "never")].seen);
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(counts_large_and_small_numbers_exactly)
{
	AUTO_STACKS struct stacks stacks = {0};
	prof_value large = prof_value_of(INT64_C(1) << 53);
	uint32_t main = stacks_function(&stacks, "main");
	uint32_t work = stacks_function(&stacks, "work");
	prof_value self[] = {1, large + 1};
	struct prof_call_count call = {main, work, large, 0};
	struct prof_callgraph *graph;

	ck_assert_ok(prof_callgraph_from_calls(
		&stacks.experiment, prof_metrics, self, &call, 1, &graph));
	prof_callgraph_check(graph);
	ck_assert_value(graph->total, large + 2);
	ck_assert_value(graph->entries.items[main].children, large + 1);
	ck_assert_value(graph->entries.items[work].calls, large);
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(holds_together_on_random_calls)
{
	for (uint64_t seed = 0; seed < 5000; seed++) {
		AUTO_STACKS struct stacks stacks = {0};
		struct prof_call_count calls[30];
		struct prof_callgraph *graph;
		prof_value self[8], total = 0;
		uint64_t state = seed;
		uint32_t functions = 1 + stacks_random(&state, PROF_COUNT(self));
		uint32_t count = stacks_random(&state, PROF_COUNT(calls));
		stacks.experiment.functions.count = functions;
		for (uint32_t i = 0; i < functions; i++)
			total += self[i] = stacks_random(&state, 1000000);
		for (uint32_t i = 0; i < count; i++)
			calls[i] = (struct prof_call_count){
				.caller = stacks_random(&state, 9)
					? stacks_random(&state, functions)
					: PROF_NONE,
				.callee = stacks_random(&state, functions),
				.calls = prof_value_of(stacks_random(&state, 4)),
			};
		ck_assert_ok(prof_callgraph_from_calls(
			&stacks.experiment, prof_metrics, self, calls, count, &graph));
		prof_callgraph_check(graph);
		ck_assert_value(graph->total, total);
		for (uint32_t i = 0; i < functions; i++)
			ck_assert_value(graph->entries.items[i].self, self[i]);
		prof_callgraph_destroy(graph);
	}
}
END_TEST

RUN_TESTS("callgraph calls", shows_the_tables_of_the_manual,
	shares_time_outside_of_a_cycle_with_its_members, agrees_with_gnu_gprof_on_one_cycle,
	agrees_with_gnu_gprof_on_a_cut_cycle, agrees_with_gnu_gprof_on_two_cycles,
	agrees_with_gnu_gprof_on_direct_recursion, shares_by_calls_what_only_stacks_could_tell,
	loses_nothing_to_rounding, adds_up_what_is_told_in_parts,
	takes_a_cycle_that_nobody_calls_for_spontaneous, counts_large_and_small_numbers_exactly,
	holds_together_on_random_calls)
