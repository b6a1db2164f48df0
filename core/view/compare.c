/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/compare.h"

#include "model/contents.h"
#include "report/json.h"
#include "report/needs.h"
#include "report/number.h"
#include "view/compare_private.h"
#include "view/print.h"

#include <strings.h>

static const struct {
	const char *name;
	struct prof_error *(*print)(struct prof_compare *compare, struct prof_text *text);
	const char *whats[PROF_CHANGES_MEASURES]; /* the measures; the first NULL ends them */
} views[PROF_COMPARE_VIEWS] = {
	[PROF_COMPARE_FUNCTIONS] = {"functions", prof_compare_functions,
		{"Exclusive", "Inclusive"}},
	[PROF_COMPARE_CALLERS] = {"callers", prof_compare_callers, {"Attributed"}},
	[PROF_COMPARE_TREE] = {"tree", prof_compare_tree, {"In or Under", "In Only"}},
};

const char *const prof_compare_names[PROF_COMPARE_VIEWS] = {
	[PROF_COMPARE_FUNCTIONS] = "functions",
	[PROF_COMPARE_CALLERS] = "callers",
	[PROF_COMPARE_TREE] = "tree",
};

static const struct prof_option option_rows[] = {
	{.name = "view",
		.value = "VIEW",
		PROF_OPTION_WORDS(prof_compare_names),
		.kind = PROF_OPTION_WORD,
		.offset = offsetof(struct prof_compare_choice, view),
		.describe = "Choose what to compare.  The default is functions."},
	{.name = "normalize",
		.kind = PROF_OPTION_FLAG,
		.offset = offsetof(struct prof_compare_choice, normalize),
		.describe = "Compare shares of the totals, for runs of different lengths."},
	PROF_METRIC_OPTION, PROF_SORT_OPTION(struct prof_compare_choice),
	PROF_COLLAPSE_OPTION(struct prof_compare_choice),
	PROF_MAX_LEVEL_OPTION(struct prof_compare_choice),
	PROF_MIN_PERCENT_OPTION(struct prof_compare_choice), PROF_STACK_OPTIONS,
	PROF_ROWS_OPTIONS(struct prof_compare_choice){.name = NULL}};

const struct prof_options prof_compare_options =
	PROF_OPTIONS(option_rows, struct prof_compare_choice);

static const char *const side_names[PROF_COMPARISON_SIDES] = {"A", "B"};

/* "; CPU time: 1.500 sec.", or "; Samples: 15." */
static void print_total(const struct prof_metric *metric, prof_value total, struct prof_text *text)
{
	char number[PROF_NUMBER_TEXT];
	bool same = !strcasecmp(metric->title, metric->unit);

	if (metric->places < 0)
		prof_value_print(total, metric->units, number);
	else
		prof_number_fixed(total, metric->units, metric->places, number);
	prof_text_print(text, "; %s: %s%s%s\n", metric->title, number, same ? "." : " ",
		same ? "" : metric->unit);
}

static bool is_filtered(const struct prof_compare_request *request)
{
	return request->filters[0] || prof_filter_is_set(&request->choice->filter);
}

void prof_compare_heading(const struct prof_compare_request *request,
	const struct prof_comparison *comparison, struct prof_text *text)
{
	const struct prof_filter *filter = &request->choice->filter;

	for (int i = 0; i < PROF_COMPARISON_SIDES; i++) {
		const struct prof_profile *profile = &comparison->profiles[i];
		prof_text_print(text, "%s: ", side_names[i]);
		prof_text_name(text, request->files[i]);
		print_total(profile->metric, profile->inclusive[0], text);
		if (!i || request->experiments[0] != request->experiments[1])
			prof_view_heading(request->experiments[i], text);
	}
	if (is_filtered(request)) {
		prof_text_print(text, "Filter: ");
		prof_filter_print(request->filters[0] ? request->filters[0] : filter, text);
		if (request->filters[0]) {
			prof_text_print(text, " for A, ");
			prof_filter_print(request->filters[1], text);
			prof_text_print(text, " for B");
		}
		prof_text_print(text, " (%zu of %zu records of A, %zu of %zu of B).\n",
			comparison->chosen[0], comparison->samples[0], comparison->chosen[1],
			comparison->samples[1]);
	}
	for (int i = 0; i < PROF_COMPARISON_SIDES; i++) {
		if (!comparison->missing[i])
			continue;
		prof_text_print(text, "%s: ", side_names[i]);
		prof_text_name(text, prof_error_message(comparison->missing[i]));
		prof_text_print(text, "\n");
	}
	prof_compare_print_rates(request, comparison->profiles[0].metric, text);
	if (request->normalize)
		prof_text_print(text, "All values are percent of the total on their side.\n");
}

static void print_heading(const struct prof_compare *compare, struct prof_text *text)
{
	prof_compare_heading(compare->request, compare->comparison, text);
	prof_text_print(text, "\n");
}

