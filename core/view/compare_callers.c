/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A comparison of callers and callees. */
#include "view/compare_private.h"

#include "view/panel_rows.h"
#include "view/panels.h"

#include <stdlib.h>

static struct prof_cell *make_row(
	void *context, const struct prof_panel *panel, const prof_value *values)
{
	struct prof_change change;

	(void)panel;
	if (!values)
		return prof_changes_row(context, NULL);
	change = (struct prof_change){{values[0], values[1]}};
	return prof_changes_row(context, &change);
}

/* The line with the larger change first. */
static int compare_lines(const prof_value *a, const prof_value *b, const void *context)
{
	const struct prof_change one = {{a[0], a[1]}};
	const struct prof_change other = {{b[0], b[1]}};

	return prof_changes_compare(context, &one, &other);
}

static struct prof_error *fill_callers(struct prof_compare *compare, struct prof_panels *panels)
{
	const struct prof_choice *choice = compare->request->choice;
	AUTO_FREE uint32_t *order = NULL;
	struct prof_panel_choice shown = {.names = choice->function};
	struct prof_error *error = choice->function
		? NULL
		: prof_compare_order(compare, panels->of, &order, &shown.count);

	if (error)
		return error;
	shown.order = order;
	return prof_panel_rows_fill(panels, &shown, make_row, &compare->changes);
}

static void add_cells(const void *context, size_t number, struct prof_grid *grid)
{
	prof_changes_cells(context, number, grid);
}

static void print_callers(const struct prof_changes *changes, struct prof_text *text)
{
	struct prof_grid_column heads[PROF_CHANGES_COLUMNS];
	size_t width = prof_changes_heads(changes, &prof_panel_head, 1, heads);

	prof_panel_rows_print(&changes->table, heads, width, add_cells, changes, text);
}

struct prof_error *prof_compare_callers(struct prof_compare *compare, struct prof_text *text)
{
	const struct prof_profile *const profiles[] = {
		&compare->comparison->profiles[0], &compare->comparison->profiles[1]};
	struct prof_changes *changes = &compare->changes;
	AUTO_PANELS struct prof_panels panels = {0};

	prof_changes_begin(changes, prof_panel_columns, PROF_PANEL_LEADING);
	struct prof_error *error = prof_panels_init(&panels, profiles, PROF_COMPARISON_SIDES);
	if (error)
		return error;
	panels.order = compare_lines;
	panels.context = changes;
	error = fill_callers(compare, &panels);
	if (error)
		return error;
	return prof_compare_emit(compare, print_callers, text);
}
