/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/counted.h"

#include <stdlib.h>
#include <string.h>

void prof_counted_calls_deinit(struct prof_counted_calls *calls)
{
	free(calls->list.items);
	free(calls->functions.items);
	free(calls->known.items);
	*calls = (struct prof_counted_calls){0};
}

/* FUNCTION was counted: all its calls, unless that is not so. */
static struct prof_error *know(struct prof_counted_calls *calls, uint32_t function, bool part)
{
	if (function >= calls->known.count) {
		size_t more = function + 1 - calls->known.count;
		if (!prof_array_reserve(&calls->known, more))
			return prof_error_nomem();
		memset(calls->known.items + calls->known.count, PROF_KNOWN_NONE, more);
		calls->known.count += more;
	}
	uint8_t *known = &calls->known.items[function];
	if (*known == PROF_KNOWN_NONE) {
		uint32_t *added = prof_array_push(&calls->functions);
		if (!added)
			return prof_error_nomem();
		*added = function;
		*known = PROF_KNOWN_ALL;
	}
	if (part)
		*known = PROF_KNOWN_PART;
	return NULL;
}

static struct prof_error *add(
	struct prof_counted_calls *calls, struct prof_items *items, const struct prof_arc *counted)
{
	struct prof_call_count count = {.calls = prof_value_of((int64_t)counted->calls)};
	uint32_t outermost = prof_items_depth(items, counted->callee) - 1;
	struct prof_error *error = prof_items_of(items, counted->callee, outermost, &count.callee);

	if (!error)
		error = prof_items_of(items, counted->caller, 0, &count.caller);
	if (!error)
		error = know(calls, count.callee, counted->kind == PROF_COUNTED_PART);
	if (error || counted->kind != PROF_COUNTED_CALLS)
		return error;
	struct prof_call_count *added = prof_array_push(&calls->list);
	if (!added)
		return prof_error_nomem();
	*added = count;
	return NULL;
}

struct prof_error *prof_counted_calls_init(
	struct prof_counted_calls *calls, struct prof_experiment *experiment, bool inlined)
{
	AUTO_ITEMS struct prof_items items;
	struct prof_error *error = NULL;

	*calls = (struct prof_counted_calls){0};
	prof_items_init(&items, experiment, PROF_KIND_FUNCTIONS, inlined);
	for (size_t i = 0; i < experiment->arcs.count && !error; i++)
		error = add(calls, &items, &experiment->arcs.items[i]);
	return error;
}
