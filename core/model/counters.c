/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The events of an experiment: counters, and those of imported files. */
#include "model/experiment.h"

#include "base/text.h"

#include <assert.h>
#include <string.h>

const char *const prof_event_units[] = {
	[PROF_COUNTER_EVENTS] = "events",
	[PROF_COUNTER_CYCLES] = "cycles",
	[PROF_COUNTER_NS] = "nanoseconds",
	[PROF_EVENT_SAMPLES] = "samples",
};

bool prof_experiment_has_counters(const struct prof_experiment *experiment)
{
	for (size_t i = 0; i < experiment->events.count; i++) {
		if (experiment->events.items[i].unit != PROF_EVENT_SAMPLES)
			return true;
	}
	return false;
}

bool prof_experiment_is_sampled(const struct prof_experiment *experiment)
{
	return experiment->recording.rate_asked > 0 || prof_experiment_has_counters(experiment);
}

/* The number of the event NAME; PROF_NONE: there is none. */
static uint32_t find_event(const struct prof_experiment *experiment, const char *name)
{
	uint32_t string = prof_strings_find(&experiment->strings, name);

	for (uint32_t i = 0; i < experiment->events.count; i++) {
		if (experiment->events.items[i].name == string)
			return i;
	}
	return PROF_NONE;
}

/* Can values of A and B be added? */
static bool are_alike(const struct prof_event *a, const struct prof_event *b)
{
	return a->unit == b->unit && a->clock == b->clock;
}

/*
 * The number of the event NAME that is like EVENT, or PROF_NONE: UNUSED is then a name for it that
 * no other event has.
 */
static uint32_t find_like(const struct prof_experiment *experiment, const char *name,
	const struct prof_event *event, struct prof_text *unused)
{
	prof_text_print(unused, "%s", name);
	/* One of these names is unused, because there are at most PROF_EVENTS events. */
	for (int i = 2;; i++) {
		uint32_t number = find_event(experiment, prof_text_get(unused));
		if (number == PROF_NONE || unused->failed)
			return PROF_NONE;
		if (are_alike(&experiment->events.items[number], event))
			return number;
		unused->length = 0;
		prof_text_print(unused, "%s-%d", name, i);
	}
}

static struct prof_error *add_event(struct prof_experiment *experiment, const char *name,
	const struct prof_event *event, uint32_t *ret)
{
	uint32_t string;

	if (experiment->events.count == PROF_EVENTS)
		return prof_error_create(PROF_ERROR_TOO_LARGE,
			"There is no room for the counter \"%s\": an experiment has %d counters at most.",
			name, PROF_EVENTS);
	struct prof_error *error = prof_experiment_string(experiment, name, &string);
	struct prof_event *added = error ? NULL : prof_array_push(&experiment->events);
	if (!added)
		return error ? error : prof_error_nomem();
	*added = *event;
	added->name = string;
	added->changed = 0;
	*ret = (uint32_t)experiment->events.count - 1;
	return NULL;
}

static int64_t add_counts(int64_t sum, uint64_t more)
{
	return more > (uint64_t)(INT64_MAX - sum) ? INT64_MAX : sum + (int64_t)more;
}

void prof_experiment_overflow(
	struct prof_experiment *experiment, uint32_t number, uint64_t overflows, uint64_t lost)
{
	struct prof_event *event = &experiment->events.items[number];

	assert(number < experiment->events.count && lost <= overflows);
	event->overflows = add_counts(event->overflows, overflows);
	event->lost = add_counts(event->lost, lost);
	event->changed = ++experiment->changes;
}

struct prof_error *prof_experiment_counter(struct prof_experiment *experiment, const char *name,
	const struct prof_event *event, uint32_t *ret)
{
	AUTO_TEXT struct prof_text unused = {0};
	uint32_t number = find_like(experiment, name, event, &unused);
	struct prof_error *error = prof_text_error(&unused);

	assert(event->unit <= PROF_EVENT_SAMPLES && event->interval >= 0);
	if (error)
		return error;
	if (number == PROF_NONE)
		return add_event(experiment, prof_text_get(&unused), event, ret);
	struct prof_event *known = &experiment->events.items[number];
	if (known->interval != event->interval)
		known->interval = 0;
	prof_experiment_overflow(
		experiment, number, (uint64_t)event->overflows, (uint64_t)event->lost);
	*ret = number;
	return NULL;
}

struct prof_error *prof_experiment_event(
	struct prof_experiment *experiment, const char *name, uint32_t *ret)
{
	const struct prof_event event = {.unit = PROF_EVENT_SAMPLES};
	bool full = experiment->events.count + 1 >= PROF_EVENTS;

	if (full && find_event(experiment, name) == PROF_NONE)
		name = PROF_OTHER_EVENTS;
	return prof_experiment_counter(experiment, name, &event, ret);
}
