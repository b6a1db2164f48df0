/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-load. */
#include "plugin/command/command.h"

#include "base/option_values.h"
#include "formats/files.h"
#include "plugin/gdb/host.h"
#include "plugin/option/option.h"
#include "plugin/session/session.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Counts belong to the program that GDB debugs, unless another was given. */
static struct prof_error *find_program(struct prof_files *files)
{
	if (!prof_files_lack_program(files))
		return NULL;
	struct prof_error *error = host_program(&files->program);
	if (error || (files->program && *files->program))
		return error;
	return prof_error_create(PROF_ERROR_STATE,
		"A gmon.out needs the program that wrote it: use prof-load GMON PROGRAM, or GDB's command \"file\".");
}

/* Paths of files, each owned. */
struct paths {
	PROF_ARRAY(char *) list;
};

static void paths_deinit(struct paths *paths)
{
	for (size_t i = 0; i < paths->list.count; i++)
		free(paths->list.items[i]);
	free(paths->list.items);
}

static struct prof_error *add_path(struct paths *paths, const char *path)
{
	char **added = prof_array_push(&paths->list);

	if (!added)
		return prof_error_nomem();
	*added = strdup(path);
	if (*added)
		return NULL;
	paths->list.count--;
	return prof_error_nomem();
}

/* Adds the file PATH or, if there is none, all files that match it as a pattern, like a shell. */
static struct prof_error *add_matches(struct paths *paths, const char *path)
{
	PROF_AUTO(globfree) glob_t found = {0};
	struct prof_error *error = NULL;

	if (!access(path, F_OK) || glob(path, 0, NULL, &found))
		return add_path(paths, path);
	for (size_t i = 0; i < found.gl_pathc && !error; i++)
		error = add_path(paths, found.gl_pathv[i]);
	return error;
}

/* Reads all the files that VALUES names, and adds them up. */
static struct prof_error *read_all(const struct option_values *values,
	const struct prof_progress *progress, struct prof_experiment **ret)
{
	PROF_AUTO(prof_files_deinit) struct prof_files files = {0};
	PROF_AUTO(paths_deinit) struct paths paths = {0};
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < values->given.count; i++) {
		AUTO_FREE char *path = NULL;
		error = command_file(values, i, &path);
		if (!error)
			error = add_matches(&paths, path);
	}
	if (!error)
		error = prof_files_add(
			&files, (const char *const *)paths.list.items, paths.list.count, progress);
	if (!error)
		error = find_program(&files);
	return error ? error : prof_files_finish(&files, progress, ret);
}

static struct prof_error *run_load(
	const struct command *command, const struct option_values *values)
{
	struct prof_experiment *experiment;
	struct host_progress progress;

	(void)command;
	host_progress_begin(&progress);
	struct prof_error *error = read_all(values, &progress.progress, &experiment);
	host_progress_end(&progress);
	return error ? error : session_load(experiment);
}

const struct command command_load = {
	.name = "prof-load",
	.group = COMMAND_FILE,
	.category = "COMMAND_FILES",
	.usage = "FILE...",
	.describe =
		"Load an experiment or the profile of another tool from FILE.\n"
		"It replaces the experiment at hand.  The content of FILE decides its format:\n"
		"- experiments that prof-save or prof-start --output wrote\n"
		"- folded stacks, lines \"root;...;leaf WEIGHT\"\n"
		"- lists of calls, lines \"call NAME TICK [TIME]\", \"ret TICK [TIME]\" and \"thread ID [NAME]\"\n"
		"- what \"perf script\" prints\n"
		"- files of pprof, speedscope and callgrind, and what \"valgrind --tool=callgrind --ct-verbose=2\" prints\n"
		"- gmon.out of programs built with -pg; give the program as another FILE unless GDB debugs it\n\n"
		"gdbprof adds several files up, and every view shows the sum.  "
		"In the sum they follow each other in time; the ranks of a parallel job run at the same time.  "
		"\"job.*.prof\" stands for all files with such names.",
	.options = &command_no_options,
	.arguments = COMMAND_FILES,
	.least = 1,
	.run = run_load,
};
