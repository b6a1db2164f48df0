/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/spans.h"

#include "base/time_unit.h"
#include "base/value.h"
#include "metric/metric.h"
#include "metric/sequence.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/samples.h"

#include <stdlib.h>

void prof_spans_deinit(struct prof_spans *spans)
{
	free(spans->order);
	free(spans->items);
	free(spans->lengths);
	*spans = (struct prof_spans){0};
}

const struct prof_sample *prof_spans_sample(const struct prof_spans *spans, size_t place)
{
	return &spans->order[place].sample;
}

/* Is the sample at PLACE the first of its thread? */
static bool begins_thread(const struct prof_spans *spans, size_t place)
{
	return !place ||
		prof_spans_sample(spans, place)->thread !=
		prof_spans_sample(spans, place - 1)->thread;
}

size_t prof_spans_thread_end(const struct prof_spans *spans, size_t first)
{
	size_t place = first + 1;

	while (place < spans->experiment->samples.count && !begins_thread(spans, place))
		place++;
	return place;
}

/* The end of the samples with the thread and the time of the one at FIRST. */
static size_t group_end(const struct prof_spans *spans, size_t first)
{
	int64_t time = prof_spans_sample(spans, first)->time;
	size_t place = first + 1;

	while (place < spans->experiment->samples.count && !begins_thread(spans, place) &&
		prof_spans_sample(spans, place)->time == time)
		place++;
	return place;
}

double prof_spans_length(const struct prof_spans *spans, size_t place)
{
	return spans->lengths[spans->order[place].number];
}

/* How long the sample of ROW lasted.  One of a traced call knows only the metric's own time. */
static double length_of(const struct prof_spans *spans, const struct prof_sample_row *row)
{
	prof_quantities spent = row->has &
		(PROF_QUANTITY_BIT(PROF_QUANTITIES_SAMPLED) -
			PROF_QUANTITY_BIT(PROF_QUANTITY_SPENT));
	bool is_time = spans->metric->units == PROF_NS_PER_SECOND;
	prof_quantities left = spans->timed && (spent || !is_time)
		? spent
		: prof_metric_counts(spans->metric, spans->experiment, row);
	prof_value value = 0;

	for (; left; left &= left - 1)
		value += row->values[__builtin_ctzll(left)];
	return prof_value_double(value);
}

static struct prof_error *measure(struct prof_spans *spans)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = spans->experiment};

	spans->lengths = malloc((spans->experiment->samples.count + 1) * sizeof *spans->lengths);
	if (!spans->lengths)
		return prof_error_nomem();
	while (prof_cursor_next(&rows))
		spans->lengths[rows.row.number] = length_of(spans, &rows.row);
	return prof_cursor_error(&rows);
}

/*
 * Is each sample a call that follows its caller?  In a recording, stacks do not follow those of
 * their callers.
 */
static bool has_calls(const struct prof_spans *spans)
{
	const struct prof_path *paths = spans->experiment->paths.items;
	uint32_t path = 0;
	double lasted = 0;

	for (size_t i = 0; i < spans->experiment->samples.count; i++) {
		uint32_t next = prof_spans_sample(spans, i)->path;
		if (!next)
			return false;
		if (begins_thread(spans, i))
			path = 0;
		while (path && path != paths[next].parent)
			path = paths[path].parent;
		if (path != paths[next].parent)
			return false;
		path = next;
		lasted += prof_spans_length(spans, i);
	}
	return lasted > 0;
}

static int compare_gaps(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* The usual distance between two samples of one thread, of those that do not say how long they
 * were: the median. */
static struct prof_error *find_usual(struct prof_spans *spans)
{
	size_t count = spans->experiment->samples.count, gaps = 0;
	AUTO_FREE int64_t *all = malloc((count + 1) * sizeof *all);

	if (!all)
		return prof_error_nomem();
	for (size_t i = 1; i < count; i++) {
		int64_t gap =
			prof_spans_sample(spans, i)->time - prof_spans_sample(spans, i - 1)->time;
		if (!begins_thread(spans, i) && gap > 0 && prof_spans_length(spans, i) <= 0)
			all[gaps++] = gap;
	}
	qsort(all, gaps, sizeof *all, compare_gaps);
	spans->usual = gaps ? (double)all[gaps / 2] : 1;
	return NULL;
}

/* Puts the sample from FIRST to LAST that continues the one before in front. */
static void put_first(struct prof_spans *spans, size_t first, size_t last)
{
	size_t place = first;

	while (place < last &&
		prof_spans_sample(spans, place)->path != prof_spans_sample(spans, first - 1)->path)
		place++;
	if (place == last)
		return;
	struct prof_sequence_sample sample = spans->order[place];
	for (; place > first; place--)
		spans->order[place] = spans->order[place - 1];
	spans->order[first] = sample;
}

/* Places the samples from FIRST to LAST, all of which end at the same time. */
static void place_group(struct prof_spans *spans, size_t first, size_t last)
{
	bool begins = begins_thread(spans, first);
	double before = begins ? 0 : spans->items[first - 1].end;
	double end = (double)prof_spans_sample(spans, first)->time, total = 0;

	if (!begins)
		put_first(spans, first, last);
	for (size_t i = first; i < last; i++) {
		double length = prof_spans_length(spans, i);
		spans->items[i].end = length > 0 || spans->sampled ? length : spans->usual;
		total += spans->items[i].end;
	}
	double begin = end - total;
	/* Clocks differ a little: what is nearly adjacent is adjacent. */
	if (begin < before || (begin - before < spans->usual && !begins))
		begin = before < end ? before : end;
	double scale = total > 0 ? (end - begin) / total : 0;
	for (size_t i = first; i < last; i++) {
		spans->items[i].begin = begin;
		begin += spans->items[i].end * scale;
		spans->items[i].end = begin;
	}
}

/* Places the sample at PLACE after the one before it. */
static void place_next(struct prof_spans *spans, size_t place)
{
	double begin = begins_thread(spans, place) ? 0 : spans->items[place - 1].end;

	spans->items[place] = (struct prof_span){begin, begin + prof_spans_length(spans, place)};
}

struct prof_error *prof_spans_init(struct prof_spans *spans,
	const struct prof_experiment *experiment, const struct prof_metric *metric)
{
	size_t count = experiment->samples.count;
	double rate = experiment->recording.rate_asked;
	uint32_t event;

	*spans = (struct prof_spans){.experiment = experiment, .metric = metric};
	spans->items = calloc(count + 1, sizeof *spans->items);
	if (!spans->items)
		return prof_error_nomem();
	struct prof_error *error = prof_sequence_create(experiment, &spans->order);
	if (error)
		return error;
	spans->timed = experiment->samples.first || experiment->samples.last;
	error = measure(spans);
	if (error)
		return error;
	/* An overflow of a counter has no duration. */
	spans->sampled = rate > 0 && !prof_metric_is_event(metric, &event);
	/* A traced call has its whole stack, whatever was traced before it. */
	spans->calls = !(rate > 0) && !experiment->recording.families && has_calls(spans);
	if (spans->sampled)
		spans->usual = PROF_NS_PER_SECOND / rate;
	else
		error = find_usual(spans);
	for (size_t i = 0, last; !error && i < count; i = last) {
		last = spans->timed && !spans->calls ? group_end(spans, i) : i + 1;
		if (spans->timed && !spans->calls)
			place_group(spans, i, last);
		else
			place_next(spans, i);
	}
	return error;
}
