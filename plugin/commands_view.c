/* The commands that show: one for each view. */
#include "plugin/command.h"

#include "base/file.h"
#include "plugin/filter.h"
#include "plugin/host.h"
#include "plugin/session.h"
#include "plugin/settings.h"
#include "plugin/word.h"
#include "view/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WORDS(names) .words = (names), .words_count = PROF_COUNT(names)

#define FORMAT_OPTION                                                                          \
	{                                                                                      \
		.name = "format", .value = "FORMAT", WORDS(prof_format_names),                 \
		.describe = "How it is printed.  Numbers in csv and json have full precision." \
	}
#define OUTPUT_OPTION                                              \
	{                                                          \
		.name = "output", .value = "FILE",                 \
		.describe = "Write to FILE instead of the screen." \
	}
#define LIMIT_OPTION                                                                  \
	{                                                                             \
		.name = "limit", .value = "N",                                        \
		.describe = "Show at most N rows; 0 means all, which is the default." \
	}
#define METRIC_OPTION                                                        \
	{                                                                    \
		.name = "metric", .value = "METRIC", .word = word_of_metric, \
		.describe = "What is counted.  The default is samples."      \
	}
#define METRICS_OPTION                                                                            \
	{                                                                                         \
		.name = "metric", .value = "METRIC,...", .word = word_of_metric, .open = true,    \
		.describe =                                                                       \
			"What is counted: metrics side by side, see prof-metrics.  The default\n" \
			"    is samples.  e.cpu:i%wall shows exclusive seconds of the one, and\n" \
			"    inclusive percent of the other."                                     \
	}
#define INLINE_OPTION                                                                     \
	{                                                                                 \
		.name = "inline", .value = "on|off", WORDS(inline_words),                 \
		.describe = "Whether code that was inlined belongs to the function it\n"  \
			    "    comes from, which is the default, or to that around it." \
	}
/* What every view has. */
#define VIEW_OPTIONS FORMAT_OPTION, OUTPUT_OPTION, LIMIT_OPTION, FILTER_OPTIONS
#define SORT_OPTION                                                                           \
	{                                                                                     \
		.name = "sort", .value = "ORDER", .words = prof_sort_names + PROF_SORT_FIRST, \
		.words_count = PROF_SORTS - PROF_SORT_FIRST,                                  \
		.describe = "The order of the rows; first is that of the first encounter."    \
	}

static const char *const inline_words[] = {"on", "off"};

