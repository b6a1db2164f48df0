/* SPDX-License-Identifier: GPL-3.0-or-later */

/* `gdbprof merge`: adds up profiles. */
#include "shell/gdbprof.h"

#include "model/experiment.h"
#include "shell/choice.h"
#include "shell/files.h"
#include "shell/gather.h"
#include "store/store.h"
#include "target/launcher.h"

#include <stdlib.h>
#include <string.h>

static const struct prof_option rows[] = {
	{.name = "output",
		.value = "FILE",
		.describe =
			"Write the sum to FILE; -o FILE does so too.  It replaces a profile, and no other file."},
	{.name = NULL},
};

static struct prof_error *merge(const struct prof_option_values *values, const char *output)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	struct prof_launch launch = prof_launcher_find(getenv);

	if (launch.launcher && launch.size > 1)
		return gather(
			&launch, (const char *const *)values->arguments, values->count, output);
	struct prof_error *error = files_read(values, &experiment);

	return error ? error : prof_store_save(output, experiment, NULL);
}

static int run(int count, char **arguments)
{
	PROF_AUTO(prof_option_values_deinit) struct prof_option_values values = {0};
	struct prof_error *error =
		prof_option_values_read(&values, rows, arguments, count, "gdbprof merge --help");

	if (error) {
		action_fail(error);
		return GDBPROF_USAGE;
	}
	const char *output = prof_option_values_get(&values, "output");
	if (!output || !*output)
		return action_usage(&action_merge, "There is no output file: give -o FILE.");
	if (!values.count)
		return action_usage(&action_merge, "There are no files to merge.");
	error = merge(&values, output);
	if (error)
		action_fail(error);
	return error ? GDBPROF_FAILED : 0;
}

static void help(char **arguments, FILE *to)
{
	(void)arguments;
	action_describe(
		"With a gmon.out, also name the program that wrote it.  "
		"If a launcher such as mpirun starts this command several times, the processes share the work; all of them must be able to read and write the folder of the sum.",
		rows, to);
}

static struct prof_option *all_rows(char **arguments)
{
	(void)arguments;
	return choice_rows(rows, PROF_COUNT(rows) - 1, NULL);
}

const struct action action_merge = {
	.name = "merge",
	.usage = "-o FILE FILE...",
	.describe = "Add several profiles up, and write the sum as one profile.",
	.run = run,
	.help = help,
	.rows = all_rows,
};
