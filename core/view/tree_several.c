/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tree with metrics side by side, each with percentages beside it, as the lists show them. */
#include "view/tree.h"

#include "metric/calltree.h"
#include "metric/collapse.h"
#include "metric/descent.h"
#include "metric/hot_path.h"
#include "metric/profile.h"
#include "model/experiment.h"
#include "view/measures.h"
#include "view/print.h"
#include "view/tree_chains.h"

#include <stdlib.h>
#include <string.h>

enum { METRICS = PROF_COUNT(((struct prof_shown_list *)NULL)->items) };

struct several {
	const struct prof_sheet *sheet;
	const struct prof_tree_choice *own;
	struct prof_calltree tree; /* the nodes of all metrics together */
	/* By metric: collapsed from one call tree, so all have the same nodes. */
	struct prof_collapsed *collapsed[METRICS];
	struct prof_descent descent;
	struct prof_measures measures;
	bool folded;                    /* the rest is there only then */
	bool *hot;                      /* by node */
	uint32_t *depth;                /* by node: of its chain */
	struct prof_tree_chains chains; /* by row */
};

static void several_deinit(struct several *several)
{
	for (size_t i = 0; i < METRICS; i++)
		prof_collapse_destroy(several->collapsed[i]);
	prof_calltree_deinit(&several->tree);
	prof_descent_deinit(&several->descent);
	prof_measures_deinit(&several->measures);
	free(several->hot);
	free(several->depth);
	prof_tree_chains_deinit(&several->chains);
}

/* The nodes of PROFILE, by number, in the tree of all metrics, to which they are added. */
static struct prof_error *join(
	struct several *several, const struct prof_profile *profile, uint32_t **ret)
{
	size_t count = profile->tree.nodes.count;
	AUTO_FREE uint32_t *nodes = malloc(count * sizeof *nodes);
	struct prof_error *error = nodes ? NULL : prof_error_nomem();

	for (size_t i = 0; i < count && !error; i++) {
		const struct prof_call *call = &profile->tree.nodes.items[i];
		nodes[i] = 0;
		if (i)
			error = prof_calltree_child(
				&several->tree, nodes[call->parent], call->function, &nodes[i]);
	}
	if (!error)
		*ret = steal(&nodes);
	return error;
}

/* Collapses the tree of all metrics with the values of metric NUMBER, whose own NODES these are. */
static struct prof_error *collapse(struct several *several, size_t number, const uint32_t *nodes)
{
	const struct prof_profile *profile = several->sheet->profiles[number];
	AUTO_FREE prof_value *self = calloc(several->tree.nodes.count, sizeof *self);

	if (!self)
		return prof_error_nomem();
	for (size_t i = 0; i < profile->tree.nodes.count; i++)
		self[nodes[i]] += profile->self[i];
	return prof_collapse_create(
		&several->tree, self, several->own->collapse, &several->collapsed[number]);
}

static struct prof_error *make_trees(struct several *several)
{
	size_t count = several->sheet->shown.count;
	uint32_t *nodes[METRICS] = {NULL};
	struct prof_error *error = prof_calltree_init(&several->tree);

	for (size_t i = 0; i < count && !error; i++)
		error = join(several, several->sheet->profiles[i], &nodes[i]);
	for (size_t i = 0; i < count && !error; i++)
		error = collapse(several, i, nodes[i]);
	for (size_t i = 0; i < count; i++)
		free(nodes[i]);
	return error;
}

static prof_value in_or_under(const struct several *several, size_t metric, uint32_t node)
{
	const struct prof_collapsed_node *at = &several->collapsed[metric]->nodes.items[node];

	return at->direct + at->indirect;
}

static const char *name_of(const struct several *several, uint32_t node)
{
	return prof_experiment_function_name(
		several->sheet->experiment, several->descent.nodes[node].function);
}

/* By the first metric; stubs, which have no values, last. */
static int compare_nodes(uint32_t a, uint32_t b, const void *context)
{
	const struct several *several = context;
	const struct prof_collapsed_node *nodes = several->descent.nodes;
	enum prof_sort sort = several->own->sort;
	if (sort == PROF_SORT_DEFAULT && several->folded)
		sort = PROF_SORT_INCLUSIVE;
	bool inclusive = sort == PROF_SORT_INCLUSIVE;

	if (sort == PROF_SORT_DEFAULT || sort == PROF_SORT_FIRST)
		return 0;
	if (sort != PROF_SORT_NAME) {
		prof_value one = inclusive ? in_or_under(several, 0, a) : nodes[a].in_only;
		prof_value other = inclusive ? in_or_under(several, 0, b) : nodes[b].in_only;
		if (nodes[a].stub != nodes[b].stub)
			return nodes[a].stub ? 1 : -1;
		if (one != other)
			return one < other ? 1 : -1;
	}
	return strcmp(name_of(several, a), name_of(several, b));
}

