/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/metric.h"

#include "sample_at.h"
#include "suite.h"

#include <string.h>

START_TEST(finds_each_metric_by_its_name)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	for (const struct prof_metric *metric = prof_metrics; *metric->name; metric++) {
		struct prof_metric found;
		ck_assert_ok(prof_metric_find(experiment, metric->name, &found));
		ck_assert_str_eq(found.name, metric->name);
		ck_assert_uint_eq(found.quantities, metric->quantities);
		ck_assert(metric->title && metric->unit && metric->units > 0 && metric->quantities);
	}
	ck_assert_str_eq(prof_metrics[0].name, "samples");
}
END_TEST

START_TEST(tells_the_names_when_there_is_no_such_metric)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	struct prof_metric found = {0};

	ck_assert_ok(prof_experiment_create(&experiment));
	struct prof_error *error = prof_metric_find(experiment, "cup", &found);

	ck_assert_ptr_nonnull(error);
	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_MISSING);
	ck_assert_str_eq(prof_error_message(error),
		"There is no metric \"cup\"; there are: samples, cpu, wall, wallclock, user, "
		"system, runqueue, lock, fault, text-fault, data-fault, other, allocs, bytes, "
		"leaks, leaked, peak, temporary, sync-events, sync-wait, calls, inside, mpi-time, "
		"mpi-sends, mpi-sent, mpi-receives, mpi-received, mpi-other, omp-regions, omp-inside, "
		"omp-explicit, omp-implicit, omp-critical, omp-lock, omp-taskwait, omp-tasks, omp-task, "
		"omp-loops, omp-sections, omp-singles, omp-loop, omp-loop-wait.");
	ck_assert_str_eq(found.name, "");
	prof_error_destroy(error);
}
END_TEST

/* Bits between the values of two samples: those of one path are two samples apart. */
enum { APART = 11 };

/* An experiment of the stacks `a` and `a a`, two samples on each, of 1, 2, 4 ... per quantity. */
static struct prof_experiment *experiment_of_two_paths(void)
{
	struct prof_experiment *experiment;
	uint32_t function, frame, thread;
	uint32_t path[2];

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_function(experiment, "a", 1, 0, &function));
	ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
	ck_assert_ok(prof_experiment_thread(experiment, 1, "", &thread));
	ck_assert_ok(prof_experiment_path(experiment, 0, frame, &path[0]));
	ck_assert_ok(prof_experiment_path(experiment, path[0], frame, &path[1]));
	for (uint32_t i = 0; i < 4; i++) {
		struct prof_sample sample = {.path = path[i % 2], .thread = thread};
		prof_value values[PROF_QUANTITIES];
		for (int j = 0; j < PROF_QUANTITIES; j++)
			values[j] = (prof_value)1 << (j + APART * (int)i);
		ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	}
	return experiment;
}

/* NAME is the sum of the quantities whose bits are in BITS. */
static void expect(struct prof_experiment *experiment, const char *name, prof_value bits)
{
	prof_value sample = (prof_value)1 << APART;
	AUTO_FREE prof_value *values = NULL;
	struct prof_metric metric;

	ck_assert_ok(prof_metric_find(experiment, name, &metric));
	ck_assert_ok(prof_metric_by_path(experiment, &metric, NULL, NULL, &values));
	ck_assert(!values[0]);
	ck_assert(values[1] == bits * (1 + sample * sample));
	ck_assert(values[2] == bits * (sample + sample * sample * sample));
}

START_TEST(adds_up_the_quantities_of_a_metric_by_path)
{
	struct prof_experiment *experiment = experiment_of_two_paths();

	expect(experiment, "samples", 1);
	expect(experiment, "user", 2);
	expect(experiment, "system", 4);
	expect(experiment, "cpu", 2 + 4);
	expect(experiment, "allocs", 1 << PROF_QUANTITY_TRACED);
	expect(experiment, "inside", 1 << (PROF_QUANTITY_TRACED + PROF_TRACED_INSIDE));
	expect(experiment, "mpi-other",
		(prof_value)1 << (PROF_QUANTITY_TRACED + PROF_TRACED_MPI_OTHER));
	expect(experiment, "omp-task",
		(prof_value)1 << (PROF_QUANTITY_TRACED + PROF_TRACED_OMP_TASK));
	expect(experiment, "omp-loop-wait", (prof_value)1 << (PROF_QUANTITIES - 1));
	expect(experiment, "runqueue", 8);
	expect(experiment, "lock", 16);
	expect(experiment, "data-fault", 32);
	expect(experiment, "text-fault", 128);
	expect(experiment, "fault", 32 + 128);
	expect(experiment, "other", 64);
	expect(experiment, "wall", 2 + 4 + 8 + 16 + 32 + 64 + 128);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(wall_clock_is_that_of_main_threads)
{
	static const int64_t threads[][2] = {{70, 0}, {7, 0}, {8, 8}, {9, 8}};
	struct prof_metric metric;
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	for (uint32_t i = 0; i < 4; i++) {
		prof_value values[PROF_QUANTITIES] = {
			[PROF_QUANTITY_SPENT] = 1 << i, [PROF_QUANTITIES_SAMPLED - 1] = 100 << i};
		struct prof_sample sample = {0};
		ck_assert_ok(prof_experiment_thread(experiment, threads[i][0], "", &sample.thread));
		if (threads[i][1])
			ck_assert_ok(prof_experiment_own(experiment, sample.thread, threads[i][1]));
		ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	}
	ck_assert_ok(prof_metric_find(experiment, "wallclock", &metric));
	AUTO_FREE prof_value *values = NULL;
	ck_assert_ok(prof_metric_by_thread(experiment, &metric, NULL, NULL, &values));
	for (uint32_t i = 0; i < 4; i++) {
		prof_value wanted = i == 1 || i == 2 ? 101 << i : 0;
		ck_assert(values[i] == wanted);
		const struct prof_sample_row row = row_at(experiment, i);
		ck_assert(prof_metric_of(experiment, &metric, NULL, &row) == wanted);
	}
}
END_TEST

static bool refuse(void *context, const char *what, uint64_t done, uint64_t total)
{
	(void)context, (void)what, (void)done, (void)total;
	return false;
}

START_TEST(can_be_interrupted)
{
	struct prof_experiment *experiment = experiment_of_two_paths();
	struct prof_progress progress = {.report = refuse};
	prof_value *values = NULL;
	struct prof_error *error =
		prof_metric_by_path(experiment, prof_metrics, NULL, &progress, &values);

	ck_assert_ptr_nonnull(error);
	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_INTERRUPTED);
	ck_assert_ptr_null(values);
	prof_error_destroy(error);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("metric", finds_each_metric_by_its_name, tells_the_names_when_there_is_no_such_metric,
	adds_up_the_quantities_of_a_metric_by_path, wall_clock_is_that_of_main_threads,
	can_be_interrupted)
