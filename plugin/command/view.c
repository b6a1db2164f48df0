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

static const struct prof_option items_options[] = {
	METRICS_OPTION, SORT_OPTION, INLINE_OPTION, BARS_OPTION, VIEW_OPTIONS{.name = NULL}};

/* Rows of code stand in their order, and all of it is shown. */
static const struct prof_option code_options[] = {
	METRICS_OPTION, INLINE_OPTION, FORMAT_OPTION, OUTPUT_OPTION, FILTER_OPTIONS{.name = NULL}};

static const struct prof_option threads_options[] = {
	METRICS_OPTION, SORT_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct prof_option metrics_options[] = {VIEW_OPTIONS{.name = NULL}};

static const struct prof_option intervals_options[] = {VIEW_OPTIONS{.name = NULL}};

static const struct prof_option callers_options[] = {
	METRICS_OPTION, INLINE_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct prof_option phases_options[] = {
	METRICS_OPTION, INLINE_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct prof_option stacks_options[] = {INLINE_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct prof_option heap_options[] = {
	{.name = "mark",
		.value = "MARK",
		.describe =
			"Show which stacks held memory at MARK instead of at the peak: the label of a mark, or the number of the interval that it ends."},
	INLINE_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct prof_option data_options[] = {
	{.name = "unit",
		.value = "UNIT",
		WORDS(prof_data_unit_names),
		.describe =
			"Choose what a row is: a page of 4096 bytes, a cache line of 64 bytes, or an address.  "
			"The default is page."},
	{.name = "metric",
		.value = "METRIC,...",
		.word = word_of_metric,
		.open = true,
		.describe =
			"Choose what is counted: several metrics stand side by side, and prof-metrics lists their names.  "
			"The default is each counter that was recorded with +."},
	SORT_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct prof_option traces_options[] = {VIEW_OPTIONS{.name = NULL}};

static const struct prof_option locks_options[] = {VIEW_OPTIONS{.name = NULL}};

static const struct prof_option tree_options[] = {COLLAPSE_OPTION,
	{.name = "columns",
		.value = "COLUMNS",
		WORDS(prof_columns_names),
		.describe =
			"Choose the columns: raw counts, percentages of the total, percentages of the parent, or all three.  "
			"The default is raw."},
	SORT_OPTION, MAX_LEVEL_OPTION, MIN_PERCENT_OPTION, METRICS_OPTION, INLINE_OPTION,
	BARS_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct prof_option gprof_options[] = {
	{.name = "flat", .describe = "Print only the flat profile."},
	{.name = "graph", .describe = "Print only the call graph."},
	{.name = "style",
		.value = "STYLE",
		WORDS(prof_style_names),
		.describe =
			"Choose the form: manual is that of gprof's manual, gnu that of GNU gprof.  "
			"The default is manual."},
	{.name = "all",
		.describe =
			"Also list functions that were never called.  "
			"This option and --line, --only, --without, --only-time and --without-time need a gmon.out and --style=gnu."},
	{.name = "line", .describe = "List source lines instead of functions."},
	{.name = "cut",
		.value = "FROM/TO,...",
		.describe =
			"Leave out the calls of TO by FROM.  "
			"Without FROM, leave out all calls of TO; without TO, all calls by FROM.  "
			"A stack goes on at an instance of TO further out, or is cut in two."},
	{.name = "only",
		.value = "FUNCTION,...",
		.describe = "List only the entries of these functions and of what they call.  "
			    "FILE:FUNCTION, FILE:LINE and FILE: name functions too."},
	{.name = "without",
		.value = "FUNCTION,...",
		.describe =
			"Leave out the entries of these functions, and of what they alone call."},
	{.name = "only-time",
		.value = "FUNCTION,...",
		.describe = "Like --only, and count only the time of those entries."},
	{.name = "without-time",
		.value = "FUNCTION,...",
		.describe = "Like --without, and leave out the time of those entries."},
	METRIC_OPTION, INLINE_OPTION, VIEW_OPTIONS{.name = NULL}};

static struct prof_error *print(const struct prof_view *view, const struct prof_choice *choice,
	const struct prof_progress *progress, struct prof_text *text)
{
	const struct prof_experiment *experiment;
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
			"Exclusive is what was spent in the function itself.  "
			"Inclusive is what was spent in the function and in everything that it called; a sample counts once, however often the function recurs in its stack.",
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
			"A load object is the program or a shared library.  "
			"Its exclusive metric is the sum over its functions.  "
			"Its inclusive metric counts each sample once if any function of the stack is in the object.",
		.options = items_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-lines",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe = "List the source lines with their exclusive and inclusive metrics.\n"
			    "Each row is a line of one function.  "
			    "All code of a function that has no line numbers is one row.",
		.options = items_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-pcs",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"List the addresses with their exclusive and inclusive metrics.\n"
			"An address is named by its function and the distance from where that begins.  "
			"A call is listed at the last byte of its instruction.",
		.options = items_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-source",
		.category = "COMMAND_DATA",
		.usage = "[FUNCTION|FILE]",
		.describe =
			"Show source lines with their exclusive and inclusive metrics.\n"
			"FUNCTION is a function of the experiment; the default is the one with the largest exclusive metric.  "
			"FILE is shown as a whole; give the end of its path.  "
			"A line is marked with ## if it has at least 75 percent of the largest value of a metric.",
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
			"Show instructions with their exclusive and inclusive metrics.\n"
			"FUNCTION is a function of the experiment; the default is the one with the largest exclusive metric.  "
			"An instruction is marked with ## if it has at least 75 percent of the largest value of a metric.",
		.options = code_options,
		.arguments = COMMAND_FUNCTIONS,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-threads",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"List the threads with their metrics.\nA thread has the name that it had last.",
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
		.describe = "List the metrics of the experiment with their totals.\n"
			    "The option --metric of other views takes the names in this list.",
		.options = metrics_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-intervals",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"List the intervals between marks.\n"
			"N + 1 marks make N intervals, numbered from 1.  "
			"See prof-mark for making marks, and the option --interval of each view for selecting intervals.",
		.options = intervals_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-overview",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"Show what the whole program used, in total and in each interval.\n"
			"CPU time, page faults, context switches, input, output and memory are the kernel's figures for all processes.  "
			"Thread time and the times of waits come from samples.",
		.options = intervals_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-callers",
		.category = "COMMAND_DATA",
		.usage = "[FUNCTION]...",
		.describe =
			"Show the callers and callees of functions.\n"
			"Without FUNCTION there is a panel for every function.  "
			"The metrics of the callers add up to the inclusive metric of the function; so do those of the function itself and its callees.\n\n"
			"Several FUNCTIONs are a fragment of a stack, the outermost first: the panel shows the callers of the first where it called the second, and so on, and the callees of the last.",
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
			"Show the call tree, with recursion collapsed to the degree that you choose.\n"
			"A recursive call is shown as a stub, \"NAME...\", which stands for the function's instance further up.  "
			"\"3 (2)\" counts 3 stacks that reached a node directly and 2 that reached it through a stub.",
		.options = tree_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-phases",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"List what each thread did at its top level, in the order of time.\n"
			"A phase is one call of an outermost function with everything that it called.  "
			"Samples show a new phase only where the outermost function changes.",
		.options = phases_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-leaks",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"List allocation sites of memory that was not freed.\n"
			"A site is a stack with its number of blocks and bytes, the most bytes first.  "
			"A block counts whether or not anything points to it; while the program runs, the list has the blocks that it has not freed yet.\n\n"
			"Record with prof-start --heap.",
		.options = stacks_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-allocs",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe = "List allocation sites, the most bytes first.\n"
			    "A site is a stack with its number of blocks and bytes.  "
			    "Record with prof-start --heap.",
		.options = stacks_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-heap",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"Show allocation sizes, leaks, and which stacks held memory at its peak.\n"
			"Temporary allocations are those that the program freed before the next allocation of the same thread.  "
			"Record with prof-start --heap.",
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
			"The longest time comes first.  "
			"gdbprof records only waits longer than a threshold; see prof-start --sync, which records them.",
		.options = locks_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-data",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"List the data addresses that the program accessed, the most events first.\n"
			"Events whose address is not known belong to <Unknown>, with the reasons below it.  "
			"Record with prof-start --counter=+NAME.",
		.options = data_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-traces",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe =
			"List traced functions with their calls, times and recorded arguments.\n"
			"The time of a call includes everything that the function called.  "
			"Record with prof-trace.",
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
			"Times come from the stacks.  "
			"The column \"called\" counts calls if prof-start --count recorded them, and otherwise samples.\n\n"
			"For a gmon.out, gdbprof divides times among callers in proportion to their calls, as gprof does.",
		.options = gprof_options,
		.repeats = true,
		.run = run_view,
	},
	{.name = NULL},
};
