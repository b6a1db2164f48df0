/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Calls that were counted, as a profile: of each call no more is known than who called, and what
 * was called, which is a stack of two.
 */
#ifndef PROF_METRIC_CALL_PROFILE_H
#define PROF_METRIC_CALL_PROFILE_H

#include "base/error.h"

#include <stdbool.h>

struct prof_call_counts;
struct prof_experiment;
struct prof_items;
struct prof_metric;
struct prof_profile;

/*
 * Is METRIC that of calls, of which EXPERIMENT has counted some?  Samples carry only those that
 * were traced.
 */
bool prof_call_profile_exists(
	const struct prof_experiment *experiment, const struct prof_metric *metric);

/*
 * The profile of CALLS in METRIC, made of the functions in ITEMS, all borrowed.  A caller that is
 * not known is left out.
 */
struct prof_error *prof_call_profile_create(const struct prof_call_counts *calls,
	const struct prof_items *items, const struct prof_metric *metric,
	struct prof_profile **ret) PROF_MUST_CHECK;

#endif
