/* The metrics: one table. */
#ifndef PROF_METRIC_METRIC_H
#define PROF_METRIC_METRIC_H

#include "base/progress.h"
#include "experiment/experiment.h"
#include "metric/selection.h"

struct prof_metric {
	const char *name;    /* as the user writes it: "cpu" */
	const char *title;   /* as a heading shows it: "CPU time" */
	const char *unit;    /* of what is shown: "samples", "sec." */
	int64_t units;       /* by which values are divided to show them: 1, or 10^9 for ns */
	int places;          /* decimals that text shows; -1: as many as the value has */
	unsigned quantities; /* the sum of these, a bit (1 << enum prof_quantity) each */
	bool main;           /* only of the main thread of each process */
};

/* The table; ends with a row without a name.  The first is the default. */
extern const struct prof_metric prof_metrics[];

/* Is METRIC one of what is traced, which samples have none of? */
bool prof_metric_is_traced(const struct prof_metric *metric);

/* Is METRIC samples of one of the events of an experiment that has several?  *RET is its number. */
bool prof_metric_is_event(const struct prof_metric *metric, uint32_t *ret);

/* Does METRIC count what SAMPLE, of any thread, carries of its quantities? */
bool prof_metric_counts(
	const struct prof_metric *metric, const struct prof_experiment *experiment, size_t sample);

/* The metric NAME; an unknown one is an error that lists those there are. */
struct prof_error *prof_metric_find(
	const char *name, const struct prof_metric **ret) PROF_MUST_CHECK;

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

/* What SAMPLE carries of METRIC as far as it is in SELECTION, or this is NULL. */
prof_value prof_metric_of(const struct prof_experiment *experiment,
	const struct prof_metric *metric, const struct prof_selection *selection, size_t sample);

#endif
