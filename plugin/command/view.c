/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The commands that show: one for each view. */
#include "plugin/command/command.h"

#include "plugin/command/choice.h"
#include "plugin/gdb/code.h"
#include "plugin/gdb/host.h"
#include "plugin/option/settings.h"
#include "plugin/session/session.h"

#include <stdlib.h>
#include <string.h>

static const struct option_row items_options[] = {
	METRICS_OPTION, SORT_OPTION, INLINE_OPTION, BARS_OPTION, VIEW_OPTIONS{.name = NULL}};

/* Rows of code stand in their order, and all of it is shown. */
static const struct option_row code_options[] = {
	METRICS_OPTION, INLINE_OPTION, FORMAT_OPTION, OUTPUT_OPTION, FILTER_OPTIONS{.name = NULL}};

static const struct option_row threads_options[] = {
	METRICS_OPTION, SORT_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct option_row metrics_options[] = {VIEW_OPTIONS{.name = NULL}};

static const struct option_row intervals_options[] = {VIEW_OPTIONS{.name = NULL}};

static const struct option_row callers_options[] = {
	METRICS_OPTION, INLINE_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct option_row phases_options[] = {
	METRICS_OPTION, INLINE_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct option_row stacks_options[] = {INLINE_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct option_row heap_options[] = {
	{.name = "mark",
		.value = "MARK",
		.describe =
			"Who had memory at MARK instead of at the peak: a label, or the number\n"
			"    of the interval that the mark ends."},
	INLINE_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct option_row data_options[] = {
	{.name = "unit",
		.value = "UNIT",
		WORDS(prof_data_unit_names),
		.describe = "What is one row: a page of 4096 bytes, a line of 64, as caches have\n"
			    "    them, or an address.  The default is page."},
	{.name = "metric",
		.value = "METRIC,...",
		.word = word_of_metric,
		.open = true,
		.describe =
			"What is counted: metrics side by side, see prof-metrics.  The default\n"
			"    is each counter that was asked for with +."},
	SORT_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct option_row traces_options[] = {VIEW_OPTIONS{.name = NULL}};

static const struct option_row locks_options[] = {VIEW_OPTIONS{.name = NULL}};

static const struct option_row tree_options[] = {COLLAPSE_OPTION,
	{.name = "columns",
		.value = "COLUMNS",
		WORDS(prof_columns_names),
		.describe =
			"Raw counts, percentages of all, percentages of the parent, or all three."},
	SORT_OPTION, MAX_LEVEL_OPTION, MIN_PERCENT_OPTION, METRICS_OPTION, INLINE_OPTION,
	BARS_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct option_row gprof_options[] = {
	{.name = "flat", .describe = "Only the flat profile."},
	{.name = "graph", .describe = "Only the call graph."},
	{.name = "style",
		.value = "STYLE",
		WORDS(prof_style_names),
		.describe = "As gprof's manual has it, or as GNU gprof prints."},
	{.name = "all",
		.describe =
			"Functions too that were never called.  This and the six options that follow are\n"
			"    for a gmon.out, with --style=gnu; but --cut is for all."},
	{.name = "line", .describe = "Lines of source instead of functions."},
	{.name = "cut",
		.value = "FROM/TO,...",
		.describe = "Leave out the calls of TO by FROM; without one of them, all of the\n"
			    "    other.  Stacks go on at a higher instance\n"
			    "    of TO, or are cut in two."},
	{.name = "only",
		.value = "FUNCTION,...",
		.describe =
			"Only entries of these, and of what they call.  A function may be given as\n"
			"    FILE:FUNCTION, FILE:LINE or FILE: too."},
	{.name = "without",
		.value = "FUNCTION,...",
		.describe = "No entries of these, and of what they alone call."},
	{.name = "only-time",
		.value = "FUNCTION,...",
		.describe = "As --only, and no other time counts."},
	{.name = "without-time",
		.value = "FUNCTION,...",
		.describe = "As --without, and their time does not count."},
	METRIC_OPTION, INLINE_OPTION, VIEW_OPTIONS{.name = NULL}};

static struct prof_error *print(const struct prof_view *view, const struct prof_choice *choice,
	const struct prof_progress *progress, struct prof_text *text)
{
	struct prof_experiment *experiment;
	struct prof_error *error = session_borrow(progress, &experiment);

	if (error)
		return error;
	error = prof_view_print(view, experiment, choice, progress, text);
	session_return();
	return error;
}

static struct prof_error *run_view(
	const struct command *command, const struct option_values *values)
{
	const struct prof_view *view = prof_view_find(command->name + strlen("prof-"));
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	PROF_AUTO(choice_deinit) struct choice choice = {0};
	PROF_AUTO(code_end) struct code code = {0};
	struct host_progress progress;
	AUTO_FREE char *function = NULL;

	struct prof_error *error = command_join(values, 0, &function);
	if (!error)
		error = choice_read(values, &choice);
	if (!error)
		error = settings_bound(&text);
	if (error)
		return error;
	/* A function's name may hold spaces, as in C++. */
	choice.choice.function = *function ? function : NULL;
	bool is_text = choice.choice.format == PROF_FORMAT_TEXT;
	bool screen = !option_get(values, "output");
	code_begin(&code, screen && is_text);
	choice.choice.code = &code.code;
	host_progress_begin(&progress);
	text.progress = &progress.progress;
	error = print(view, &choice.choice, &progress.progress, &text);
	host_progress_end(&progress);
	error = filter_explain(error);
	/* Text says by itself what is to be known of the code. */
	if (!error && !(screen && is_text))
		error = host_write(prof_text_get(&code.code.notes));
	return error ? error : choice_write(values, &text);
}

const struct command commands_view[] = {
	{
		.name = "prof-functions",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"List the functions with their exclusive and inclusive metrics.\n"
			"Exclusive is what was spent in the function itself, inclusive in it and all that\n"
			"it called, counted once for each sample however often it recurs.",
		.options = items_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-objects",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"List the load objects with their exclusive and inclusive metrics.\n"
			"Exclusive is the sum over an object's functions; inclusive counts a sample once\n"
			"if any of its stack is in the object.",
		.options = items_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-lines",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe = "List the lines of source with their exclusive and inclusive metrics.\n"
			    "All code of a function that has no line numbers is one row.",
		.options = items_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-pcs",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe = "List the addresses with their exclusive and inclusive metrics.\n"
			    "That of a call is the last byte of its instruction.",
		.options = items_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-source",
		.category = "COMMAND_DATA",
		.usage = "[FUNCTION|FILE]",
		.describe =
			"Show source with exclusive and inclusive metrics beside the lines.\n"
			"Lines with at least 75 percent of the most that a line has of a metric are marked\n"
			"with ##.  FUNCTION is one of the experiment, the one with the most exclusive metric\n"
			"by default; FILE is shown as a whole.",
		.options = code_options,
		.arguments = COMMAND_FUNCTIONS,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-disas",
		.category = "COMMAND_DATA",
		.usage = "[FUNCTION]",
		.describe =
			"Show instructions with exclusive and inclusive metrics beside them.\n"
			"Those with at least 75 percent of the most that one has of a metric are marked\n"
			"with ##.  FUNCTION is one of the experiment, the one with the most exclusive metric\n"
			"by default.",
		.options = code_options,
		.arguments = COMMAND_FUNCTIONS,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-threads",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe = "List the threads with their metrics.\n"
			    "A thread has the name that it had last.",
		.options = threads_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-processes",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe = "List the processes with their metrics.\n"
			    "A process has the name that its main thread had last.",
		.options = threads_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-metrics",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe = "List the metrics with their totals.",
		.options = metrics_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-intervals",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe = "List the intervals between marks.\n"
			    "N + 1 marks make N intervals, numbered from 1: see help prof-mark.",
		.options = intervals_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-overview",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"Show what the whole program has used, in total and in each interval.\n"
			"CPU time, faults, context switches, input, output and memory are the kernel's\n"
			"figures for all processes; thread time and waiting come from samples.",
		.options = intervals_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-callers",
		.category = "COMMAND_DATA",
		.usage = "[FUNCTION]...",
		.describe =
			"Show for FUNCTION, or for every function, who called it and whom it called.\n"
			"The callers add up to its inclusive metric; so do its callees and itself.\n"
			"Several functions are a fragment: they follow each other in a stack, the outermost\n"
			"first.  Shown is who called the first of them, and whom the last one called.",
		.options = callers_options,
		.arguments = COMMAND_FUNCTIONS,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-tree",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"Show the call tree, with recursion collapsed as far as is asked for.\n"
			"A routine that recurs is shown as a stub \"NAME...\" that stands for its higher\n"
			"instance.  \"3 (2)\" counts 3 stacks that came there directly, and 2 through a stub.",
		.options = tree_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-phases",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"List what each thread did at its top level, in its order.\n"
			"A phase is one call of an outermost function with all that it called; of samples\n"
			"only a change of the outermost function can be seen.",
		.options = phases_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-leaks",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"List the stacks that have allocated what was not freed.\n"
			"A block counts whether or not anything points to it.  While the program runs it is\n"
			"what is not freed yet.  prof-start --heap records allocations.",
		.options = stacks_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-allocs",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe = "List the stacks that have allocated, the most bytes first.\n"
			    "prof-start --heap records allocations.",
		.options = stacks_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-heap",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"Show statistics of the heap by size, and who had memory at its peak.\n"
			"Temporary are allocations that were freed before the next one of the thread.\n"
			"prof-start --heap records allocations.",
		.options = heap_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-locks",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"List what threads waited for, who waited, and who held it.\n"
			"Only waits that were longer than a threshold are recorded.  prof-start --sync\n"
			"records them.",
		.options = locks_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-data",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"List where data was accessed, the most events first.\n"
			"Events whose address is not known are <Unknown>, with the reason below it.\n"
			"prof-start --counter=+NAME records the addresses of a counter's events.",
		.options = data_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-traces",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"List functions that were traced: their calls, and what they were given.\n"
			"Each call's time is its own, with all that it called.  prof-trace records them.",
		.options = traces_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-gprof",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"Show the flat profile and the call graph as gprof does.\n"
			"Times come from the stacks and are true; the column \"called\" counts samples, or\n"
			"calls if prof-start --count had them counted.  Of a gmon.out times are shared out\n"
			"among callers by their calls, as gprof does.",
		.options = gprof_options,
		.repeats = true,
		.run = run_view,
	},
	{.name = NULL},
};
