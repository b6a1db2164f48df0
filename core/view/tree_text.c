/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tree as HP Puma prints it. */
#include "view/tree.h"

#include "metric/profile.h"
#include "report/bar.h"
#include "report/grid.h"
#include "report/number.h"

#include <stdio.h>
#include <string.h>

/*
 * Deeper levels are not indented further, or a stack of ten thousand frames would print fifty
 * million spaces; the number of the level is there to tell.
 */
enum { INDENT_MOST = 63 };

/* What a column of the text shows. */
enum show {
	SHOW_NOTHING,
	SHOW_UNDER,
	SHOW_ONLY,
	SHOW_PERCENT_UNDER,
	SHOW_PERCENT_ONLY,
	SHOW_PARENT_UNDER,
	SHOW_PARENT_ONLY,
};

/* The most columns in addition to the name, and how wide one is with the gap behind it. */
enum { SHOW_MOST = 4, COLUMN = 13 };

static const enum show shows[PROF_COLUMNS][SHOW_MOST] = {
	[PROF_COLUMNS_DEFAULT] = {SHOW_UNDER, SHOW_ONLY},
	[PROF_COLUMNS_RAW] = {SHOW_UNDER, SHOW_ONLY},
	[PROF_COLUMNS_PERCENT] = {SHOW_PERCENT_UNDER, SHOW_PERCENT_ONLY},
	[PROF_COLUMNS_PARENT] = {SHOW_PARENT_UNDER, SHOW_PARENT_ONLY},
	[PROF_COLUMNS_ALL] = {SHOW_UNDER, SHOW_ONLY, SHOW_PERCENT_UNDER, SHOW_PARENT_UNDER},
};

static bool is_raw(enum show show)
{
	return show == SHOW_UNDER || show == SHOW_ONLY;
}

static bool is_parent(enum show show)
{
	return show == SHOW_PARENT_UNDER || show == SHOW_PARENT_ONLY;
}

/* The three lines of HP's heading. */
static struct prof_grid_column head_of(enum show show, const struct prof_metric *metric)
{
	bool only = show == SHOW_ONLY || show == SHOW_PERCENT_ONLY || show == SHOW_PARENT_ONLY;
	const char *what = "Percent";

	if (is_raw(show))
		what = metric->units == 1 ? "Raw Count" : metric->unit;
	else if (is_parent(show))
		what = "Parent Percent";
	return (struct prof_grid_column){
		.heads = {metric->title, only ? "In Only" : "In or Under", what},
		.right = !is_raw(show),
	};
}

/* A raw value: numbers of WIDTH columns are aligned, indirect ones after them. */
static void print_raw(const struct prof_cell *row, enum show show, const struct prof_metric *metric,
	int width, struct prof_grid *grid)
{
	char buffer[PROF_NUMBER_TEXT];
	char cell[2 * PROF_NUMBER_TEXT + 8];
	prof_value value = row[show == SHOW_UNDER ? PROF_TREE_DIRECT : PROF_TREE_IN_ONLY].value;
	int length =
		snprintf(cell, sizeof cell, "%*s", width, prof_number_value(value, metric, buffer));

	if (show == SHOW_UNDER && row[PROF_TREE_INDIRECT].value)
		snprintf(cell + length, sizeof cell - (size_t)length, " (%s)",
			prof_number_value(row[PROF_TREE_INDIRECT].value, metric, buffer));
	prof_grid_cell(grid, cell);
}

static void print_percent(
	const struct prof_cell *row, enum show show, bool rough, struct prof_grid *grid)
{
	double percent = row[is_parent(show) ? PROF_TREE_PARENT_PERCENT : PROF_TREE_PERCENT].real;
	char buffer[PROF_NUMBER_TEXT];

	if (show == SHOW_PERCENT_ONLY || show == SHOW_PARENT_ONLY)
		percent *= prof_value_percent(row[PROF_TREE_IN_ONLY].value,
				   row[PROF_TREE_DIRECT].value + row[PROF_TREE_INDIRECT].value) /
			100;
	prof_grid_cell(grid, prof_number_percent(percent, rough, buffer));
}

