/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The folded text that flame graphs are drawn from (export/folded.h): a line `root;...;leaf WEIGHT`
 * for each stack, or, for a chart over time, for each time that it came.
 */
#ifndef PROF_PICTURE_FLAME_H
#define PROF_PICTURE_FLAME_H

#include "base/value.h"

#include <stdbool.h>

struct prof_error;
struct prof_sheet;
struct prof_text;

#define PROF_FLAME_DEEPEST UINT64_MAX

struct prof_flame {
	/*
	 * In the order of time, thread by thread, instead of equal stacks added up and sorted by
	 * their text.  What was imported has a line for each sample; in a recording, neighbours
	 * that are equal are added up.
	 */
	bool chart;
	/* Stacks deeper than that are left out; those of one function have depth 0. */
	uint64_t max_depth;

	/* What was found. */
	prof_value total;    /* of the metric */
	prof_value left_out; /* of it: it was too deep */
};

/*
 * Prints into TEXT what FLAME wants of the samples of SHEET, which needs no profiles, and shows one
 * metric, in its own unit as in export/folded.h.  What would be too large for any graph is refused.
 */
struct prof_error *prof_flame_print(const struct prof_sheet *sheet, struct prof_flame *flame,
	struct prof_text *text) PROF_MUST_CHECK;

/*
 * Prints a line with the part of SHEET's metric that the graph leaves out because it is too deep;
 * nothing if it has all.
 */
void prof_flame_left_out(
	const struct prof_sheet *sheet, const struct prof_flame *flame, struct prof_text *text);

#endif
