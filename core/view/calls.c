/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Single calls of functions: how long they took, which took longest, and what those called. */
#include "view/print.h"

#include "base/file.h"
#include "base/time_unit.h"
#include "metric/call_list.h"
#include "metric/names.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "picture/histogram.h"
#include "report/number.h"
#include "view/call_figures.h"
#include "view/call_rows.h"
#include "view/named.h"
#include "view/options.h"

#include <inttypes.h>
#include <stdlib.h>

struct calls_choice {
	uint64_t limit; /* calls that are listed, or functions; 0: all */
	bool histogram;
};

/* What is printed. */
struct calls {
	const struct prof_sheet *sheet;
	const struct prof_choice *choice;
	const struct calls_choice *own;
	bool *functions;  /* by function: its calls are shown; NULL: those of all are */
	const char *name; /* of these functions, if they are several */
	struct prof_call_list list;
};

static void calls_deinit(struct calls *calls)
{
	free(calls->functions);
	prof_call_list_deinit(&calls->list);
}

/* Finds the functions that the user named. */
static struct prof_error *find_functions(struct calls *calls)
{
	const struct prof_experiment *experiment = calls->sheet->experiment;
	const char *name = calls->choice->function;

	if (!name)
		return NULL;
	calls->functions =
		calloc(prof_experiment_functions(experiment) + 1, sizeof *calls->functions);
	if (!calls->functions)
		return prof_error_nomem();
	size_t count = prof_names_find(experiment, NULL, name, calls->functions);
	calls->name = count > 1 ? name : NULL;
	return count ? NULL : prof_named_unknown(experiment, NULL, "function", name);
}

static struct prof_call_figures figures_of(const struct calls *calls)
{
	return (struct prof_call_figures){.sheet = calls->sheet,
		.choice = calls->choice,
		.list = &calls->list,
		.limit = calls->own->limit,
		.name = calls->name};
}

/* The calls of the named functions, one group; NULL: there are none. */
static const struct prof_call_group *only_group(const struct calls *calls)
{
	return calls->list.groups.count ? &calls->list.groups.items[0] : NULL;
}

/* The durations of those that ended. */
static const struct prof_durations *durations_of(const struct calls *calls)
{
	static const struct prof_durations none;
	const struct prof_call_group *group = only_group(calls);

	return group ? &group->durations : &none;
}

/* Adds what the figures and the histogram of GROUP leave out, and what they have in them. */
static void print_ends(const struct prof_call_group *group, struct prof_text *text)
{
	uint64_t open = group->ends[PROF_CALL_END_OPEN], left = group->ends[PROF_CALL_END_LEFT];

	if (open)
		prof_text_print(text,
			"Calls that had not returned at the end: %" PRIu64
			", which the figures leave out.\n",
			open);
	if (left)
		prof_text_print(text,
			"Calls that a jump or an exception left: %" PRIu64
			", which the figures include.\n",
			left);
}

/* Adds why there is no call to show. */
static void print_nothing(const struct calls *calls, struct prof_text *text)
{
	if (calls->sheet->selection) {
		prof_text_print(text, "The filter leaves no call.\n");
		return;
	}
	prof_text_print(text, "No single calls of \"");
	prof_text_name(text, calls->choice->function ? calls->choice->function : "");
	prof_text_print(text,
		"\" were recorded: prof-calls without a FUNCTION lists those that have some.\n");
}

/* Adds the listed calls below what was printed. */
static void print_listed(const struct calls *calls, struct prof_text *text)
{
	prof_text_print(text, "\n");
	prof_call_rows_print(calls->sheet, &calls->list, text);
	if (calls->list.items.count < calls->list.calls)
		prof_text_print(text, "These are the longest %zu of %" PRIu64 " calls.\n",
			calls->list.items.count, calls->list.calls);
}

static struct prof_error *print_text(const struct calls *calls, struct prof_text *text)
{
	const struct prof_call_figures figures = figures_of(calls);
	struct prof_error *error = NULL;

	if (!calls->list.groups.count) {
		print_nothing(calls, text);
		return prof_text_error(text);
	}
	prof_call_figures_print(&figures, text);
	if (calls->functions) {
		print_ends(only_group(calls), text);
		if (durations_of(calls)->list.count)
			prof_text_print(text, "\n");
		error = prof_call_bins_print(durations_of(calls), text);
		if (!error && !calls->own->histogram)
			print_listed(calls, text);
	}
	return error ? error : prof_text_error(text);
}

/* Adds a line of figures of GROUP, which may be NULL. */
static void print_subtitle(const struct prof_call_group *group, struct prof_text *text)
{
	size_t count = group ? group->durations.list.count : 0;
	char total[PROF_NUMBER_TEXT];

	prof_text_print(text, "%zu call%s", count, count == 1 ? "" : "s");
	if (!count)
		return;
	prof_text_print(text, ", mean ");
	prof_time_unit_print((int64_t)(prof_call_mean(group) / PROF_VALUE_ONE), text);
	prof_text_print(text, ", total %s s",
		prof_number_fixed(group->durations.total, PROF_NS_PER_SECOND, 6, total));
}

