/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/panel_rows.h"

#include "view/panels.h"

const char *const prof_panel_columns[PROF_PANEL_LEADING] = {
	[PROF_PANEL_FOCUS] = "focus",
	[PROF_PANEL_ROLE] = "role",
	[PROF_PANEL_NAME] = "name",
};

const struct prof_grid_column prof_panel_head = {{NULL, NULL, " Name"}, false};

struct filling {
	prof_panel_rows_make *make;
	void *context;
};

/* Makes the rows of PANEL. */
static struct prof_error *add_panel(void *context, const struct prof_panel *panel)
{
	const struct filling *filling = context;

	for (size_t i = 0; i < panel->lines.count; i++) {
		const struct prof_panel_line *line = &panel->lines.items[i];
		struct prof_cell *row = filling->make(filling->context, panel,
			line->role == PROF_PANEL_PART ? NULL : line->values);
		if (!row)
			return prof_error_nomem();
		row[PROF_PANEL_FOCUS] = prof_cell_name(panel->focus);
		row[PROF_PANEL_ROLE] = prof_cell_name(prof_panel_role_names[line->role]);
		row[PROF_PANEL_NAME] = prof_cell_name(line->name);
	}
	return NULL;
}

struct prof_error *prof_panel_rows_fill(struct prof_panels *panels,
	const struct prof_panel_choice *choice, prof_panel_rows_make *make, void *context)
{
	struct filling filling = {make, context};

	if (choice->names)
		return prof_panels_named(panels, choice->names, add_panel, &filling);
	struct prof_error *error = prof_panels_total(panels, add_panel, &filling);
	for (size_t i = 0; i < choice->count && !error; i++)
		error = prof_panels_function(panels, choice->order[i], add_panel, &filling);
	return error;
}

/* Does a line of ROLE that follows one of the role BEFORE (NULL: none) begin a new panel? */
static bool begins(const char *before, const char *role)
{
	return (before == prof_panel_role_names[PROF_PANEL_SELF] ||
		       before == prof_panel_role_names[PROF_PANEL_CALLEE]) &&
		role != prof_panel_role_names[PROF_PANEL_CALLEE];
}

/* The text before the name in a line of ROLE: it marks the focus. */
static const char *mark_of(const char *role)
{
	bool focus = role == prof_panel_role_names[PROF_PANEL_PART] ||
		role == prof_panel_role_names[PROF_PANEL_SELF];

	return focus ? "*" : " ";
}

void prof_panel_rows_print(const struct prof_table *table, const struct prof_grid_column *heads,
	size_t width, prof_panel_rows_cells *cells, const void *context, struct prof_text *text)
{
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = width};
	const char *before = NULL;

	for (size_t i = 0; i < prof_table_rows(table); i++) {
		const struct prof_cell *row = prof_table_get(table, i);
		const char *role = row[PROF_PANEL_ROLE].name;
		if (begins(before, role))
			prof_grid_blank(&grid);
		before = role;
		cells(context, i, &grid);
		prof_grid_function(&grid, mark_of(role), row[PROF_PANEL_NAME].name, "");
	}
	prof_grid_print(&grid, text);
}
