/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/locks.h"

#include "base/error.h"
#include "metric/selection.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/traced.h"
#include "model/traced_rows.h"

#include <stdlib.h>
#include <string.h>

void prof_locks_deinit(struct prof_locks *locks)
{
	free(locks->objects.items);
	free(locks->waits.items);
	*locks = (struct prof_locks){0};
}

static int compare(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

/* Puts waits together that become one row. */
static int compare_keys(const void *left, const void *right)
{
	const struct prof_locks_wait *a = left;
	const struct prof_locks_wait *b = right;

	if (a->object != b->object)
		return compare(a->object, b->object);
	if (a->thread != b->thread)
		return compare(a->thread, b->thread);
	return compare(a->holder, b->holder);
}

/* For the waits of one object: the longest first; with ties, as above. */
static int compare_waits(const void *left, const void *right)
{
	const struct prof_locks_wait *a = left;
	const struct prof_locks_wait *b = right;

	if (a->wait != b->wait)
		return a->wait > b->wait ? -1 : 1;
	return compare_keys(left, right);
}

static int compare_objects(const void *left, const void *right)
{
	const struct prof_locks_object *a = left;
	const struct prof_locks_object *b = right;

	if (a->wait != b->wait)
		return a->wait > b->wait ? -1 : 1;
	return compare(a->object, b->object);
}

static struct prof_error *gather(struct prof_locks *locks, const struct prof_experiment *experiment,
	const struct prof_selection *selection)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};
	struct prof_traced_rows_place place = {0};

	for (size_t i = 0; i < experiment->traced.count; i++) {
		const struct prof_traced_row *traced =
			prof_traced_rows_get(&experiment->traced, &place, i);
		struct prof_locks_wait wait = {
			.object = traced->object,
			.holder = traced->holder,
			.events = prof_value_of(traced->values[PROF_TRACED_DELAYS]),
			.wait = prof_value_of(traced->values[PROF_TRACED_WAITED]),
			.longest = traced->longest,
		};
		if (!wait.events || !prof_selection_has(selection, traced->sample))
			continue;
		const struct prof_sample_row *row = prof_cursor_at(&rows, traced->sample);
		struct prof_locks_wait *added = row ? prof_array_push(&locks->waits) : NULL;
		if (!added)
			return row ? prof_error_nomem() : prof_cursor_error(&rows);
		wait.thread = row->sample.thread;
		wait.path = row->sample.path;
		wait.holder_path = PROF_NONE;
		wait.most = wait.wait;
		*added = wait;
	}
	return NULL;
}

/* Merges equal waits, which are next to each other. */
static void unite(struct prof_locks *locks)
{
	struct prof_locks_wait *waits = locks->waits.items;
	size_t left = 0;

	for (size_t i = 0; i < locks->waits.count; i++) {
		if (left && !compare_keys(&waits[left - 1], &waits[i])) {
			struct prof_locks_wait *sum = &waits[left - 1];
			sum->events += waits[i].events;
			sum->wait += waits[i].wait;
			if (waits[i].longest > sum->longest)
				sum->longest = waits[i].longest;
			if (waits[i].most > sum->most) {
				sum->most = waits[i].most;
				sum->path = waits[i].path;
			}
		} else {
			waits[left++] = waits[i];
		}
	}
	locks->waits.count = left;
}

/* Finds where the holders of OBJECT's waits waited for it themselves. */
static void find_holders(struct prof_locks *locks, const struct prof_locks_object *object)
{
	struct prof_locks_wait *waits = locks->waits.items + object->first;

	for (size_t i = 0; i < object->count; i++) {
		prof_value most = 0;
		for (size_t j = 0; j < object->count && waits[i].holder != PROF_NONE; j++) {
			if (waits[j].thread != waits[i].holder || waits[j].most <= most)
				continue;
			most = waits[j].most;
			waits[i].holder_path = waits[j].path;
		}
	}
}

/* Adds the object of the waits from FIRST on. */
static bool add_object(struct prof_locks *locks, size_t first)
{
	struct prof_locks_object object = {
		.object = locks->waits.items[first].object, .first = first};
	struct prof_locks_object *added = prof_array_push(&locks->objects);

	for (size_t i = first; i < locks->waits.count; i++) {
		const struct prof_locks_wait *wait = &locks->waits.items[i];
		if (wait->object != object.object)
			break;
		object.count++;
		object.events += wait->events;
		object.wait += wait->wait;
		if (wait->longest > object.longest)
			object.longest = wait->longest;
	}
	qsort(locks->waits.items + first, object.count, sizeof *locks->waits.items, compare_waits);
	find_holders(locks, &object);
	if (added)
		*added = object;
	return added;
}

struct prof_error *prof_locks_init(struct prof_locks *locks,
	const struct prof_experiment *experiment, const struct prof_selection *selection)
{
	*locks = (struct prof_locks){0};
	struct prof_error *error = gather(locks, experiment, selection);
	if (error)
		return error;
	if (!locks->waits.count)
		return NULL;
	qsort(locks->waits.items, locks->waits.count, sizeof *locks->waits.items, compare_keys);
	unite(locks);
	for (size_t i = 0; i < locks->waits.count;
		i += locks->objects.items[locks->objects.count - 1].count) {
		if (!add_object(locks, i))
			return prof_error_nomem();
	}
	qsort(locks->objects.items, locks->objects.count, sizeof *locks->objects.items,
		compare_objects);
	return NULL;
}
