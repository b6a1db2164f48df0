/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/measures.h"

#include "metric/hot_path.h"
#include "report/bar.h"
#include "report/number.h"
#include "view/print.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

void prof_measures_deinit(struct prof_measures *measures)
{
	prof_table_deinit(&measures->table);
}

void prof_measures_add(struct prof_measures *measures, const struct prof_shown *shown,
	const char *what, const prof_value *values, prof_value total)
{
	assert(measures->count < PROF_MEASURES);
	measures->items[measures->count++] = (struct prof_measure){
		.metric = &shown->metric,
		.what = what,
		.values = values,
		.total = total,
		.value = shown->value,
		.percent = shown->percent,
		.rough = shown->rough,
	};
}

/* "cpu_exclusive_percent", in lower case. */
static void name_columns(struct prof_measure *measure, bool several)
{
	bool metric = several || !measure->what;

	snprintf(measure->names[0], sizeof measure->names[0], "%s%s%s",
		metric ? measure->metric->name : "", metric && measure->what ? "_" : "",
		measure->what ? measure->what : "");
	for (char *at = measure->names[0]; *at; at++)
		*at = (char)(*at == ' ' ? '_' : tolower((unsigned char)*at));
	snprintf(measure->names[1], sizeof measure->names[1], "%.*s_percent", PROF_METRIC_NAME + 16,
		measure->names[0]);
}

void prof_measures_begin(
	struct prof_measures *measures, const char *const *names, size_t leading, bool several)
{
	size_t width = 0;

	for (; width < leading; width++)
		measures->columns[width] = names[width];
	for (size_t i = 0; i < measures->count; i++) {
		struct prof_measure *measure = &measures->items[i];
		name_columns(measure, several);
		if (measure->value)
			measures->columns[width++] = measure->names[0];
	}
	for (size_t i = 0; i < measures->count; i++) {
		if (measures->items[i].percent)
			measures->columns[width++] = measures->items[i].names[1];
	}
	measures->leading = leading;
	measures->table =
		(struct prof_table){.key = "rows", .columns = measures->columns, .width = width};
}

struct prof_cell *prof_measures_row_of(
	struct prof_measures *measures, const prof_value *values, const prof_value *wholes)
{
	struct prof_cell *cells = prof_table_row(&measures->table);

	if (!cells || !values)
		return cells;
	struct prof_cell *cell = cells + measures->leading;
	for (size_t i = 0; i < measures->count; i++) {
		if (measures->items[i].value)
			*cell++ = prof_cell_value_in(values[i], measures->items[i].metric->units);
	}
	for (size_t i = 0; i < measures->count; i++) {
		if (measures->items[i].percent)
			*cell++ = prof_cell_real(prof_value_percent(values[i], wholes[i]));
	}
	return cells;
}

struct prof_cell *prof_measures_row(struct prof_measures *measures, uint32_t row)
{
	prof_value values[PROF_MEASURES], wholes[PROF_MEASURES];

	for (size_t i = 0; i < measures->count; i++) {
		wholes[i] = measures->items[i].total;
		values[i] = row == PROF_NONE ? wholes[i] : measures->items[i].values[row];
	}
	return prof_measures_row_of(measures, values, wholes);
}

/* The value for the bar of the row NUMBER. */
static double bar_of(const struct prof_measures *measures, size_t number)
{
	const struct prof_cell *cell = prof_table_get(&measures->table, number) + measures->leading;

	if (cell->kind == PROF_CELL_EMPTY)
		return 0;
	/* Percentages come after all values. */
	if (cell->kind == PROF_CELL_REAL)
		return cell->real;
	return prof_value_double(cell->value);
}

void prof_measures_bars(struct prof_measures *measures, size_t totals)
{
	measures->bars = true;
	measures->totals = totals;
	for (size_t i = totals; i < prof_table_rows(&measures->table); i++) {
		double length = bar_of(measures, i);
		measures->longest = length > measures->longest ? length : measures->longest;
	}
}

size_t prof_measures_heads(const struct prof_measures *measures,
	const struct prof_grid_column *leading, struct prof_grid_column *heads)
{
	size_t width = 0;

	for (size_t i = 0; i < measures->before; i++)
		heads[width++] = leading[i];
	for (size_t i = 0; i < measures->count; i++) {
		const struct prof_measure *measure = &measures->items[i];
		struct prof_grid_column title = {.right = true};
		if (measures->narrow) {
			/* "Excl." or "Incl.", as in er_print. */
			heads[width++] = (struct prof_grid_column){
				{NULL, *measure->what == 'E' ? "Excl." : "Incl.", "%"}, true};
			continue;
		}
		prof_print_heads(measure->what, measure->metric, title.heads);
		if (measure->value)
			heads[width++] = title;
		if (!measure->percent)
			continue;
		if (measure->value)
			title.heads[0] = title.heads[1] = NULL;
		title.heads[2] = "%";
		heads[width++] = title;
	}
	if (measures->bars)
		heads[width++] = (struct prof_grid_column){.right = false};
	for (size_t i = measures->before; i < measures->leading; i++)
		heads[width++] = leading[i];
	return width;
}

