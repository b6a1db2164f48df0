/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Calls of functions that were traced one by one: how often, how long, and with what. */
#ifndef PROF_METRIC_TRACES_H
#define PROF_METRIC_TRACES_H

#include "metric/selection.h"

/* An argument of a function's calls, or what they returned. */
struct prof_traces_argument {
	uint32_t name; /* string */
	struct prof_argument_sum sum;
	prof_value calls; /* that had it */
};

struct prof_traces_function {
	uint32_t function;        /* of the experiment */
	prof_value calls, inside; /* ns, each call on its own */
	int64_t longest;          /* ns */
	size_t first, count;      /* of its arguments */
};

/* All zeroes is none. */
struct prof_traces {
	PROF_ARRAY(struct prof_traces_function) functions; /* the longest time inside first */
	/* Those of a function side by side, in the order in which they were asked for. */
	PROF_ARRAY(struct prof_traces_argument) arguments;
};

/* The calls that EXPERIMENT's samples, those of SELECTION unless it is NULL, stand for. */
struct prof_error *prof_traces_init(struct prof_traces *traces,
	const struct prof_experiment *experiment,
	const struct prof_selection *selection) PROF_MUST_CHECK;

void prof_traces_deinit(struct prof_traces *traces);
#define AUTO_TRACES PROF_AUTO(prof_traces_deinit)

#endif
