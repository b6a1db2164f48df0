/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/files.h"

#include "formats/import.h"
#include "formats/program.h"
#include "model/contents.h"
#include "model/merge.h"

#include <stdlib.h>
#include <string.h>

void prof_files_deinit(struct prof_files *files)
{
	prof_experiment_destroy(files->sum);
	free(files->program);
	*files = (struct prof_files){0};
}

struct prof_error *prof_files_add(
	struct prof_files *files, const char *path, const struct prof_progress *progress)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	bool program = false;
	struct prof_error *error = prof_import_is_program(path, &program);

	if (!error && program && files->program)
		return prof_error_create(PROF_ERROR_USAGE,
			"Only one program can be used: \"%s\" and \"%s\" are both programs, so leave one out.",
			files->program, path);
	if (!error && program) {
		files->program = strdup(path);
		return files->program ? NULL : prof_error_nomem();
	}
	if (!error)
		error = prof_import_read(path, progress, files->sum ? &experiment : &files->sum);
	if (!error && experiment)
		error = prof_experiment_merge(files->sum, experiment, progress);
	return error;
}

static bool has_gmon(const struct prof_files *files)
{
	return files->sum && (prof_experiment_has(files->sum) & PROF_HAS_GMON);
}

bool prof_files_lack_program(const struct prof_files *files)
{
	/* What was saved has the symbols of its program. */
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
