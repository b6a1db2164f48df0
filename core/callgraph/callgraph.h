/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The call graph as gprof shows it, with cycles.
 *
 * An entry is a function, or a cycle (a strongly connected component of two or more functions) as a
 * whole; cycles are numbered in the order of their smallest functions.  From stacks the times are
 * true: they are counted, since the members of a cycle stand next to each other in any stack.  From
 * call counts they are shared out in proportion to the calls, unless the costs of calls are known.
 *
 * A recording can have both: times are those of the stacks, and calls those that were counted, of
 * some functions.
 */
#ifndef PROF_CALLGRAPH_CALLGRAPH_H
#define PROF_CALLGRAPH_CALLGRAPH_H

#include "base/value.h"
#include "metric/call_counts.h"

#include <stdbool.h>

struct prof_error;
struct prof_experiment;
struct prof_metric;
struct prof_profile;

/* One line above or below an entry's own. */
struct prof_graph_arc {
	uint32_t caller,
		callee; /* functions; or, of a cycle's lines, see struct prof_graph_entry */
	prof_value self, children; /* time that came along it; not defined if `inside` */
	prof_value calls; /* calls or samples along it; as much as its callee's are known */
	bool inside;      /* both ends are the same function, or members of the same cycle */
};

struct prof_graph_entry {
	uint32_t function; /* PROF_NONE: a cycle as a whole */
	uint32_t cycle;    /* number of the cycle that it is or belongs to, from 1; 0: none */
	prof_value self, children;
	prof_value calls;      /* from outside: of the function, of the cycle for its members */
	prof_value recursive;  /* by itself; of a cycle, among its members and by themselves */
	prof_value inside;     /* of a member: by other members, of its cycle; not in `calls` */
	enum prof_known known; /* how much of these three is; if not at all they are 0 */
	bool spontaneous;      /* it is, at least once, called by nobody that is known */
	bool seen;             /* it has calls or time: unseen functions have no entry to print */
};

/*
 * ENTRIES: first one per function, by its number, then one per cycle, by its number less 1.
 * ARCS: every arc between two functions once; those into a cycle carry the share of the whole
 * cycle.  CYCLE_CALLERS and CYCLE_CALLEES: the lines of the cycles' own entries, `callee` and
 * `caller` there being the cycle's entry.
 */
struct prof_callgraph {
	const struct prof_experiment *experiment; /* for names; borrowed */
	const struct prof_metric *metric;
	bool counted;     /* `calls` are calls; else they are samples */
	bool partly;      /* they were counted of some functions only, beside stacks */
	prof_value total; /* 100 % */
	size_t functions; /* so many entries are functions */
	PROF_ARRAY(struct prof_graph_entry) entries;
	PROF_ARRAY(struct prof_graph_arc) arcs, cycle_callers, cycle_callees;
};

/*
 * From the stacks of PROFILE, and COUNTED calls of some functions, all zeroes if there are none;
 * both are borrowed for the call.  Values are in the unit of the profile's metric.
 */
struct prof_error *prof_callgraph_from_stacks(const struct prof_profile *profile,
	const struct prof_call_counts *counted, struct prof_callgraph **ret) PROF_MUST_CHECK;

/* From SELF, a value of METRIC per function that EXPERIMENT or CALLS have, and COUNT calls. */
struct prof_error *prof_callgraph_from_calls(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const prof_value *self,
	const struct prof_call_count *calls, size_t count,
	struct prof_callgraph **ret) PROF_MUST_CHECK;

/*
 * The same where the `value` of each call is known.  In a cycle that has no meaning; the others are
 * divided in self and children as the time of the callee, or of its cycle, is.
 */
struct prof_error *prof_callgraph_from_costs(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const prof_value *self,
	const struct prof_call_count *calls, size_t count,
	struct prof_callgraph **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_callgraph_destroy(struct prof_callgraph *graph);

/* Asserts everything that holds of a call graph; for tests and debugging. */
void prof_callgraph_check(const struct prof_callgraph *graph);

#endif
