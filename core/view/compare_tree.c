/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A comparison of call trees. */
#include "view/compare_private.h"

#include "metric/collapse.h"
#include "metric/descent.h"
#include "view/tree.h"

#include <string.h>

enum { UNDER, ONLY, MEASURES };

struct tree {
	struct prof_compare *compare;
	/* By side: both were collapsed from one call tree, so they have the same nodes. */
	struct prof_collapsed *sides[PROF_COMPARISON_SIDES];
	struct prof_descent descent;
};

static void tree_deinit(struct tree *tree)
{
	for (int side = 0; side < PROF_COMPARISON_SIDES; side++)
		prof_collapse_destroy(tree->sides[side]);
	prof_descent_deinit(&tree->descent);
}

static void find_change(
	const struct tree *tree, uint32_t number, struct prof_change change[MEASURES])
{
	for (int side = 0; side < PROF_COMPARISON_SIDES; side++) {
		const struct prof_collapsed_node *node = &tree->sides[side]->nodes.items[number];
		change[UNDER].values[side] = node->direct + node->indirect;
		change[ONLY].values[side] = node->in_only;
	}
}

static const char *name_of(const struct tree *tree, uint32_t node)
{
	return prof_items_name(
		&tree->compare->comparison->items, tree->descent.nodes[node].function);
}

/* The largest change first; stubs, which have no values, last. */
static int compare_nodes(uint32_t a, uint32_t b, const void *context)
{
	const struct tree *tree = context;
	const struct prof_changes *changes = &tree->compare->changes;
	enum prof_sort sort = tree->compare->own->sort;
	struct prof_change one[MEASURES], other[MEASURES];

	if (sort == PROF_SORT_FIRST)
		return 0;
	if (sort != PROF_SORT_NAME) {
		int first = sort == PROF_SORT_EXCLUSIVE ? ONLY : UNDER;
		bool stub = tree->descent.nodes[a].stub;
		if (stub != tree->descent.nodes[b].stub)
			return stub ? 1 : -1;
		find_change(tree, a, one);
		find_change(tree, b, other);
		int result = prof_changes_compare(changes, &one[first], &other[first]);
		if (result)
			return result;
	}
	return strcmp(name_of(tree, a), name_of(tree, b));
}

/*
 * Is the node cut off, with everything below it?  It is too small only if it is so on both sides.
 */
static bool is_cut(const void *context, uint32_t number)
{
	const struct tree *tree = context;
	const struct prof_compare_choice *own = tree->compare->own;
	const struct prof_collapsed_node *node = &tree->descent.nodes[number];
	struct prof_change change[MEASURES];
	bool small = !node->stub;

	if (own->max_level && node->level > own->max_level)
		return true;
	find_change(tree, number, change);
	for (int side = 0; side < PROF_COMPARISON_SIDES; side++)
		small = small &&
			prof_value_percent(change[UNDER].values[side],
				tree->compare->changes.totals[side]) < own->min_percent;
	return small;
}

static bool add_row(void *context, uint32_t number)
{
	const struct tree *tree = context;
	const struct prof_collapsed_node *node = &tree->descent.nodes[number];
	struct prof_change change[MEASURES];

	find_change(tree, number, change);
	struct prof_cell *row =
		prof_changes_row(&tree->compare->changes, node->stub ? NULL : change);
	if (!row)
		return false;
	row[PROF_TREE_LEVEL] = prof_cell_integer(node->level);
	row[PROF_TREE_NAME] = prof_cell_name(name_of(tree, number));
	row[PROF_TREE_STUB] = prof_cell_integer(node->stub);
	return true;
}

/* The columns that the figures take at least. */
enum { FIGURES = 57 };

static void print_tree(const struct prof_changes *changes, struct prof_text *text)
{
	static const struct prof_grid_column level = {{NULL, NULL, "Level"}, false};
	struct prof_grid_column heads[PROF_CHANGES_COLUMNS];
	AUTO_GRID struct prof_grid grid = {.columns = heads, .underline = true};
	int digits = prof_tree_digits(&changes->table);
	int indent = prof_tree_indent(changes->markup, FIGURES);

	grid.width = prof_changes_heads(changes, &level, 1, heads);
	for (size_t i = 0; i < prof_table_rows(&changes->table); i++) {
		prof_changes_cells(changes, i, &grid);
		prof_tree_name(prof_table_get(&changes->table, i), digits, indent, &grid);
	}
	prof_grid_print(&grid, text);
}

struct prof_error *prof_compare_tree(struct prof_compare *compare, struct prof_text *text)
{
	static const char *const leading[] = {
		[PROF_TREE_LEVEL] = "level", [PROF_TREE_NAME] = "name", [PROF_TREE_STUB] = "stub"};
	PROF_AUTO(tree_deinit) struct tree tree = {.compare = compare};
	const struct prof_descent_visit visit = {is_cut, add_row, NULL, &tree};
	struct prof_error *error = NULL;

	prof_changes_begin(&compare->changes, leading, PROF_COUNT(leading));
	for (int side = 0; side < PROF_COMPARISON_SIDES && !error; side++) {
		const struct prof_profile *profile = &compare->comparison->profiles[side];
		error = prof_collapse_create(
			&profile->tree, profile->self, compare->own->collapse, &tree.sides[side]);
	}
	if (!error)
		error = prof_descent_init(&tree.descent, tree.sides[0], compare_nodes, &tree);
	if (!error)
		error = prof_descent_walk(&tree.descent, &visit, compare->own->limit);
	return error ? error : prof_compare_emit(compare, print_tree, text);
}