/* Adds what the picture is of. */
static void print_title(const struct calls *calls, struct prof_text *text)
{
	const struct prof_experiment *experiment = calls->sheet->experiment;
	const struct prof_call_group *group = only_group(calls);
	const char *path = *experiment->recording.program ? experiment->recording.program
							  : experiment->recording.source;

	prof_text_print(text, "%s%sDurations of Calls of %s", prof_file_base_name(path),
		*path ? ": " : "",
		group && !calls->name ? prof_experiment_function_name(experiment, group->function)
				      : calls->choice->function);
}

static struct prof_error *print_picture(const struct calls *calls, struct prof_text *text)
{
	AUTO_DURATION_BINS struct prof_duration_bins bins = {0};
	AUTO_TEXT struct prof_text title = {0}, subtitle = {0}, notes = {0};
	struct prof_error *error = prof_duration_bins_init(&bins, durations_of(calls));

	if (error)
		return error;
	print_title(calls, &title);
	print_subtitle(only_group(calls), &subtitle);
	prof_view_filter(calls->sheet, &calls->choice->filter, &notes);
	prof_view_heading(calls->sheet->experiment, &notes);
	if (only_group(calls))
		print_ends(only_group(calls), &notes);
	if (title.failed || subtitle.failed || notes.failed)
		return prof_error_nomem();
	const struct prof_histogram_picture picture = {
		.durations = durations_of(calls),
		.bins = &bins,
		.title = prof_text_get(&title),
		.subtitle = prof_text_get(&subtitle),
		.notes = prof_text_get(&notes),
	};
	return prof_histogram_print(&picture, text);
}

static struct prof_error *print_data(const struct calls *calls, struct prof_text *text)
{
	const struct prof_call_figures figures = figures_of(calls);

	if (!calls->functions)
		return prof_call_figures_print_data(&figures, text);
	return calls->own->histogram
		? prof_call_bins_print_data(&figures, durations_of(calls), text)
		: prof_call_rows_print_data(calls->sheet, calls->choice, &calls->list, text);
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	PROF_AUTO(calls_deinit)
	struct calls calls = {.sheet = sheet, .choice = choice, .own = choice->own};
	bool picture = choice->format == PROF_FORMAT_PICTURE;

	if (!choice->function && (picture || calls.own->histogram))
		return prof_error_create(PROF_ERROR_USAGE,
			"A histogram is of the calls of one function: use prof-calls FUNCTION.");
	struct prof_error *error = find_functions(&calls);
	const struct prof_call_request request = {.experiment = sheet->experiment,
		.selection = sheet->selection,
		.functions = calls.functions,
		.limit = calls.own->limit,
		.progress = sheet->progress};
	if (!error)
		error = prof_call_list_init(&calls.list, &request);
	if (error)
		return error;
	if (picture)
		return print_picture(&calls, text);
	return choice->format == PROF_FORMAT_TEXT ? print_text(&calls, text)
						  : print_data(&calls, text);
}

static const struct prof_option option_rows[] = {
	{.name = "histogram",
		.kind = PROF_OPTION_FLAG,
		.offset = offsetof(struct calls_choice, histogram),
		.describe = "Print only the figures and the histogram, and list no calls."},
	PROF_DRAWN_FORMAT_OPTION("the histogram"),
	{.name = "limit",
		.value = "N",
		.kind = PROF_OPTION_NUMBER,
		.offset = offsetof(struct calls_choice, limit),
		.describe =
			"Show at most N of the longest calls, or of the functions; 0 shows all.  "
			"The default is 20."},
	PROF_OUTPUT_OPTION, PROF_NAMES_OPTION, PROF_FILTER_OPTIONS{.name = NULL}};

static const struct prof_options options = {
	.rows = option_rows,
	.size = sizeof(struct calls_choice),
	.defaults = &(const struct calls_choice){.limit = 20},
};

const struct prof_view prof_view_calls = {
	.name = "calls",
	.usage = "[FUNCTION]",
	.describe =
		"List single calls of a function, the longest first.\n"
		"A histogram and percentiles of their durations come before them.  "
		"The duration of a call includes everything that the function called.  "
		"p50, p90 and p99 are percentiles: 90 % of the calls took no longer than p90.  "
		"Below each call are the functions that it called.  "
		"Without FUNCTION it lists the functions with these figures, the most time first.  "
		"It needs single calls, which samples do not show: load a list of calls and returns that has times.",
	.options = &options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.traced = true,
	.needs = PROF_HAS_CALLS,
};
