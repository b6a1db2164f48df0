/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A comparison of functions. */
#include "view/compare_private.h"

#include "view/print.h"

#include <stdlib.h>
#include <string.h>

enum { EXCLUSIVE, INCLUSIVE, MEASURES };

/* The values of FUNCTION, or of all if it is PROF_NONE, on both sides. */
static void find_change(
	struct prof_functions *const *of, uint32_t function, struct prof_change change[MEASURES])
{
	for (int side = 0; side < PROF_COMPARISON_SIDES; side++) {
		bool total = function == PROF_NONE;
		change[EXCLUSIVE].values[side] =
			total ? of[side]->total : of[side]->exclusive[function];
		change[INCLUSIVE].values[side] =
			total ? of[side]->total : of[side]->inclusive[function];
	}
}

struct context {
	const struct prof_compare *compare;
	struct prof_functions *const *of;
};

static int compare_functions(const void *left, const void *right, void *context)
{
	const struct context *by = context;
	const struct prof_compare *compare = by->compare;
	const struct prof_items *items = &compare->comparison->items;
	enum prof_sort sort = compare->own->sort;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	struct prof_change one[MEASURES], other[MEASURES];
	int result = 0;

	if (sort != PROF_SORT_NAME) {
		int first = sort == PROF_SORT_INCLUSIVE ? INCLUSIVE : EXCLUSIVE;
		find_change(by->of, a, one);
		find_change(by->of, b, other);
		result = prof_changes_compare(&compare->changes, &one[first], &other[first]);
		if (!result)
			result = prof_changes_compare(
				&compare->changes, &one[!first], &other[!first]);
	}
	if (!result)
		result = strcmp(prof_items_name(items, a), prof_items_name(items, b));
	return result ? result : (a > b) - (a < b);
}

struct prof_error *prof_compare_order(const struct prof_compare *compare,
	struct prof_functions *const *of, uint32_t **ret, size_t *count)
{
	const struct prof_compare_choice *own = compare->own;
	struct context by = {compare, of};
	uint32_t *order = malloc((of[0]->count + 1) * sizeof *order);
	size_t seen = 0;

	if (!order)
		return prof_error_nomem();
	for (uint32_t i = 0; i < of[0]->count; i++) {
		if (of[0]->seen[i] || of[1]->seen[i])
			order[seen++] = i;
	}
	if (own->sort != PROF_SORT_FIRST)
		qsort_r(order, seen, sizeof *order, compare_functions, &by);
	/* The total counts against the limit, as in er_print. */
	if (own->limit && seen >= own->limit)
		seen = own->limit - 1;
	*ret = order;
	*count = seen;
	return NULL;
}

static bool add_function(struct prof_compare *compare, struct prof_functions *const *of,
	uint32_t function, const char *name)
{
	struct prof_change change[MEASURES];

	find_change(of, function, change);
	struct prof_cell *row = prof_changes_row(&compare->changes, change);
	if (row)
		*row = prof_cell_name(name);
	return row;
}

static void print_functions(const struct prof_changes *changes, struct prof_text *text)
{
	static const struct prof_grid_column name = {{NULL, NULL, "Name"}, false};
	struct prof_grid_column heads[PROF_CHANGES_COLUMNS];
	AUTO_GRID struct prof_grid grid = {.columns = heads};

	grid.width = prof_changes_heads(changes, &name, 1, heads);
	for (size_t i = 0; i < prof_table_rows(&changes->table); i++) {
		prof_changes_cells(changes, i, &grid);
		prof_grid_function(&grid, "", prof_table_get(&changes->table, i)->name, "");
	}
	prof_grid_print(&grid, text);
}

struct prof_error *prof_compare_functions(struct prof_compare *compare, struct prof_text *text)
{
	static const char *const leading[] = {"name"};
	struct prof_functions *of[PROF_COMPARISON_SIDES] = {NULL};
	AUTO_FREE uint32_t *order = NULL;
	struct prof_error *error = NULL;
	size_t count = 0;

	prof_changes_begin(&compare->changes, leading, 1);
	for (int i = 0; i < PROF_COMPARISON_SIDES && !error; i++)
		error = prof_functions_create(&compare->comparison->profiles[i], &of[i]);
	if (!error)
		error = prof_compare_order(compare, of, &order, &count);
	bool good = !error && add_function(compare, of, PROF_NONE, PROF_SHEET_TOTAL);
	for (size_t i = 0; i < count && good; i++)
		good = add_function(compare, of, order[i],
			prof_items_name(&compare->comparison->items, order[i]));
	for (int i = 0; i < PROF_COMPARISON_SIDES; i++)
		prof_functions_destroy(of[i]);
	if (error || !good)
		return error ? error : prof_error_nomem();
	return prof_compare_emit(compare, print_functions, text);
}
