/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/map.h"
#include "model/experiment.h"
#include "model/merge_private.h"
#include "model/traced.h"
#include "model/traced_rows.h"

#include <stdlib.h>

static struct prof_error *merge_object(struct prof_merge *merge, uint32_t object, uint32_t *ret)
{
	const struct prof_object *from = &merge->from->objects.items[object];
	struct prof_error *error = prof_experiment_object(merge->into, from->address, ret);
	const char *name = prof_experiment_text(merge->from, from->name);

	if (error || !*name)
		return error;
	return prof_experiment_name_object(merge->into, *ret, name);
}

/* The traced rows of TRACED, which was just merged. */
static struct prof_error *merge_arguments(
	struct prof_merge *merge, const struct prof_traced_row *traced)
{
	struct prof_error *error = NULL;

	for (uint32_t i = 0; i < traced->arguments && !error; i++) {
		struct prof_argument argument =
			merge->from->arguments.items[traced->first_argument + i];
		argument.traced = (uint32_t)merge->into->traced.count - 1;
		error = prof_experiment_string(merge->into,
			prof_experiment_text(merge->from, argument.name), &argument.name);
		if (!error)
			error = prof_experiment_argument(merge->into, &argument);
	}
	return error;
}

/* Earlier ones first; qsort() is not stable. */
static int compare_held(const void *left, const void *right)
{
	const struct prof_held *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->traced > b->traced) - (a->traced < b->traced);
}

/* Puts the entries in order: ranks of one job held memory at the same time. */
static void sort_held(struct prof_experiment *into)
{
	qsort(into->held.items, into->held.count, sizeof *into->held.items, compare_held);
}

struct prof_error *prof_merge_traced(struct prof_merge *merge)
{
	struct prof_experiment *into = merge->into;
	size_t first = into->traced.count;
	struct prof_traced_rows_place place = {0};
	struct prof_error *error = NULL;

	for (size_t i = 0; i < merge->from->traced.count && !error; i++) {
		struct prof_traced_row traced =
			*prof_traced_rows_get(&merge->from->traced, &place, i);
		const struct prof_traced_row from = traced;
		traced.sample += (uint32_t)merge->samples;
		traced.last += merge->shift;
		traced.arguments = 0;
		if (traced.holder != PROF_NONE)
			traced.holder = merge->threads[traced.holder];
		if (traced.object != PROF_NONE)
			error = merge_object(merge, traced.object, &traced.object);
		if (!error)
			error = prof_experiment_traced(into, &traced);
		if (!error)
			error = merge_arguments(merge, &from);
	}
	for (size_t i = 0; i < merge->from->held.count && !error; i++) {
		struct prof_held held = merge->from->held.items[i];
		held.time += merge->shift;
		held.traced += (uint32_t)first;
		error = prof_experiment_held(into, &held);
	}
	if (merge->from->held.count && first)
		sort_held(into);
	for (size_t i = 0; i < merge->from->heaps.count && !error; i++) {
		struct prof_heap_of of = merge->from->heaps.items[i];
		uint32_t number = PROF_NONE;
		of.heap.peak_time += merge->shift;
		error = prof_experiment_heap(into, of.process, &of.heap, &number);
	}
	return error;
}
