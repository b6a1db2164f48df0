/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The views: one table of them, and what the user may choose. */
#ifndef PROF_VIEW_VIEW_H
#define PROF_VIEW_VIEW_H

#include "base/option.h"
#include "base/progress.h"
#include "base/text.h"
#include "callgraph/gnu.h"
#include "metric/collapse.h"
#include "metric/data.h"
#include "report/sheet.h"
#include "view/code.h"

enum prof_format {
	PROF_FORMAT_TEXT,
	PROF_FORMAT_CSV,
	PROF_FORMAT_JSON,
	PROF_FORMATS,
};

/* The words for them. */
extern const char *const prof_format_names[PROF_FORMATS];

/* The words for inlined code: it is apart, or a part of the function around it. */
extern const char *const prof_inline_names[2];

/* The columns of the tree. */
enum prof_columns {
	PROF_COLUMNS_RAW,
	PROF_COLUMNS_PERCENT,
	PROF_COLUMNS_PARENT,
	PROF_COLUMNS_ALL,
	PROF_COLUMNS,
};

extern const char *const prof_columns_names[PROF_COLUMNS];

enum prof_sort {
	PROF_SORT_DEFAULT, /* the view's own */
	PROF_SORT_FIRST,   /* first encounter */
	PROF_SORT_INCLUSIVE,
	PROF_SORT_EXCLUSIVE,
	PROF_SORT_NAME,
	PROF_SORTS,
};

extern const char *const prof_sort_names[PROF_SORTS];

enum prof_style {
	PROF_STYLE_MANUAL, /* as the examples in gprof's manual */
	PROF_STYLE_GNU,    /* as GNU gprof prints */
	PROF_STYLES,
};

extern const char *const prof_style_names[PROF_STYLES];

/* What the user chose; all zeroes are the defaults. */
struct prof_choice {
	enum prof_format format;
	const char *metrics; /* see prof_shown_read(); borrowed */
	struct prof_filter filter;
	bool folded;    /* inlined functions belong to those that they are inlined in */
	uint64_t limit; /* rows, panels of callers, entries of the call graph; 0: all */
	enum prof_sort sort;
	enum prof_degree collapse;
	enum prof_columns columns;
	enum prof_data_unit unit; /* of lists of data */
	uint64_t max_level;       /* of the tree; 0: all */
	double min_percent;       /* likewise: of the total, from 0 to 100 */
	bool bars; /* of lists and the tree: text shows shares as blocks of Unicode too */
	enum prof_style style;
	bool flat, graph;               /* only this of gprof's two; neither: both */
	bool all;                       /* functions too that were never called, nor met */
	struct prof_gnu_choice counted; /* of counts; borrowed texts */
	const char *function;   /* of callers: its name, or those of a fragment; NULL: every one */
	const char *mark;       /* of the heap: when; NULL: at its peak */
	struct prof_code *code; /* what is known of the program's code; NULL: nothing */
};

struct prof_view {
	const char *name; /* "tree" is the command prof-tree */
	/* The functions that may be named, as the help of the command shows it; NULL: none. */
	const char *usage;
	/* The help: its first line is one sentence, which lists show alone. */
	const char *describe;
	const struct prof_options *options;
	/* Prints the view of SHEET into TEXT in the chosen format. */
	struct prof_error *(*print)(const struct prof_sheet *sheet,
		const struct prof_choice *choice, struct prof_text *text);
	enum prof_kind kind; /* what the sheet is made of */
	enum prof_want want;
	unsigned needs; /* bits of enum prof_has: it needs one of these */
};

/* The table, in the order in which views are listed; NULL ends it. */
extern const struct prof_view *const prof_views[];

/* The view NAME, or NULL. */
const struct prof_view *prof_view_find(const char *name);

/*
 * Prints VIEW of EXPERIMENT into TEXT: as text, with a heading that says how it was recorded, if
 * it was, and what the filter is, if there is one.
 */
struct prof_error *prof_view_print(const struct prof_view *view,
	const struct prof_experiment *experiment, const struct prof_choice *choice,
	const struct prof_progress *progress, struct prof_text *text) PROF_MUST_CHECK;

/*
 * Adds what is to be known of how EXPERIMENT was recorded: the rate asked for and reached, ticks
 * lost, the share of time that the program was kept stopped.  Of what was imported only what is
 * missing in it.
 */
void prof_view_heading(const struct prof_experiment *experiment, struct prof_text *text);

/* Adds what FILTER is and how much of SHEET's experiment it lets pass; nothing if there is none. */
void prof_view_filter(
	const struct prof_sheet *sheet, const struct prof_filter *filter, struct prof_text *text);

#endif
