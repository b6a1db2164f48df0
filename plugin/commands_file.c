/* The commands that read and write experiments. */
#include "plugin/command.h"

#include "base/file.h"
#include "experiment/import.h"
#include "experiment/merge.h"
#include "plugin/host.h"
#include "plugin/session.h"
#include "plugin/word.h"
#include "view/export.h"

#include <stdlib.h>
#include <string.h>

static const struct option_row no_options[] = {{.name = NULL}};

static const struct option_row export_options[] = {
	{.name = "format",
		.value = "FORMAT",
		.word = word_of_export,
		.describe =
			"For which tool.  The default is folded: stacks as flame graphs use them."},
	{.name = "metric",
		.value = "METRIC",
		.word = word_of_metric,
		.describe = "What is counted.  The default is samples."},
	{.name = NULL},
};

static struct prof_error *run_save(
	const struct command *command, const struct option_values *values)
{
	struct host_progress progress;
	AUTO_FREE char *path = NULL;

	(void)command;
	struct prof_error *error = command_file(values, 0, &path);
	if (error)
		return error;
	host_progress_begin(&progress);
	error = session_save(path, &progress.progress);
	host_progress_end(&progress);
	return error;
}

/* Reads all the files that VALUES names, and adds them up. */
static struct prof_error *read_all(const struct option_values *values,
	const struct prof_progress *progress, struct prof_experiment **ret)
{
	AUTO_EXPERIMENT struct prof_experiment *sum = NULL;

	for (size_t i = 0; i < values->count; i++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
		AUTO_FREE char *path = NULL;
		struct prof_error *error = command_file(values, i, &path);
		if (!error)
			error = prof_import_read(path, progress, i ? &experiment : &sum);
		if (!error && i)
			error = prof_experiment_merge(sum, experiment, progress);
		if (error)
			return error;
	}
	*ret = steal(&sum);
	return NULL;
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

/* Prints the experiment at hand into TEXT in FORMAT. */
static struct prof_error *print(const struct prof_export *format, const struct prof_metric *metric,
	const struct prof_progress *progress, struct prof_text *text)
{
	struct prof_experiment *experiment;
	struct prof_profile *profile;
	struct prof_error *error = session_borrow(progress, &experiment);

	if (error)
		return error;
	const struct prof_profile_request request = {.metric = metric};
	error = prof_profile_create(experiment, &request, progress, &profile);
	if (!error) {
		error = format->print(profile, text);
		prof_profile_destroy(profile);
	}
	session_return();
	return error ? error : prof_text_error(text);
}

static struct prof_error *run_export(
	const struct command *command, const struct option_values *values)
{
	const char *format_name = option_get(values, "format");
	const char *metric_name = option_get(values, "metric");
	const struct prof_export *format;
	const struct prof_metric *metric;
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	struct host_progress progress;
	AUTO_FREE char *path = NULL;

	(void)command;
	struct prof_error *error =
		prof_export_find(format_name ? format_name : prof_exports[0].name, &format);
	if (!error)
		error = prof_metric_find(metric_name ? metric_name : prof_metrics[0].name, &metric);
	if (!error)
		error = command_file(values, 0, &path);
	if (error)
		return error;
	host_progress_begin(&progress);
	error = print(format, metric, &progress.progress, &text);
	host_progress_end(&progress);
	return error ? error : prof_file_write(path, prof_text_get(&text), text.length);
}

const struct command commands_file[] = {
	{
		.name = "prof-save",
		.category = "COMMAND_FILES",
		.usage = "FILE",
		.describe =
			"Save the experiment at hand to FILE.\n"
			"prof-load reads it again, in this GDB or another, without the program.",
		.options = no_options,
		.arguments = COMMAND_FILES,
		.least = 1,
		.most = 1,
		.run = run_save,
	},
	{
		.name = "prof-load",
		.category = "COMMAND_FILES",
		.usage = "FILE...",
		.describe = "Load an experiment from FILE, in place of the one at hand.\n"
			    "FILE is one that prof-save or prof-start --output wrote, or holds "
			    "folded stacks:\n"
			    "lines of the form `root;...;leaf WEIGHT'.  Its content tells which.\n"
			    "Several files are added up: all views show the sum, in which one "
			    "begins when the\n"
			    "one before has ended.",
		.options = no_options,
		.arguments = COMMAND_FILES,
		.least = 1,
		.run = run_load,
	},
	{
		.name = "prof-export",
		.category = "COMMAND_FILES",
		.usage = "FILE",
		.describe = "Write the experiment at hand to FILE in a format of other tools.",
		.options = export_options,
		.arguments = COMMAND_FILES,
		.least = 1,
		.most = 1,
		.run = run_export,
	},
	{.name = NULL},
};
