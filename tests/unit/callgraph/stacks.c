/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric_callgraph.h"

enum { ALPHABET = 8, DEEP = 100000 };

static struct prof_callgraph *create(struct stacks *stacks)
{
	struct prof_callgraph *graph;

	ck_assert_ok(prof_callgraph_from_stacks(
		stacks_profile(stacks), &(struct prof_call_counts){0}, &graph));
	prof_callgraph_check(graph);
	ck_assert(!graph->counted);
	return graph;
}

/* Adds a stack that is worth UNITS. */
#define STACK(text, units) stacks_add(&stacks, text, prof_value_of(units))
#define ENTRY(name, self, children, ...) \
	expect_entry(&stacks, graph, name, 100 * (self), 100 * (children), __VA_ARGS__)
#define ARC(caller, callee, self, children, calls) \
	expect_arc(&stacks, graph, caller, callee, 100 * (self), 100 * (children), calls)
#define INSIDE(...) expect_inside(&stacks, graph, __VA_ARGS__)

START_TEST(attributes_truly_where_gprof_would_guess)
{
	AUTO_STACKS struct stacks stacks = {0};

	STACK("main a work", 70);
	STACK("main b work", 30);
	struct prof_callgraph *graph = create(&stacks);
	ck_assert_value(graph->total, prof_value_of(100));
	ENTRY("main", 0, 100, 100, 0, 0);
	ENTRY("work", 100, 0, 100, 0, 0);
	ARC("a", "work", 70, 0, 70);
	ARC("b", "work", 30, 0, 30);
	ARC("main", "a", 0, 70, 70);
	ck_assert(is_spontaneous(&stacks, graph, "main"));
	ck_assert(!is_spontaneous(&stacks, graph, "a"));
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(counts_direct_recursion_once_per_stack)
{
	AUTO_STACKS struct stacks stacks = {0};

	STACK("main r", 1);
	STACK("main r s", 2);
	STACK("main r r r", 4);
	STACK("main r r r s", 8);
	struct prof_callgraph *graph = create(&stacks);
	ck_assert_uint_eq(graph->entries.count, graph->functions);
	ENTRY("main", 0, 15, 15, 0, 0);
	ENTRY("r", 5, 10, 15, 12, 0);
	ENTRY("s", 10, 0, 10, 0, 0);
	ARC("main", "r", 5, 10, 15);
	ARC("r", "s", 10, 0, 10);
	INSIDE("r", "r", 12);
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(takes_mutual_recursion_as_one_run)
{
	AUTO_STACKS struct stacks stacks = {0};

	STACK("main a b a b", 1);
	STACK("main a b a b c", 2);
	STACK("main a", 4);
	STACK("main x b", 8);
	STACK("main x b a c", 16);
	struct prof_callgraph *graph = create(&stacks);
	ENTRY("<cycle 1>", 13, 18, 31, 3 + 19, 0);
	ENTRY("a", 4, 16, 7, 0, 19); /* a calls c in one, and is called by b in three */
	ENTRY("b", 9, 2, 24, 0, 3);
	ENTRY("x", 0, 24, 24, 0, 0);
	ENTRY("main", 0, 31, 31, 0, 0);
	ARC("main", "a", 5, 2, 7);
	ARC("x", "b", 8, 16, 24);
	ARC("main", "<cycle 1>", 5, 2, 7);
	ARC("x", "<cycle 1>", 8, 16, 24);
	ARC("a", "c", 16, 0, 16);
	ARC("b", "c", 2, 0, 2);
	ARC("<cycle 1>", "c", 18, 0, 18);
	INSIDE("a", "b", 3);
	INSIDE("b", "a", 19);
	ck_assert_uint_eq(graph->cycle_callers.count, 2);
	ck_assert_uint_eq(graph->cycle_callees.count, 1);
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(joins_members_that_only_some_stacks_show_as_recursive)
{
	AUTO_STACKS struct stacks stacks = {0};

	/* b calls a only where it was not called from a: still a cycle. */
	STACK("main a b", 1);
	STACK("main b a", 2);
	STACK("main b c b", 4);
	struct prof_callgraph *graph = create(&stacks);
	expect_cycle(&stacks, graph, "a", 1);
	expect_cycle(&stacks, graph, "b", 1);
	expect_cycle(&stacks, graph, "c", 1);
	ENTRY("<cycle 1>", 7, 0, 7, 1 + 2 + 4 + 4, 0);
	ENTRY("b", 5, 0, 6, 0, 5);
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(keeps_two_cycles_apart)
{
	AUTO_STACKS struct stacks stacks = {0};

	STACK("main p q p", 1);
	STACK("main a a b a p q", 2);
	STACK("main a b a", 4);
	STACK("a b", 8);
	struct prof_callgraph *graph = create(&stacks);
	expect_cycle(&stacks, graph, "p", 1);
	expect_cycle(&stacks, graph, "q", 1);
	expect_cycle(&stacks, graph, "a", 2);
	expect_cycle(&stacks, graph, "b", 2);
	ENTRY("<cycle 1>", 3, 0, 3, 3 + 1, 0);
	ENTRY("<cycle 2>", 12, 2, 14, 2 + 14 + 6, 0);
	ENTRY("a", 4, 2, 14, 2, 6);
	ENTRY("b", 8, 0, 0, 0, 14);
	/* From cycle to cycle: the arc carries the whole cycle that it leads to. */
	ARC("a", "p", 2, 0, 2);
	ARC("a", "<cycle 1>", 2, 0, 2);
	ARC("<cycle 2>", "p", 2, 0, 2);
	ARC("main", "<cycle 2>", 4, 2, 6);
	INSIDE("a", "a", 2);
	ck_assert(is_spontaneous(&stacks, graph, "a"));
	ck_assert(is_spontaneous(&stacks, graph, "<cycle 2>"));
	ck_assert(!is_spontaneous(&stacks, graph, "b"));
	ck_assert(!is_spontaneous(&stacks, graph, "<cycle 1>"));
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(makes_nothing_of_nothing)
{
	AUTO_STACKS struct stacks stacks = {0};

	stacks_function(&stacks, "never");
	struct prof_callgraph *graph = create(&stacks);
	ck_assert_uint_eq(graph->entries.count, 1);
	ck_assert(!graph->entries.items[0].seen);
	ck_assert_value(graph->total, 0);
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(adds_up_large_and_small_values_exactly)
{
	AUTO_STACKS struct stacks stacks = {0};
	prof_value large = prof_value_of(INT64_C(1) << 53);

	stacks_add(&stacks, "main a b a", large + 1);
	stacks_add(&stacks, "main b a c", large + 2);
	struct prof_callgraph *graph = create(&stacks);
	ck_assert_value(graph->total, 2 * large + 3);
	ck_assert_value(graph->entries.items[graph->functions].self, large + 1);
	ck_assert_value(graph->entries.items[graph->functions].children, large + 2);
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(walks_stacks_as_deep_as_they_come)
{
	AUTO_STACKS struct stacks stacks = {0};
	uint32_t *deep = malloc(DEEP * sizeof *deep);

	ck_assert_ptr_nonnull(deep);
	for (uint32_t i = 0; i < DEEP; i++)
		deep[i] = i % 1000;
	stacks_push(&stacks, deep, DEEP, PROF_VALUE_ONE);
	for (uint32_t i = 0; i < DEEP; i++)
		deep[i] = 1000 + i;
	stacks_push(&stacks, deep, DEEP, PROF_VALUE_ONE);
	struct prof_callgraph *graph = create(&stacks);
	ck_assert_uint_eq(graph->entries.count, graph->functions + 1);
	ck_assert_value(graph->entries.items[graph->functions].recursive, 1000 * PROF_VALUE_ONE);
	ck_assert_value(graph->total, 2 * PROF_VALUE_ONE);
	prof_callgraph_destroy(graph);
	free(deep);
}
END_TEST

/*
 * The rules as they stand, stack by stack.  Groups are functions and then cycles; the one function
 * more is nobody.
 */
enum { GROUPS = 2 * ALPHABET };

struct plain {
	bool reach[ALPHABET][ALPHABET];
	uint32_t group[ALPHABET];
	struct prof_graph_entry entries[GROUPS];
	bool called[ALPHABET][ALPHABET]; /* at all */
	struct prof_graph_arc arcs[ALPHABET + 1][ALPHABET];
	struct prof_graph_arc callers[ALPHABET + 1][GROUPS], callees[GROUPS][ALPHABET];
};

static void plain_groups(struct plain *plain, const struct stacks *stacks)
{
	uint32_t functions = (uint32_t)stacks->experiment.functions.count;
	uint32_t cycles = 0;

	for (size_t i = 0; i < stacks->list.count; i++)
		for (size_t j = 1; j < stacks->list.items[i].depth; j++) {
			const uint32_t *at = &stacks->list.items[i].functions[j];
			plain->reach[at[-1]][at[0]] = plain->called[at[-1]][at[0]] = true;
		}
	for (int k = 0; k < ALPHABET; k++)
		for (int i = 0; i < ALPHABET; i++)
			for (int j = 0; j < ALPHABET; j++)
				plain->reach[i][j] |= plain->reach[i][k] && plain->reach[k][j];
	for (uint32_t i = 0; i < functions; i++) {
		plain->group[i] = i;
		for (uint32_t j = functions; j-- > 0;)
			if (j != i && plain->reach[i][j] && plain->reach[j][i])
				plain->group[i] = j < i ? plain->group[j] : functions + cycles;
		cycles += plain->group[i] == functions + cycles;
	}
}

static void add_time(struct prof_graph_arc *arc, bool ends, prof_value value)
{
	*(ends ? &arc->self : &arc->children) += value;
	arc->calls += value;
}

/* The run of one group from frame FIRST to the one before END. */
static void plain_run(struct plain *plain, const struct stack *stack, size_t first, size_t end)
{
	const uint32_t *f = stack->functions;
	bool counted[ALPHABET][ALPHABET] = {{false}};
	uint32_t caller = first ? f[first - 1] : ALPHABET;
	uint32_t group = plain->group[f[first]];
	bool ends = end == stack->depth;
	struct prof_graph_entry *last = &plain->entries[f[end - 1]];
	struct prof_graph_entry *whole = &plain->entries[group];

	*(ends ? &last->self : &last->children) += stack->value;
	plain->entries[f[first]].calls += stack->value;
	plain->entries[f[first]].spontaneous |= !first;
	if (group != f[first]) {
		*(ends ? &whole->self : &whole->children) += stack->value;
		whole->calls += stack->value;
		whole->spontaneous |= !first;
		add_time(&plain->callers[caller][group], ends, stack->value);
	}
	add_time(&plain->arcs[caller][f[first]], ends, stack->value);
	if (first && plain->group[caller] != caller)
		add_time(&plain->callees[plain->group[caller]][f[first]], ends, stack->value);
	for (size_t i = first + 1; i < end; i++) {
		if (counted[f[i - 1]][f[i]])
			continue;
		counted[f[i - 1]][f[i]] = true;
		plain->arcs[f[i - 1]][f[i]].calls += stack->value;
		if (f[i - 1] == f[i])
			plain->entries[f[i]].recursive += stack->value;
		else
			plain->entries[f[i]].inside += stack->value;
		if (group != f[i])
			whole->recursive += stack->value;
	}
}

static void plain_add(struct plain *plain, const struct stack *stack)
{
	size_t first = 0;

	for (size_t i = 1; i <= stack->depth; i++) {
		if (i < stack->depth &&
			plain->group[stack->functions[i]] == plain->group[stack->functions[first]])
			continue;
		plain_run(plain, stack, first, i);
		first = i;
	}
}

/* Fails unless ARC is EXPECTED, which is then cleared. */
static void expect_same(const struct prof_graph_arc *arc, struct prof_graph_arc *expected)
{
	ck_assert_value(arc->self, expected->self);
	ck_assert_value(arc->children, expected->children);
	ck_assert_value(arc->calls, expected->calls);
	*expected = (struct prof_graph_arc){0};
}

static void compare_arcs(const struct prof_callgraph *graph, struct plain *plain)
{
	for (size_t i = 0; i < graph->arcs.count; i++) {
		const struct prof_graph_arc *arc = &graph->arcs.items[i];
		expect_same(arc, &plain->arcs[arc->caller][arc->callee]);
		ck_assert(plain->called[arc->caller][arc->callee]);
		plain->called[arc->caller][arc->callee] = false;
	}
	for (size_t i = 0; i < graph->cycle_callers.count; i++) {
		const struct prof_graph_arc *line = &graph->cycle_callers.items[i];
		expect_same(line, &plain->callers[line->caller][line->callee]);
	}
	for (size_t i = 0; i < graph->cycle_callees.count; i++) {
		const struct prof_graph_arc *line = &graph->cycle_callees.items[i];
		expect_same(line, &plain->callees[line->caller][line->callee]);
	}
	/* Nothing is left, so no line is missing. */
	for (size_t i = 0; i < ALPHABET; i++)
		for (size_t j = 0; j < ALPHABET; j++)
			ck_assert(!plain->called[i][j] && !plain->arcs[i][j].calls);
	for (size_t i = 0; i < ALPHABET; i++)
		for (size_t j = 0; j < GROUPS; j++)
			ck_assert(!plain->callers[i][j].calls && !plain->callees[j][i].calls);
}

START_TEST(agrees_with_the_rules_on_random_stacks)
{
	size_t cycles = 0;

	for (uint64_t seed = 0; seed < 5000; seed++) {
		AUTO_STACKS struct stacks stacks = {0};
		stacks_add_random(&stacks, seed);
		struct prof_callgraph *graph = create(&stacks);
		struct plain plain = {0};
		plain_groups(&plain, &stacks);
		for (size_t i = 0; i < stacks.list.count; i++)
			plain_add(&plain, &stacks.list.items[i]);
		for (uint32_t i = 0; i < graph->entries.count; i++) {
			const struct prof_graph_entry *entry = &graph->entries.items[i];
			ck_assert_value(entry->self, plain.entries[i].self);
			ck_assert_value(entry->children, plain.entries[i].children);
			ck_assert_value(entry->calls, plain.entries[i].calls);
			ck_assert_value(entry->recursive, plain.entries[i].recursive);
			ck_assert_value(entry->inside, plain.entries[i].inside);
			ck_assert(entry->spontaneous == plain.entries[i].spontaneous);
			if (i < graph->functions)
				ck_assert_uint_eq(plain.group[i],
					entry->cycle ? graph->functions + entry->cycle - 1 : i);
		}
		compare_arcs(graph, &plain);
		cycles += graph->entries.count - graph->functions;
		prof_callgraph_destroy(graph);
	}
	/* The cases are worth something only if there were cycles among them. */
	ck_assert_uint_gt(cycles, 1000);
}
END_TEST

/* Calls from CALLER to CALLEE were counted, of which so much is KNOWN. */
static void count(struct stacks *stacks, struct prof_call_counts *counted, const char *caller,
	const char *callee, int calls, enum prof_known known)
{
	struct prof_call_count *call = prof_array_push(&counted->list);

	ck_assert_ptr_nonnull(call);
	*call = (struct prof_call_count){stacks_function(stacks, caller),
		stacks_function(stacks, callee), prof_value_of(calls), 0};
	while (counted->known.count <= call->callee)
		*prof_array_push(&counted->known) = PROF_KNOWN_NONE;
	counted->known.items[call->callee] = (uint8_t)known;
	*prof_array_push(&counted->functions) = call->callee;
}
#define COUNT(caller, callee, calls, known) \
	count(&stacks, &counted, caller, callee, calls, PROF_KNOWN_##known)

static struct prof_callgraph *create_counted(
	struct stacks *stacks, const struct prof_call_counts *counted)
{
	struct prof_callgraph *graph;

	ck_assert_ok(prof_callgraph_from_stacks(stacks_profile(stacks), counted, &graph));
	prof_callgraph_check(graph);
	ck_assert(graph->counted && graph->partly);
	return graph;
}

static enum prof_known known_of(
	struct stacks *stacks, const struct prof_callgraph *graph, const char *name)
{
	return graph->entries.items[entry_number(stacks, graph, name)].known;
}

START_TEST(counted_calls_stand_beside_true_times)
{
	AUTO_STACKS struct stacks stacks = {0};
	AUTO_CALL_COUNTS struct prof_call_counts counted = {0};

	STACK("main a work", 70);
	STACK("main b work work", 30);
	COUNT("a", "work", 3, ALL);
	COUNT("b", "work", 4, ALL);
	COUNT("a", "work", 2, ALL);
	COUNT("work", "work", 9, ALL);
	COUNT("main", "a", 1, PART);
	COUNT("work", "quick", 8, ALL);
	struct prof_callgraph *graph = create_counted(&stacks, &counted);
	ENTRY("work", 100, 0, 9, 9, 0);
	ENTRY("main", 0, 100, 0, 0, 0);
	ENTRY("a", 0, 70, 1, 0, 0);
	ENTRY("quick", 0, 0, 8, 0, 0);
	ARC("a", "work", 70, 0, 5);
	ARC("b", "work", 30, 0, 4);
	ARC("main", "b", 0, 30, 0);
	ARC("work", "quick", 0, 0, 8);
	INSIDE("work", "work", 9);
	ck_assert_int_eq(known_of(&stacks, graph, "work"), PROF_KNOWN_ALL);
	ck_assert_int_eq(known_of(&stacks, graph, "a"), PROF_KNOWN_PART);
	ck_assert_int_eq(known_of(&stacks, graph, "b"), PROF_KNOWN_NONE);
	ck_assert_int_eq(known_of(&stacks, graph, "main"), PROF_KNOWN_NONE);
	prof_callgraph_destroy(graph);
}
END_TEST

START_TEST(counted_calls_make_cycles_that_no_stack_has)
{
	AUTO_STACKS struct stacks stacks = {0};
	AUTO_CALL_COUNTS struct prof_call_counts counted = {0};

	STACK("main a x b", 10);
	STACK("main a", 5);
	STACK("main b c", 1);
	COUNT("main", "a", 2, ALL);
	COUNT("b", "a", 6, ALL);
	COUNT("main", "b", 1, ALL);
	COUNT("x", "b", 3, ALL);
	struct prof_callgraph *graph = create_counted(&stacks, &counted);
	expect_cycle(&stacks, graph, "a", 1);
	expect_cycle(&stacks, graph, "x", 1);
	expect_cycle(&stacks, graph, "b", 1);
	ENTRY("<cycle 1>", 15, 1, 3, 9, 0);
	ENTRY("a", 5, 0, 2, 0, 6);
	ENTRY("b", 10, 1, 1, 0, 3);
	ARC("main", "a", 15, 0, 2);
	ARC("main", "b", 0, 1, 1);
	INSIDE("b", "a", 6);
	/* One of its members was not counted. */
	ck_assert_int_eq(known_of(&stacks, graph, "<cycle 1>"), PROF_KNOWN_NONE);
	prof_callgraph_destroy(graph);
}
END_TEST

RUN_TESTS("callgraph stacks", counted_calls_stand_beside_true_times,
	counted_calls_make_cycles_that_no_stack_has, attributes_truly_where_gprof_would_guess,
	counts_direct_recursion_once_per_stack, takes_mutual_recursion_as_one_run,
	joins_members_that_only_some_stacks_show_as_recursive, keeps_two_cycles_apart,
	makes_nothing_of_nothing, adds_up_large_and_small_values_exactly,
	walks_stacks_as_deep_as_they_come, agrees_with_the_rules_on_random_stacks)
