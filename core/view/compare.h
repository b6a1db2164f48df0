/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Comparing: two experiments side by side, and what has changed from the one to the other. */
#ifndef PROF_VIEW_COMPARE_H
#define PROF_VIEW_COMPARE_H

#include "metric/collapse.h"
#include "metric/comparison.h"
#include "view/options.h"

enum prof_compare_view {
	PROF_COMPARE_FUNCTIONS,
	PROF_COMPARE_CALLERS,
	PROF_COMPARE_TREE,
	PROF_COMPARE_VIEWS,
};

/* The words for them. */
extern const char *const prof_compare_names[PROF_COMPARE_VIEWS];

/* What a comparison has users choose. */
struct prof_compare_choice {
	enum prof_compare_view view;
	bool normalize; /* compare shares of the totals, not values */
	enum prof_sort sort;
	enum prof_degree collapse; /* of the tree, as the next two are */
	uint64_t max_level;        /* 0: any */
	double min_percent;        /* of the total on either side, from 0 to 100 */
	uint64_t limit;            /* rows, panels of callers; 0: all */
};

/* The options of prof-compare, which fill struct prof_compare_choice. */
extern const struct prof_options prof_compare_options;

struct prof_compare_request {
	/* What is compared with what: A, then B; borrowed. */
	const struct prof_experiment *experiments[PROF_COMPARISON_SIDES];
	const char *files[PROF_COMPARISON_SIDES]; /* what they are called */
	/* The filters of the sides, two parts of one experiment; NULL: that of the choice. */
	const struct prof_filter *filters[PROF_COMPARISON_SIDES];
	bool normalize; /* compare shares of the totals, not values */
	/* Where it is printed, `own` is a struct prof_compare_choice, or NULL. */
	const struct prof_choice *choice;
};

/* Compares, as the choice says; for whoever shows it otherwise. */
struct prof_error *prof_compare_create(const struct prof_compare_request *request,
	const struct prof_progress *progress, struct prof_comparison **ret) PROF_MUST_CHECK;

/* Adds lines on what is compared: the files, how each was recorded, and how much is in it. */
void prof_compare_heading(const struct prof_compare_request *request,
	const struct prof_comparison *comparison, struct prof_text *text);

/* Prints the comparison into TEXT.  Rows stand in the order of how much they changed. */
struct prof_error *prof_compare_print(const struct prof_compare_request *request,
	const struct prof_progress *progress, struct prof_text *text) PROF_MUST_CHECK;

#endif
