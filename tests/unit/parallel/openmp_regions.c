/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/openmp_regions.h"

#include "parallel/openmp_stacks.h"
#include "parallel_stacks.h"

/* Finds the regions of EXPERIMENT, and fails unless the function of PATH, the last, is NAME. */
static void expect(struct prof_experiment *experiment, uint32_t path, const char *name)
{
	AUTO_OPENMP_STACKS struct prof_openmp_stacks stacks = {0};
	AUTO_OPENMP_REGIONS struct prof_openmp_regions regions = {0};

	ck_assert_ok(prof_openmp_stacks_init(&stacks, experiment));
	ck_assert_ok(prof_openmp_regions_init(&regions, experiment, &stacks));
	ck_assert_ok(prof_openmp_regions_name(&regions, experiment, &stacks, true));
	const struct prof_frame *frame =
		&experiment->frames.items[experiment->paths.items[path].frame];
	ck_assert_str_eq(prof_experiment_function_name(experiment,
				 experiment->locations.items[frame->first_location].function),
		name);
}

START_TEST(named_by_who_opens_them)
{
	static const struct {
		const char *stack, *name;
	} cases[] = {
		/* work() has jumped. */
		{"main@12;GOMP_parallel;work._omp_fn.0", "work (parallel at main.c:12)"},
		{"work@12;__kmpc_fork_call;__kmp_fork_call;__kmp_invoke_microtask;.omp_outlined.",
			"work (parallel at main.c:12)"},
	};

	for (size_t i = 0; i < PROF_COUNT(cases); i++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment;
		ck_assert_ok(prof_experiment_create(&experiment));
		expect(experiment, path_of_names(experiment, cases[i].stack), cases[i].name);
	}
}
END_TEST

START_TEST(named_by_themselves_where_nobody_was_met)
{
	static const struct {
		const char *stack, *name;
	} cases[] = {
		{"clone3;gomp_thread_start;main._omp_fn.0", "main (parallel)"},
		{"clone3;gomp_thread_start;.omp_outlined.", ".omp_outlined."},
		{"clone3;gomp_thread_start;main._omp_fn.0;GOMP_taskwait;fib._omp_fn.1",
			"fib (task)"},
	};

	for (size_t i = 0; i < PROF_COUNT(cases); i++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment;
		ck_assert_ok(prof_experiment_create(&experiment));
		expect(experiment, path_of_names(experiment, cases[i].stack), cases[i].name);
	}
}
END_TEST

START_TEST(line_of_the_beginning_holds)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	uint32_t module, region, file, frame, entry;

	ck_assert_ok(prof_experiment_create(&experiment));
	uint32_t path = path_of_names(experiment, "main@8;GOMP_parallel");
	ck_assert_ok(prof_experiment_module(experiment, "/bin/a", "", &module));
	ck_assert_ok(prof_experiment_function(
		experiment, "main._omp_fn.0", strlen("main._omp_fn.0"), module, &region));
	ck_assert_ok(prof_experiment_string(experiment, "/src/main.c", &file));
	ck_assert_ok(prof_experiment_frame(experiment, module, 0x1010, &frame));
	ck_assert_ok(prof_experiment_frame(experiment, module, 0x1000, &entry));
	struct prof_location place = {region, file, 11, 0x10};
	ck_assert_ok(prof_experiment_resolve(experiment, frame, &place, 1));
	place.line = 9;
	place.offset = 0;
	ck_assert_ok(prof_experiment_resolve(experiment, entry, &place, 1));
	ck_assert_ok(prof_experiment_path(experiment, path, frame, &path));
	expect(experiment, path, "main (parallel at main.c:9)");
}
END_TEST

START_TEST(functions_of_one_name_are_told_apart)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	AUTO_OPENMP_STACKS struct prof_openmp_stacks stacks = {0};
	AUTO_OPENMP_REGIONS struct prof_openmp_regions regions = {0};
	uint32_t module, region, file, frame, path;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_module(experiment, "/bin/a", "", &module));
	ck_assert_ok(prof_experiment_string(experiment, "", &file));
	ck_assert_ok(prof_experiment_function(
		experiment, ".omp_outlined.", strlen(".omp_outlined."), module, &region));
	for (uint64_t i = 1; i < 3; i++) {
		struct prof_location place = {region, file, 0, 0x10};
		path = path_of_names(
			experiment, i == 1 ? "f@1;GOMP_parallel" : "g@2;GOMP_parallel");
		ck_assert_ok(prof_experiment_frame(experiment, module, 0x1000 * i + 0x10, &frame));
		ck_assert_ok(prof_experiment_resolve(experiment, frame, &place, 1));
		ck_assert_ok(prof_experiment_path(experiment, path, frame, &path));
	}
	ck_assert_ok(prof_openmp_stacks_init(&stacks, experiment));
	ck_assert_ok(prof_openmp_regions_init(&regions, experiment, &stacks));
	ck_assert_ok(prof_openmp_regions_name(&regions, experiment, &stacks, true));
	ck_assert_uint_eq(regions.items.count, 2);
	ck_assert_str_eq(prof_experiment_function_name(experiment, regions.items.items[1].named),
		"g (parallel at main.c:2)");
	ck_assert_uint_eq(regions.opened[path_of_names(experiment, "g@2")], path);
}
END_TEST

START_TEST(a_place_opens_one_region)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	AUTO_OPENMP_STACKS struct prof_openmp_stacks stacks = {0};
	AUTO_OPENMP_REGIONS struct prof_openmp_regions regions = {0};

	ck_assert_ok(prof_experiment_create(&experiment));
	uint32_t region = path_of_names(experiment, "a;f@1;GOMP_parallel;f._omp_fn.0");
	uint32_t other = path_of_names(experiment, "b;f@1");
	uint32_t none = path_of_names(experiment, "b;f@2");
	ck_assert_ok(prof_openmp_stacks_init(&stacks, experiment));
	ck_assert_ok(prof_openmp_regions_init(&regions, experiment, &stacks));
	ck_assert_ok(prof_openmp_regions_name(&regions, experiment, &stacks, true));
	ck_assert_uint_eq(regions.opened[other], region);
	ck_assert_uint_eq(regions.opened[none], 0);
}
END_TEST

RUN_TESTS("openmp_regions", a_place_opens_one_region, named_by_who_opens_them,
	named_by_themselves_where_nobody_was_met, line_of_the_beginning_holds,
	functions_of_one_name_are_told_apart)
