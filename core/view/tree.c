#include "view/print.h"

#include "metric/collapse.h"
#include "view/tree.h"

#include <stdlib.h>
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

/* The collapsed tree with the children of each node in the order to print. */
struct tree {
	const struct prof_profile *profile;
	const struct prof_choice *choice;
	const struct prof_collapsed_node *nodes;
	uint32_t count;
	uint32_t *order;    /* the nodes but the root, sorted by parent */
	uint32_t *position; /* by node: where it is in ORDER; [0] is not used */
	uint32_t *child;    /* by node: its first child in that order, or PROF_NONE */
};

static void tree_deinit(struct tree *tree)
{
	free(tree->order);
	free(tree->position);
	free(tree->child);
}

static prof_value in_or_under(const struct prof_collapsed_node *node)
{
	return node->direct + node->indirect;
}

static const char *name_of(const struct tree *tree, const struct prof_collapsed_node *node)
{
	return prof_experiment_function_name(tree->profile->experiment, node->function);
}

/* The largest value first, and stubs, which have none, behind all others. */
static int compare_values(const struct prof_collapsed_node *a, const struct prof_collapsed_node *b,
	enum prof_sort sort)
{
	prof_value left = sort == PROF_SORT_INCLUSIVE ? in_or_under(a) : a->in_only;
	prof_value right = sort == PROF_SORT_INCLUSIVE ? in_or_under(b) : b->in_only;

	if (a->stub != b->stub)
		return a->stub ? 1 : -1;
	return (left < right) - (left > right);
}

/* By parent, and among siblings as chosen; first encounter, the number, decides at last. */
static int compare_nodes(const void *left, const void *right, void *context)
{
	const struct tree *tree = context;
	enum prof_sort sort = tree->choice->sort;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	const struct prof_collapsed_node *one = &tree->nodes[a];
	const struct prof_collapsed_node *other = &tree->nodes[b];
	int result = (one->parent > other->parent) - (one->parent < other->parent);

	if (!result && (sort == PROF_SORT_INCLUSIVE || sort == PROF_SORT_EXCLUSIVE))
		result = compare_values(one, other, sort);
	if (!result && sort != PROF_SORT_DEFAULT && sort != PROF_SORT_FIRST)
		result = strcmp(name_of(tree, one), name_of(tree, other));
	return result ? result : (a > b) - (a < b);
}

static struct prof_error *sort_nodes(struct tree *tree)
{
	uint32_t count = tree->count;

	tree->order = malloc(count * sizeof *tree->order);
	tree->position = malloc(count * sizeof *tree->position);
	tree->child = malloc(count * sizeof *tree->child);
	if (!tree->order || !tree->position || !tree->child)
		return prof_error_nomem();
	for (uint32_t i = 0; i < count; i++) {
		tree->order[i] = i + 1;
		tree->child[i] = PROF_NONE;
	}
	qsort_r(tree->order, count - 1, sizeof *tree->order, compare_nodes, tree);
	for (uint32_t i = count - 1; i-- > 0;) {
		uint32_t node = tree->order[i];
		tree->position[node] = i;
		tree->child[tree->nodes[node].parent] = node;
	}
	return NULL;
}

/* The next sibling of NODE, or PROF_NONE. */
static uint32_t next_sibling(const struct tree *tree, uint32_t node)
{
	uint32_t next = tree->position[node] + 1;

	if (next == tree->count - 1 ||
		tree->nodes[tree->order[next]].parent != tree->nodes[node].parent)
		return PROF_NONE;
	return tree->order[next];
}

/* The node to print after NODE, of which the children are skipped unless INTO; or PROF_NONE. */
static uint32_t next_node(const struct tree *tree, uint32_t node, bool into)
{
	uint32_t next = into ? tree->child[node] : PROF_NONE;

	while (next == PROF_NONE && node) {
		next = next_sibling(tree, node);
		node = tree->nodes[node].parent;
	}
	return next;
}

static double percent_of_all(const struct tree *tree, const struct prof_collapsed_node *node)
{
	return prof_value_percent(in_or_under(node), tree->profile->inclusive[0]);
}

/* Is NODE cut away, with all that is under it? */
static bool is_cut(const struct tree *tree, const struct prof_collapsed_node *node)
{
	if (tree->choice->max_level && node->level > tree->choice->max_level)
		return true;
	return !node->stub && percent_of_all(tree, node) < tree->choice->min_percent;
}

static bool add_row(
	const struct tree *tree, const struct prof_collapsed_node *node, struct prof_table *table)
{
	struct prof_cell *row = prof_table_row(table);
	prof_value whole = node->parent ? in_or_under(&tree->nodes[node->parent])
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

static struct prof_error *fill(struct tree *tree, struct prof_table *table)
{
	uint64_t limit = tree->choice->limit;
	struct prof_error *error = sort_nodes(tree);

	if (error)
		return error;
	uint32_t node = tree->child[0];
	while (node != PROF_NONE && (!limit || prof_table_rows(table) < limit)) {
		bool cut = is_cut(tree, &tree->nodes[node]);
		if (!cut && !add_row(tree, &tree->nodes[node], table))
			return prof_error_nomem();
		node = next_node(tree, node, !cut);
	}
	return NULL;
}

struct prof_error *prof_print_tree(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_profile *profile = sheet->profiles[0];
	AUTO_TABLE struct prof_table table = {
		"rows", columns, PROF_TREE_WIDTH, profile->metric->units, {0}};
	PROF_AUTO(tree_deinit)
	struct tree tree = {.profile = profile, .choice = choice};
	struct prof_collapsed *collapsed;
	struct prof_error *error;

	if (prof_print_nothing(sheet, choice, text))
		return NULL;
	error = prof_collapse_create(&profile->tree, profile->self, choice->collapse, &collapsed);
	if (error)
		return error;
	tree.nodes = collapsed->nodes.items;
	tree.count = (uint32_t)collapsed->nodes.count;
	error = fill(&tree, &table);
	prof_collapse_destroy(collapsed);
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table("tree", sheet, &table, choice->format, text);
	prof_tree_text(profile, &table, choice->columns, text);
	return prof_text_error(text);
}
