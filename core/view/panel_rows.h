/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Panels as a table: a row for each line, with the focus, the role and the name in front, and in
 * text a blank line between two panels.  What values a row has is the view's.
 */
#ifndef PROF_VIEW_PANEL_ROWS_H
#define PROF_VIEW_PANEL_ROWS_H

#include "report/grid.h"
#include "report/table.h"

struct prof_panel;
struct prof_panels;

/* The leading columns. */
enum { PROF_PANEL_FOCUS, PROF_PANEL_ROLE, PROF_PANEL_NAME, PROF_PANEL_LEADING };

extern const char *const prof_panel_columns[PROF_PANEL_LEADING];

/* Of the leading columns, text shows only the name, as its last one. */
extern const struct prof_grid_column prof_panel_head;

/*
 * Makes a new row of PANEL's line that has VALUES by side, or NULL where it has none.  Its leading
 * cells are filled in afterwards.  NULL: memory is short.
 */
typedef struct prof_cell *prof_panel_rows_make(
	void *context, const struct prof_panel *panel, const prof_value *values);

/* The functions that have a panel. */
struct prof_panel_choice {
	const char *names;     /* as prof_panels_named() has them; NULL: those in ORDER, and all */
	const uint32_t *order; /* COUNT functions */
	size_t count;
};

/* Has MAKE make the rows of the panels of CHOICE. */
struct prof_error *prof_panel_rows_fill(struct prof_panels *panels,
	const struct prof_panel_choice *choice, prof_panel_rows_make *make,
	void *context) PROF_MUST_CHECK;

/* Adds the values of the table's row NUMBER to GRID. */
typedef void prof_panel_rows_cells(const void *context, size_t number, struct prof_grid *grid);

/* Prints TABLE, which has the rows, under the WIDTH HEADS, of which prof_panel_head is the last. */
void prof_panel_rows_print(const struct prof_table *table, const struct prof_grid_column *heads,
	size_t width, prof_panel_rows_cells *cells, const void *context, struct prof_text *text);

#endif