int prof_tree_indent(const struct prof_markup *markup, size_t figures)
{
	size_t room = markup->columns > figures ? (markup->columns - figures) / 3 : 0;

	return markup->screen && markup->columns && room < INDENT_MOST ? (int)room : INDENT_MOST;
}

void prof_tree_name(const struct prof_cell *row, int digits, int most, struct prof_grid *grid)
{
	int level = (int)row[PROF_TREE_LEVEL].integer;
	int indent = level - 1 < most ? level - 1 : most;
	char before[PROF_NUMBER_TEXT + INDENT_MOST];

	snprintf(before, sizeof before, "%*d%*s", -digits, level, indent + 2, "");
	prof_grid_function(
		grid, before, row[PROF_TREE_NAME].name, row[PROF_TREE_STUB].integer ? "..." : "");
}

int prof_tree_digits(const struct prof_table *table)
{
	int64_t deepest = 0;

	for (size_t i = 0; i < prof_table_rows(table); i++) {
		int64_t level = prof_table_get(table, i)[PROF_TREE_LEVEL].integer;
		deepest = level > deepest ? level : deepest;
	}
	return snprintf(NULL, 0, "%d", (int)deepest);
}

static prof_value in_or_under(const struct prof_cell *row)
{
	return row[PROF_TREE_STUB].integer
		? 0
		: row[PROF_TREE_DIRECT].value + row[PROF_TREE_INDIRECT].value;
}

/* The value of a full bar. */
static double find_longest(const struct prof_table *table)
{
	prof_value longest = 0;

	for (size_t i = 0; i < prof_table_rows(table); i++) {
		prof_value value = in_or_under(prof_table_get(table, i));
		longest = value > longest ? value : longest;
	}
	return prof_value_double(longest);
}

static void print_bar(const struct prof_cell *row, double longest, struct prof_grid *grid)
{
	char buffer[PROF_BAR_TEXT];
	double share = longest > 0 ? prof_value_double(in_or_under(row)) / longest : 0;

	prof_grid_cell(grid, prof_bar_print(share, buffer));
}

void prof_tree_text(const struct prof_sheet *sheet, const struct prof_table *table,
	const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_tree_choice *own = choice->own;
	bool bars = own->bars && choice->blocks;
	const struct prof_profile *profile = sheet->profiles[0];
	const struct prof_metric *metric = profile->metric;
	const enum show *show = shows[own->columns];
	struct prof_grid_column heads[SHOW_MOST + 2];
	AUTO_GRID struct prof_grid grid = {.columns = heads, .underline = true};
	char buffer[PROF_NUMBER_TEXT];
	int widest = (int)strlen(prof_number_value(profile->inclusive[0], metric, buffer));
	int digits = prof_tree_digits(table);
	double longest = find_longest(table);
	size_t measures;
	int indent;

	for (; grid.width < SHOW_MOST && show[grid.width] != SHOW_NOTHING; grid.width++)
		heads[grid.width] = head_of(show[grid.width], metric);
	measures = grid.width;
	indent = prof_tree_indent(&choice->markup, measures * COLUMN);
	if (bars)
		heads[grid.width++] = (struct prof_grid_column){.right = false};
	heads[grid.width++] = (struct prof_grid_column){.heads = {NULL, NULL, "Level"}};
	for (size_t i = 0; i < prof_table_rows(table); i++) {
		const struct prof_cell *row = prof_table_get(table, i);
		for (size_t j = 0; j < measures; j++) {
			if (row[PROF_TREE_STUB].integer)
				prof_grid_cell(&grid, "");
			else if (is_raw(show[j]))
				print_raw(row, show[j], metric, widest, &grid);
			else
				print_percent(row, show[j], sheet->few > 0, &grid);
		}
		if (bars)
			print_bar(row, longest, &grid);
		prof_tree_name(row, digits, indent, &grid);
	}
	prof_grid_print(&grid, text);
}
