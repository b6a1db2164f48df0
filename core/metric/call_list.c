/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/call_list.h"

#include "base/map.h"
#include "metric/selection.h"
#include "model/cursor.h"
#include "model/experiment.h"

#include <stdlib.h>

/* A request at work. */
struct gathering {
	struct prof_call_list *list;
	const struct prof_call_request *request;
	uint32_t *groups; /* by function: its group, or PROF_NONE; NULL: there is one for all */
};

static void gathering_deinit(struct gathering *gathering)
{
	free(gathering->groups);
}

uint32_t prof_call_function(const struct prof_experiment *experiment, uint32_t path)
{
	if (!path)
		return prof_experiment_unknown(experiment);
	const struct prof_frame *frame =
		&experiment->frames.items[experiment->paths.items[path].frame];
	return frame->locations
		? experiment->locations.items[frame->first_location + frame->locations - 1].function
		: prof_experiment_unknown(experiment);
}

/* The longest first, then the earliest. */
static int compare_calls(const void *left, const void *right)
{
	const struct prof_listed_call *a = left, *b = right;

	if (a->duration != b->duration)
		return a->duration > b->duration ? -1 : 1;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static int compare_groups(const void *left, const void *right)
{
	const struct prof_call_group *a = left, *b = right;

	if (a->durations.total != b->durations.total)
		return a->durations.total > b->durations.total ? -1 : 1;
	return (a->function > b->function) - (a->function < b->function);
}

/* Sorts the list, and leaves no more in it than was asked for. */
static void cut(struct prof_call_list *list, uint64_t limit)
{
	if (list->items.count)
		qsort(list->items.items, list->items.count, sizeof *list->items.items,
			compare_calls);
	if (limit && list->items.count > limit)
		list->items.count = limit;
}

/* Adds CALL to the list, which never has more than twice as many as were asked for. */
static bool add_listed(const struct gathering *gathering, const struct prof_listed_call *call)
{
	struct prof_call_list *list = gathering->list;
	uint64_t limit = gathering->request->limit;

	if (limit && list->items.count / 2 >= limit)
		cut(list, limit);
	struct prof_listed_call *added = prof_array_push(&list->items);
	if (added)
		*added = *call;
	return added != NULL;
}

/* The group of FUNCTION, a new one if it has none yet; NULL: no memory. */
static struct prof_call_group *find_group(const struct gathering *gathering, uint32_t function)
{
	struct prof_call_list *list = gathering->list;
	uint32_t *number = gathering->groups ? &gathering->groups[function] : NULL;

	if (number ? *number != PROF_NONE : list->groups.count > 0)
		return &list->groups.items[number ? *number : 0];
	struct prof_call_group *added = prof_array_push(&list->groups);
	if (!added)
		return NULL;
	*added = (struct prof_call_group){.function = function};
	if (number)
		*number = (uint32_t)list->groups.count - 1;
	return added;
}

/* Adds CALL, if the request is for its function. */
static bool add_call(const struct gathering *gathering, const struct prof_listed_call *call)
{
	const bool *functions = gathering->request->functions;

	if (functions && !functions[call->function])
		return true;
	struct prof_call_group *group = find_group(gathering, call->function);
	if (!group)
		return false;
	gathering->list->calls++;
	group->ends[call->end]++;
	if (call->end != PROF_CALL_END_OPEN &&
		!prof_durations_add(&group->durations, call->duration))
		return false;
	return !functions || add_listed(gathering, call);
}

static struct prof_error *gather(const struct gathering *gathering)
{
	const struct prof_call_request *request = gathering->request;
	const struct prof_experiment *experiment = request->experiment;
	AUTO_CURSOR struct prof_cursor samples = {.experiment = experiment};
	struct prof_error *error = NULL;

	for (size_t i = 0; i < experiment->calls.count && !error; i++) {
		const struct prof_single_call call = prof_single_calls_get(&experiment->calls, i);
		if (i % PROF_PROGRESS_STEP == 0)
			error = prof_progress_report(
				request->progress, "Looking at calls", i, experiment->calls.count);
		if (error || !prof_selection_has(request->selection, call.sample))
			continue;
		const struct prof_sample_row *row = prof_cursor_at(&samples, call.sample);
		if (!row)
			return prof_cursor_error(&samples);
		const struct prof_listed_call listed = {
			.number = (uint32_t)i,
			.function = prof_call_function(experiment, row->sample.path),
			.thread = row->sample.thread,
			.path = row->sample.path,
			.end = call.end,
			.begin = row->sample.time,
			.duration = call.duration,
		};
		if (!add_call(gathering, &listed))
			error = prof_error_nomem();
	}
	return error;
}

static bool allocate(struct gathering *gathering)
{
	size_t functions = prof_experiment_functions(gathering->request->experiment);

	if (gathering->request->functions)
		return true;
	gathering->groups = malloc((functions + 1) * sizeof *gathering->groups);
	for (size_t i = 0; gathering->groups && i < functions; i++)
		gathering->groups[i] = PROF_NONE;
	return gathering->groups != NULL;
}

struct prof_error *prof_call_list_init(
	struct prof_call_list *list, const struct prof_call_request *request)
{
	PROF_AUTO(gathering_deinit)
	struct gathering gathering = {.list = list, .request = request};

	*list = (struct prof_call_list){0};
	struct prof_error *error = allocate(&gathering) ? gather(&gathering) : prof_error_nomem();
	if (!error) {
		cut(list, request->limit);
		error = prof_call_list_add_callees(list, request->experiment, request->progress);
	}
	if (error) {
		prof_call_list_deinit(list);
		return error;
	}
	for (size_t i = 0; i < list->groups.count; i++)
		prof_durations_sort(&list->groups.items[i].durations);
	if (list->groups.count)
		qsort(list->groups.items, list->groups.count, sizeof *list->groups.items,
			compare_groups);
	return NULL;
}

void prof_call_list_deinit(struct prof_call_list *list)
{
	for (size_t i = 0; i < list->groups.count; i++)
		prof_durations_deinit(&list->groups.items[i].durations);
	free(list->groups.items);
	free(list->items.items);
	free(list->callees.items);
	*list = (struct prof_call_list){0};
}
