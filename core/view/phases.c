/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of phases: what each thread did at its top level. */
#include "view/print.h"

#include "metric/phases.h"
#include "metric/selection.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "model/samples.h"
#include "view/measures.h"
#include "view/options.h"

#include <stdlib.h>

struct listed {
	const struct prof_sheet *sheet;
	struct prof_items items;
	struct prof_phases *phases;
	struct prof_shown_list shown;
	prof_value *values[PROF_MEASURES]; /* by what is shown: by phase */
	struct prof_measures measures;
};

static void listed_deinit(struct listed *listed)
{
	for (size_t i = 0; i < listed->shown.count; i++)
		free(listed->values[i]);
	prof_measures_deinit(&listed->measures);
	prof_phases_destroy(listed->phases);
	prof_items_deinit(&listed->items);
}

/* The default columns: samples, which are ticks in lists of events, and time. */
static struct prof_error *choose(struct listed *listed, const struct prof_choice *choice)
{
	listed->shown = listed->sheet->shown;
	if (choice->metrics || !prof_metric_is_samples(&listed->shown.items[0].metric))
		return NULL;
	return prof_shown_read(listed->sheet->experiment, "samples,wall", &listed->shown);
}

static struct prof_error *measure(struct listed *listed)
{
	const struct prof_sheet *sheet = listed->sheet;

	for (size_t i = 0; i < listed->shown.count; i++) {
		const struct prof_shown *shown = &listed->shown.items[i];
		size_t count = listed->phases->items.count;
		prof_value total = 0;
		struct prof_error *error =
			prof_metric_by_group(sheet->experiment, &shown->metric, sheet->selection,
				listed->phases->of, count, sheet->progress, &listed->values[i]);
		if (error)
			return error;
		for (size_t j = 0; j < count; j++)
			total += listed->values[i][j];
		prof_measures_add(&listed->measures, shown, NULL, listed->values[i], total);
	}
	return NULL;
}

static bool add_phase(struct listed *listed, uint32_t number)
{
	const struct prof_experiment *experiment = listed->sheet->experiment;
	const struct prof_phase *phase = &listed->phases->items.items[number];
	struct prof_cell *cells = prof_measures_row(&listed->measures, number);

	if (!cells)
		return false;
	cells[0] = prof_cell_integer((int64_t)number + 1);
	cells[1] = prof_cell_integer(prof_experiment_thread_row(experiment, phase->thread).id);
	cells[2] = prof_cell_name(prof_experiment_function_name(experiment, phase->function));
	return true;
}

/* The total counts as a row; phases without any sample that passes the filter are not shown. */
static struct prof_error *fill(struct listed *listed, uint64_t limit)
{
	struct prof_cell *cells = prof_measures_row(&listed->measures, PROF_NONE);

	if (!cells)
		return prof_error_nomem();
	cells[2] = prof_cell_name(PROF_SHEET_TOTAL);
	for (uint32_t i = 0; i < listed->phases->items.count; i++) {
		if (!listed->phases->items.items[i].samples)
			continue;
		if (limit && prof_table_rows(&listed->measures.table) >= limit)
			break;
		if (!add_phase(listed, i))
			return prof_error_nomem();
	}
	return NULL;
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_rows_choice *own = choice->own;
	static const char *const leading[] = {"phase", "thread", "name"};
	static const struct prof_grid_column heads[] = {{{NULL, NULL, "Phase"}, true},
		{{NULL, NULL, "Thread"}, true}, {{NULL, NULL, "Name"}, false}};
	PROF_AUTO(listed_deinit) struct listed listed = {.sheet = sheet};

	prof_items_init(
		&listed.items, sheet->experiment, PROF_KIND_FUNCTIONS, sheet->items.inlined);
	struct prof_error *error = choose(&listed, choice);
	if (!error)
		error = prof_phases_create(&listed.items, sheet->selection, &listed.phases);
	if (!error)
		error = measure(&listed);
	if (error)
		return error;
	if (choice->format == PROF_FORMAT_TEXT &&
		(!sheet->experiment->samples.count ||
			(sheet->selection && !sheet->selection->count))) {
		prof_print_why_nothing(sheet, text);
		return NULL;
	}
	listed.measures.blank = choice->markup.screen;
	listed.measures.functions = true;
	prof_measures_begin(&listed.measures, leading, PROF_COUNT(leading), true);
	error = fill(&listed, own->limit);
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table(
			"phases", sheet, &listed.measures.table, choice->format, text);
	prof_measures_print(&listed.measures, heads, text);
	return prof_text_error(text);
}

static const struct prof_option option_rows[] = {PROF_METRICS_OPTION, PROF_STACK_OPTIONS,
	PROF_ROWS_OPTIONS(struct prof_rows_choice){.name = NULL}};

static const struct prof_options options = PROF_OPTIONS(option_rows, struct prof_rows_choice);

const struct prof_view prof_view_phases = {
	.name = "phases",
	.describe = "List what each thread did at its top level, in the order of time.\n"
		    "A phase is one call of an outermost function with everything that it called.  "
		    "Samples show a new phase only where the outermost function changes.",
	.options = &options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_NOTHING,
	.needs = PROF_HAS_STACKS,
};
