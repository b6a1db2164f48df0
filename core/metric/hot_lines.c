/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/hot_lines.h"

#include "metric/collapse.h"
#include "metric/hot_path.h"
#include "metric/profile.h"
#include "metric/walk.h"

#include <stdlib.h>

struct finder {
	const struct prof_profile *profile;
	struct prof_hot_lines *lines;
	struct prof_calltree functions; /* the profile's tree, by function */
	uint32_t *of;                   /* by node of the profile: its node of FUNCTIONS */
	struct prof_collapsed *collapsed;
	struct prof_hot_path path;
	uint32_t *steps;       /* by collapsed node: its step of the path, or PROF_NONE */
	struct prof_map index; /* step, item -> line */
};

static void finder_deinit(struct finder *finder)
{
	prof_calltree_deinit(&finder->functions);
	prof_collapse_destroy(finder->collapsed);
	prof_hot_path_deinit(&finder->path);
	prof_map_deinit(&finder->index);
	free(finder->of);
	free(finder->steps);
}

/* Makes the tree of functions, which is what is collapsed. */
static struct prof_error *collapse(struct finder *finder)
{
	const struct prof_profile *profile = finder->profile;
	size_t count = profile->tree.nodes.count;
	struct prof_error *error = prof_calltree_init(&finder->functions);

	finder->of = calloc(count, sizeof *finder->of);
	if (!error && !finder->of)
		error = prof_error_nomem();
	for (size_t i = 1; i < count && !error; i++) {
		const struct prof_call *call = &profile->tree.nodes.items[i];
		error = prof_calltree_child(&finder->functions, finder->of[call->parent],
			prof_items_function(profile->items, call->function), &finder->of[i]);
	}
	if (error)
		return error;
	AUTO_FREE prof_value *self = calloc(finder->functions.nodes.count, sizeof *self);
	if (!self)
		return prof_error_nomem();
	for (size_t i = 0; i < count; i++)
		self[finder->of[i]] += profile->self[i];
	return prof_collapse_create(
		&finder->functions, self, PROF_COLLAPSE_CONSERVATIVE, &finder->collapsed);
}

/* Adds the steps of the path, without their lines. */
static struct prof_error *add_steps(struct finder *finder)
{
	const struct prof_collapsed_node *nodes = finder->collapsed->nodes.items;
	size_t count = finder->collapsed->nodes.count;
	struct prof_error *error = prof_hot_path_find(&finder->path, finder->collapsed);

	finder->steps = malloc(count * sizeof *finder->steps);
	if (!error && !finder->steps)
		error = prof_error_nomem();
	for (size_t i = 0; i < count && !error; i++)
		finder->steps[i] = PROF_NONE;
	for (uint32_t i = 0; i < finder->path.nodes.count && !error; i++) {
		const struct prof_collapsed_node *node = &nodes[finder->path.nodes.items[i]];
		struct prof_hot_step *step = prof_array_push(&finder->lines->steps);
		if (!step)
			return prof_error_nomem();
		*step = (struct prof_hot_step){.function = node->function,
			.in_or_under = node->direct + node->indirect,
			.in_only = node->in_only};
		finder->steps[finder->path.nodes.items[i]] = i;
	}
	return error;
}

/* The most that a callee of the path's last function has. */
static prof_value find_next(const struct finder *finder)
{
	const struct prof_collapsed_node *nodes = finder->collapsed->nodes.items;
	size_t count = finder->path.nodes.count;
	prof_value most = 0;

	if (!count)
		return 0;
	for (uint32_t i = nodes[finder->path.nodes.items[count - 1]].child; i != PROF_NONE;
		i = nodes[i].sibling) {
		prof_value value = nodes[i].direct + nodes[i].indirect;
		most = value > most ? value : most;
	}
	return most;
}

/* Adds VALUE to ITEM, a line of STEP. */
static struct prof_error *add_value(
	struct finder *finder, uint32_t step, uint32_t item, prof_value value)
{
	uint64_t key = prof_map_pair(step, item);
	uint32_t number = prof_map_get(&finder->index, key);

	if (number == PROF_NONE) {
		struct prof_hot_line *added =
			prof_map_push(&finder->index, key, &finder->lines->lines);
		if (!added)
			return prof_error_nomem();
		*added = (struct prof_hot_line){step, item, value};
		return NULL;
	}
	finder->lines->lines.items[number].value += value;
	return NULL;
}

/*
 * Adds what the node RAW of the profile has to the lines.  FIRST: it is the outermost one of its
 * stacks that led to its step, and so the one above it called that from the step before.
 */
static struct prof_error *add_node(struct finder *finder, uint32_t raw, uint32_t step, bool first)
{
	const struct prof_profile *profile = finder->profile;
	const struct prof_call *calls = profile->tree.nodes.items;
	struct prof_error *error = NULL;

	if (first && step)
		error = add_value(finder, step - 1, calls[calls[raw].parent].function,
			profile->inclusive[raw]);
	if (!error && step + 1 == finder->lines->steps.count && profile->self[raw])
		error = add_value(finder, step, calls[raw].function, profile->self[raw]);
	return error;
}

static struct prof_error *add_lines(struct finder *finder)
{
	AUTO_WALK struct prof_walk walk = {0};
	AUTO_FREE uint32_t *visits = calloc(finder->lines->steps.count + 1, sizeof *visits);
	struct prof_error *error = prof_walk_init(&walk, &finder->profile->tree);

	if (!error && !visits)
		error = prof_error_nomem();
	while (!error && prof_walk_next(&walk)) {
		uint32_t led_to = finder->collapsed->led_to[finder->of[walk.node]];
		uint32_t step = finder->steps[led_to];
		if (step == PROF_NONE)
			continue;
		if (walk.entering)
			error = add_node(finder, walk.node, step, !visits[step]++);
		else
			visits[step]--;
	}
	return error;
}

/* By step, and then the largest value first; with ties, in the order of the items. */
static int compare_lines(const void *left, const void *right)
{
	const struct prof_hot_line *a = left;
	const struct prof_hot_line *b = right;

	if (a->step != b->step)
		return a->step < b->step ? -1 : 1;
	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	return (a->item > b->item) - (a->item < b->item);
}

static void sort_lines(struct prof_hot_lines *lines)
{
	if (lines->lines.count)
		qsort(lines->lines.items, lines->lines.count, sizeof *lines->lines.items,
			compare_lines);
	for (size_t i = lines->lines.count; i-- > 0;) {
		struct prof_hot_step *step = &lines->steps.items[lines->lines.items[i].step];
		step->first = i;
		step->lines++;
	}
}

struct prof_error *prof_hot_lines_find(
	struct prof_hot_lines *lines, const struct prof_profile *profile)
{
	PROF_AUTO(finder_deinit) struct finder finder = {.profile = profile, .lines = lines};
	struct prof_error *error = collapse(&finder);

	if (!error)
		error = add_steps(&finder);
	if (!error)
		error = add_lines(&finder);
	if (error)
		return error;
	lines->next = find_next(&finder);
	sort_lines(lines);
	return NULL;
}

void prof_hot_lines_deinit(struct prof_hot_lines *lines)
{
	free(lines->steps.items);
	free(lines->lines.items);
	*lines = (struct prof_hot_lines){0};
}
