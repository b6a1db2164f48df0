/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Arcs: calls from one place to one function.  They were counted while a program was recorded, or
 * come from a file; then they replace stacks, and have the costs of the calls.
 *
 * Two frames identify an arc: that of the call, and that of the callee, which is the outermost
 * location of its frame.  Equal arcs may occur several times, and add up.  If a function has an arc
 * of any kind but PROF_ARC_PART, it was counted.  Then all its calls are known, and if it has none
 * but was traced, the traced ones are all: unless an arc of that kind says that some are missing.
 */
#ifndef PROF_MODEL_ARCS_H
#define PROF_MODEL_ARCS_H

#include "base/error.h"
#include "base/value.h"
#include "model/arc_kind.h"
#include "model/sample_row.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prof_experiment;

struct prof_arc {
	int64_t time;    /* ns since the experiment's start; 0, if not known */
	uint32_t callee; /* frame: where the function is entered */
	/* Frame: the call.  CALLEE where the kind is not of calls, or nobody is known to call. */
	uint32_t caller;
	uint64_t calls; /* to be added up; 0, if not of calls; at most INT64_MAX */
	uint8_t kind;   /* enum prof_arc_kind */
};

/* What the calls of an arc have cost, in the callee and in all that it called. */
struct prof_arc_value {
	uint32_t arc;     /* no smaller than that of the row before */
	uint8_t quantity; /* enum prof_quantity; those of an arc are all different */
	prof_value value; /* 0 or more, at most PROF_VALUE_MOST */
};

/* May ARC be in EXPERIMENT? */
bool prof_arc_is_valid(const struct prof_experiment *experiment, const struct prof_arc *arc);

/* May VALUE be the next one in EXPERIMENT? */
bool prof_arc_value_is_valid(
	const struct prof_experiment *experiment, const struct prof_arc_value *value);

/* Were calls of any function counted in EXPERIMENT, or do they come from a file? */
bool prof_arcs_are_counted(const struct prof_experiment *experiment);

/* Adds ARC, which is valid. */
struct prof_error *prof_experiment_arc(
	struct prof_experiment *experiment, const struct prof_arc *arc) PROF_MUST_CHECK;

/* Adds VALUE, which is valid. */
struct prof_error *prof_experiment_arc_value(
	struct prof_experiment *experiment, const struct prof_arc_value *value) PROF_MUST_CHECK;

/* Adds CALLS from the frame CALLER, or PROF_NONE, to the frame CALLEE that have cost VALUES. */
struct prof_error *prof_experiment_arc_cost(struct prof_experiment *experiment, uint32_t caller,
	uint32_t callee, uint64_t calls, const prof_value values[PROF_QUANTITIES]) PROF_MUST_CHECK;

/* Goes through the arcs that have costs.  To begin, all members are zero except the experiment. */
struct prof_arc_costs {
	const struct prof_experiment *experiment; /* borrowed */
	/* The arc at hand. */
	uint32_t caller; /* frame; PROF_NONE: not known */
	uint32_t callee; /* frame */
	uint64_t calls;
	prof_value values[PROF_QUANTITIES]; /* see enum prof_quantity; times are in ns */

	/* Private part. */
	size_t next; /* value */
};

/* Moves COSTS to the next arc.  False: there is none. */
bool prof_arc_costs_next(struct prof_arc_costs *costs);

/* The number of arcs of EXPERIMENT that have costs. */
size_t prof_arc_costs_count(const struct prof_experiment *experiment);

#endif
