/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/print.h"

#include "metric/call_counts.h"
#include "metric/call_profile.h"
#include "metric/profile.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "model/samples.h"
#include "view/measures.h"
#include "view/options.h"
#include "view/order.h"
#include "view/panel_rows.h"
#include "view/panels.h"

#include <string.h>

struct callers {
	struct prof_panels panels;
	struct prof_measures measures;
};

static void callers_deinit(struct callers *callers)
{
	prof_panels_deinit(&callers->panels);
	prof_measures_deinit(&callers->measures);
}

static struct prof_cell *make_row(
	void *context, const struct prof_panel *panel, const prof_value *values)
{
	return prof_measures_row_of(context, values, panel->wholes);
}

static struct prof_error *fill(
	struct callers *callers, const struct prof_sheet *sheet, const struct prof_choice *choice)
{
	const struct prof_rows_choice *own = choice->own;
	struct prof_panels *panels = &callers->panels;
	AUTO_FREE uint32_t *order = NULL;
	struct prof_panel_choice shown = {.names = choice->function};
	struct prof_error *error = choice->function
		? NULL
		: prof_order_items(
			  panels->of[0], &sheet->items, PROF_SORT_DEFAULT, &order, &shown.count);

	if (error)
		return error;
	if (own->limit && shown.count >= own->limit)
		shown.count = own->limit - 1;
	shown.order = order;
	return prof_panel_rows_fill(panels, &shown, make_row, &callers->measures);
}

/* The columns: attributed values of each metric, in the order in which the user asked for them. */
static void begin_table(struct callers *callers, const struct prof_sheet *sheet)
{
	struct prof_measures *measures = &callers->measures;
	bool several = sheet->shown.count > 1;

	for (size_t i = 0; i < sheet->shown.count; i++)
		prof_measures_add(measures, &sheet->shown.items[i], "Attributed", NULL, 0);
	/* With only one metric, the columns need no longer names. */
	prof_measures_begin(measures, prof_panel_columns, PROF_PANEL_LEADING, several);
	if (!several)
		strcpy(measures->items[0].names[1], "percent");
}

static void add_cells(const void *context, size_t number, struct prof_grid *grid)
{
	prof_measures_cells(context, number, grid);
}

static void print_text(const struct prof_measures *measures, struct prof_text *text)
{
	struct prof_grid_column heads[PROF_MEASURES_COLUMNS];
	const struct prof_grid_column leading[PROF_PANEL_LEADING] = {prof_panel_head};
	size_t width = prof_measures_heads(measures, leading, heads) - (PROF_PANEL_LEADING - 1);

	prof_panel_rows_print(&measures->table, heads, width, add_cells, measures, text);
}

static struct prof_error *print_sheet(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_profile *const *profiles =
		(const struct prof_profile *const *)sheet->profiles;
	PROF_AUTO(callers_deinit) struct callers callers = {0};

	if (prof_print_nothing(sheet, choice, text))
		return NULL;
	struct prof_error *error = prof_panels_init(&callers.panels, profiles, sheet->shown.count);
	if (error)
		return error;
	callers.measures.blank = choice->markup.screen;
	begin_table(&callers, sheet);
	error = fill(&callers, sheet, choice);
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table(
			"callers", sheet, &callers.measures.table, choice->format, text);
	print_text(&callers.measures, text);
	return prof_text_error(text);
}

/* Prints SHEET with counted calls in place of those that samples show. */
static struct prof_error *print_counted(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	AUTO_CALL_COUNTS struct prof_call_counts calls = {0};
	struct prof_sheet counted = *sheet;
	struct prof_error *error =
		prof_call_counts_init(&calls, sheet->experiment, !choice->folded);

	counted.shown.items[0].metric.title = "Calls";
	if (!error)
		error = prof_call_profile_create(&calls, &sheet->items,
			&counted.shown.items[0].metric, &counted.profiles[0]);
	if (error)
		return error;
	error = print_sheet(&counted, choice, text);
	prof_profile_destroy(counted.profiles[0]);
	return error;
}

/* A filter chooses samples, which counted calls are not. */
static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	bool counted = sheet->shown.count == 1 && !sheet->selection &&
		prof_call_profile_exists(sheet->experiment, &sheet->shown.items[0].metric);

	return counted ? print_counted(sheet, choice, text) : print_sheet(sheet, choice, text);
}

/* If there are no samples, and calls were counted or traced, show these. */
static const char *default_metrics(const struct prof_experiment *experiment)
{
	bool sampled = experiment->samples.totals[PROF_QUANTITY_SAMPLES] ||
		prof_experiment_has_counters(experiment);

	return !sampled && prof_call_counts_exist(experiment) ? "calls" : NULL;
}

static const struct prof_option option_rows[] = {PROF_METRICS_OPTION, PROF_STACK_OPTIONS,
	PROF_ROWS_OPTIONS(struct prof_rows_choice){.name = NULL}};

static const struct prof_options options = PROF_OPTIONS(option_rows, struct prof_rows_choice);

const struct prof_view prof_view_callers = {
	.name = "callers",
	.usage = "[FUNCTION]...",
	.describe =
		"Show the callers and callees of functions.\n"
		"Without FUNCTION there is a panel for every function.  "
		"The metrics of the callers add up to the inclusive metric of the function; so do those of the function itself and its callees.\n\n"
		"Several FUNCTIONs are a fragment of a stack, the outermost first: the panel shows the callers of the first where it called the second, and so on, and the callees of the last.",
	.options = &options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_ALL,
	.needs = PROF_HAS_COSTS,
	.metrics = default_metrics,
};
