/* SPDX-License-Identifier: GPL-3.0-or-later */

/* gprof's call graph as text, in the two styles. */
#include "view/gprof.h"

#include "callgraph/callgraph.h"
#include "metric/metric.h"
#include "report/markup.h"
#include "report/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The columns in front of a line's name; each number is aligned to the end of its column. */
enum column { INDEX, PERCENT, SELF, CHILDREN, CALLED, OF, COLUMNS };

struct style {
	int widths[COLUMNS]; /* least width; OF is that of a primary line */
	int indent;          /* of names outside of primary lines */
	int percent_places;
	const char *heads[COLUMNS]; /* the heading in front of the names */
	const char *rule;           /* the line below an entry */
};

static const struct style styles[PROF_STYLES] = {
	[PROF_STYLE_MANUAL] =
		{
			.widths = {6, 7, 8, 9, 5, 6},
			.indent = 4,
			.percent_places = 2,
			.heads = {"index", "  % time", "    self", "  children", NULL, "    name"},
			.rule = "----------------------------------------\n",
		},
	[PROF_STYLE_GNU] =
		{
			.widths = {6, 6, 8, 8, 8, 9},
			.indent = 4,
			.percent_places = 1,
			.heads = {"index", " % time", "    self", "  children", NULL, "     name"},
			.rule = "-----------------------------------------------\n",
		},
};

/* The numbers of one line as text. */
struct cells {
	char texts[COLUMNS][PROF_NUMBER_TEXT];
};

/* A time with two decimals; in the manual's style 0 is a bare 0. */
static void fill_time(const struct prof_gprof *gprof, prof_value value, char *buffer)
{
	if (!value && gprof->style == PROF_STYLE_MANUAL)
		snprintf(buffer, PROF_NUMBER_TEXT, "0");
	else
		prof_number_fixed(value, gprof->graph->metric->units, 2, buffer);
}

/* The numbers of calls: GNU gprof leaves them blank for a function that was never called. */
static void fill_calls(
	const struct prof_gprof *gprof, const struct prof_gprof_line *line, struct cells *cells)
{
	bool primary = line->role == PROF_GPROF_PRIMARY;
	bool arc = line->role == PROF_GPROF_CALLER || line->role == PROF_GPROF_CALLEE;
	/* GNU's style omits 0, except where it must differ from an unknown number. */
	bool gnu = gprof->style == PROF_STYLE_GNU && !gprof->graph->partly;
	char *of = cells->texts[OF];

	if (!line->known || (primary && gnu && !line->called && !line->of))
		return;
	prof_gprof_calls_text(gprof->graph, line->called, line->known, cells->texts[CALLED]);
	if (line->place != PROF_GPROF_OUTSIDE || (!arc && !line->of) || !line->of_known)
		return;
	of[0] = arc ? '/' : '+';
	prof_gprof_calls_text(
		gprof->graph, line->of, arc ? line->of_known : PROF_KNOWN_ALL, of + 1);
}

static void fill_cells(
	const struct prof_gprof *gprof, const struct prof_gprof_line *line, struct cells *cells)
{
	const struct prof_callgraph *graph = gprof->graph;

	for (int i = 0; i < COLUMNS; i++)
		cells->texts[i][0] = '\0';
	if (line->role == PROF_GPROF_SPONTANEOUS)
		return;
	fill_calls(gprof, line, cells);
	if (line->place != PROF_GPROF_OUTSIDE)
		return;
	fill_time(gprof, line->self, cells->texts[SELF]);
	fill_time(gprof, line->children, cells->texts[CHILDREN]);
	if (line->role != PROF_GPROF_PRIMARY)
		return;
	snprintf(cells->texts[INDEX], PROF_NUMBER_TEXT, "[%u]", gprof->index[line->entry]);
	snprintf(cells->texts[PERCENT], PROF_NUMBER_TEXT, "%.*f",
		styles[gprof->style].percent_places,
		prof_value_percent(line->self + line->children, graph->total));
}

/* The widths of the columns: those of the style, or more for long numbers. */
static void measure(const struct prof_gprof *gprof, int *widths)
{
	memcpy(widths, styles[gprof->style].widths, sizeof styles[gprof->style].widths);
	for (size_t i = 0; i < gprof->lines.count; i++) {
		struct cells cells;
		fill_cells(gprof, &gprof->lines.items[i], &cells);
		for (int j = 0; j < COLUMNS; j++) {
			int width = (int)strlen(cells.texts[j]) + 1;
			widths[j] = width > widths[j] ? width : widths[j];
		}
	}
}

static void print_heading(const struct prof_gprof *gprof, const int *widths, struct prof_text *text)
{
	const struct prof_callgraph *graph = gprof->graph;
	const struct style *style = &styles[gprof->style];
	char total[PROF_NUMBER_TEXT];

	if (gprof->style == PROF_STYLE_GNU) {
		bool time = graph->metric->units != 1;
		prof_number_fixed(graph->total, graph->metric->units, 2, total);
		prof_text_print(text, "\t\t\tCall graph\n\n\ngranularity: 100%% is %s %s\n\n",
			total, time ? "seconds" : graph->metric->unit);
	}
	for (int i = 0; i < COLUMNS; i++) {
		/* The index, and the number after a slash, are aligned to the left. */
		int column = i == PERCENT ? INDEX : i;
		prof_text_spaces(text, widths[column] - style->widths[column]);
		if (i == CALLED)
			prof_text_print(
				text, gprof->style == PROF_STYLE_GNU ? "%10s" : " %-7s", "called");
		else
			prof_text_print(text, "%s", style->heads[i]);
	}
	prof_text_bytes(text, "\n", 1);
}

