/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two parts of one experiment that are compared: filters that were given twice. */
#ifndef PROF_PLUGIN_COMMAND_COMPARE_PARTS_H
#define PROF_PLUGIN_COMMAND_COMPARE_PARTS_H

#include "base/text.h"
#include "metric/comparison.h"
#include "metric/filter.h"

struct option_values;

/* All zeroes before it is read. */
struct compare_parts {
	bool any;                                          /* a filter was given twice */
	struct prof_filter filters[PROF_COMPARISON_SIDES]; /* of A, and of B; texts are borrowed */
	struct prof_text names[PROF_COMPARISON_SIDES];     /* what differs, as it was typed */
};

/* Reads which filters VALUES has twice; of all others there is FILTER on both sides. */
struct prof_error *compare_parts_read(const struct option_values *values,
	const struct prof_filter *filter, struct compare_parts *ret) PROF_MUST_CHECK;

void compare_parts_deinit(struct compare_parts *parts);

/* The error that COMMAND has nothing to compare: neither files, nor parts. */
struct prof_error *compare_parts_missing(const char *command) PROF_MUST_CHECK;

#endif
