/* The metrics that a view shows side by side, in the Analyzer's words: "e.cpu:i%wall". */
#ifndef PROF_VIEW_SHOWN_H
#define PROF_VIEW_SHOWN_H

#include "metric/metric.h"

/* One metric: which of it, and how. */
struct prof_shown {
	const struct prof_metric *metric;
	bool exclusive, inclusive;
	bool value, percent;
	bool rough; /* of so few samples that percent are shown as whole numbers */
};

/* All zeroes is what a view shows unasked: the first metric of the table. */
struct prof_shown_list {
	struct prof_shown items[16];
	size_t count;
};

/*
 * Reads TEXT, metrics with a comma or a colon between two.  Before the name of each there may stand
 * which of it is shown, `e`, `i` or both, and then how, `.` or `+` for values, `%` for percent, or
 * both; where these are missing it is all.
 */
struct prof_error *prof_shown_read(const char *text, struct prof_shown_list *ret) PROF_MUST_CHECK;

#endif
