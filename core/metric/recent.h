/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where the recent past of an experiment begins, as the user says it. */
#ifndef PROF_METRIC_RECENT_H
#define PROF_METRIC_RECENT_H

#include "metric/filter.h"
#include "model/experiment.h"

/*
 * Where the time begins that FILTER leaves of EXPERIMENT by its conditions `last` and `since`, ns
 * since the start; INT64_MIN, if it has neither.  What cannot be read is an error.
 */
struct prof_error *prof_recent_begin(const struct prof_experiment *experiment,
	const struct prof_filter *filter, int64_t *ret) PROF_MUST_CHECK;

#endif
