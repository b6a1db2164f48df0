/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/comparison.h"

#include "base/file.h"
#include "base/strings.h"
#include "metric/filter.h"
#include "metric/selection.h"
#include "model/experiment.h"
#include "model/samples.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = PROF_COMPARISON_SIDES };

/* One of the two profiles that are being added to the comparison. */
struct side {
	const struct prof_experiment *experiment;
	struct prof_selection *selection;
	struct prof_items items;
	struct prof_profile *profile;
	uint32_t *functions; /* by function of the profile: that of the comparison, or PROF_NONE:
				not yet */
	uint32_t *nodes;     /* by node of the profile: that of the comparison */
};

struct work {
	const struct prof_comparison_request *request;
	const struct prof_progress *progress;
	struct prof_comparison *comparison;
	struct side sides[SIDES];
};

static void work_deinit(struct work *work)
{
	for (int i = 0; i < SIDES; i++) {
		struct side *side = &work->sides[i];
		prof_profile_destroy(side->profile);
		prof_items_deinit(&side->items);
		prof_selection_destroy(side->selection);
		free(side->functions);
		free(side->nodes);
	}
}

/* A selection of nothing. */
static struct prof_error *select_nothing(struct side *side)
{
	side->selection = calloc(1, sizeof *side->selection);
	if (!side->selection)
		return prof_error_nomem();
	side->selection->chosen = calloc(1, sizeof *side->selection->chosen);
	return side->selection->chosen ? NULL : prof_error_nomem();
}

/*
 * The selection of FILTER on SIDE.  A name that SIDE does not have is an error, but SIDE gets the
 * right selection nevertheless: nothing for a filter that chooses it, all for one that excludes it.
 */
static struct prof_error *select_side(struct side *side, const struct prof_filter *filter)
{
	struct prof_filter others = *filter;
	struct prof_error *error =
		prof_selection_create(side->experiment, filter, &side->selection);

	if (!error || prof_error_code(error) != PROF_ERROR_MISSING)
		return error;
	others.values[PROF_CONDITION_NOT_FUNCTION] = NULL;
	struct prof_error *other =
		prof_selection_create(side->experiment, &others, &side->selection);
	if (other) {
		prof_error_destroy(other);
		other = select_nothing(side);
	}
	if (!other)
		return error;
	prof_error_destroy(error);
	return other;
}

/* The selections of FILTER on both sides.  Each name must be on one of them at least. */
static struct prof_error *select_samples(struct work *work)
{
	struct prof_error **missing = work->comparison->missing;
	struct prof_error *error = NULL;

	for (int i = 0; i < SIDES && !error; i++) {
		error = select_side(&work->sides[i], work->request->filters[i]);
		if (error && prof_error_code(error) == PROF_ERROR_MISSING)
			missing[i] = steal(&error);
	}
	return !error && missing[0] && missing[1] ? steal(&missing[0]) : error;
}

static struct prof_error *make_profile(
	struct work *work, struct side *side, const struct prof_metric *metric)
{
	struct prof_profile_request request = {
		.metric = metric,
		.selection = side->selection,
		.items = &side->items,
	};

	prof_items_init(
		&side->items, side->experiment, PROF_KIND_FUNCTIONS, work->request->inlined);
	return prof_profile_create(side->experiment, &request, work->progress, &side->profile);
}

/* The comparison's number of FUNCTION, of SIDE. */
static struct prof_error *find_function(
	struct work *work, struct side *side, uint32_t function, uint32_t *ret)
{
	struct prof_experiment *names = work->comparison->names;
	const struct prof_experiment *from = side->experiment;
	const char *name = prof_experiment_function_name(from, function);
	uint32_t module = prof_experiment_function_row(from, function).module;
	const char *path = prof_strings_get(&from->strings, from->modules.items[module].path);
	struct prof_error *error = NULL;

	if (side->functions[function] == PROF_NONE) {
		error = prof_experiment_module(names, prof_file_base_name(path), "", &module);
		if (!error)
			error = prof_experiment_function(
				names, name, strlen(name), module, &side->functions[function]);
	}
	*ret = side->functions[function];
	return error;
}

/* Adds the tree of SIDE to TREE. */
static struct prof_error *add_tree(struct work *work, struct side *side, struct prof_calltree *tree)
{
	const struct prof_calltree *from = &side->profile->tree;
	size_t functions = prof_experiment_functions(side->experiment);

