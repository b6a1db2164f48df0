/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Calls of functions that were traced one by one: how often, how long, and with what. */
#ifndef PROF_METRIC_TRACED_CALLS_H
#define PROF_METRIC_TRACED_CALLS_H

#include "base/memory.h"
#include "base/value.h"
#include "model/traced.h"

struct prof_error;
struct prof_experiment;
struct prof_selection;

/* An argument of a function's calls, or what they returned. */
struct prof_traced_calls_argument {
	uint32_t name; /* string */
	struct prof_argument_sum sum;
	prof_value calls; /* that had it */
};

struct prof_traced_calls_function {
	uint32_t function;   /* of the experiment */
	prof_value calls;    /* how many */
	prof_value inside;   /* ns in them, each call on its own */
	int64_t longest;     /* ns */
	size_t first, count; /* of its arguments */
};

/* All zeroes is none. */
struct prof_traced_calls {
	PROF_ARRAY(struct prof_traced_calls_function) functions; /* the longest time inside first */
	/* Those of one function stand side by side, in the order in which the user named them. */
	PROF_ARRAY(struct prof_traced_calls_argument) arguments;
};

/* The calls that EXPERIMENT's samples, those of SELECTION unless it is NULL, stand for. */
struct prof_error *prof_traced_calls_init(struct prof_traced_calls *all,
	const struct prof_experiment *experiment,
	const struct prof_selection *selection) PROF_MUST_CHECK;

void prof_traced_calls_deinit(struct prof_traced_calls *all);
#define AUTO_TRACED_CALLS PROF_AUTO(prof_traced_calls_deinit)

#endif
