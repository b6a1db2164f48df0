/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/user_paths.h"

#include "parallel/class.h"
#include "parallel/openmp_regions.h"
#include "parallel/openmp_stacks.h"
#include "parallel_stacks.h"

#include <stdio.h>

#define WORKER "clone3;gomp_thread_start;"

static struct prof_experiment *experiment;
static struct prof_openmp_stacks stacks;
static struct prof_openmp_regions regions;
static struct prof_user_paths paths;

static void begin(enum prof_stacks mode)
{
	ck_assert_ok(prof_openmp_stacks_init(&stacks, experiment));
	ck_assert_ok(prof_openmp_regions_init(&regions, experiment, &stacks));
	ck_assert_ok(prof_openmp_regions_name(&regions, experiment, &stacks, true));
	paths = (struct prof_user_paths){
		.experiment = experiment, .stacks = &stacks, .regions = &regions, .mode = mode};
	ck_assert_ok(prof_user_paths_init(&paths));
}

static void end(void)
{
	prof_user_paths_deinit(&paths);
	prof_openmp_regions_deinit(&regions);
	prof_openmp_stacks_deinit(&stacks);
	prof_experiment_destroy(experiment);
}

/* The name of the function that PATH ends with. */
static const char *last_of(uint32_t path)
{
	const struct prof_frame *frame =
		&experiment->frames.items[experiment->paths.items[path].frame];

	return prof_experiment_function_name(
		experiment, experiment->locations.items[frame->first_location].function);
}

START_TEST(each_wait_has_its_function)
{
	static const struct {
		const char *call, *name;
	} cases[] = {
		{"GOMP_barrier", "<OMP-barrier>"},
		{"GOMP_barrier (explicit)", "<OMP-explicit_barrier>"},
		{"__kmpc_barrier (implicit)", "<OMP-implicit_barrier>"},
		{"GOMP_loop_end", "<OMP-implicit_barrier>"},
		{"omp_set_lock", "<OMP-lock_wait>"},
		{"GOMP_critical_start", "<OMP-critical_section_wait>"},
		{"GOMP_atomic_start", "<OMP-atomic_wait>"},
		{"GOMP_ordered_start", "<OMP-ordered_section_wait>"},
		{"GOMP_taskwait", "<OMP-task_wait>"},
		{"__kmpc_reduce", "<OMP-reduction>"},
		{"gomp_wait", "<OMP-wait>"},
		{"GOMP_loop_dynamic_next", "<OMP-overhead>"},
	};
	uint32_t met[PROF_COUNT(cases)], made;

	ck_assert_ok(prof_experiment_create(&experiment));
	for (size_t i = 0; i < PROF_COUNT(cases); i++) {
		char names[96];
		snprintf(names, sizeof names, "main@5;GOMP_parallel;main._omp_fn.0;%s",
			cases[i].call);
		met[i] = path_of_names(experiment, names);
	}
	begin(PROF_STACKS_USER);
	for (size_t i = 0; i < PROF_COUNT(cases); i++) {
		ck_assert_ok(prof_user_paths_get(&paths, met[i], 0, &made));
		ck_assert_str_eq(last_of(made), cases[i].name);
		ck_assert_str_eq(last_of(experiment->paths.items[made].parent),
			"main (parallel at main.c:5)");
	}
	end();
}
END_TEST

START_TEST(paths_are_made_once)
{
	uint32_t made, again;

	ck_assert_ok(prof_experiment_create(&experiment));
	uint32_t met = path_of_names(experiment, "main;GOMP_parallel;main._omp_fn.0;burn");
	begin(PROF_STACKS_USER);
	ck_assert_ok(prof_user_paths_get(&paths, met, 0, &made));
	size_t count = experiment->paths.count;
	ck_assert_ok(prof_user_paths_get(&paths, met, 0, &again));
	ck_assert_uint_eq(made, again);
	ck_assert_uint_eq(experiment->paths.count, count);
	end();
}
END_TEST

START_TEST(waits_have_a_path_of_their_own_in_machine_mode)
{
	uint32_t idle, wait;

	ck_assert_ok(prof_experiment_create(&experiment));
	uint32_t opener = path_of_names(experiment, "main@5");
	path_of_names(experiment, "main@5;GOMP_parallel;main._omp_fn.0");
	uint32_t met = path_of_names(experiment, WORKER "gomp_wait");
	begin(PROF_STACKS_MACHINE);
	ck_assert_ok(prof_user_paths_get(&paths, met, 0, &idle));
	ck_assert_ok(prof_user_paths_get(&paths, met, opener, &wait));
	ck_assert_uint_eq(idle, met);
	ck_assert_uint_ne(wait, met);
	ck_assert_uint_eq(
		experiment->paths.items[wait].parent, experiment->paths.items[met].parent);
	ck_assert_ok(prof_user_paths_classify(&paths));
	ck_assert_uint_eq(prof_experiment_classes(experiment, idle), PROF_CLASS_OMP_IDLE);
	ck_assert_uint_eq(prof_experiment_classes(experiment, wait), PROF_CLASS_OMP_WAIT);
	end();
}
END_TEST

START_TEST(each_path_knows_its_region)
{
	uint32_t made[3];

	ck_assert_ok(prof_experiment_create(&experiment));
	uint32_t met[] = {path_of_names(experiment, "main@5;GOMP_parallel;main._omp_fn.0;burn"),
		path_of_names(experiment, WORKER "gomp_wait"), path_of_names(experiment, "main@5")};
	begin(PROF_STACKS_USER);
	for (int i = 0; i < 3; i++)
		ck_assert_ok(prof_user_paths_get(&paths, met[i], i == 1 ? met[2] : 0, &made[i]));
	ck_assert_ok(prof_user_paths_classify(&paths));
	for (int i = 0; i < 2; i++)
		ck_assert_uint_eq(experiment->regions.items[made[i]], 0);
	const struct prof_region *region = &experiment->region_rows.items[0];
	ck_assert_str_eq(prof_experiment_function_name(experiment, region->function),
		"main (parallel at main.c:5)");
	ck_assert_str_eq(prof_experiment_text(experiment, region->file), "main.c");
	ck_assert_uint_eq(region->line, 5);
	ck_assert_uint_eq(region->caller, experiment->paths.items[met[2]].frame);
	ck_assert_uint_eq(experiment->regions.items[made[2]], PROF_NONE);
	end();
}
END_TEST

RUN_TESTS("user_paths", each_wait_has_its_function, paths_are_made_once,
	waits_have_a_path_of_their_own_in_machine_mode, each_path_knows_its_region)
