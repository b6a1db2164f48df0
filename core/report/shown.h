/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The metrics that a view shows side by side, in the Analyzer's words: "e.cpu:i%wall". */
#ifndef PROF_REPORT_SHOWN_H
#define PROF_REPORT_SHOWN_H

#include "metric/metric.h"

/* One metric: which of it, and how. */
struct prof_shown {
	struct prof_metric metric;
	bool exclusive, inclusive;
	bool value, percent;
	bool rough; /* of so few samples that percent are shown as whole numbers */
};

struct prof_shown_list {
	struct prof_shown items[16];
	size_t count;
};

/*
 * Reads TEXT, metrics of EXPERIMENT with a comma or a colon between two; NULL stands for the
 * default.  Where a name has colons itself, the longest name that there is counts.  Before the name
 * of each there may stand which of it is shown, `e`, `i` or both, and then how, `.` or `+` for
 * values, `%` for percent, or both; where these are missing it is all.
 */
struct prof_error *prof_shown_read(const struct prof_experiment *experiment, const char *text,
	struct prof_shown_list *ret) PROF_MUST_CHECK;

#endif
