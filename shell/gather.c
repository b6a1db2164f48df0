/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/gather.h"

#include "base/map.h"
#include "base/text.h"
#include "base/time_unit.h"
#include "formats/files.h"
#include "formats/import.h"
#include "model/experiment.h"
#include "model/mpi_clocks.h"
#include "store/store.h"
#include "target/launcher.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ms between two looks, and by how many s the clocks of machines that share a folder may differ. */
enum { PAUSE = 20, SKEW = 10 };

struct ranks {
	const char *output;
	char job[PROF_LAUNCH_NAME];
	int64_t rank, size;
	time_t began;
};

/* The name of the file that RANK writes: its sum, or, if FAILED, a note that there will be none. */
static struct prof_error *name_part(
	const struct ranks *ranks, int64_t rank, bool failed, struct prof_text *ret)
{
	prof_text_print(ret, "%s.%s.%" PRId64 "%s", ranks->output, ranks->job, rank,
		failed ? ".failed" : ".part");
	return prof_text_error(ret);
}

/* Does the file PATH exist, and is it not of an earlier job that did not remove it? */
static bool is_new(const struct ranks *ranks, const char *path)
{
	struct stat status;

	return !stat(path, &status) && status.st_mtime + SKEW >= ranks->began;
}

/* Waits until RANK has written the file whose name becomes *RET. */
static struct prof_error *wait_for(const struct ranks *ranks, int64_t rank, struct prof_text *ret)
{
	static const struct timespec pause = {0, PAUSE * PROF_NS_PER_MS};
	AUTO_TEXT struct prof_text failed = {0};
	struct prof_error *error = name_part(ranks, rank, false, ret);

	if (!error)
		error = name_part(ranks, rank, true, &failed);
	while (!error && !is_new(ranks, prof_text_get(ret))) {
		if (is_new(ranks, prof_text_get(&failed))) {
			unlink(prof_text_get(&failed));
			return prof_error_create(PROF_ERROR_STATE,
				"Rank %" PRId64
				" could not add up its files, for the reason that it has printed.",
				rank);
		}
		nanosleep(&pause, NULL);
	}
	return error;
}

/* Adds the sum that RANK has written to FILES, unless that is NULL, and removes it. */
static struct prof_error *add_part(
	const struct ranks *ranks, int64_t rank, struct prof_files *files)
{
	AUTO_TEXT struct prof_text part = {0};
	struct prof_error *error = wait_for(ranks, rank, &part);
	const char *path = prof_text_get(&part);

	if (error)
		return error;
	if (files)
		error = prof_files_add(files, &path, 1, NULL);
	unlink(path);
	return error;
}

/*
 * Adds the sums for which this rank waits to FILES, unless there is an ERROR.  Removes all of them.
 */
static struct prof_error *add_parts(
	const struct ranks *ranks, struct prof_files *files, struct prof_error *error)
{
	for (int64_t step = 1; step < ranks->size && !(ranks->rank & step); step *= 2) {
		if (ranks->rank + step >= ranks->size)
			continue;
		struct prof_error *other =
			add_part(ranks, ranks->rank + step, error ? NULL : files);
		if (error)
			prof_error_destroy(other);
		else
			error = other;
	}
	return error;
}

/* Writes SUM for the rank that waits for it, or, for the last sum, to the output. */
static struct prof_error *give(const struct ranks *ranks, const struct prof_experiment *sum)
{
	AUTO_TEXT struct prof_text part = {0};
	struct prof_error *error = NULL;

	if (ranks->rank)
		error = name_part(ranks, ranks->rank, false, &part);
	return error
		? error
		: prof_store_save(ranks->rank ? prof_text_get(&part) : ranks->output, sum, NULL);
}

/* Tells the rank that waits for RANKS's sum that there will be none. */
static void print_failure(const struct ranks *ranks)
{
	AUTO_TEXT struct prof_text name = {0};
	FILE *file = NULL;

	if (ranks->rank && !name_part(ranks, ranks->rank, true, &name))
		file = fopen(prof_text_get(&name), "we");
	if (file)
		fclose(file);
}

/* Only a process that reads all files can resolve a gmon.out with its program. */
static struct prof_error *check_profiles(const char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bool program = false;
		struct prof_error *error = prof_import_is_program(paths[i], &program);
		if (error)
			return error;
		if (program)
			return prof_error_create(PROF_ERROR_USAGE,
				"\"%s\" is a program: run gdbprof merge without a launcher to add up gmon.out files.",
				paths[i]);
	}
	return NULL;
}

/*
 * If messages show that clocks of hosts differ, reads all of the COUNT PATHS again: only who has
 * all of them can move the clocks.  If this process cannot read them, FILES stay as they are.
 */
static struct prof_error *correct_clocks(
	struct prof_files *files, const char *const *paths, size_t count)
{
	AUTO_MPI_CLOCKS struct prof_mpi_clocks clocks = {0};
	struct prof_error *error = prof_mpi_clocks_find(files->sum, &clocks);

	if (error || (!prof_mpi_clocks_differ(&clocks) && !files->sum->recording.clock_correction))
		return error;
	for (size_t i = 0; i < count; i++) {
		if (access(paths[i], R_OK))
			return NULL;
	}
	prof_files_deinit(files);
	return prof_files_add(files, paths, count, NULL);
}

/*
 * Names the job.  MPICH has no name for it, so its ranks use a hash of the COUNT PATHS, which are
 * the same for all of them: no rank takes a file of an earlier job that merged other profiles.
 */
static void name_job(struct ranks *ranks, const struct prof_launch *launch,
	const char *const *paths, size_t count)
{
	uint64_t names[2] = {(uint64_t)launch->size};

	snprintf(ranks->job, sizeof ranks->job, "%s", launch->job);
	for (size_t i = 0; i < count; i++) {
		names[1] = prof_map_hash(paths[i], strlen(paths[i]));
		names[0] = prof_map_hash(names, sizeof names);
	}
	if (!*ranks->job)
		snprintf(ranks->job, sizeof ranks->job, "%016" PRIx64, names[0]);
}

struct prof_error *gather(const struct prof_launch *launch, const char *const *paths, size_t count,
	const char *output)
{
	struct ranks ranks = {
		.output = output,
		.rank = launch->rank,
		.size = launch->size,
		.began = time(NULL),
	};

	name_job(&ranks, launch, paths, count);
	/* With fewer files than ranks, the last ranks have nothing to do. */
	if (ranks.size > (int64_t)count)
		ranks.size = (int64_t)count;
	if (ranks.rank >= ranks.size)
		return NULL;
	size_t begin = count * (size_t)ranks.rank / (size_t)ranks.size;
	size_t end = count * ((size_t)ranks.rank + 1) / (size_t)ranks.size;
	PROF_AUTO(prof_files_deinit) struct prof_files files = {0};
	struct prof_error *error = check_profiles(paths + begin, end - begin);
	if (!error)
		error = prof_files_add(&files, paths + begin, end - begin, NULL);
	error = add_parts(&ranks, &files, error);
	if (!error && !ranks.rank)
		error = correct_clocks(&files, paths, count);
	if (!error)
		error = give(&ranks, files.sum);
	if (error)
		print_failure(&ranks);
	return error;
}