/* The name of ENTRY, the number of its cycle, and its index. */
static void print_name(const struct prof_gprof *gprof, uint32_t number, struct prof_text *text)
{
	const struct prof_graph_entry *entry = &gprof->graph->entries.items[number];
	char buffer[PROF_GPROF_NAME];

	prof_markup_name(text, prof_gprof_name(gprof->graph, number, buffer));
	if (entry->function != PROF_NONE && entry->cycle)
		prof_text_print(text, " <cycle %u>", (unsigned)entry->cycle);
	prof_text_print(text, " [%u]\n", gprof->index[number]);
}

static void print_line(const struct prof_gprof *gprof, const struct prof_gprof_line *line,
	const int *widths, struct prof_text *text)
{
	struct cells cells;
	int of = widths[OF];

	fill_cells(gprof, line, &cells);
	if (line->role != PROF_GPROF_PRIMARY)
		of += styles[gprof->style].indent;
	prof_text_print(text, "%*s%*s%*s%*s%*s%*s", -widths[INDEX], cells.texts[INDEX],
		widths[PERCENT], cells.texts[PERCENT], widths[SELF], cells.texts[SELF],
		widths[CHILDREN], cells.texts[CHILDREN], widths[CALLED], cells.texts[CALLED], -of,
		cells.texts[OF]);
	if (line->named == PROF_NONE)
		prof_text_print(text, "<spontaneous>\n");
	else
		print_name(gprof, line->named, text);
}

/* GNU's index: functions by name, then the cycles. */
static int compare_names(const void *left, const void *right, void *context)
{
	const struct prof_callgraph *graph = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	bool one = a >= graph->functions;
	bool other = b >= graph->functions;

	if (one != other)
		return one ? 1 : -1;
	int result = one ? 0
			 : strcmp(prof_experiment_function_name(graph->experiment, a),
				   prof_experiment_function_name(graph->experiment, b));
	return result ? result : (a > b) - (a < b);
}

/* Prints the index number and name of ENTRY.  Returns how many columns they take. */
static long print_indexed(const struct prof_gprof *gprof, uint32_t entry, struct prof_text *text)
{
	const struct prof_callgraph *graph = gprof->graph;
	char index[PROF_NUMBER_TEXT];
	char cycle[PROF_GPROF_NAME];
	const char *name = cycle;

	snprintf(index, sizeof index, "[%u]", gprof->index[entry]);
	snprintf(cycle, sizeof cycle, "<cycle %u>", (unsigned)graph->entries.items[entry].cycle);
	if (entry < graph->functions)
		name = prof_experiment_function_name(graph->experiment, entry);
	prof_text_print(text, "%6s ", index);
	prof_text_name(text, name);
	return 7 + (long)prof_text_width(name);
}

/*
 * Prints the index in three columns, each read downwards.  Like GNU gprof, leaves out functions
 * that were never called and have no time of their own.
 */
static void print_index(const struct prof_gprof *gprof, struct prof_text *text)
{
	enum { COLUMN = 28, ACROSS = 3 };
	const struct prof_callgraph *graph = gprof->graph;
	AUTO_FREE uint32_t *order = malloc((gprof->entries + 1) * sizeof *order);
	size_t count = 0;

	if (!order) {
		text->failed = true;
		return;
	}
	for (size_t i = 0; i < gprof->entries; i++) {
		const struct prof_graph_entry *entry = &graph->entries.items[gprof->order[i]];
		if (entry->calls || entry->inside || entry->self)
			order[count++] = gprof->order[i];
	}
	qsort_r(order, count, sizeof *order, compare_names, (void *)graph);
	prof_text_print(text, "\nIndex by function name\n\n");
	size_t rows = (count + ACROSS - 1) / ACROSS;
	for (size_t row = 0; row < rows; row++) {
		long padding = 0;
		for (size_t at = row; at < count; at += rows) {
			prof_text_spaces(text, padding);
			padding = COLUMN - print_indexed(gprof, order[at], text);
			padding = padding > 0 ? padding : 1;
		}
		prof_text_bytes(text, "\n", 1);
	}
}

void prof_gprof_text(const struct prof_gprof *gprof, struct prof_text *text)
{
	int widths[COLUMNS];

	measure(gprof, widths);
	print_heading(gprof, widths, text);
	for (size_t i = 0; i < gprof->lines.count; i++) {
		const struct prof_gprof_line *line = &gprof->lines.items[i];
		print_line(gprof, line, widths, text);
		if (i + 1 == gprof->lines.count || line[1].entry != line->entry)
			prof_text_print(text, "%s", styles[gprof->style].rule);
	}
	if (gprof->style == PROF_STYLE_GNU)
		print_index(gprof, text);
}
