/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the views of a comparison share. */
#ifndef PROF_VIEW_COMPARE_PRIVATE_H
#define PROF_VIEW_COMPARE_PRIVATE_H

#include "metric/functions.h"
#include "view/changes.h"
#include "view/compare.h"

/* A comparison that is being printed. */
struct prof_compare {
	const struct prof_compare_request *request;
	const struct prof_compare_choice *own;
	struct prof_comparison *comparison;
	struct prof_changes changes; /* the measures are set; the columns are the view's to make */
};

/*
 * The metric that is compared, as each side has it: the one that was asked for, or samples; or
 * times, if the samples of the two stand for different amounts of it.
 */
struct prof_error *prof_compare_metrics(const struct prof_compare_request *request,
	struct prof_metric metrics[PROF_COMPARISON_SIDES]) PROF_MUST_CHECK;

/* Adds a line on that, if METRIC was chosen so, or is samples and should not be. */
void prof_compare_print_rates(const struct prof_compare_request *request,
	const struct prof_metric *metric, struct prof_text *text);

/* Prints the table of COMPARE in the chosen format; PRINT does so for text. */
struct prof_error *prof_compare_emit(const struct prof_compare *compare,
	void (*print)(const struct prof_changes *changes, struct prof_text *text),
	struct prof_text *text) PROF_MUST_CHECK;

/* Each fills in the table of COMPARE, and prints it. */
struct prof_error *prof_compare_functions(
	struct prof_compare *compare, struct prof_text *text) PROF_MUST_CHECK;
struct prof_error *prof_compare_callers(
	struct prof_compare *compare, struct prof_text *text) PROF_MUST_CHECK;
struct prof_error *prof_compare_tree(
	struct prof_compare *compare, struct prof_text *text) PROF_MUST_CHECK;

/*
 * The functions that any side has seen, those of OF, by side, in a new array of *COUNT: those that
 * changed most first, unless the choice says something else.
 */
struct prof_error *prof_compare_order(const struct prof_compare *compare,
	struct prof_functions *const *of, uint32_t **ret, size_t *count) PROF_MUST_CHECK;

#endif
