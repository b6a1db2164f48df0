/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Single calls of functions: how long they took, which were the longest, and what those called. */
#ifndef PROF_METRIC_CALL_LIST_H
#define PROF_METRIC_CALL_LIST_H

#include "base/progress.h"
#include "metric/durations.h"
#include "model/single_calls.h"

#include <stdbool.h>

struct prof_experiment;
struct prof_selection;

/* Which calls; all is borrowed. */
struct prof_call_request {
	const struct prof_experiment *experiment;
	const struct prof_selection *selection; /* NULL: all */
	/* By function of the experiment: calls of these, which are one group, are listed.  NULL:
	   each function is a group of its own, and no calls are listed. */
	const bool *functions;
	uint64_t limit; /* of the list: so many of the longest; 0: all */
	const struct prof_progress *progress;
};

/* Calls that are taken together. */
struct prof_call_group {
	uint32_t function;               /* of its first call */
	uint64_t ends[PROF_CALL_ENDS];   /* how many ended in each way */
	struct prof_durations durations; /* of all that ended; sorted */
};

/* The calls of one function by a call. */
struct prof_call_callee {
	uint32_t call; /* that made them: its number in the list */
	uint32_t function;
	uint64_t calls;
	prof_value time; /* ns */
};

struct prof_listed_call {
	uint32_t number;   /* of the experiment's calls */
	uint32_t function; /* that was called */
	uint32_t thread, path;
	uint8_t end;           /* enum prof_call_end */
	int64_t begin;         /* ns since the experiment's start */
	int64_t duration;      /* ns */
	size_t first, callees; /* of the list of callees */
};

/* All zeroes is none. */
struct prof_call_list {
	PROF_ARRAY(struct prof_call_group) groups;   /* the most time first */
	PROF_ARRAY(struct prof_listed_call) items;   /* the longest first */
	PROF_ARRAY(struct prof_call_callee) callees; /* call by call, the most time first */
	uint64_t calls;                              /* that the request is for, listed or not */
};

/*
 * The calls that REQUEST is for.  A call is in the time in which it began.  What it called are the
 * single calls with its thread and stack within its time, whatever the selection is.
 */
struct prof_error *prof_call_list_init(
	struct prof_call_list *list, const struct prof_call_request *request) PROF_MUST_CHECK;

void prof_call_list_deinit(struct prof_call_list *list);
#define AUTO_CALL_LIST PROF_AUTO(prof_call_list_deinit)

/* The function that the innermost frame of PATH is of: the one around any that is inlined there. */
uint32_t prof_call_function(const struct prof_experiment *experiment, uint32_t path);

/* Fills in what the listed calls of LIST called, those of EXPERIMENT; a part of the init. */
struct prof_error *prof_call_list_add_callees(struct prof_call_list *list,
	const struct prof_experiment *experiment,
	const struct prof_progress *progress) PROF_MUST_CHECK;

#endif
