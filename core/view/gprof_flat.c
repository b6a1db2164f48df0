/* SPDX-License-Identifier: GPL-3.0-or-later */

/* gprof's flat profile. */
#include "view/gprof.h"

#include "callgraph/callgraph.h"
#include "metric/metric.h"
#include "report/grid.h"
#include "report/number.h"
#include "view/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME, PERCENT, CUMULATIVE, SELF, CALLS, SELF_PER_CALL, TOTAL_PER_CALL, COUNTED, WIDTH };

static const char *const columns[WIDTH] = {
	[NAME] = "name",
	[PERCENT] = "percent",
	[CUMULATIVE] = "cumulative",
	[SELF] = "self",
	[CALLS] = "calls",
	[SELF_PER_CALL] = "self_per_call",
	[TOTAL_PER_CALL] = "total_per_call",
	[COUNTED] = "counted",
};

/*
 * All calls except recursive ones, as in both styles of gprof.  If a sample came along several arcs
 * inside a cycle, it still is one sample: of samples, only those from outside count.
 */
static prof_value calls_of(const struct prof_callgraph *graph, const struct prof_graph_entry *entry)
{
	return entry->calls + (graph->counted ? entry->inside : 0);
}

static int compare_entries(const void *left, const void *right, void *context)
{
	const struct prof_callgraph *graph = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	const struct prof_graph_entry *one = &graph->entries.items[a];
	const struct prof_graph_entry *other = &graph->entries.items[b];

	if (one->self != other->self)
		return one->self > other->self ? -1 : 1;
	if (calls_of(graph, one) != calls_of(graph, other))
		return calls_of(graph, one) > calls_of(graph, other) ? -1 : 1;
	int result = strcmp(prof_experiment_function_name(graph->experiment, a),
		prof_experiment_function_name(graph->experiment, b));
	return result ? result : (a > b) - (a < b);
}

/* The part of TIME for one of CALLS, in the unit of the column. */
static struct prof_cell per_call(
	const struct prof_callgraph *graph, prof_value time, prof_value calls)
{
	double shown = prof_value_double(time) / (double)graph->metric->units;

	return prof_cell_real(shown / prof_value_double(calls));
}

static bool add_row(const struct prof_callgraph *graph, uint32_t function, prof_value cumulative,
	struct prof_table *table)
{
	const struct prof_graph_entry *entry = &graph->entries.items[function];
	prof_value calls = calls_of(graph, entry);
	struct prof_cell *row = prof_table_row(table);

	if (!row)
		return false;
	row[NAME] = prof_cell_name(prof_experiment_function_name(graph->experiment, function));
	row[PERCENT] = prof_cell_real(prof_value_percent(entry->self, graph->total));
	row[CUMULATIVE] = prof_cell_value(cumulative);
	row[SELF] = prof_cell_value(entry->self);
	if (entry->known)
		row[CALLS] = prof_gprof_calls(graph, calls);
	if (graph->partly)
		row[COUNTED] = prof_gprof_counted(entry->known);
	/* The time that some of the calls took is unknown. */
	if (graph->counted && calls && entry->known == PROF_KNOWN_ALL) {
		row[SELF_PER_CALL] = per_call(graph, entry->self, calls);
		row[TOTAL_PER_CALL] = per_call(graph, entry->self + entry->children, calls);
	}
	return true;
}

struct prof_error *prof_gprof_flat(const struct prof_callgraph *graph,
	const struct prof_gprof_choice *choice, struct prof_table *table)
{
	AUTO_FREE uint32_t *order = malloc((graph->functions + 1) * sizeof *order);
	prof_value cumulative = 0;
	size_t count = 0;

	*table = (struct prof_table){
		"rows", columns, WIDTH - !graph->partly, graph->metric->units, {0}};
	if (!order)
		return prof_error_nomem();
	for (uint32_t i = 0; i < graph->functions; i++) {
		if (graph->entries.items[i].seen)
			order[count++] = i;
	}
	qsort_r(order, count, sizeof *order, compare_entries, (void *)graph);
	count = prof_rows_limited(choice->limit, count);
	for (size_t i = 0; i < count; i++) {
		cumulative += graph->entries.items[order[i]].self;
		if (!add_row(graph, order[i], cumulative, table))
			return prof_error_nomem();
	}
	return NULL;
}

