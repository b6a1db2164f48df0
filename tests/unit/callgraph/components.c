/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "callgraph/components.h"

#include "base/map.h"
#include "base/memory.h"
#include "suite.h"

#include <stdio.h>

/* Callees by caller, each list ended by -1; and what was found, "2 1,0". */
struct graph {
	const int (*callees)[4];
	char found[64];
};

static uint32_t next_callee(void *context, uint32_t function, size_t *place)
{
	const struct graph *graph = context;
	int callee = graph->callees[function][*place];

	if (callee < 0)
		return PROF_NONE;
	++*place;
	return (uint32_t)callee;
}

static void note(void *context, const uint32_t *members, size_t count)
{
	struct graph *graph = context;

	for (size_t i = 0; i < count; i++) {
		size_t length = strlen(graph->found);
		snprintf(graph->found + length, sizeof graph->found - length, "%s%u",
			i                ? " "
				: length ? ","
					 : "",
			members[i]);
	}
}

static void assert_found(uint32_t functions, const int (*callees)[4], const char *expected)
{
	struct graph graph = {.callees = callees};
	AUTO_FREE size_t *next = calloc(functions + 1, sizeof *next);
	const struct prof_components components = {functions, next, next_callee, note, &graph};

	ck_assert_ok(prof_components_find(&components));
	ck_assert_str_eq(graph.found, expected);
}

START_TEST(what_is_called_is_found_first)
{
	static const int callees[][4] = {{1, 2, -1}, {2, -1}, {-1}, {0, -1}};

	assert_found(4, callees, "2,1,0,3");
}
END_TEST

START_TEST(members_stand_as_they_were_met)
{
	/* 0 calls 3, 3 calls 1, and both 1 and 2 lead back. */
	static const int callees[][4] = {{3, -1}, {0, -1}, {3, -1}, {1, 2, 3, -1}, {0, -1}};

	assert_found(5, callees, "0 3 1 2,4");
}
END_TEST

START_TEST(a_function_that_calls_itself_is_alone)
{
	static const int callees[][4] = {{0, 1, -1}, {1, -1}};

	assert_found(2, callees, "1,0");
}
END_TEST

START_TEST(cycles_beside_each_other_are_two)
{
	static const int callees[][4] = {{1, -1}, {0, 2, -1}, {3, -1}, {2, -1}};

	assert_found(4, callees, "2 3,0 1");
	assert_found(0, callees, "");
}
END_TEST

RUN_TESTS("components", what_is_called_is_found_first, members_stand_as_they_were_met,
	a_function_that_calls_itself_is_alone, cycles_beside_each_other_are_two)
