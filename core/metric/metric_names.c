/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which metrics an experiment has, and their names. */
#include "metric/metric.h"

#include "base/list.h"
#include "base/strings.h"
#include "base/time_unit.h"
#include "model/experiment.h"
#include "model/samples.h"
#include "model/unit.h"

#include <string.h>

static const char count_suffix[] = "/count"; /* for a counter that is shown as time */

/* Is EVENT shown as time? */
static bool is_time(const struct prof_event *event)
{
	return event->unit == PROF_COUNTER_NS || event->clock;
}

/* Can headings show NAME, which an untrusted file contains, and is it short enough? */
static bool is_plain(const char *name)
{
	size_t length = 0;

	while (name[length] >= ' ' && name[length] <= '~')
		length++;
	return length && !name[length] && length + sizeof count_suffix <= PROF_METRIC_NAME;
}

/* Can a user type NAME, which is plain, and does no other metric have it? */
static bool is_usable(const char *name)
{
	if (strpbrk(name, " ,\"\\"))
		return false;
	for (const struct prof_metric *metric = prof_metrics; *metric->name; metric++) {
		if (!strcmp(metric->name, name))
			return false;
	}
	return true;
}

/*
 * Turns METRIC, a row of the table, into that of EVENT, whose title is TITLE; COUNT: a count, never
 * a time.
 */
static void name_event(
	const struct prof_event *event, const char *title, bool count, struct prof_metric *metric)
{
	bool plain = is_plain(title);

	if (plain)
		metric->title = title;
	metric->unit = prof_event_units[event->unit];
	if (is_time(event) && !count) {
		metric->unit = "sec.";
		metric->units = PROF_NS_PER_SECOND;
		metric->places = 3;
		metric->clock = event->clock;
	}
	if (plain && event->unit != PROF_EVENT_SAMPLES && is_usable(title))
		strcpy(metric->name, title);
	if (count)
		strcat(metric->name, count_suffix);
}

/*
 * EXPERIMENT's metric for ROW of the table; COUNT: the count beside the time. False: it has none.
 */
static bool make(const struct prof_experiment *experiment, const struct prof_metric *row,
	bool count, struct prof_metric *ret)
{
	unsigned classes = 0;
	uint32_t number;

	for (int i = 0; i < PROF_METRIC_SHARES; i++)
		classes |= row->shares[i].classes;
	if (classes && !(classes & experiment->classes_used))
		return false;
	if (!prof_metric_is_event(row, &number)) {
		*ret = *row;
		return !count;
	}
	if (number >= experiment->events.count)
		return false;
	const struct prof_event *event = &experiment->events.items[number];
	*ret = *row;
	name_event(event, prof_strings_get(&experiment->strings, event->name), count, ret);
	return !count || is_time(event);
}

bool prof_metric_next(
	const struct prof_experiment *experiment, size_t *place, struct prof_metric *ret)
{
	while (*prof_metrics[*place / 2].name) {
		size_t at = (*place)++;
		if (make(experiment, &prof_metrics[at / 2], at % 2, ret))
			return true;
	}
	return false;
}

/* Is METRIC a counter of EXPERIMENT? */
static bool is_counter(const struct prof_experiment *experiment, const struct prof_metric *metric)
{
	uint32_t number;

	return prof_metric_is_event(metric, &number) && number < experiment->events.count &&
		experiment->events.items[number].unit != PROF_EVENT_SAMPLES;
}

bool prof_metric_is_about(const struct prof_metric *metric,
	const struct prof_experiment *experiment, const struct prof_sample_row *row)
{
	uint32_t number = 0;
	bool counter = is_counter(experiment, metric);

	prof_metric_is_event(metric, &number);
	for (uint32_t i = 0; i < experiment->events.count; i++) {
		if (experiment->events.items[i].unit != PROF_EVENT_SAMPLES &&
			row->values[PROF_QUANTITY_EVENT + i])
			return counter && number == i;
	}
	return !counter;
}

void prof_metric_default(const struct prof_experiment *experiment, struct prof_metric *ret)
{
	const struct prof_metric *metric = prof_metrics;
	bool counters = prof_experiment_has_counters(experiment) &&
		!(experiment->recording.rate_asked > 0) &&
		!experiment->samples.totals[PROF_QUANTITY_SAMPLES];

	/* Recorded calls have times, and no samples. */
	bool timed = !counters && experiment->calls.count &&
		!experiment->samples.totals[PROF_QUANTITY_SAMPLES];

	while (counters && !is_counter(experiment, metric))
		metric++;
	while (timed && strcmp(metric->name, "wall") != 0)
		metric++;
	if (!make(experiment, metric, false, ret))
		*ret = *metric;
}

/*
 * Is NAME, of LENGTH bytes, the beginning of exactly one metric's name?  GDB allows such
 * abbreviations of words.
 */
static bool is_abbreviated(const struct prof_experiment *experiment, const char *name,
	size_t length, struct prof_metric *ret)
{
	struct prof_metric metric;
	size_t found = 0;

	for (size_t place = 0; length && prof_metric_next(experiment, &place, &metric);) {
		if (!strncmp(metric.name, name, length) && !found++)
			*ret = metric;
	}
	return found == 1;
}

bool prof_metric_get(const struct prof_experiment *experiment, const char *name, size_t length,
	struct prof_metric *ret)
{
	struct prof_metric metric;

	for (size_t place = 0; prof_metric_next(experiment, &place, &metric);) {
		if (prof_text_is(metric.name, name, length)) {
			*ret = metric;
			return true;
		}
	}
	/* A counter can also be named event-N.  An event that the experiment does not have is 0. */
	for (const struct prof_metric *row = prof_metrics; *row->name; row++) {
		if (!prof_text_is(row->name, name, length))
			continue;
		if (!make(experiment, row, false, ret))
			*ret = *row;
		return true;
	}
	return is_abbreviated(experiment, name, length, ret);
}

struct prof_error *prof_metric_unknown(
	const struct prof_experiment *experiment, const char *name, size_t length)
{
	AUTO_TEXT struct prof_text names = {0};
	struct prof_metric metric;

	for (size_t place = 0; prof_metric_next(experiment, &place, &metric);)
		prof_list_add(&names, metric.name);
	return prof_list_lacks(&names, PROF_ERROR_MISSING, "metric", name, length);
}

struct prof_error *prof_metric_find(
	const struct prof_experiment *experiment, const char *name, struct prof_metric *ret)
{
	size_t length = strlen(name);

	return prof_metric_get(experiment, name, length, ret)
		? NULL
		: prof_metric_unknown(experiment, name, length);
}
