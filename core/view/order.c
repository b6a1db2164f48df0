/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/order.h"

#include "metric/functions.h"

#include <stdlib.h>
#include <string.h>

struct context {
	const struct prof_items *items;
	const prof_value *values; /* by item, or NULL: by name only */
};

static int compare_items(const void *left, const void *right, void *context)
{
	const struct context *by = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;

	if (by->values && by->values[a] != by->values[b])
		return by->values[a] > by->values[b] ? -1 : 1;
	int names = strcmp(prof_items_name(by->items, a), prof_items_name(by->items, b));
	return names ? names : (a > b) - (a < b);
}

struct prof_error *prof_order_items(const struct prof_functions *functions,
	const struct prof_items *items, enum prof_sort sort, uint32_t **ret, size_t *count)
{
	struct context by = {.items = items};
	AUTO_FREE uint32_t *order = malloc((functions->count + 1) * sizeof *order);
	size_t seen = 0;

	if (!order)
		return prof_error_nomem();
	for (uint32_t i = 0; i < functions->count; i++) {
		if (functions->seen[i])
			order[seen++] = i;
	}
	if (sort == PROF_SORT_INCLUSIVE)
		by.values = functions->inclusive;
	else if (sort != PROF_SORT_NAME)
		by.values = functions->exclusive;
	if (sort != PROF_SORT_FIRST)
		qsort_r(order, seen, sizeof *order, compare_items, &by);
	*ret = steal(&order);
	*count = seen;
	return NULL;
}