/* Adds the leading CELL to GRID. */
static void print_leading(
	const struct prof_measures *measures, struct prof_grid *grid, const struct prof_cell *cell)
{
	char buffer[PROF_NUMBER_TEXT] = "";

	if (cell->kind == PROF_CELL_NAME && measures->functions) {
		prof_grid_function(grid, "", cell->name, "");
		return;
	}
	if (cell->kind == PROF_CELL_NAME) {
		prof_grid_name(grid, "", cell->name, "");
		return;
	}
	if (cell->kind == PROF_CELL_LINE || cell->kind == PROF_CELL_STYLED) {
		prof_grid_line(grid, cell->name, cell->kind == PROF_CELL_STYLED);
		return;
	}
	if (cell->kind == PROF_CELL_INTEGER)
		snprintf(buffer, sizeof buffer, "%lld", (long long)cell->integer);
	prof_grid_cell(grid, buffer);
}

static void print_bar(const struct prof_measures *measures, size_t number, struct prof_grid *grid)
{
	bool none = number < measures->totals || !(measures->longest > 0);
	char buffer[PROF_BAR_TEXT];

	prof_grid_cell(grid,
		none ? "" : prof_bar_print(bar_of(measures, number) / measures->longest, buffer));
}

/* Is nothing to be shown for CELL? */
static bool is_empty(const struct prof_measures *measures, const struct prof_cell *cell)
{
	if (cell->kind == PROF_CELL_EMPTY)
		return true;
	return measures->blank && (cell->kind == PROF_CELL_REAL ? cell->real == 0 : !cell->value);
}

/* Is the share of so much percent of MEASURE one that matters: that of code itself? */
static bool is_hot(const struct prof_measure *measure, double percent)
{
	bool own = measure->what &&
		(!strcmp(measure->what, "Exclusive") || !strcmp(measure->what, "In Only"));

	return own && percent >= PROF_HOT_PATH_LEAST;
}

static void print_percent(
	const struct prof_measure *measure, double percent, bool empty, struct prof_grid *grid)
{
	char buffer[PROF_NUMBER_TEXT];
	const char *text = empty ? "" : prof_number_percent(percent, measure->rough, buffer);

	if (is_hot(measure, percent) && !empty)
		prof_grid_hot(grid, text);
	else
		prof_grid_cell(grid, text);
}

void prof_measures_cells(
	const struct prof_measures *measures, size_t number, struct prof_grid *grid)
{
	const struct prof_cell *value =
		prof_table_get(&measures->table, number) + measures->leading;
	const struct prof_cell *percent = value;
	char buffer[PROF_NUMBER_TEXT];

	for (size_t i = 0; i < measures->count; i++)
		percent += measures->items[i].value;
	for (size_t i = 0; i < measures->count; i++) {
		const struct prof_measure *measure = &measures->items[i];
		bool empty = is_empty(measures, measure->value ? value : percent);
		if (measure->value && !measures->narrow)
			prof_grid_cell(grid,
				empty ? ""
				      : prof_number_value(value->value, measure->metric, buffer));
		if (measure->percent)
			print_percent(measure, empty ? 0 : percent->real, empty, grid);
		value += measure->value;
		percent += measure->percent;
	}
	if (measures->bars)
		print_bar(measures, number, grid);
}

void prof_measures_print(const struct prof_measures *measures, const struct prof_grid_column *heads,
	struct prof_text *text)
{
	struct prof_grid_column columns[PROF_MEASURES_COLUMNS];
	AUTO_GRID struct prof_grid grid = {.columns = columns};

	grid.width = prof_measures_heads(measures, heads, columns);
	for (size_t i = 0; i < prof_table_rows(&measures->table); i++) {
		const struct prof_cell *cells = prof_table_get(&measures->table, i);
		for (size_t j = 0; j < measures->before; j++)
			print_leading(measures, &grid, &cells[j]);
		prof_measures_cells(measures, i, &grid);
		for (size_t j = measures->before; j < measures->leading; j++)
			print_leading(measures, &grid, &cells[j]);
	}
	prof_grid_print(&grid, text);
}
