/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/print.h"

#include "report/grid.h"
#include "view/measures.h"
#include "view/options.h"
#include "view/order.h"
#include "view/panels.h"

#include <string.h>

enum { FOCUS, ROLE, NAME, LEADING };

static const char *const columns[LEADING] = {
	[FOCUS] = "focus",
	[ROLE] = "role",
	[NAME] = "name",
};

struct callers {
	struct prof_panels panels;
	struct prof_measures measures;
};

static void callers_deinit(struct callers *callers)
{
	prof_panels_deinit(&callers->panels);
	prof_measures_deinit(&callers->measures);
}

/* Adds the rows of PANEL to the table. */
static struct prof_error *add_panel(void *context, const struct prof_panel *panel)
{
	struct callers *callers = context;

	for (size_t i = 0; i < panel->lines.count; i++) {
		const struct prof_panel_line *line = &panel->lines.items[i];
		struct prof_cell *row = prof_measures_row_of(&callers->measures,
			line->role == PROF_PANEL_PART ? NULL : line->values, panel->wholes);
		if (!row)
			return prof_error_nomem();
		row[FOCUS] = prof_cell_name(panel->focus);
		row[ROLE] = prof_cell_name(prof_panel_role_names[line->role]);
		row[NAME] = prof_cell_name(line->name);
	}
	return NULL;
}

static struct prof_error *fill(
	struct callers *callers, const struct prof_sheet *sheet, const struct prof_choice *choice)
{
	const struct prof_rows_choice *own = choice->own;
	struct prof_panels *panels = &callers->panels;
	AUTO_FREE uint32_t *order = NULL;
	size_t count;

	if (choice->function)
		return prof_panels_named(panels, choice->function, add_panel, callers);
	struct prof_error *error =
		prof_order_items(panels->of[0], &sheet->items, PROF_SORT_DEFAULT, &order, &count);
	if (error)
		return error;
	if (own->limit && count >= own->limit)
		count = own->limit - 1;
	error = prof_panels_total(panels, add_panel, callers);
	for (size_t i = 0; i < count && !error; i++)
		error = prof_panels_function(panels, order[i], add_panel, callers);
	return error;
}

/* The columns: attributed values of each metric, in the order in which they were asked for. */
static void begin_table(struct callers *callers, const struct prof_sheet *sheet)
{
	struct prof_measures *measures = &callers->measures;
	bool several = sheet->shown.count > 1;

	for (size_t i = 0; i < sheet->shown.count; i++)
		prof_measures_add(measures, &sheet->shown.items[i], "Attributed", NULL, 0);
	/* They stand alone, and so they need no longer name. */
	prof_measures_begin(measures, columns, LEADING, several);
	if (!several)
		strcpy(measures->items[0].names[1], "percent");
}

static void print_text(const struct prof_measures *measures, struct prof_text *text)
{
	static const struct prof_grid_column name = {{NULL, NULL, " Name"}, false};
	struct prof_grid_column heads[PROF_MEASURES_COLUMNS];
	const struct prof_grid_column leading[LEADING] = {name};
	AUTO_GRID struct prof_grid grid = {.columns = heads};
	const char *before = NULL;

	/* Of the leading columns it is the name alone that text shows. */
	grid.width = prof_measures_heads(measures, leading, heads) - (LEADING - 1);
	for (size_t i = 0; i < prof_table_rows(&measures->table); i++) {
		const struct prof_cell *row = prof_table_get(&measures->table, i);
		const char *role = row[ROLE].name;
		if (prof_panels_begin(before, role))
			prof_grid_blank(&grid);
		before = role;
		prof_measures_cells(measures, i, &grid);
		prof_grid_name(&grid, prof_panels_mark(role), row[NAME].name, "");
	}
	prof_grid_print(&grid, text);
}

static struct prof_error *print_view(
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

static const struct prof_option option_rows[] = {PROF_METRICS_OPTION, PROF_INLINE_OPTION,
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
};
