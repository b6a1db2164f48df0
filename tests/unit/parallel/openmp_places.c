/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/openmp_places.h"

#include "parallel/user_stacks.h"
#include "parallel_stacks.h"

#define WORKER "clone3;[libomp.so.5]launch;__kmp_invoke_microtask;"

/* Adds a sample of THREAD at NAMES with VALUE of what was traced of the region opened at PLACE. */
static void add_traced(struct prof_experiment *experiment, uint32_t thread, uint64_t place,
	enum prof_traced_value value, const char *names)
{
	int64_t values[PROF_TRACED_VALUES] = {0};
	struct prof_traced_row row = {.sample = (uint32_t)experiment->samples.count,
		.object = PROF_NONE,
		.holder = PROF_NONE};

	values[value] = 5;
	values[PROF_TRACED_OMP_REGIONS] = value == PROF_TRACED_OMP_INSIDE;
	if (place)
		ck_assert_ok(prof_experiment_object(experiment, place, &row.object));
	add_timed(experiment, thread, 5, 0, PROF_STATE_USER, names);
	ck_assert_ok(prof_experiment_traced(experiment, &row));
	prof_experiment_traced_values(
		experiment, (uint32_t)experiment->traced.count - 1, values, 0);
}

/* Two regions, and a worker whose waits are in either: the regions' functions have jumped. */
static struct prof_experiment *make(void)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_traced(experiment, 0, 0x10, PROF_TRACED_OMP_INSIDE,
		"main@7;__kmpc_fork_call;__kmp_join_call");
	add_timed(experiment, 0, 6, 6, PROF_STATE_USER, "main@8");
	add_traced(experiment, 0, 0x20, PROF_TRACED_OMP_INSIDE,
		"main@9;__kmpc_fork_call;__kmp_join_call");
	add_traced(experiment, 1, 0x20, PROF_TRACED_OMP_EXPLICIT, WORKER "__kmpc_barrier");
	add_traced(experiment, 1, 0, PROF_TRACED_OMP_EXPLICIT, WORKER "__kmpc_barrier");
	add_traced(experiment, 1, 0x30, PROF_TRACED_OMP_EXPLICIT, WORKER "__kmpc_barrier");
	return experiment;
}

START_TEST(waits_are_where_their_region_was_opened)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make();
	AUTO_OPENMP_STACKS struct prof_openmp_stacks stacks = {0};
	AUTO_OPENMP_PLACES struct prof_openmp_places places = {0};

	ck_assert_ok(prof_openmp_stacks_init(&stacks, experiment));
	ck_assert_ok(prof_openmp_places_init(&places, experiment, &stacks, NULL));
	ck_assert_uint_eq(
		prof_openmp_places_opener(&places, 0), path_of_names(experiment, "main@7"));
	ck_assert_uint_eq(prof_openmp_places_opener(&places, 1), 0);
	ck_assert_uint_eq(
		prof_openmp_places_opener(&places, 3), path_of_names(experiment, "main@9"));
	ck_assert_uint_eq(prof_openmp_places_opener(&places, 4), 0);
	ck_assert_uint_eq(prof_openmp_places_opener(&places, 5), 0);
}
END_TEST

START_TEST(user_stacks_go_on_there)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make();
	AUTO_EXPERIMENT struct prof_experiment *made = NULL;

	ck_assert_ok(prof_user_stacks_create(experiment, PROF_STACKS_USER, NULL, &made));
	ck_assert_ptr_nonnull(made);
	uint32_t path = path_of_names(made, "main@9");
	bool found = false;
	for (size_t i = 1; i < made->paths.count; i++) {
		uint32_t region = made->regions.items[i];
		if (region == PROF_NONE ||
			made->paths.items[made->paths.items[i].parent].parent != path)
			continue;
		found = true;
		ck_assert_str_eq(prof_experiment_function_name(
					 made, made->region_rows.items[region].function),
			"main (parallel at main.c:9)");
	}
	ck_assert(found);
}
END_TEST

START_TEST(nothing_is_known_where_nothing_was_traced)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	AUTO_OPENMP_STACKS struct prof_openmp_stacks stacks = {0};
	AUTO_OPENMP_PLACES struct prof_openmp_places places = {0};

	ck_assert_ok(prof_experiment_create(&experiment));
	add_timed(experiment, 1, 9, 9, PROF_STATE_USER, WORKER "__kmpc_barrier");
	ck_assert_ok(prof_openmp_stacks_init(&stacks, experiment));
	ck_assert_ok(prof_openmp_places_init(&places, experiment, &stacks, NULL));
	ck_assert_uint_eq(prof_openmp_places_opener(&places, 0), 0);
}
END_TEST

RUN_TESTS("openmp places", waits_are_where_their_region_was_opened, user_stacks_go_on_there,
	nothing_is_known_where_nothing_was_traced)
