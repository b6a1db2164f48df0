/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/traced_calls.h"

#include "base/error.h"
#include "base/map.h"
#include "metric/selection.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/traced_rows.h"

#include <stdlib.h>

/* A traced row, and the function that was called. */
struct row {
	uint32_t function;
	uint32_t traced;
};

struct rows {
	PROF_ARRAY(struct row) list;
};

void prof_traced_calls_deinit(struct prof_traced_calls *all)
{
	free(all->functions.items);
	free(all->arguments.items);
	*all = (struct prof_traced_calls){0};
}

static prof_value value_of(const struct prof_traced_row *traced, enum prof_traced_value value)
{
	return prof_value_of(traced->values[value]);
}

/* The innermost frame's function, the one that contains the code; PROF_NONE: unknown. */
static uint32_t function_of(const struct prof_experiment *experiment, uint32_t path)
{
	if (!path)
		return PROF_NONE;
	const struct prof_frame *frame =
		&experiment->frames.items[experiment->paths.items[path].frame];
	if (!frame->locations)
		return PROF_NONE;
	return experiment->locations.items[frame->first_location + frame->locations - 1].function;
}

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left;
	const struct row *b = right;

	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	return (a->traced > b->traced) - (a->traced < b->traced);
}

static int compare_functions(const void *left, const void *right)
{
	const struct prof_traced_calls_function *a = left;
	const struct prof_traced_calls_function *b = right;

	if (a->inside != b->inside)
		return a->inside > b->inside ? -1 : 1;
	return (a->function > b->function) - (a->function < b->function);
}

static struct prof_error *gather(struct rows *rows, const struct prof_experiment *experiment,
	const struct prof_selection *selection)
{
	AUTO_CURSOR struct prof_cursor samples = {.experiment = experiment};
	struct prof_traced_rows_place place = {0};

	for (size_t i = 0; i < experiment->traced.count; i++) {
		const struct prof_traced_row *traced =
			prof_traced_rows_get(&experiment->traced, &place, i);
		if (!value_of(traced, PROF_TRACED_CALLS) ||
			!prof_selection_has(selection, traced->sample))
			continue;
		const struct prof_sample_row *sample = prof_cursor_at(&samples, traced->sample);
		struct row *row = sample ? prof_array_push(&rows->list) : NULL;
		if (!row)
			return sample ? prof_error_nomem() : prof_cursor_error(&samples);
		*row = (struct row){function_of(experiment, sample->sample.path), (uint32_t)i};
	}
	return NULL;
}

/* The argument NAME of FUNCTION, the last one, which is added if it is new; NULL: out of memory. */
static struct prof_traced_calls_argument *find_argument(
	struct prof_traced_calls *all, struct prof_traced_calls_function *function, uint32_t name)
{
	for (size_t i = 0; i < function->count; i++) {
		struct prof_traced_calls_argument *known =
			&all->arguments.items[function->first + i];
		if (known->name == name)
			return known;
	}
	struct prof_traced_calls_argument *added = prof_array_push(&all->arguments);
	if (!added)
		return NULL;
	function->count++;
	*added = (struct prof_traced_calls_argument){.name = name};
	return added;
}

/* Adds the arguments of the CALLS of TRACED to those of FUNCTION. */
static bool add_arguments(struct prof_traced_calls *all,
	struct prof_traced_calls_function *function, const struct prof_experiment *experiment,
	const struct prof_traced_row *traced, prof_value calls)
{
	for (uint32_t i = 0; i < traced->arguments; i++) {
		const struct prof_argument *from =
			&experiment->arguments.items[traced->first_argument + i];
		struct prof_traced_calls_argument *to = find_argument(all, function, from->name);
		if (!to)
			return false;
		if (!to->calls || from->sum.least < to->sum.least)
			to->sum.least = from->sum.least;
		if (!to->calls || from->sum.most > to->sum.most)
			to->sum.most = from->sum.most;
		to->sum.sum += from->sum.sum;
		to->calls += calls;
	}
	return true;
}

/*
 * Adds the function of the rows from FIRST on.  Returns the row after its last one; 0: no memory.
 */
static size_t add_function(struct prof_traced_calls *all, const struct prof_experiment *experiment,
	const struct rows *rows, size_t first)
{
	struct prof_traced_calls_function *function = prof_array_push(&all->functions);
	struct prof_traced_rows_place place = {0};
	size_t i = first;

	if (!function)
		return 0;
	*function = (struct prof_traced_calls_function){
		.function = rows->list.items[first].function, .first = all->arguments.count};
	for (; i < rows->list.count && rows->list.items[i].function == function->function; i++) {
		const struct prof_traced_row *traced = prof_traced_rows_get(
			&experiment->traced, &place, rows->list.items[i].traced);
		prof_value calls = value_of(traced, PROF_TRACED_CALLS);
		function->calls += calls;
		function->inside += value_of(traced, PROF_TRACED_INSIDE);
		if (traced->longest > function->longest)
			function->longest = traced->longest;
		if (!add_arguments(all, function, experiment, traced, calls))
			return 0;
	}
	return i;
}

struct prof_error *prof_traced_calls_init(struct prof_traced_calls *all,
	const struct prof_experiment *experiment, const struct prof_selection *selection)
{
	struct rows rows = {0};

	*all = (struct prof_traced_calls){0};
	struct prof_error *error = gather(&rows, experiment, selection);
	if (!error && rows.list.count)
		qsort(rows.list.items, rows.list.count, sizeof *rows.list.items, compare_rows);
	for (size_t i = 0; !error && i < rows.list.count;) {
		i = add_function(all, experiment, &rows, i);
		if (!i)
			error = prof_error_nomem();
	}
	free(rows.list.items);
	if (error) {
		prof_traced_calls_deinit(all);
		return error;
	}
	if (all->functions.count)
		qsort(all->functions.items, all->functions.count, sizeof *all->functions.items,
			compare_functions);
	return NULL;
}