static struct prof_error *print_json(const struct prof_compare *compare, struct prof_text *text)
{
	const struct prof_compare_request *request = compare->request;
	const struct prof_table *table = &compare->changes.table;
	struct prof_json_side sides[PROF_COMPARISON_SIDES];
	const struct prof_json_head head = {
		.view = "compare",
		.metric = compare->changes.metric,
		.by = views[compare->own->view].name,
		.normalized = request->normalize,
		.sides = sides,
	};

	for (int i = 0; i < PROF_COMPARISON_SIDES; i++)
		sides[i] = (struct prof_json_side){
			.file = request->files[i],
			.experiment = request->experiments[i],
			.total = compare->changes.totals[i],
		};
	return prof_json_print(&head, &table, 1, text);
}

struct prof_error *prof_compare_emit(const struct prof_compare *compare,
	void (*print)(const struct prof_changes *changes, struct prof_text *text),
	struct prof_text *text)
{
	switch (compare->request->choice->format) {
	case PROF_FORMAT_JSON:
		return print_json(compare, text);
	case PROF_FORMAT_CSV:
		prof_table_csv(&compare->changes.table, text);
		break;
	default:
		print_heading(compare, text);
		print(&compare->changes, text);
		break;
	}
	return prof_text_error(text);
}

/* If neither side has any value, the text says so instead of printing rows of nothing. */
static bool print_nothing(const struct prof_compare *compare, struct prof_text *text)
{
	const struct prof_changes *changes = &compare->changes;
	bool filtered = is_filtered(compare->request);

	if (compare->request->choice->format != PROF_FORMAT_TEXT || changes->totals[0] ||
		changes->totals[1])
		return false;
	print_heading(compare, text);
	if (filtered && !compare->comparison->chosen[0] && !compare->comparison->chosen[1])
		prof_text_print(text, PROF_PRINT_ALL_FILTERED);
	else
		prof_text_print(text, "All values of the metric \"%s\" are 0, on both sides.\n",
			changes->metric->name);
	return true;
}

static void compare_deinit(struct prof_compare *compare)
{
	prof_comparison_destroy(compare->comparison);
	prof_changes_deinit(&compare->changes);
}

struct prof_error *prof_compare_create(const struct prof_compare_request *request,
	const struct prof_progress *progress, struct prof_comparison **ret)
{
	const struct prof_choice *choice = request->choice;
	struct prof_metric metrics[PROF_COMPARISON_SIDES];
	struct prof_comparison_request wanted = {
		.experiments = {request->experiments[0], request->experiments[1]},
		.metrics = {&metrics[0], &metrics[1]},
		.inlined = !choice->folded,
	};

	struct prof_error *error = prof_compare_metrics(request, metrics);
	for (int i = 0; !error && i < PROF_COMPARISON_SIDES; i++)
		error = prof_needs_check(request->experiments[i], PROF_HAS_STACKS, "A comparison");
	for (int i = 0; i < PROF_COMPARISON_SIDES; i++)
		wanted.filters[i] = request->filters[i] ? request->filters[i] : &choice->filter;
	return error ? error : prof_comparison_create(&wanted, progress, ret);
}

static struct prof_error *print_compared(const struct prof_compare_request *request,
	const struct prof_progress *progress, struct prof_text *text)
{
	const void *own = request->choice->own;
	PROF_AUTO(compare_deinit)
	struct prof_compare compare = {
		.request = request, .own = own ? own : prof_compare_options.defaults};
	struct prof_changes *changes = &compare.changes;
	struct prof_error *error = prof_compare_create(request, progress, &compare.comparison);

	if (error)
		return error;
	changes->metric = compare.comparison->profiles[0].metric;
	changes->normalize = request->normalize;
	changes->markup = &request->choice->markup;
	for (int i = 0; i < PROF_COMPARISON_SIDES; i++)
		changes->totals[i] = compare.comparison->profiles[i].inclusive[0];
	for (; changes->count < PROF_CHANGES_MEASURES; changes->count++) {
		changes->whats[changes->count] = views[compare.own->view].whats[changes->count];
		if (!changes->whats[changes->count])
			break;
	}
	if (print_nothing(&compare, text))
		return prof_text_error(text);
	return views[compare.own->view].print(&compare, text);
}

struct prof_error *prof_compare_print(const struct prof_compare_request *request,
	const struct prof_progress *progress, struct prof_text *text)
{
	AUTO_TEXT struct prof_text printed = {0};
	struct prof_error *error = print_compared(request, progress, &printed);

	if (error)
		return error;
	if (request->choice->format == PROF_FORMAT_TEXT)
		prof_markup_print(&request->choice->markup, prof_text_get(&printed), text);
	else
		prof_text_bytes(text, prof_text_get(&printed), printed.length);
	return prof_text_error(text);
}
