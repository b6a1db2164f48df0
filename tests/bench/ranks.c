/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What it takes to load the files of a parallel job.
 *
 *	ranks make RANKS SAMPLES FOLDER	writes FOLDER/rank.N.prof, each of so many samples of 5,000
 *stacks
 *	ranks load RANKS FOLDER		adds them up and lists functions and ranks: a line for each
 *step, with its name, its seconds, and the bytes of memory at the peak
 */
#include "formats/files.h"
#include "model/experiment.h"
#include "model/rank.h"
#include "store/store.h"
#include "view/view.h"

#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

enum { STACKS = 5000, FUNCTIONS = 600, DEPTH = 20, THREADS = 4 };

static void path_of(char *path, size_t size, const char *folder, int rank)
{
	snprintf(path, size, "%s/rank.%d.prof", folder, rank);
}

/* The frames of the program, each in a function of its own. */
static void add_frames(struct prof_experiment *experiment)
{
	uint32_t module;

	check(prof_experiment_module(experiment, "/usr/bin/synthetic", "00ff", &module));
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		char name[64];
		uint32_t frame;
		struct prof_location location = {.line = i + 1};
		snprintf(name, sizeof name, "synthetic::function_%" PRIu32 "(int)", i);
		check(prof_experiment_function(
			experiment, name, strlen(name), module, &location.function));
		check(prof_experiment_string(experiment, "synthetic.cc", &location.file));
		check(prof_experiment_frame(experiment, module, 0x400001 + i * 16, &frame));
		check(prof_experiment_resolve(experiment, frame, &location, 1));
	}
}

/* Stacks that branch off one another: a path of each. */
static void add_stacks(struct prof_experiment *experiment, uint32_t paths[STACKS])
{
	static uint32_t places[STACKS][DEPTH];

	for (uint32_t i = 0; i < STACKS; i++) {
		uint32_t shared = i ? DEPTH - 1 - chance(4) : 1;
		memcpy(places[i], places[chance(i ? i : 1)], sizeof places[i]);
		for (uint32_t k = shared; k < DEPTH; k++)
			places[i][k] = 1 + chance(FUNCTIONS - 1);
		paths[i] = 0;
		for (uint32_t k = 0; k < DEPTH; k++)
			check(prof_experiment_path(experiment, paths[i], places[i][k], &paths[i]));
	}
}

static void make_rank(int rank, int ranks, size_t samples, const char *folder)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	static uint32_t paths[STACKS];
	const struct prof_rank_request request = {.rank = rank,
		.size = ranks,
		.launcher = "Open MPI",
		.job = "1",
		.host = rank % 2 ? "node1" : "node2",
		.kernel = "boot",
		.monotonic = INT64_C(1000000000000) + rank * 1000000};
	char path[4096];
	uint32_t thread;

	check(prof_experiment_create(&experiment));
	check(prof_rank_add(experiment, &request));
	experiment->recording.rate_asked = experiment->recording.rate_lowest = 1000;
	experiment->recording.duration = (int64_t)samples * 1000000 / THREADS;
	add_frames(experiment);
	/* Ranks run the same program. */
	chance_state = 1;
	add_stacks(experiment, paths);
	chance_state = 1 + (uint64_t)rank;
	for (int64_t i = 0; i < THREADS; i++)
		check(prof_experiment_thread(experiment, 100 + i, "worker", &thread));
	for (size_t i = 0; i < samples; i++) {
		const struct prof_sample sample = {
			.time = (int64_t)(i / THREADS) * 1000000 + chance(1000000),
			.path = paths[chance(1 + chance(STACKS))],
			.thread = (uint32_t)(i % THREADS),
			.state = PROF_STATE_USER};
		prof_value values[PROF_QUANTITIES] = {0};
		values[PROF_QUANTITY_SAMPLES] = PROF_VALUE_ONE;
		values[PROF_QUANTITY_SPENT + PROF_STATE_USER] = prof_value_of(1000000);
		check(prof_experiment_sample(experiment, &sample, values));
	}
	path_of(path, sizeof path, folder, rank);
	check(prof_store_save(path, experiment, NULL));
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void end(const char *name, double begin)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	printf("%s\t%.3f\t%ld\n", name, seconds() - begin, usage.ru_maxrss * 1024);
	fflush(stdout);
}

static void load(int ranks, const char *folder)
{
	static const char *const views[] = {"ranks", "functions"};
	PROF_AUTO(prof_files_deinit) struct prof_files files = {0};
	AUTO_EXPERIMENT struct prof_experiment *sum = NULL;
	double begin = seconds();

	const char **paths = calloc((size_t)ranks + 1, sizeof *paths);
	for (int i = 0; paths && i < ranks; i++) {
		char path[4096];
		path_of(path, sizeof path, folder, i);
		paths[i] = strdup(path);
	}
	check(prof_files_add(&files, paths, (size_t)ranks, NULL));
	check(prof_files_finish(&files, NULL, &sum));
	end("load", begin);
	for (size_t i = 0; i < PROF_COUNT(views); i++) {
		const struct prof_choice choice = {.format = PROF_FORMAT_CSV};
		AUTO_TEXT struct prof_text text = {0};
		begin = seconds();
		check(prof_view_print(prof_view_find(views[i]), sum, &choice, NULL, &text));
		end(views[i], begin);
	}
}

int main(int argc, char **argv)
{
	int ranks = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0;

	if (argc == 5 && !strcmp(argv[1], "make")) {
		for (int i = 0; i < ranks; i++)
			make_rank(i, ranks, strtoul(argv[3], NULL, 10), argv[4]);
		return 0;
	}
	if (argc != 4 || strcmp(argv[1], "load") != 0) {
		fprintf(stderr,
			"usage: ranks make RANKS SAMPLES FOLDER | ranks load RANKS FOLDER\n");
		return 2;
	}
	load(ranks, argv[3]);
	return 0;
}
