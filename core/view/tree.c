/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/print.h"

#include "metric/collapse.h"
#include "metric/descent.h"
#include "metric/profile.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "view/options.h"
#include "view/tree.h"

#include <string.h>

static const char *const columns[PROF_TREE_WIDTH] = {
	[PROF_TREE_LEVEL] = "level",
	[PROF_TREE_NAME] = "name",
	[PROF_TREE_STUB] = "stub",
	[PROF_TREE_DIRECT] = "direct",
	[PROF_TREE_INDIRECT] = "indirect",
	[PROF_TREE_IN_ONLY] = "in_only",
	[PROF_TREE_PERCENT] = "percent",
	[PROF_TREE_PARENT_PERCENT] = "parent_percent",
};

const char *const prof_columns_names[PROF_COLUMNS] = {
	[PROF_COLUMNS_DEFAULT] = "default",
	[PROF_COLUMNS_BOTH] = "both",
	[PROF_COLUMNS_RAW] = "raw",
	[PROF_COLUMNS_PERCENT] = "percent",
	[PROF_COLUMNS_PARENT] = "parent",
	[PROF_COLUMNS_ALL] = "all",
};

struct tree {
	const struct prof_profile *profile;
	const struct prof_tree_choice *own;
	struct prof_collapsed *collapsed;
	struct prof_descent descent;
	struct prof_table table;
};

static void tree_deinit(struct tree *tree)
{
	prof_collapse_destroy(tree->collapsed);
	prof_descent_deinit(&tree->descent);
	prof_table_deinit(&tree->table);
}

static prof_value in_or_under(const struct prof_collapsed_node *node)
{
	return node->direct + node->indirect;
}

static const char *name_of(const struct tree *tree, const struct prof_collapsed_node *node)
{
	return prof_experiment_function_name(tree->profile->experiment, node->function);
}

/* The largest value first; stubs, which have no values, last. */
static int compare_values(const struct prof_collapsed_node *a, const struct prof_collapsed_node *b,
	enum prof_sort sort)
{
	prof_value left = sort == PROF_SORT_INCLUSIVE ? in_or_under(a) : a->in_only;
	prof_value right = sort == PROF_SORT_INCLUSIVE ? in_or_under(b) : b->in_only;

	if (a->stub != b->stub)
		return a->stub ? 1 : -1;
	return (left < right) - (left > right);
}

static int compare_nodes(uint32_t a, uint32_t b, const void *context)
{
	const struct tree *tree = context;
	enum prof_sort sort = tree->own->sort;
	const struct prof_collapsed_node *one = &tree->descent.nodes[a];
	const struct prof_collapsed_node *other = &tree->descent.nodes[b];
	int result = 0;

	if (sort == PROF_SORT_INCLUSIVE || sort == PROF_SORT_EXCLUSIVE)
		result = compare_values(one, other, sort);
	if (!result && sort != PROF_SORT_DEFAULT && sort != PROF_SORT_FIRST)
		result = strcmp(name_of(tree, one), name_of(tree, other));
	return result;
}

static double percent_of_all(const struct tree *tree, const struct prof_collapsed_node *node)
{
	return prof_value_percent(in_or_under(node), tree->profile->inclusive[0]);
}

static bool is_cut(const void *context, uint32_t number)
{
	const struct tree *tree = context;
	const struct prof_collapsed_node *node = &tree->descent.nodes[number];

	if (tree->own->max_level && node->level > tree->own->max_level)
		return true;
	return !node->stub && percent_of_all(tree, node) < tree->own->min_percent;
}

static bool add_row(void *context, uint32_t number)
{
	struct tree *tree = context;
	const struct prof_collapsed_node *node = &tree->descent.nodes[number];
	struct prof_cell *row = prof_table_row(&tree->table);
	prof_value whole = node->parent ? in_or_under(&tree->descent.nodes[node->parent])
					: tree->profile->inclusive[0];

	if (!row)
		return false;
	row[PROF_TREE_LEVEL] = prof_cell_integer(node->level);
	row[PROF_TREE_NAME] = prof_cell_name(name_of(tree, node));
	row[PROF_TREE_STUB] = prof_cell_integer(node->stub);
	if (node->stub)
		return true;
	row[PROF_TREE_DIRECT] = prof_cell_value(node->direct);
	row[PROF_TREE_INDIRECT] = prof_cell_value(node->indirect);
	row[PROF_TREE_IN_ONLY] = prof_cell_value(node->in_only);
	row[PROF_TREE_PERCENT] = prof_cell_real(percent_of_all(tree, node));
	row[PROF_TREE_PARENT_PERCENT] =
		prof_cell_real(prof_value_percent(in_or_under(node), whole));
	return true;
}