/* A node is too small if it is so in all metrics. */
static bool is_cut(const void *context, uint32_t node)
{
	const struct several *several = context;
	const struct prof_collapsed_node *at = &several->descent.nodes[node];
	bool small = !at->stub;

	if (several->own->max_level && at->level > several->own->max_level)
		return true;
	for (size_t i = 0; i < several->sheet->shown.count; i++)
		small = small &&
			prof_value_percent(in_or_under(several, i, node),
				several->sheet->profiles[i]->inclusive[0]) <
				several->own->min_percent;
	return small;
}

/* Is NODE the only callee of its caller, with the same figures?  Then it stands on its line. */
static bool is_joined(const void *context, uint32_t node)
{
	const struct several *several = context;
	const struct prof_collapsed_node *at = &several->descent.nodes[node];
	const struct prof_collapsed_node *parent = &several->descent.nodes[at->parent];
	bool only = parent->child == node && at->sibling == PROF_NONE;

	if (!several->folded || !at->parent || !only || at->stub)
		return false;
	for (size_t i = 0; i < several->sheet->shown.count; i++) {
		if (several->collapsed[i]->nodes.items[at->parent].in_only ||
			in_or_under(several, i, node) != in_or_under(several, i, at->parent))
			return false;
	}
	return true;
}

/* Adds NODE to the chains. */
static bool add_to_chains(struct several *several, uint32_t node)
{
	const struct prof_collapsed_node *at = &several->descent.nodes[node];
	struct prof_table *table = &several->measures.table;

	if (is_joined(several, node)) {
		/* The row's figures are those of the last one: only that has any by itself. */
		table->cells.count -= table->width;
		several->depth[node] = several->depth[at->parent];
		return prof_tree_chains_join(&several->chains, name_of(several, node));
	}
	const struct prof_tree_chain chain = {
		.level = at->level,
		.depth = at->parent ? several->depth[at->parent] + 1 : 0,
		.stub = at->stub,
		.hot = several->hot[node],
	};

	several->depth[node] = chain.depth;
	return prof_tree_chains_begin(&several->chains, &chain, name_of(several, node));
}

static bool add_row(void *context, uint32_t node)
{
	struct several *several = context;
	const struct prof_collapsed_node *at = &several->descent.nodes[node];
	const struct prof_sheet *sheet = several->sheet;
	prof_value values[PROF_MEASURES], wholes[PROF_MEASURES];
	size_t count = 0;

	if (several->folded && !add_to_chains(several, node))
		return false;
	for (size_t i = 0; i < sheet->shown.count; i++) {
		const struct prof_shown *shown = &sheet->shown.items[i];
		if (shown->inclusive) {
			wholes[count] = sheet->profiles[i]->inclusive[0];
			values[count++] = in_or_under(several, i, node);
		}
		if (shown->exclusive) {
			wholes[count] = sheet->profiles[i]->inclusive[0];
			values[count++] = several->collapsed[i]->nodes.items[node].in_only;
		}
	}
	struct prof_cell *row =
		prof_measures_row_of(&several->measures, at->stub ? NULL : values, wholes);
	if (!row)
		return false;
	row[PROF_TREE_LEVEL] = prof_cell_integer(at->level);
	row[PROF_TREE_NAME] = prof_cell_name(name_of(several, node));
	row[PROF_TREE_STUB] = prof_cell_integer(at->stub);
	return true;
}

static void begin_table(struct several *several)
{
	static const char *const leading[] = {
		[PROF_TREE_LEVEL] = "level", [PROF_TREE_NAME] = "name", [PROF_TREE_STUB] = "stub"};
	const struct prof_shown_list *list = &several->sheet->shown;
	struct prof_measures *measures = &several->measures;

	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].inclusive)
			prof_measures_add(measures, &list->items[i], "In or Under", NULL, 0);
		if (list->items[i].exclusive)
			prof_measures_add(measures, &list->items[i], "In Only", NULL, 0);
		/* Where all of a metric is shown, this leaves more room for names. */
		if (several->folded && prof_tree_is_plain(&list->items[i]))
			measures->items[measures->count - 1].value = false;
	}
	prof_measures_begin(measures, leading, PROF_COUNT(leading), true);
}

