/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The rows of intervals, and of their total, that the views intervals and overview print.  Private
 * to these.
 */
#ifndef PROF_VIEW_INTERVAL_ROWS_H
#define PROF_VIEW_INTERVAL_ROWS_H

#include "metric/intervals.h"
#include "report/table.h"

struct prof_choice;
struct prof_experiment;
struct prof_sheet;

/* The states without a CPU, of thread time: for time on a CPU the kernel's figures are better. */
enum { PROF_INTERVAL_WAIT_COUNT = 5 };
extern const struct prof_interval_wait {
	enum prof_state state;
	const char *name, *title;
} prof_interval_waits[PROF_INTERVAL_WAIT_COUNT];

/* Columns of both views; those of the figures are the overview's. */
enum {
	PROF_INTERVAL_NUMBER,
	PROF_INTERVAL_START,
	PROF_INTERVAL_START_LABEL,
	PROF_INTERVAL_END,
	PROF_INTERVAL_END_LABEL,
	PROF_INTERVAL_DURATION,
	PROF_INTERVAL_SAMPLES,
	PROF_INTERVAL_THREAD_TIME,
	PROF_INTERVAL_LISTED,
	PROF_INTERVAL_WAITS = PROF_INTERVAL_LISTED,
	PROF_INTERVAL_FIGURES = PROF_INTERVAL_WAITS + PROF_INTERVAL_WAIT_COUNT,
	PROF_INTERVAL_WIDTH = PROF_INTERVAL_FIGURES + PROF_USAGES,
};

/* All zeroes is none. */
struct prof_interval_rows {
	const struct prof_experiment *experiment;
	struct prof_intervals *intervals;
	struct prof_interval_set set;
	size_t chosen; /* intervals of SET */
	size_t listed; /* of these, the first, that are shown one by one */
	const char *columns[PROF_INTERVAL_WIDTH];
	struct prof_table table;
	PROF_ARRAY(char *) labels; /* of the table, made here */
};

/* Chooses the intervals of SHEET that CHOICE's filter lets pass. */
struct prof_error *prof_interval_rows_init(struct prof_interval_rows *rows,
	const struct prof_sheet *sheet, const struct prof_choice *choice) PROF_MUST_CHECK;

void prof_interval_rows_deinit(struct prof_interval_rows *rows);
#define AUTO_INTERVAL_ROWS PROF_AUTO(prof_interval_rows_deinit)

/* Adds a row for each interval that is listed. */
struct prof_error *prof_interval_rows_fill(struct prof_interval_rows *rows) PROF_MUST_CHECK;

/* Adds a row, without a number, for all that were chosen, if there are any. */
struct prof_error *prof_interval_rows_total(struct prof_interval_rows *rows) PROF_MUST_CHECK;

/* Prints that there is nothing to show, if so. */
bool prof_interval_rows_nothing(const struct prof_interval_rows *rows,
	const struct prof_choice *choice, struct prof_text *text);

/* Adds "start .. end", the labels of ROW. */
void prof_interval_rows_labels(const struct prof_cell *row, struct prof_text *text);

/* The value of CELL with PLACES decimals, in BUFFER of PROF_NUMBER_TEXT bytes, which it returns. */
const char *prof_interval_rows_number(const struct prof_cell *cell, int places, char *buffer);

#endif
