/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof-save. */
#include "plugin/command/command.h"

#include "plugin/command/choice.h"
#include "plugin/gdb/host.h"
#include "plugin/session/session.h"
#include "view/archive.h"

static const struct prof_option save_rows[] = {
	{.name = "archive",
		.describe =
			"Also save the source text and the instructions that prof-source and prof-disas show, as far as GDB has them now."},
	{.name = NULL}};

static const struct prof_options save_options = {.rows = save_rows};

/* Adds "LEAD 3 source files and the instructions of 2 functions.", unless both are 0. */
static void add_sentence(struct prof_text *text, const char *lead, size_t sources, size_t functions)
{
	if (!sources && !functions)
		return;
	prof_text_print(text, "%s ", lead);
	if (sources)
		prof_text_print(text, "%zu source file%s", sources, sources == 1 ? "" : "s");
	if (sources && functions)
		prof_text_print(text, " and ");
	if (functions)
		prof_text_print(text, "the instructions of %zu function%s", functions,
			functions == 1 ? "" : "s");
	prof_text_print(text, ".\n");
}

/* Prints what ARCHIVE has, and what GDB could not provide for it. */
static struct prof_error *say_archived(const struct prof_archive_figures *archive)
{
	AUTO_TEXT struct prof_text text = {0};

	add_sentence(&text, "The archive holds", archive->sources, archive->functions);
	add_sentence(&text, "GDB cannot provide", archive->no_sources, archive->no_functions);
	struct prof_error *error = prof_text_error(&text);
	return error ? error : host_write(prof_text_get(&text));
}

static struct prof_error *run_save(
	const struct command *command, const struct option_values *values)
{
	bool with_archive = option_get(values, "archive");
	struct prof_archive_figures archive;
	struct host_progress progress;
	AUTO_FREE char *path = NULL;

	(void)command;
	struct prof_error *error = command_file(values, 0, &path);
	if (error)
		return error;
	host_progress_begin(&progress);
	error = session_save(path, with_archive ? &archive : NULL, &progress.progress);
	host_progress_end(&progress);
	if (!error)
		error = choice_say_written(path);
	return error || !with_archive ? error : say_archived(&archive);
}

const struct command command_save = {
	.name = "prof-save",
	.group = COMMAND_FILE,
	.category = "COMMAND_FILES",
	.usage = "FILE",
	.describe =
		"Save the experiment at hand to FILE.\n"
		"prof-load reads the file again, in this GDB or another, without the program.  "
		"For prof-source and prof-disas on a machine that lacks the program or its sources, give --archive.",
	.options = &save_options,
	.arguments = COMMAND_FILES,
	.least = 1,
	.most = 1,
	.run = run_save,
};