struct per_call {
	const char *unit;
	double scale; /* of the unit that is shown */
};

/* The unit in which the longest time per call is at least 1, and if possible less than 1000. */
static const struct per_call *unit_of(
	const struct prof_callgraph *graph, const struct prof_table *table)
{
	static const struct per_call plain = {"/call", 1};
	static const struct per_call times[] = {{"Ks/call", 1e-3}, {"s/call", 1}, {"ms/call", 1e3},
		{"us/call", 1e6}, {"ns/call", 1e9}};
	double most = 0;

	if (graph->metric->units == 1)
		return &plain;
	for (size_t i = 0; i < prof_table_rows(table); i++) {
		const struct prof_cell *cell = &prof_table_get(table, i)[TOTAL_PER_CALL];
		if (cell->kind == PROF_CELL_REAL && cell->real > most)
			most = cell->real;
	}
	if (most == 0)
		return &times[1];
	for (size_t i = 0; i + 1 < PROF_COUNT(times); i++) {
		if (most * times[i].scale >= 1)
			return &times[i];
	}
	return &times[PROF_COUNT(times) - 1];
}

/* Adds a time per call, or an empty cell. */
static void print_per_call(
	const struct prof_cell *cell, const struct per_call *unit, struct prof_grid *grid)
{
	char buffer[PROF_NUMBER_TEXT] = "";

	if (cell->kind == PROF_CELL_REAL)
		snprintf(buffer, sizeof buffer, "%.2f", cell->real * unit->scale);
	prof_grid_cell(grid, buffer);
}

/* gprof omits 0; here 0 differs from calls that were not counted. */
static const char *calls_of_row(
	const struct prof_callgraph *graph, const struct prof_cell *row, char *buffer)
{
	const struct prof_cell *calls = &row[CALLS];
	bool part = graph->partly && !strcmp(row[COUNTED].name, "part");

	if (calls->kind == PROF_CELL_EMPTY || (!calls->value && !graph->partly))
		return "";
	return prof_gprof_calls_text(
		graph, calls->value, part ? PROF_KNOWN_PART : PROF_KNOWN_ALL, buffer);
}

static void print_row(const struct prof_callgraph *graph, const struct prof_cell *row,
	const struct per_call *unit, struct prof_grid *grid)
{
	int64_t units = graph->metric->units;
	char buffer[PROF_NUMBER_TEXT];

	snprintf(buffer, sizeof buffer, "%.2f", row[PERCENT].real);
	prof_grid_cell(grid, buffer);
	prof_grid_number(grid, row[CUMULATIVE].value, units, 2);
	prof_grid_number(grid, row[SELF].value, units, 2);
	prof_grid_cell(grid, calls_of_row(graph, row, buffer));
	print_per_call(&row[SELF_PER_CALL], unit, grid);
	print_per_call(&row[TOTAL_PER_CALL], unit, grid);
	prof_grid_function(grid, "", row[NAME].name, "");
}

void prof_gprof_flat_text(
	const struct prof_callgraph *graph, const struct prof_table *table, struct prof_text *text)
{
	const struct per_call *per = unit_of(graph, table);
	const char *unit = graph->metric->units == 1 ? graph->metric->unit : "seconds";
	const struct prof_grid_column heads[] = {
		{{"%", "time"}, true},
		{{"cumulative", unit}, true},
		{{"self", unit}, true},
		{{"", "calls"}, true},
		{{"self", per->unit}, true},
		{{"total", per->unit}, true},
		{{"", "name"}, false},
	};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .width = PROF_COUNT(heads)};

	for (size_t i = 0; i < prof_table_rows(table); i++)
		print_row(graph, prof_table_get(table, i), per, &grid);
	prof_text_print(text, "Flat profile:\n\n");
	prof_grid_print(&grid, text);
}
