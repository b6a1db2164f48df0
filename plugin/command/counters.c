/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command that lists the counters of this machine. */
#include "plugin/command/command.h"

#include "plugin/command/choice.h"
#include "sampling/counter_kind.h"
#include "view/counters.h"
#include "view/options.h"

static const struct prof_option counters_rows[] = {
	PROF_FORMAT_OPTION,
	PROF_OUTPUT_OPTION,
	{.name = NULL},
};

static const struct prof_options counters_options = {.rows = counters_rows};

static struct prof_error *run_counters(
	const struct command *command, const struct option_values *values)
{
	PROF_AUTO(prof_counter_list_deinit) struct prof_counter_list list = {0};
	AUTO_TEXT struct prof_text text = {0};
	struct prof_choice choice = {0};
	const char *pattern = values->given.count ? values->given.arguments[0] : NULL;

	(void)command;
	struct prof_error *error = option_store(values, &choice, NULL);
	if (!error)
		error = prof_counter_list_read(&list);
	if (!error)
		error = prof_counters_print(&list, pattern, choice.format, &text);
	return error ? error : choice_write(values, &text);
}

const struct command command_counters = {
	.name = "prof-counters",
	.group = COMMAND_RECORD,
	.category = "COMMAND_STATUS",
	.usage = "[PATTERN]",
	.describe =
		"List the counters of this machine that can be sampled.\n"
		"Aliases of hardware counters come first, then the CPU's own counters, the kernel's software events, and tracepoints.  "
		"Each line has the counter's name, the registers that you may choose, and the default interval: the number of events from one sample to the next.\n\n"
		"With PATTERN it lists the counters whose names contain PATTERN, and each tracepoint among them.  "
		"Without PATTERN, it prints only the number of tracepoints in each group.",
	.options = &counters_options,
	.arguments = COMMAND_TEXT,
	.most = 1,
	.run = run_counters,
};
