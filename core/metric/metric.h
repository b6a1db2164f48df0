/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The metrics: one table. */
#ifndef PROF_METRIC_METRIC_H
#define PROF_METRIC_METRIC_H

#include "base/progress.h"
#include "base/value.h"
#include "model/sample_row.h"

struct prof_experiment;
struct prof_selection;

enum {
	PROF_METRIC_NAME = 256, /* bytes of a metric's name, with its NUL */
	PROF_METRIC_SHARES = 2,
};

struct prof_metric {
	char name[PROF_METRIC_NAME]; /* as the user writes it: "cpu" */
	const char *title; /* as a heading shows it: "CPU time"; an event's is its experiment's */
	const char *unit;  /* of what is shown: "samples", "sec." */
	int64_t units;     /* by which values are divided to show them: 1, or 10^9 for ns */
	int places;        /* decimals that text shows; -1: as many as the value has */
	prof_quantities quantities; /* the sum of these */
	bool main;                  /* only of the main thread of each process */
	int64_t clock; /* Hz: samples carry cycles of it, which count as ns; 0: they do not */
	/* Of samples whose stack is in one of CLASSES, see parallel/class.h, these of the
	   quantities count; what is in no share does not.  No CLASSES: all quantities, of all
	   stacks. */
	struct prof_metric_share {
		unsigned classes;
		prof_quantities quantities;
	} shares[PROF_METRIC_SHARES];
};

/*
 * The table; ends with a row whose name is empty.  The first is the default.  Its events are those
 * of no experiment: prof_metric_find() and prof_metric_next() give those of one.
 */
extern const struct prof_metric prof_metrics[];

/* The name of its row number INDEX, or NULL after the last: the words of an option. */
const char *prof_metric_word(size_t index);

/* Is METRIC the count of samples? */
bool prof_metric_is_samples(const struct prof_metric *metric);

/* Is METRIC one of what is traced, which samples have none of? */
bool prof_metric_is_traced(const struct prof_metric *metric);

/* Is METRIC one of an experiment's events?  *RET is its number. */
bool prof_metric_is_event(const struct prof_metric *metric, uint32_t *ret);

/* VALUE, which a sample carries, as METRIC counts it. */
prof_value prof_metric_convert(const struct prof_metric *metric, prof_value value);

/* Does METRIC count some stacks only, by their classes?  What has no stack is none of these. */
bool prof_metric_has_shares(const struct prof_metric *metric);

/* The quantities of ROW that METRIC counts; 0: nothing. */
prof_quantities prof_metric_counts(const struct prof_metric *metric,
	const struct prof_experiment *experiment, const struct prof_sample_row *row);

/*
 * Is METRIC about ROW, whatever its value there?  A counter is about its overflows, and all else
 * about all but overflows.
 */
bool prof_metric_is_about(const struct prof_metric *metric,
	const struct prof_experiment *experiment, const struct prof_sample_row *row);

/*
 * The metrics of EXPERIMENT: the one at *PLACE, from 0 on, or behind it, and moves *PLACE behind
 * that.  They are those of the table, of its events the ones that the experiment has; each is
 * called event-N, but a counter by its name, and one that is shown as time has a second metric,
 * NAME/count.  False: there are no more.
 */
bool prof_metric_next(
	const struct prof_experiment *experiment, size_t *place, struct prof_metric *ret);

/* What is shown where no metric is asked for: samples, or, of counters without the clock, the first
 * counter. */
void prof_metric_default(const struct prof_experiment *experiment, struct prof_metric *ret);

/*
 * The metric of EXPERIMENT whose name is the LENGTH bytes of NAME, or begins with them and is the
 * only one; every name of the table is one. False: there is none.
 */
bool prof_metric_get(const struct prof_experiment *experiment, const char *name, size_t length,
	struct prof_metric *ret);

/* The metric NAME of EXPERIMENT; an unknown one is an error that lists those there are. */
struct prof_error *prof_metric_find(const struct prof_experiment *experiment, const char *name,
	struct prof_metric *ret) PROF_MUST_CHECK;

/* The error that EXPERIMENT has no metric of the name of LENGTH bytes. */
struct prof_error *prof_metric_unknown(
	const struct prof_experiment *experiment, const char *name, size_t length) PROF_MUST_CHECK;

/*
 * The values of METRIC that EXPERIMENT's samples carry, or those of SELECTION unless it is NULL,
 * added up by path or by thread: a new array of one value for each, which the caller frees.
 */
struct prof_error *prof_metric_by_path(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const struct prof_selection *selection,
	const struct prof_progress *progress, prof_value **ret) PROF_MUST_CHECK;
struct prof_error *prof_metric_by_thread(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const struct prof_selection *selection,
	const struct prof_progress *progress, prof_value **ret) PROF_MUST_CHECK;

/* The same by the number below COUNT that each sample has in GROUPS. */
struct prof_error *prof_metric_by_group(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const struct prof_selection *selection,
	const uint32_t *groups, size_t count, const struct prof_progress *progress,
	prof_value **ret) PROF_MUST_CHECK;

/* What ROW carries of METRIC as far as it is in SELECTION, or this is NULL. */
prof_value prof_metric_of(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const struct prof_selection *selection,
	const struct prof_sample_row *row);

#endif