bool prof_tree_is_plain(const struct prof_shown *shown)
{
	return shown->exclusive && shown->inclusive && shown->value && shown->percent;
}

bool prof_tree_is_folded(const struct prof_choice *choice)
{
	const struct prof_tree_choice *own = choice->own;
	bool both = own->columns == PROF_COLUMNS_BOTH ||
		(own->columns == PROF_COLUMNS_DEFAULT && choice->markup.screen);

	return both && choice->format == PROF_FORMAT_TEXT;
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_tree_choice *own = choice->own;
	const struct prof_profile *profile = sheet->profiles[0];
	PROF_AUTO(tree_deinit)
	struct tree tree = {.profile = profile,
		.own = own,
		.table = {"rows", columns, PROF_TREE_WIDTH, profile->metric->units, {0}}};
	const struct prof_descent_visit visit = {is_cut, add_row, NULL, &tree};

	if (sheet->shown.count > 1 || !prof_tree_is_plain(&sheet->shown.items[0]) ||
		prof_tree_is_folded(choice))
		return prof_tree_several(sheet, choice, text);
	if (prof_print_nothing(sheet, choice, text))
		return NULL;
	struct prof_error *error =
		prof_collapse_create(&profile->tree, profile->self, own->collapse, &tree.collapsed);
	if (!error)
		error = prof_descent_init(&tree.descent, tree.collapsed, compare_nodes, &tree);
	if (!error)
		error = prof_descent_walk(&tree.descent, &visit, own->limit);
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table("tree", sheet, &tree.table, choice->format, text);
	prof_tree_text(sheet, &tree.table, choice, text);
	return prof_text_error(text);
}

static const struct prof_option option_rows[] = {PROF_COLLAPSE_OPTION(struct prof_tree_choice),
	{.name = "columns",
		.value = "COLUMNS",
		.words = prof_columns_names + PROF_COLUMNS_BOTH,
		.words_count = PROF_COLUMNS - PROF_COLUMNS_BOTH,
		.kind = PROF_OPTION_WORD,
		.least = PROF_COLUMNS_BOTH,
		.offset = offsetof(struct prof_tree_choice, columns),
		.describe =
			"Choose the columns of text.  "
			"both: counts and percentages of the total, each chain of single callees on one line, and the hot path marked.  "
			"raw: counts, one node on each line.  percent: percentages of the total.  parent: percentages of the parent.  "
			"all: raw, percent and parent.  "
			"The default is both on the screen, with the siblings that have the most first, and raw in files."},
	PROF_SORT_OPTION(struct prof_tree_choice), PROF_MAX_LEVEL_OPTION(struct prof_tree_choice),
	PROF_MIN_PERCENT_OPTION(struct prof_tree_choice), PROF_METRICS_OPTION, PROF_STACK_OPTIONS,
	PROF_BARS_OPTION(struct prof_tree_choice),
	PROF_ROWS_OPTIONS(struct prof_tree_choice){.name = NULL}};

static const struct prof_options options = PROF_OPTIONS(option_rows, struct prof_tree_choice);

const struct prof_view prof_view_tree = {
	.name = "tree",
	.describe =
		"Show the call tree, with recursion collapsed as you choose.\n"
		"A recursive call is shown as a stub, \"NAME...\", which stands for the function's instance further up.  "
		"\"3 (2)\" counts 3 stacks that reached a node directly and 2 that reached it through a stub.",
	.options = &options,
	.print = print_view,
	.kind = PROF_KIND_FUNCTIONS,
	.want = PROF_WANT_ALL,
	.needs = PROF_HAS_STACKS,
};
