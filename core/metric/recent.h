/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where the recent past of an experiment begins, as the user wrote it. */
#ifndef PROF_METRIC_RECENT_H
#define PROF_METRIC_RECENT_H

#include "base/error.h"

#include <stdint.h>

struct prof_experiment;
struct prof_filter;

/*
 * The time from which on samples of EXPERIMENT pass the conditions `last` and `since` of FILTER, in
 * ns since the start; INT64_MIN: it has neither.  What cannot be read is an error.
 */
struct prof_error *prof_recent_begin(const struct prof_experiment *experiment,
	const struct prof_filter *filter, int64_t *ret) PROF_MUST_CHECK;

#endif