	side->functions = malloc((functions + 1) * sizeof *side->functions);
	side->nodes = malloc(from->nodes.count * sizeof *side->nodes);
	if (!side->functions || !side->nodes)
		return prof_error_nomem();
	for (size_t i = 0; i < functions; i++)
		side->functions[i] = PROF_NONE;
	side->nodes[0] = 0;
	for (size_t i = 1; i < from->nodes.count; i++) {
		const struct prof_call *call = &from->nodes.items[i];
		uint32_t function;
		struct prof_error *error = find_function(work, side, call->function, &function);
		if (!error)
			error = prof_calltree_child(
				tree, side->nodes[call->parent], function, &side->nodes[i]);
		if (error)
			return error;
	}
	return NULL;
}

/* Copies the values of SIDE to PROFILE. */
static struct prof_error *take_values(const struct side *side, struct prof_profile *profile)
{
	size_t count = profile->tree.nodes.count;

	profile->self = calloc(count, sizeof *profile->self);
	profile->inclusive = calloc(count, sizeof *profile->inclusive);
	if (!profile->self || !profile->inclusive)
		return prof_error_nomem();
	for (size_t i = 0; i < side->profile->tree.nodes.count; i++)
		profile->self[side->nodes[i]] += side->profile->self[i];
	for (size_t i = 0; i < count; i++)
		profile->inclusive[i] = profile->self[i];
	prof_calltree_accumulate(&profile->tree, profile->inclusive);
	return NULL;
}

static struct prof_error *compare(struct work *work)
{
	struct prof_comparison *comparison = work->comparison;
	struct prof_calltree *tree = &comparison->profiles[0].tree;
	struct prof_error *error = prof_experiment_create(&comparison->names);

	if (!error)
		error = prof_calltree_init(tree);
	if (!error)
		error = select_samples(work);
	for (int i = 0; i < SIDES && !error; i++)
		error = make_profile(work, &work->sides[i], &comparison->metrics[i]);
	for (int i = 0; i < SIDES && !error; i++)
		error = add_tree(work, &work->sides[i], tree);
	if (error)
		return error;
	prof_items_init(&comparison->items, comparison->names, PROF_KIND_FUNCTIONS, true);
	for (int i = 0; i < SIDES && !error; i++) {
		const struct side *side = &work->sides[i];
		struct prof_profile *profile = &comparison->profiles[i];
		profile->experiment = comparison->names;
		profile->metric = &comparison->metrics[i];
		profile->items = &comparison->items;
		/* Both profiles share one of these, which [0] owns. */
		profile->tree = *tree;
		comparison->samples[i] = side->experiment->samples.count;
		comparison->chosen[i] =
			side->selection ? side->selection->count : comparison->samples[i];
		error = take_values(side, profile);
	}
	return error;
}

struct prof_error *prof_comparison_create(const struct prof_comparison_request *request,
	const struct prof_progress *progress, struct prof_comparison **ret)
{
	AUTO_COMPARISON struct prof_comparison *comparison = calloc(1, sizeof *comparison);
	PROF_AUTO(work_deinit)
	struct work work = {.request = request, .progress = progress, .comparison = comparison};

	if (!comparison)
		return prof_error_nomem();
	for (int i = 0; i < SIDES; i++) {
		work.sides[i].experiment = request->experiments[i];
		comparison->metrics[i] = *request->metrics[i];
	}
	struct prof_error *error = compare(&work);
	if (!error)
		*ret = steal(&comparison);
	return error;
}

void prof_comparison_destroy(struct prof_comparison *comparison)
{
	if (!comparison)
		return;
	prof_calltree_deinit(&comparison->profiles[0].tree);
	for (int i = 0; i < SIDES; i++) {
		free(comparison->profiles[i].self);
		free(comparison->profiles[i].inclusive);
		prof_error_destroy(comparison->missing[i]);
	}
	prof_items_deinit(&comparison->items);
	prof_experiment_destroy(comparison->names);
	free(comparison);
}

void prof_comparison_auto(struct prof_comparison **comparison)
{
	prof_comparison_destroy(*comparison);
}

void prof_comparison_check(const struct prof_comparison *comparison)
{
	prof_experiment_check(comparison->names);
	for (int i = 0; i < SIDES; i++) {
		prof_profile_check(&comparison->profiles[i]);
		assert(comparison->chosen[i] <= comparison->samples[i]);
	}
	assert(comparison->profiles[0].tree.nodes.items ==
		comparison->profiles[1].tree.nodes.items);
}
