/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A listing: rows of code with metrics beside those that have instructions, and marks at the hot
 * ones. The views of source and of instructions print it.
 */
#ifndef PROF_VIEW_LISTING_H
#define PROF_VIEW_LISTING_H

#include "base/option.h"
#include "metric/groups.h"
#include "report/grid.h"
#include "report/table.h"

struct prof_choice;
struct prof_sheet;

enum { PROF_LISTING_CELLS = 5 };

/* A row is hot that has such a share, in percent, of the most that any row has of one metric. */
enum { PROF_LISTING_HOT = 75 };

enum prof_listing_kind {
	PROF_LISTING_TOTAL, /* the whole profile's metrics */
	PROF_LISTING_SUM,   /* metrics that the rows of code have once more */
	PROF_LISTING_CODE,  /* metrics */
	PROF_LISTING_TEXT,  /* no metrics */
};

struct prof_listing_row {
	enum prof_listing_kind kind;
	struct prof_cell cells[PROF_LISTING_CELLS];
};

/* A column for one of the cells. */
struct prof_listing_column {
	const char *name; /* in CSV and JSON */
	struct prof_grid_column head;
	bool data; /* it is not in text */
};

struct prof_listing {
	const struct prof_sheet *sheet; /* borrowed */
	PROF_ARRAY(struct prof_listing_row) rows;
	/* By item: the rows of code, and those of sums, that have its metrics. */
	struct prof_grouping code, sums;

	/* Private part. */
	PROF_ARRAY(char *) texts; /* what cells hold */
};

/* A listing without rows, of SHEET, which is borrowed. */
struct prof_error *prof_listing_init(
	struct prof_listing *listing, const struct prof_sheet *sheet) PROF_MUST_CHECK;

/* Frees what LISTING holds. */
void prof_listing_deinit(struct prof_listing *listing);
#define AUTO_LISTING PROF_AUTO(prof_listing_deinit)

/* A new last row, its cells empty, or NULL where memory is short. */
struct prof_listing_row *prof_listing_row(
	struct prof_listing *listing, enum prof_listing_kind kind);

/* The number of the last row. */
uint32_t prof_listing_last(const struct prof_listing *listing);

/* A cell of what printf() would print. */
struct prof_cell prof_listing_cell(struct prof_listing *listing, const char *format, ...)
	PROF_PRINTF(2, 3);

/* Prints LISTING of VIEW with COLUMNS of WIDTH; as text, after the notes of the choice's code. */
struct prof_error *prof_listing_print(struct prof_listing *listing, const char *view,
	const struct prof_listing_column *columns, size_t width, const struct prof_choice *choice,
	struct prof_text *text) PROF_MUST_CHECK;

/* The options of views of code. */
extern const struct prof_options prof_listing_options;

#endif
