/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables as JSON. */
#ifndef PROF_REPORT_JSON_H
#define PROF_REPORT_JSON_H

#include "report/table.h"

#include <stdbool.h>

struct prof_experiment;
struct prof_metric;

/* One side of a comparison. */
struct prof_json_side {
	const char *file;                         /* borrowed */
	const struct prof_experiment *experiment; /* borrowed */
	prof_value total;                         /* of the metric */
};

/* What a view's tables have in common. */
struct prof_json_head {
	const char *view;
	/* Borrowed; NULL: there are two, see below, or the view is of none. */
	const struct prof_experiment *experiment;
	const struct prof_metric *metric; /* NULL: the view has none, and no total */
	prof_value total;                 /* of the metric */

	/* Of a comparison; else NULL. */
	const char *by;                     /* what is compared: "functions" */
	const struct prof_json_side *sides; /* two, the objects "a" and "b" */
	bool normalized;                    /* shares are compared */
};

/*
 * Prints one object, and nothing but ASCII: what HEAD says, how the experiment was recorded if it
 * was, and the rows of the COUNT TABLES under their keys, each row an object.  Names are as they
 * are, unless they are no valid UTF-8: prof_text_name() stands for those.
 */
struct prof_error *prof_json_print(const struct prof_json_head *head,
	const struct prof_table *const *tables, size_t count,
	struct prof_text *text) PROF_MUST_CHECK;

/* Adds NAME as a string of JSON, in quotes, in the same way. */
struct prof_error *prof_json_string(const char *name, struct prof_text *text) PROF_MUST_CHECK;

#endif
