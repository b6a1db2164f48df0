/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/items.h"

#include "metric/functions.h"
#include "metric/metric.h"
#include "metric_program.h"

static struct prof_experiment *experiment;
static struct prof_items items;
static struct prof_metric metric;
static struct prof_profile *profile;
static struct prof_functions *functions;

/* Works out METRIC for items of KIND. */
static void begin(enum prof_kind kind, bool inlined, const char *name)
{
	struct prof_profile_request request = {.metric = &metric, .items = &items};

	experiment = program_create();
	prof_items_init(&items, experiment, kind, inlined);
	ck_assert_ok(prof_metric_find(experiment, name, &metric));
	ck_assert_ok(prof_profile_create(experiment, &request, NULL, &profile));
	ck_assert_ok(prof_items_make_names(&items));
	prof_profile_check(profile);
	ck_assert_ok(prof_functions_create(profile, &functions));
	prof_functions_check(functions);
	prof_experiment_check(experiment);
}

static void end(void)
{
	prof_functions_destroy(functions);
	prof_profile_destroy(profile);
	prof_items_deinit(&items);
	prof_experiment_destroy(experiment);
}

/* NAME has been seen, and has so many units of the exclusive and inclusive metric. */
static void check(const char *name, int exclusive, int inclusive)
{
	int64_t units = profile->metric->units;

	for (uint32_t i = 0; i < functions->count; i++) {
		if (!functions->seen[i] || strcmp(prof_items_name(&items, i), name) != 0)
			continue;
		ck_assert_int_eq(
			(int64_t)(functions->exclusive[i] / prof_value_of(units)), exclusive);
		ck_assert_int_eq(
			(int64_t)(functions->inclusive[i] / prof_value_of(units)), inclusive);
		return;
	}
	ck_abort_msg("there is no %s", name);
}

static void check_count(size_t expected)
{
	size_t count = 0;

	for (size_t i = 0; i < functions->count; i++)
		count += functions->seen[i];
	ck_assert_uint_eq(count, expected);
}

START_TEST(functions_have_inlined_ones)
{
	begin(PROF_KIND_FUNCTIONS, true, "samples");
	check("main", 0, 15);
	check("work", 0, 5);
	check("inl", 5, 5);
	check("qsort", 0, 10);
	check("compare", 10, 10);
	check("<Unknown>", 1, 1);
	check_count(6);
	end();
}
END_TEST

START_TEST(inlined_functions_are_folded_into_their_callers)
{
	begin(PROF_KIND_FUNCTIONS, false, "samples");
	check("work", 5, 5);
	check_count(5);
	end();
}
END_TEST

/* The stack goes through the library twice, and comes back: it counts once. */
START_TEST(objects_count_a_stack_once)
{
	begin(PROF_KIND_OBJECTS, true, "samples");
	check("/bin/prog", 15, 15);
	check("/lib/libq.so", 0, 10);
	check("<Unknown>", 1, 1);
	check_count(3);
	end();
}
END_TEST

START_TEST(unresolved_code_belongs_to_its_object)
{
	begin(PROF_KIND_OBJECTS, true, "wall");
	check("/bin/prog", 22, 22);
	end();
}
END_TEST

START_TEST(lines_are_of_functions)
{
	begin(PROF_KIND_LINES, true, "samples");
	check("main, line 5 in \"main.c\"", 0, 15);
	check("compare, line 9 in \"main.c\"", 0, 10);
	check("compare, line 10 in \"main.c\"", 10, 10);
	check("inl, line 3 in \"inl.h\"", 5, 5);
	check("work, line 17 in \"work.c\"", 0, 5);
	check("<Function: qsort, instructions without line numbers>", 0, 10);
	check("<Unknown>", 1, 1);
	check_count(7);
	end();
}
END_TEST

START_TEST(lines_of_inlined_code_are_folded)
{
	begin(PROF_KIND_LINES, false, "samples");
	check("work, line 3 in \"inl.h\"", 5, 5);
	check_count(6);
	end();
}
END_TEST

START_TEST(addresses_are_of_functions)
{
	begin(PROF_KIND_PCS, true, "wall");
	check("main + 0x0", 0, 22);
	check("inl, inlined in work + 0x0", 5, 5);
	check("qsort at 0x100", 0, 10);
	check("compare + 0x0", 0, 10);
	check("compare + 0x4", 10, 10);
	check("<Unknown> at 0x40", 7, 7);
	check("<Unknown>", 1, 1);
	check_count(7);
	end();
}
END_TEST

/* Exclusive metrics of any items add up to the total, and to those of what they belong to. */
START_TEST(lines_and_addresses_add_up_to_functions)
{
	static const enum prof_kind kinds[] = {PROF_KIND_LINES, PROF_KIND_PCS};

	for (size_t k = 0; k < PROF_COUNT(kinds); k++) {
		prof_value sums[32] = {0};
		begin(kinds[k], true, "wall");
		uint32_t unknown = program_function(experiment, "<Unknown>", 0);
		for (uint32_t i = 0; i < functions->count; i++) {
			uint32_t function = prof_items_function(&items, i);
			sums[function == PROF_NONE ? unknown : function] += functions->exclusive[i];
		}
		end();
		begin(PROF_KIND_FUNCTIONS, true, "wall");
		for (uint32_t i = 0; i < functions->count; i++)
			ck_assert(sums[i] == functions->exclusive[i]);
		end();
	}
}
END_TEST

RUN_TESTS("items", functions_have_inlined_ones, inlined_functions_are_folded_into_their_callers,
	objects_count_a_stack_once, unresolved_code_belongs_to_its_object, lines_are_of_functions,
	lines_of_inlined_code_are_folded, addresses_are_of_functions,
	lines_and_addresses_add_up_to_functions)
