/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/openmp_unseen.h"

#include "parallel/openmp_regions.h"
#include "parallel_stacks.h"

/* Adds a sample at NAMES that stands for REGIONS instances of a region. */
static void add_traced(struct prof_experiment *experiment, int64_t regions, const char *names)
{
	const int64_t values[PROF_TRACED_VALUES] = {
		[PROF_TRACED_OMP_REGIONS] = regions, [PROF_TRACED_OMP_INSIDE] = 1};
	struct prof_traced_row row = {.sample = (uint32_t)experiment->samples.count,
		.object = PROF_NONE,
		.holder = PROF_NONE};

	add_timed(experiment, 0, 5, 0, PROF_STATE_USER, names);
	ck_assert_ok(prof_experiment_traced(experiment, &row));
	prof_experiment_traced_values(
		experiment, (uint32_t)experiment->traced.count - 1, values, 0);
}

/* Adds what is unseen in EXPERIMENT.  Returns how many paths that has taken. */
static size_t add_unseen(struct prof_experiment *experiment)
{
	AUTO_OPENMP_STACKS struct prof_openmp_stacks stacks = {0};
	size_t before = experiment->paths.count;

	ck_assert_ok(prof_openmp_stacks_init(&stacks, experiment));
	ck_assert_ok(prof_openmp_unseen_add(experiment, &stacks, NULL));
	return experiment->paths.count - before;
}

START_TEST(short_regions_are_named_by_where_they_are_opened)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	AUTO_OPENMP_STACKS struct prof_openmp_stacks stacks = {0};
	AUTO_OPENMP_REGIONS struct prof_openmp_regions regions = {0};

	ck_assert_ok(prof_experiment_create(&experiment));
	add_traced(experiment, 3, "main;work@7;__kmpc_fork_call;__kmp_join_call");
	add_traced(experiment, 1, "main;work@7;__kmpc_fork_call;__kmp_fork_call");
	add_traced(experiment, 1, "main;work@9;__kmpc_fork_call;__kmp_join_call");
	ck_assert_uint_eq(add_unseen(experiment), 4);
	ck_assert_ok(prof_openmp_stacks_init(&stacks, experiment));
	ck_assert_ok(prof_openmp_regions_init(&regions, experiment, &stacks));
	ck_assert_ok(prof_openmp_regions_name(&regions, experiment, &stacks, true));
	ck_assert_uint_eq(regions.items.count, 2);
	ck_assert_str_eq(prof_experiment_function_name(experiment, regions.items.items[0].named),
		"work (parallel at main.c:7)");
	ck_assert_str_eq(prof_experiment_function_name(experiment, regions.items.items[1].named),
		"work (parallel at main.c:9)");
}
END_TEST

START_TEST(regions_that_stacks_have_are_known)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_traced(experiment, 3, "main;work@7;__kmpc_fork_call;__kmp_join_call");
	add_timed(experiment, 0, 9, 9, PROF_STATE_USER,
		"main;work@7;__kmpc_fork_call;__kmp_invoke_microtask;.omp_outlined.;burn");
	ck_assert_uint_eq(add_unseen(experiment), 0);
}
END_TEST

START_TEST(nothing_is_added_where_nothing_was_traced)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add_timed(experiment, 0, 9, 9, PROF_STATE_USER, "main;work@7;__kmpc_fork_call");
	ck_assert_uint_eq(add_unseen(experiment), 0);
	/* Waits are in a region, and open none. */
	add_traced(experiment, 0, "main;work@7;__kmpc_fork_call;__kmp_join_call");
	ck_assert_uint_eq(add_unseen(experiment), 0);
}
END_TEST

RUN_TESTS("openmp unseen", short_regions_are_named_by_where_they_are_opened,
	regions_that_stacks_have_are_known, nothing_is_added_where_nothing_was_traced)
