/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A comparison of callers and callees. */
#include "view/compare_private.h"

#include "view/panels.h"

#include <stdlib.h>

enum { FOCUS, ROLE, NAME, LEADING };

static struct prof_error *add_panel(void *context, const struct prof_panel *panel)
{
	struct prof_changes *changes = context;

	for (size_t i = 0; i < panel->lines.count; i++) {
		const struct prof_panel_line *line = &panel->lines.items[i];
		const struct prof_change change = {{line->values[0], line->values[1]}};
		struct prof_cell *row =
			prof_changes_row(changes, line->role == PROF_PANEL_PART ? NULL : &change);
		if (!row)
			return prof_error_nomem();
		row[FOCUS] = prof_cell_name(panel->focus);
		row[ROLE] = prof_cell_name(prof_panel_role_names[line->role]);
		row[NAME] = prof_cell_name(line->name);
	}
	return NULL;
}

/* The line that changed more stands first. */
static int compare_lines(const prof_value *a, const prof_value *b, const void *context)
{
	const struct prof_change one = {{a[0], a[1]}};
	const struct prof_change other = {{b[0], b[1]}};

	return prof_changes_compare(context, &one, &other);
}

static struct prof_error *fill_callers(struct prof_compare *compare, struct prof_panels *panels)
{
	struct prof_changes *changes = &compare->changes;
	const struct prof_choice *choice = compare->request->choice;
	AUTO_FREE uint32_t *order = NULL;
	size_t count;

	if (choice->function)
		return prof_panels_named(panels, choice->function, add_panel, changes);
	struct prof_error *error = prof_compare_order(compare, panels->of, &order, &count);
	if (!error)
		error = prof_panels_total(panels, add_panel, changes);
	for (size_t i = 0; !error && i < count; i++)
		error = prof_panels_function(panels, order[i], add_panel, changes);
	return error;
}

static void print_callers(const struct prof_changes *changes, struct prof_text *text)
{
	static const struct prof_grid_column name = {{NULL, NULL, " Name"}, false};
	struct prof_grid_column heads[PROF_CHANGES_COLUMNS];
	AUTO_GRID struct prof_grid grid = {.columns = heads};
	const char *before = NULL;

	grid.width = prof_changes_heads(changes, &name, 1, heads);
	for (size_t i = 0; i < prof_table_rows(&changes->table); i++) {
		const struct prof_cell *row = prof_table_get(&changes->table, i);
		const char *role = row[ROLE].name;
		if (prof_panels_begin(before, role))
			prof_grid_blank(&grid);
		before = role;
		prof_changes_cells(changes, i, &grid);
		prof_grid_name(&grid, prof_panels_mark(role), row[NAME].name, "");
	}
	prof_grid_print(&grid, text);
}

struct prof_error *prof_compare_callers(struct prof_compare *compare, struct prof_text *text)
{
	static const char *const leading[LEADING] = {
		[FOCUS] = "focus", [ROLE] = "role", [NAME] = "name"};
	const struct prof_profile *const profiles[] = {
		&compare->comparison->profiles[0], &compare->comparison->profiles[1]};
	struct prof_changes *changes = &compare->changes;
	AUTO_PANELS struct prof_panels panels = {0};

	prof_changes_begin(changes, leading, LEADING);
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
