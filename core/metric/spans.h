/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Spans of samples: where in time, or in the order of what they count, each of them lies. */
#ifndef PROF_METRIC_SPANS_H
#define PROF_METRIC_SPANS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct prof_experiment;
struct prof_metric;
struct prof_sample;
struct prof_sequence_sample;

struct prof_span {
	double begin, end; /* ns since the start; or units of the metric */
};

struct prof_spans {
	const struct prof_experiment *experiment; /* borrowed */
	const struct prof_metric *metric;
	bool timed; /* there are times; if not, each thread's samples follow each other */
	/*
	 * Each sample is a call, followed by the samples of the calls that it made.  Its span is as
	 * long as the call took by itself, and does not show when it was.
	 */
	bool calls;
	struct prof_sequence_sample *order; /* all samples, thread by thread, by time */
	struct prof_span *items;            /* by place in that order */

	/* Private part. */
	double *lengths; /* by number of the sample */
	bool sampled;
	double usual; /* ns between two samples of a thread */
};

/*
 * The spans of EXPERIMENT's samples, which are as long as METRIC has it if there are no times.
 *
 * A sample stands for the time since the one before of its thread: for as long as it says, or as
 * METRIC has it if that is a time, or else as long as is usual.  Of several samples at one time,
 * the one that began earlier comes first.
 */
struct prof_error *prof_spans_init(struct prof_spans *spans,
	const struct prof_experiment *experiment, const struct prof_metric *metric) PROF_MUST_CHECK;

/* Frees what SPANS holds; all zeroes is fine. */
void prof_spans_deinit(struct prof_spans *spans);

/* The sample at PLACE of the order, borrowed. */
const struct prof_sample *prof_spans_sample(const struct prof_spans *spans, size_t place);

/* Where the samples end that are of the thread of the one at FIRST. */
size_t prof_spans_thread_end(const struct prof_spans *spans, size_t first);

/* How long the sample at PLACE was: in ns, or in units of the metric. */
double prof_spans_length(const struct prof_spans *spans, size_t place);

#endif
