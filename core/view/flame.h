/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures: flame graphs as SVG, interactive where scripts run, readable where none do. */
#ifndef PROF_VIEW_FLAME_H
#define PROF_VIEW_FLAME_H

#include "base/option.h"
#include "picture/paint.h"

#include <stdbool.h>

struct prof_compare_request;
struct prof_sheet;

/* What prof-flame has users choose. */
struct prof_flame_choice {
	bool chart;         /* as in struct prof_flame and struct prof_picture_request */
	uint64_t max_depth; /* the same */
	/* For pictures only: */
	bool inverted;
	enum prof_color color; /* PROF_COLORS: the one that fits what is drawn */
	bool normalize;        /* of a difference */
};

/* The options of prof-flame, which fill struct prof_flame_choice. */
extern const struct prof_options prof_flame_options;

struct prof_picture_request {
	bool chart;            /* of a sheet: over time, see picture/chart.h */
	bool inverted;         /* the functions that stacks end in stand in the first row */
	enum prof_color color; /* of a sheet: by object or state */
	uint64_t max_depth;    /* as in struct prof_flame */
	const char *notes;     /* lines to print below the picture of a sheet */
};

/*
 * Prints into TEXT the picture that REQUEST asks for of SHEET, which shows one metric and has its
 * profile.  Boxes narrower than a tenth of a pixel are left out, and the picture says so.  Names
 * are nothing but text in it.
 */
struct prof_error *prof_picture_print(const struct prof_sheet *sheet,
	const struct prof_picture_request *request, struct prof_text *text) PROF_MUST_CHECK;

/*
 * The same of what COMPARE compares: coloured by the difference of B to A.  Boxes are as wide as
 * both together, or as both shares together if it is normalized.
 */
struct prof_error *prof_picture_compare(const struct prof_compare_request *compare,
	const struct prof_picture_request *request, const struct prof_progress *progress,
	struct prof_text *text) PROF_MUST_CHECK;

#endif
