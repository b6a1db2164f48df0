/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/files.h"

#include "formats/import.h"
#include "formats/program.h"
#include "formats/read_ahead.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "model/gmon.h"
#include "model/image_symbols.h"
#include "model/merge.h"
#include "model/mpi_clocks.h"

#include <stdlib.h>
#include <string.h>

void prof_files_deinit(struct prof_files *files)
{
	prof_experiment_destroy(files->sum);
	free(files->program);
	*files = (struct prof_files){0};
}

/* Gives FILES the program among the COUNT PATHS, and puts the other paths into PROFILES. */
static struct prof_error *take_programs(struct prof_files *files, const char *const *paths,
	size_t count, const char **profiles, size_t *ret)
{
	*ret = 0;
	for (size_t i = 0; i < count; i++) {
		bool program = false;
		struct prof_error *error = prof_import_is_program(paths[i], &program);
		if (error)
			return error;
		if (!program) {
			profiles[(*ret)++] = paths[i];
			continue;
		}
		if (files->program)
			return prof_error_create(PROF_ERROR_USAGE,
				"Only one program can be used: \"%s\" and \"%s\" are both programs, so leave one out.",
				files->program, paths[i]);
		files->program = strdup(paths[i]);
		if (!files->program)
			return prof_error_nomem();
	}
	return NULL;
}

/* Adds EXPERIMENT to the sum, or makes it the sum if there is none. */
static struct prof_error *add(struct prof_files *files, struct prof_experiment *experiment,
	const struct prof_progress *progress)
{
	AUTO_EXPERIMENT struct prof_experiment *added = experiment;

	if (!files->sum) {
		files->sum = steal(&added);
		return NULL;
	}
	return prof_experiment_merge(files->sum, added, progress);
}

/* Reads the COUNT PROFILES, at least one, and adds them up, with their clocks moved by CLOCKS. */
static struct prof_error *read_profiles(struct prof_files *files, const char *const *profiles,
	size_t count, const struct prof_mpi_clocks *clocks, const struct prof_progress *progress)
{
	AUTO_READ_AHEAD struct prof_read_ahead *ahead = NULL;
	struct prof_error *error = prof_read_ahead_create(profiles, count, &ahead);

	for (size_t i = 0; i < count && !error; i++) {
		struct prof_experiment *experiment = NULL;
		error = prof_read_ahead_next(ahead, progress, &experiment);
		if (error)
			break;
		prof_mpi_clocks_correct(clocks, experiment);
		error = add(files, experiment, progress);
	}
	return error;
}

/*
 * If the messages in the sum of the COUNT PROFILES show that clocks of hosts differ, reads them
 * again and moves the clocks: what was added up cannot be moved.
 */
static struct prof_error *correct_clocks(struct prof_files *files, const char *const *profiles,
	size_t count, const struct prof_progress *progress)
{
	AUTO_MPI_CLOCKS struct prof_mpi_clocks clocks = {0};
	struct prof_error *error = prof_mpi_clocks_find(files->sum, &clocks);

	if (error || !prof_mpi_clocks_differ(&clocks))
		return error;
	prof_experiment_destroy(files->sum);
	files->sum = NULL;
	return read_profiles(files, profiles, count, &clocks, progress);
}

struct prof_error *prof_files_add(struct prof_files *files, const char *const *paths, size_t count,
	const struct prof_progress *progress)
{
	static const struct prof_mpi_clocks as_they_are;
	AUTO_FREE const char **profiles = calloc(count + 1, sizeof *profiles);
	struct prof_experiment *experiment = NULL;
	bool first = !files->sum;
	size_t left;

	if (!profiles)
		return prof_error_nomem();
	struct prof_error *error = take_programs(files, paths, count, profiles, &left);
	/* The reader of a single file reports its progress best. */
	if (!error && left == 1) {
		error = prof_import_read(profiles[0], progress, &experiment);
		return error ? error : add(files, experiment, progress);
	}
	if (!error && left)
		error = read_profiles(files, profiles, left, &as_they_are, progress);
	return error || !left || !first ? error : correct_clocks(files, profiles, left, progress);
}

static bool has_gmon(const struct prof_files *files)
{
	return files->sum && (prof_experiment_has(files->sum) & PROF_HAS_GMON);
}

bool prof_files_lack_program(const struct prof_files *files)
{
	/* A saved experiment already has the symbols of its program. */
	return has_gmon(files) && !files->program && !files->sum->gmon.functions.count;
}

struct prof_error *prof_files_finish(struct prof_files *files, const struct prof_progress *progress,
	struct prof_experiment **ret)
{
	struct prof_error *error = NULL;

	if (!files->sum)
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" is a program, not a profile: give its gmon.out too.",
			files->program ? files->program : "");
	if (files->program && !has_gmon(files))
		return prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" is a program, which only a gmon.out needs: leave it out.",
			files->program);
	if (prof_files_lack_program(files))
		return prof_error_create(PROF_ERROR_STATE,
			"A gmon.out needs the program that wrote it: give it too.");
	if (files->program)
		error = prof_program_resolve(files->sum, files->program, progress);
	if (!error)
		*ret = steal(&files->sum);
	return error;
}