/* The columns that a measure takes: a value and percent. */
enum { COLUMN = 18 };

static void print_text(const struct prof_measures *measures, const struct prof_markup *markup,
	struct prof_text *text)
{
	static const struct prof_grid_column leading[] = {
		{{NULL, NULL, "Level"}, false}, {{NULL}, false}, {{NULL}, false}};
	struct prof_grid_column heads[PROF_MEASURES_COLUMNS];
	AUTO_GRID struct prof_grid grid = {.columns = heads, .underline = true};
	int digits = prof_tree_digits(&measures->table);
	int indent = prof_tree_indent(markup, measures->count * COLUMN);

	/* Of the leading columns, the text shows the level with the name. */
	grid.width = prof_measures_heads(measures, leading, heads) - (PROF_COUNT(leading) - 1);
	for (size_t i = 0; i < prof_table_rows(&measures->table); i++) {
		prof_measures_cells(measures, i, &grid);
		prof_tree_name(prof_table_get(&measures->table, i), digits, indent, &grid);
	}
	prof_grid_print(&grid, text);
}

/* Adds the rows to GRID with their chains, for which there is room behind BEFORE columns. */
static void fill_folded(const struct several *several, const struct prof_markup *markup,
	size_t before, struct prof_grid *grid)
{
	for (size_t i = 0; i < several->chains.rows.count; i++) {
		prof_measures_cells(&several->measures, i, grid);
		prof_tree_chains_print(&several->chains, i, markup, before, grid);
	}
}

static void print_folded(
	const struct several *several, const struct prof_markup *markup, struct prof_text *text)
{
	static const struct prof_grid_column leading[] = {
		{{NULL, NULL, "Hot"}, false}, {{NULL, NULL, "Level"}, false}, {{NULL}, false}};
	const struct prof_markup any = {.names = markup->names};
	struct prof_grid_column heads[PROF_MEASURES_COLUMNS];
	AUTO_GRID struct prof_grid figures = {.columns = heads, .underline = true};
	AUTO_GRID struct prof_grid grid = {.columns = heads, .underline = true};

	figures.width = grid.width = prof_measures_heads(&several->measures, leading, heads) - 1;
	fill_folded(several, &any, 0, &figures);
	fill_folded(several, markup, prof_grid_before(&figures), &grid);
	grid.cells.failed |= figures.cells.failed;
	prof_grid_print(&grid, text);
}

/* Finds the hot path, and makes room for the rest of what folded rows need. */
static struct prof_error *prepare_folded(struct several *several)
{
	AUTO_HOT_PATH struct prof_hot_path path = {0};
	size_t count = several->descent.count;

	several->hot = calloc(count, sizeof *several->hot);
	several->depth = calloc(count, sizeof *several->depth);
	if (!several->hot || !several->depth)
		return prof_error_nomem();
	struct prof_error *error = prof_hot_path_find(&path, several->collapsed[0]);
	for (size_t i = 0; !error && i < path.nodes.count; i++)
		several->hot[path.nodes.items[i]] = true;
	return error;
}

struct prof_error *prof_tree_several(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	const struct prof_tree_choice *own = choice->own;
	PROF_AUTO(several_deinit)
	struct several several = {
		.sheet = sheet, .own = own, .folded = prof_tree_is_folded(choice)};
	const struct prof_descent_visit visit = {is_cut, add_row, is_joined, &several};

	if (own->columns != PROF_COLUMNS_DEFAULT && own->columns != PROF_COLUMNS_BOTH)
		return prof_error_create(PROF_ERROR_USAGE,
			"The columns of several metrics are chosen by --metric, as in i.cpu:i%%wall, not by --columns.");
	if (prof_print_nothing(sheet, choice, text))
		return NULL;
	struct prof_error *error = make_trees(&several);
	if (!error)
		error = prof_descent_init(
			&several.descent, several.collapsed[0], compare_nodes, &several);
	if (!error && several.folded)
		error = prepare_folded(&several);
	several.measures.blank = choice->markup.screen;
	begin_table(&several);
	if (!error)
		error = prof_descent_walk(&several.descent, &visit, own->limit);
	if (error)
		return error;
	if (choice->format != PROF_FORMAT_TEXT)
		return prof_print_table(
			"tree", sheet, &several.measures.table, choice->format, text);
	if (own->bars && choice->blocks)
		prof_measures_bars(&several.measures, 0);
	if (several.folded)
		print_folded(&several, &choice->markup, text);
	else
		print_text(&several.measures, &choice->markup, text);
	return prof_text_error(text);
}