static const struct option_row items_options[] = {
	METRICS_OPTION, SORT_OPTION, INLINE_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct option_row threads_options[] = {
	METRICS_OPTION, SORT_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct option_row metrics_options[] = {VIEW_OPTIONS{.name = NULL}};

static const struct option_row intervals_options[] = {VIEW_OPTIONS{.name = NULL}};

static const struct option_row callers_options[] = {
	METRICS_OPTION, INLINE_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct option_row tree_options[] = {
	{.name = "collapse",
		.value = "DEGREE",
		WORDS(prof_degree_names),
		.describe =
			"How recursion is collapsed: not at all, where a routine calls itself,\n"
			"    where no routine's name is lost, or wherever there is a higher\n"
			"    instance.  The default is the setting `prof collapse'."},
	{.name = "columns",
		.value = "COLUMNS",
		WORDS(prof_columns_names),
		.describe =
			"Raw counts, percentages of all, percentages of the parent, or all three."},
	SORT_OPTION,
	{.name = "max-level", .value = "N", .describe = "Leave out what is deeper than level N."},
	{.name = "min-percent",
		.value = "P",
		.describe = "Leave out what has less than P percent of the total."},
	METRIC_OPTION, INLINE_OPTION, VIEW_OPTIONS{.name = NULL}};

static const struct option_row gprof_options[] = {
	{.name = "flat", .describe = "Only the flat profile."},
	{.name = "graph", .describe = "Only the call graph."},
	{.name = "style",
		.value = "STYLE",
		WORDS(prof_style_names),
		.describe = "As gprof's manual has it, or as GNU gprof prints."},
	METRIC_OPTION, INLINE_OPTION, VIEW_OPTIONS{.name = NULL}};

/* Does the command of VALUES have the option NAME? */
static bool has_option(const struct option_values *values, const char *name)
{
	for (const struct option_row *row = values->rows; row->name; row++) {
		if (!strcmp(row->name, name))
			return true;
	}
	return false;
}

/* The index of the option's value, 0 if it was not given, or the command has no such option. */
static unsigned index_of(const struct option_values *values, const char *name)
{
	int index = has_option(values, name) ? option_index(values, name) : -1;

	return index < 0 ? 0 : (unsigned)index;
}

static bool is_given(const struct option_values *values, const char *name)
{
	return has_option(values, name) && option_get(values, name);
}

static struct prof_error *read_degree(const struct option_values *values, enum prof_degree *ret)
{
	AUTO_FREE char *setting = NULL;

	if (is_given(values, "collapse")) {
		*ret = (enum prof_degree)index_of(values, "collapse");
		return NULL;
	}
	struct prof_error *error = settings_get("collapse", &setting);
	for (unsigned i = 0; !error && i < PROF_DEGREES; i++) {
		if (!strcmp(setting, prof_degree_names[i]))
			*ret = (enum prof_degree)i;
	}
	return error;
}

static struct prof_error *read_percent(const struct option_values *values, double *ret)
{
	const char *text =
		is_given(values, "min-percent") ? option_get(values, "min-percent") : "0";
	char *end;
	double percent = strtod(text, &end);

	if (end == text || *end || !(percent >= 0 && percent <= 100))
		return prof_error_create(PROF_ERROR_USAGE,
			"--min-percent takes a number from 0 to 100, not \"%s\".", text);
	*ret = percent;
	return NULL;
}

static struct prof_error *read_level(const struct option_values *values, uint64_t *ret)
{
	unsigned long level = 0;
	struct prof_error *error = has_option(values, "max-level")
		? option_number(values, "max-level", 1, 0, &level)
		: NULL;

	*ret = level;
	return error;
}

static struct prof_error *read_choice(
	const struct option_values *values, struct prof_choice *choice)
{
	unsigned long limit = 0;
	struct prof_error *error = option_number(values, "limit", 0, 0, &limit);

	if (!error && is_given(values, "metric"))
		error = prof_shown_read(option_get(values, "metric"), &choice->shown);
	if (!error)
		error = read_degree(values, &choice->collapse);
	if (!error)
		error = read_percent(values, &choice->min_percent);
	if (!error)
		error = read_level(values, &choice->max_level);
	choice->limit = limit;
	choice->format = (enum prof_format)index_of(values, "format");
	choice->columns = (enum prof_columns)index_of(values, "columns");
	choice->style = (enum prof_style)index_of(values, "style");
	if (is_given(values, "sort"))
		choice->sort = (enum prof_sort)(PROF_SORT_FIRST + index_of(values, "sort"));
	choice->folded = index_of(values, "inline") == 1;
	choice->flat = is_given(values, "flat");
	choice->graph = is_given(values, "graph");
	choice->function = values->count ? values->arguments[0] : NULL;
	return error;
}

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
	const char *output = option_get(values, "output");
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	PROF_AUTO(filter_deinit) struct filter filter = {0};
	struct prof_choice choice = {0};
	struct host_progress progress;
	AUTO_FREE char *function = NULL;

	struct prof_error *error = command_join(values, &function);
	if (!error)
		error = read_choice(values, &choice);
	if (!error)
		error = filter_read(values, &filter);
	if (error)
		return error;
	choice.filter = filter.filter;
	/* A function's name may hold spaces, as in C++. */
	choice.function = *function ? function : NULL;
	host_progress_begin(&progress);
	error = print(view, &choice, &progress.progress, &text);
	host_progress_end(&progress);
	if (error)
		return error;
	return output ? prof_file_write(output, prof_text_get(&text), text.length)
		      : host_write(prof_text_get(&text));
}

const struct command commands_view[] = {
	{
		.name = "prof-functions",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe = "List the functions with their exclusive and inclusive metrics.\n"
			    "Exclusive is what was spent in the function itself, inclusive in it "
			    "and all that\n"
			    "it called, counted once for each sample however often it recurs.",
		.options = items_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-objects",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe = "List the load objects with their exclusive and inclusive metrics.\n"
			    "Exclusive is the sum over an object's functions; inclusive counts a "
			    "sample once\n"
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
		.name = "prof-threads",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe = "List the threads with their metrics.",
		.options = threads_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-metrics",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe = "List the metrics, and what the experiment has of each.",
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
		.describe = "Show what the whole program has used, in total and in each interval.\n"
			    "CPU time, faults, context switches, input, output and memory are the "
			    "kernel's\n"
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
			"Show for FUNCTION, or for every function, who called it and whom it "
			"called.\n"
			"The callers add up to its inclusive metric; so do its callees and "
			"itself.\n"
			"Several functions are a fragment: they follow each other in a stack, the "
			"outermost\n"
			"first.  Shown is who called the first of them, and whom the last one "
			"called.",
		.options = callers_options,
		.arguments = COMMAND_FUNCTIONS,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-tree",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe = "Show the call tree, with recursion collapsed as far as is asked for.\n"
			    "A routine that recurs is shown as a stub \"NAME...\" that stands for "
			    "its higher\n"
			    "instance.  \"3 (2)\" counts 3 stacks that came there directly, and 2 "
			    "through a stub.",
		.options = tree_options,
		.repeats = true,
		.run = run_view,
	},
	{
		.name = "prof-gprof",
		.category = "COMMAND_DATA",
		.usage = "",
		.describe = "Show the flat profile and the call graph as gprof does.\n"
			    "Times come from the stacks and are true; the column \"called\" counts "
			    "samples.",
		.options = gprof_options,
		.repeats = true,
		.run = run_view,
	},
	{.name = NULL},
};
