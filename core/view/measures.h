/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Measures: the columns of a view that lists something with several metrics side by side, each as
 * values, percent or both.
 */
#ifndef PROF_VIEW_MEASURES_H
#define PROF_VIEW_MEASURES_H

#include "metric/metric.h"
#include "report/grid.h"
#include "report/table.h"

struct prof_shown;

enum { PROF_MEASURES = 32, PROF_MEASURES_COLUMNS = 2 * PROF_MEASURES + 8 };

struct prof_measure {
	const struct prof_metric *metric;
	const char *what;         /* of it, as "Exclusive"; NULL: there is nothing else */
	const prof_value *values; /* by what is listed; borrowed */
	prof_value total;         /* of which percent are taken, in the metric's unit */
	bool value, percent;
	bool rough;                           /* percent are whole numbers */
	char names[2][PROF_METRIC_NAME + 32]; /* of the columns of values and of percent */
};

/* All zeroes is none. */
struct prof_measures {
	struct prof_measure items[PROF_MEASURES];
	size_t count;            /* of them */
	bool functions;          /* names in its rows are those of functions */
	bool blank;              /* text has nothing where a figure is zero */
	bool narrow;             /* text has narrow columns: percent, without values */
	size_t before;           /* of the leading cells, those that text has before the measures */
	struct prof_table table; /* CSV and JSON: the leading cells, all values, all percent */
	size_t leading;

	/* Private part. */
	const char *columns[PROF_MEASURES_COLUMNS];
	bool bars;
	size_t totals;
	double longest;
};

/* Frees what MEASURES holds. */
void prof_measures_deinit(struct prof_measures *measures);
#define AUTO_MEASURES PROF_AUTO(prof_measures_deinit)

/* Adds VALUES of what SHOWN's metric is, WHAT of it, and TOTAL; there is room for each shown twice.
 */
void prof_measures_add(struct prof_measures *measures, const struct prof_shown *shown,
	const char *what, const prof_value *values, prof_value total);

/*
 * All measures are there: makes the table's columns, after the LEADING ones of these NAMES.
 * SEVERAL: the names of the metrics stand in those of the columns.
 */
void prof_measures_begin(
	struct prof_measures *measures, const char *const *names, size_t leading, bool several);

/*
 * A new row, of number ROW in the measures' values, or PROF_NONE for the total: the caller fills in
 * the leading cells.  NULL where memory is short.
 */
struct prof_cell *prof_measures_row(struct prof_measures *measures, uint32_t row);

/*
 * The same where each measure has its value of the row in VALUES, and the whole of which percent
 * are taken in WHOLES.  VALUES NULL: the row has none.
 */
struct prof_cell *prof_measures_row_of(
	struct prof_measures *measures, const prof_value *values, const prof_value *wholes);

/*
 * Has text show bars of the first measure, as shares of the largest.  All rows are there; the first
 * TOTALS of them are totals, and get none.
 */
void prof_measures_bars(struct prof_measures *measures, size_t totals);

/*
 * For views that print their own text: fills HEADS, PROF_MEASURES_COLUMNS of them, with the
 * measures' and then the LEADING ones, and returns how many there are.
 */
size_t prof_measures_heads(const struct prof_measures *measures,
	const struct prof_grid_column *leading, struct prof_grid_column *heads);

/* Adds the measures of the table's row NUMBER to GRID. */
void prof_measures_cells(
	const struct prof_measures *measures, size_t number, struct prof_grid *grid);

/* Prints the table as text: the measures, and then the leading cells under HEADS. */
void prof_measures_print(const struct prof_measures *measures, const struct prof_grid_column *heads,
	struct prof_text *text);

#endif
