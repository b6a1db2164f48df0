/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/class.h"

#include "metric/metric.h"
#include "parallel_stacks.h"

enum { ON_CPU = 3, OFF_CPU = 4 }; /* ns of each sample */

/* Adds a sample of the stack of NAMES. */
static void add(struct prof_experiment *experiment, const char *names)
{
	struct prof_sample sample = {.path = path_of_names(experiment, names)};
	prof_value values[PROF_QUANTITIES] = {
		[PROF_QUANTITY_SPENT + PROF_STATE_USER] = prof_value_of(ON_CPU),
		[PROF_QUANTITY_SPENT + PROF_STATE_LOCK] = prof_value_of(OFF_CPU),
	};

	if (!experiment->threads.count)
		ck_assert_ok(prof_experiment_thread(experiment, 1, "", &sample.thread));
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
}

static int64_t total(const struct prof_experiment *experiment, const char *name)
{
	AUTO_FREE prof_value *values = NULL;
	struct prof_metric metric;

	ck_assert_ok(prof_metric_find(experiment, name, &metric));
	ck_assert_ok(prof_metric_by_thread(experiment, &metric, NULL, NULL, &values));
	return (int64_t)(values[0] / PROF_VALUE_ONE);
}

START_TEST(metrics_count_by_classes)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	add(experiment, "main;burn");
	add(experiment, "main;GOMP_parallel;main._omp_fn.0;burn");
	add(experiment, "clone3;gomp_thread_start;main._omp_fn.0;burn");
	add(experiment, "main;GOMP_parallel;main._omp_fn.0;GOMP_taskwait");
	add(experiment, "clone3;gomp_thread_start;gomp_wait");
	ck_assert_int_eq(total(experiment, "omp-work"), 0);
	ck_assert_ok(prof_classes_update(experiment));
	ck_assert_int_eq(total(experiment, "omp-work"), 2 * ON_CPU);
	ck_assert_int_eq(total(experiment, "omp-wait"), 2 * OFF_CPU + ON_CPU + OFF_CPU);
	ck_assert_int_eq(total(experiment, "omp-idle"), ON_CPU + OFF_CPU);
	ck_assert_int_eq(total(experiment, "omp-serial"), ON_CPU + OFF_CPU);
	ck_assert_int_eq(total(experiment, "wall"), 5 * (ON_CPU + OFF_CPU));
}
END_TEST

START_TEST(metrics_without_stacks_are_not_listed)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	struct prof_metric metric;
	bool listed[2] = {false, false};

	ck_assert_ok(prof_experiment_create(&experiment));
	for (int i = 0; i < 2; i++) {
		add(experiment, i ? "main;GOMP_parallel" : "main");
		ck_assert_ok(prof_classes_update(experiment));
		for (size_t place = 0; prof_metric_next(experiment, &place, &metric);)
			listed[i] |= !strcmp(metric.name, "omp-work");
	}
	ck_assert(!listed[0] && listed[1]);
}
END_TEST

START_TEST(stacks_that_came_later_have_no_class_yet)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	path_of_names(experiment, "main;GOMP_parallel");
	ck_assert_ok(prof_classes_update(experiment));
	uint32_t path = path_of_names(experiment, "main;GOMP_parallel;main._omp_fn.0");
	ck_assert_uint_eq(prof_experiment_classes(experiment, path), 0);
	ck_assert_ok(prof_classes_update(experiment));
	ck_assert_uint_eq(prof_experiment_classes(experiment, path), PROF_CLASS_OMP_WORK);
}
END_TEST

RUN_TESTS("class", metrics_count_by_classes, metrics_without_stacks_are_not_listed,
	stacks_that_came_later_have_no_class_yet)
