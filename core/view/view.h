/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The views: one table of them, and what the user may choose. */
#ifndef PROF_VIEW_VIEW_H
#define PROF_VIEW_VIEW_H

#include "base/option.h"
#include "base/progress.h"
#include "base/text.h"
#include "metric/filter.h"
#include "parallel/user_stacks.h"
#include "report/markup.h"
#include "report/sheet.h"

struct prof_code;
struct prof_experiment;

enum prof_format {
	PROF_FORMAT_TEXT,
	PROF_FORMAT_CSV,
	PROF_FORMAT_JSON,
	PROF_FORMATS,                       /* so many do all views have */
	PROF_FORMAT_PICTURE = PROF_FORMATS, /* SVG, of those that can be drawn */
	PROF_FORMATS_DRAWN,
};

/* The words for them: the first PROF_FORMATS, or all. */
extern const char *const prof_format_names[PROF_FORMATS_DRAWN];

/* The words for inlined code: it is apart, or a part of the function around it. */
extern const char *const prof_inline_names[2];

/* What the user chose of what all views have; all zeroes are the defaults. */
struct prof_choice {
	enum prof_format format;
	const char *metrics; /* see prof_shown_read(); borrowed */
	struct prof_filter filter;
	enum prof_stacks stacks;
	bool folded; /* inlined functions belong to those that they are inlined in */
	struct prof_markup markup;
	bool blocks;            /* the reader of the text sees blocks of Unicode, such as bars */
	const char *function;   /* its name, or those of a fragment; NULL: none was given */
	struct prof_code *code; /* what is known of the program's code; NULL: nothing */
	/* The struct of the options that are the view's own; NULL: its defaults. */
	const void *own;
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
	bool here;      /* without a name, it may show the function where the user is */
	bool traced;    /* it shows what was traced or counted, and no samples */
	unsigned needs; /* bits of enum prof_has: it needs one of these */
	/* What it shows of EXPERIMENT unless metrics were chosen; NULL, or returns NULL: the
	 * default. */
	const char *(*metrics)(const struct prof_experiment *experiment);
	/* Is its text printed without the heading?  NULL: never. */
	bool (*is_bare)(const struct prof_experiment *experiment, const struct prof_choice *choice);
	/* Is its text that of another tool, byte for byte?  NULL: never. */
	bool (*is_exact)(const struct prof_choice *choice);
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
 * Adds what readers must know of how EXPERIMENT was recorded: the rate asked for and reached, ticks
 * lost, the share of time that the program was kept stopped.  For what was imported, adds only what
 * is missing in it.
 */
void prof_view_heading(const struct prof_experiment *experiment, struct prof_text *text);

/* Adds what FILTER is and how much of SHEET's experiment it lets pass; nothing if there is none. */
void prof_view_filter(
	const struct prof_sheet *sheet, const struct prof_filter *filter, struct prof_text *text);

#endif
