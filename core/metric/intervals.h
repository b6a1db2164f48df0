/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The intervals of an experiment: the stretches between neighbouring marks, numbered from 1.
 *
 * A sample stands for time before it: it is of an interval if its time is after the interval's
 * begin, and not after its end.  The figures of an interval are of all processes together, and no
 * metrics: they have no stacks.  In an experiment with ranks (model/rank.h) the marks of all of
 * them lie on one time line, and the figures of a mark become those of all ranks together at its
 * time.
 */
#ifndef PROF_METRIC_INTERVALS_H
#define PROF_METRIC_INTERVALS_H

#include "base/progress.h"
#include "base/value.h"
#include "model/state.h"
#include "model/usage.h"

struct prof_experiment;
struct prof_filter;
struct prof_mark;
struct prof_rank;
struct prof_selection;

struct prof_interval {
	int64_t begin, end;                   /* ns since the experiment's start */
	int64_t duration;                     /* ns: of several, added up */
	const struct prof_mark *start, *stop; /* the marks at its ends, of prof_intervals */
	prof_value samples;                   /* that count, as a metric has them */
	prof_value spent[PROF_STATES];        /* ns of threads, by state, from the samples */
	prof_value figures[PROF_USAGES];      /* see enum prof_usage_kind; negative: unknown */
};

struct prof_intervals {
	const struct prof_experiment *experiment; /* borrowed */
	PROF_ARRAY(struct prof_interval) items;   /* interval N is item N - 1 */
	struct prof_mark *marks;                  /* by time; figures are of all ranks */
	const struct prof_rank **ranks;           /* by the same number: whose it is, or NULL */
};

/* The intervals of EXPERIMENT, borrowed, which may have none; no samples are counted yet. */
struct prof_error *prof_intervals_create(
	const struct prof_experiment *experiment, struct prof_intervals **ret) PROF_MUST_CHECK;

/* Counts the samples of SELECTION, NULL for all, in their intervals. */
struct prof_error *prof_intervals_count(struct prof_intervals *intervals,
	const struct prof_selection *selection,
	const struct prof_progress *progress) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_intervals_destroy(struct prof_intervals *intervals);

/* Destroys *INTERVALS, for the guard. */
void prof_intervals_auto(struct prof_intervals **intervals);
#define AUTO_INTERVALS PROF_AUTO(prof_intervals_auto)

/* The number of the interval that TIME, in ns since the start, is in; 0: of none. */
size_t prof_intervals_at(const struct prof_intervals *intervals, int64_t time);

/* The rank that MARK, of an interval, is of; NULL: of none. */
const struct prof_rank *prof_intervals_rank(
	const struct prof_intervals *intervals, const struct prof_mark *mark);

/* Some of the intervals: has[N] says whether N is one of them; has[0] is false. */
struct prof_interval_set {
	bool *has;
	size_t count; /* of the intervals there are */
};

void prof_interval_set_deinit(struct prof_interval_set *set);

/* Frees what a set holds, for the guard. */
#define AUTO_INTERVAL_SET PROF_AUTO(prof_interval_set_deinit)

/* All of them. */
struct prof_error *prof_interval_set_all(
	const struct prof_intervals *intervals, struct prof_interval_set *ret) PROF_MUST_CHECK;

/* Those that TEXT lists: numbers and ranges, as "2-4,7". */
struct prof_error *prof_interval_set_parse(const struct prof_intervals *intervals, const char *text,
	struct prof_interval_set *ret) PROF_MUST_CHECK;

/*
 * Those between the marks that TEXT has the labels of, as "begin,end": from each mark of the first
 * label to the next one of the second.  Labels may hold commas.
 */
struct prof_error *prof_interval_set_between(const struct prof_intervals *intervals,
	const char *text, struct prof_interval_set *ret) PROF_MUST_CHECK;

/* Those that FILTER's conditions `interval` and `between` let pass: all, if there is neither. */
struct prof_error *prof_interval_set_filter(const struct prof_intervals *intervals,
	const struct prof_filter *filter, struct prof_interval_set *ret) PROF_MUST_CHECK;

/*
 * Adds up the intervals of SET: figures that grow are summed, states are those of the last
 * interval, and peaks are the largest.  Neighbouring intervals count by the marks at both ends,
 * even if a mark between them has unknown figures; if a whole stretch is unknown, so is the sum.
 * The marks are those of the first and the last interval.
 */
void prof_intervals_total(const struct prof_intervals *intervals,
	const struct prof_interval_set *set, struct prof_interval *ret);

/* The thread time of INTERVAL: all its states together. */
prof_value prof_interval_thread_time(const struct prof_interval *interval);

#endif
