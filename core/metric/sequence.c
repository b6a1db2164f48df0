/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/sequence.h"

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

struct prof_error *prof_sequence_create(
	const struct prof_experiment *experiment, struct prof_sequence_sample **ret)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};
	size_t count = experiment->samples.count;
	AUTO_FREE struct prof_sequence_sample *order = malloc((count + 1) * sizeof *order);

	if (!order)
		return prof_error_nomem();
	while (prof_cursor_next(&rows))
		order[rows.row.number] =
			(struct prof_sequence_sample){rows.row.sample, rows.row.number};
	struct prof_error *error = prof_cursor_error(&rows);
	if (error)
		return error;
	qsort(order, count, sizeof *order, compare);
	*ret = steal(&order);
	return NULL;
}
