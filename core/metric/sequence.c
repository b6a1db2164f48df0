/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/sequence.h"

#include "metric/metric.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/samples.h"

#include <stdlib.h>

/* No two are equal, so every sort gives the same order. */
static int compare(const void *left, const void *right)
{
	const struct prof_sequence_sample *a = left, *b = right;

	if (a->sample.thread != b->sample.thread)
		return a->sample.thread < b->sample.thread ? -1 : 1;
	if (a->sample.time != b->sample.time)
		return a->sample.time < b->sample.time ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

struct prof_error *prof_sequence_create(const struct prof_experiment *experiment,
	const struct prof_metric *metric, struct prof_sequence_sample **ret, size_t *count)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};
	AUTO_FREE struct prof_sequence_sample *order =
		malloc((experiment->samples.count + 1) * sizeof *order);
	size_t found = 0;

	if (!order)
		return prof_error_nomem();
	while (prof_cursor_next(&rows)) {
		if (prof_metric_is_about(metric, experiment, &rows.row))
			order[found++] =
				(struct prof_sequence_sample){rows.row.sample, rows.row.number};
	}
	struct prof_error *error = prof_cursor_error(&rows);
	if (error)
		return error;
	qsort(order, found, sizeof *order, compare);
	*ret = steal(&order);
	*count = found;
	return NULL;
}
