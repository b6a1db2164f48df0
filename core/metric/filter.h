/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A filter: which samples are looked at, as the user wrote it.  One table of the conditions that
 * there are; a sample must meet all that are given.
 */
#ifndef PROF_METRIC_FILTER_H
#define PROF_METRIC_FILTER_H

#include "base/text.h"

#include <stdint.h>

/*
 * The table of conditions: each has the name of an option, its value and its help.  It is a macro,
 * of which other tables are made by a ROW of their own.
 */
#define PROF_CONDITION_TABLE(ROW)                                                                                   \
	ROW(INTERVAL, "interval", "RANGE,...",                                                                      \
		"Select samples in these intervals, as in 2-4,7; prof-intervals lists them.")                       \
	ROW(BETWEEN, "between", "LABEL,LABEL", "Select samples between marks with these labels.")                   \
	ROW(THREAD, "thread", "THREAD,...", "Select samples of these threads, by id or name.")                      \
	ROW(PROCESS, "process", "PROCESS,...", "Select samples of these processes, by id.")                         \
	ROW(RANK, "rank", "RANGE,...",                                                                              \
		"Select samples of these ranks of a parallel job, as in 0-15,63.")                                  \
	ROW(TIME, "time", "RANGE,...",                                                                              \
		"Select samples at these times since the start, as in 1.5s-3s,800ms-1s,7s-.")                       \
	ROW(LAST, "last", "TIME", "Select samples of the last TIME of the recording, as in 10m.")                   \
	ROW(SINCE, "since", "TIME|MARK|stop[:N]",                                                                   \
		"Select samples since a time after the start, such as 2h, a time of day, such as 14:30, "           \
		"the last mark of this label, or the last stop of the program; stop:N is N stops ago.")             \
	ROW(STATE, "state", "STATE,...",                                                                            \
		"Select time in these states: user, system, runqueue, lock, fault, text-fault, data-fault, other.") \
	ROW(OBJECT, "object", "NAME", "Select stacks with code of this load object.")                               \
	ROW(FUNCTION, "function", "NAME", "Select stacks with this function.")                                      \
	ROW(LEAF, "leaf", "NAME", "Select stacks that end in this function.")                                       \
	ROW(NOT_FUNCTION, "not-function", "NAME", "Select stacks without this function.")

#define PROF_CONDITION_OF(id, name, value, describe) PROF_CONDITION_##id,
enum prof_condition {
	PROF_CONDITION_TABLE(PROF_CONDITION_OF) PROF_CONDITIONS,
};

/* Their names. */
extern const char *const prof_condition_names[PROF_CONDITIONS];

/* All NULL: there is no filter. */
struct prof_filter {
	const char *values[PROF_CONDITIONS]; /* borrowed; NULL: not given */
};

/* Is there any condition? */
bool prof_filter_is_set(const struct prof_filter *filter);

/* Does FILTER let the rank RANK of a parallel job pass?  Its list of ranks can be read. */
bool prof_filter_has_rank(const struct prof_filter *filter, int64_t rank);

/* Adds FILTER as it would be typed: "--thread=12 --state=lock". */
void prof_filter_print(const struct prof_filter *filter, struct prof_text *text);

#endif
