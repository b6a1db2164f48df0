/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/cuts.h"

#include "base/map.h"
#include "base/value.h"
#include "metric/call_counts.h"
#include "metric/calltree.h"
#include "metric/names.h"
#include "metric/profile.h"
#include "model/experiment.h"

#include <stdlib.h>
#include <string.h>

void prof_cuts_deinit(struct prof_cuts *cuts)
{
	for (size_t i = 0; i < cuts->list.count; i++) {
		free(cuts->list.items[i].from);
		free(cuts->list.items[i].to);
	}
	free(cuts->list.items);
	*cuts = (struct prof_cuts){0};
}

/* The functions that NAME stands for, in a new array; NULL if NAME is empty. */
static struct prof_error *find(
	const struct prof_experiment *experiment, const char *name, bool **ret)
{
	AUTO_FREE bool *found = calloc(prof_experiment_functions(experiment) + 1, sizeof *found);

	if (!found)
		return prof_error_nomem();
	if (*name && !prof_names_find(experiment, NULL, name, found))
		return prof_error_create(PROF_ERROR_MISSING,
			"The experiment has no function \"%s\"; see prof-functions.", name);
	*ret = *name ? steal(&found) : NULL;
	return NULL;
}

/* Reads TEXT, with a '/' at SLASH, as FROM/TO; TEXT stays as it is. */
static struct prof_error *read_at(const struct prof_experiment *experiment, const char *text,
	const char *slash, struct prof_cut_calls *ret)
{
	AUTO_FREE char *from = strndup(text, (size_t)(slash - text));
	struct prof_cut_calls calls = {0};

	if (!from)
		return prof_error_nomem();
	struct prof_error *error = find(experiment, from, &calls.from);
	if (!error)
		error = find(experiment, slash + 1, &calls.to);
	if (error)
		free(calls.from);
	else
		*ret = calls;
	return error;
}

struct prof_error *prof_cuts_refuse(const char *text)
{
	return prof_error_create(PROF_ERROR_USAGE, "--cut takes FROM/TO, not \"%s\".", text);
}

/*
 * Names may contain slashes, as operator/ does: the first slash with a name on either side counts.
 */
static struct prof_error *read_calls(
	const struct prof_experiment *experiment, const char *text, struct prof_cut_calls *ret)
{
	struct prof_error *error = prof_cuts_refuse(text);

	for (const char *slash = strchr(text, '/'); slash; slash = strchr(slash + 1, '/')) {
		prof_error_destroy(error);
		error = read_at(experiment, text, slash, ret);
		if (!error || prof_error_code(error) == PROF_ERROR_NOMEM)
			break;
	}
	return error;
}

/* The length of the first part of the list TEXT: commas in brackets are part of a name. */
static size_t part_length(const char *text)
{
	int depth = 0;
	size_t i = 0;

	for (; text[i] && (depth > 0 || text[i] != ','); i++)
		depth += (strchr("(<[", text[i]) != NULL) - (strchr(")>]", text[i]) != NULL);
	return i;
}

struct prof_error *prof_cuts_init(
	struct prof_cuts *cuts, const struct prof_experiment *experiment, const char *text)
{
	struct prof_error *error = NULL;

	*cuts = (struct prof_cuts){0};
	while (text && !error) {
		size_t length = part_length(text);
		AUTO_FREE char *part = strndup(text, length);
		if (!part || !prof_array_reserve(&cuts->list, 1)) {
			error = prof_error_nomem();
			break;
		}
		error = read_calls(experiment, part, &cuts->list.items[cuts->list.count]);
		cuts->list.count += !error;
		text = text[length] ? text + length + 1 : NULL;
	}
	if (error)
		prof_cuts_deinit(cuts);
	return error;
}

bool prof_cuts_have(const struct prof_cuts *cuts, uint32_t caller, uint32_t callee)
{
	for (size_t i = 0; i < cuts->list.count && caller != PROF_NONE; i++) {
		const struct prof_cut_calls *calls = &cuts->list.items[i];
		if ((!calls->from || calls->from[caller]) && (!calls->to || calls->to[callee]))
			return true;
	}
	return false;
}

/* The innermost node of FUNCTION above NODE, or NODE itself; 0 if there is none. */
static uint32_t find_above(const struct prof_calltree *tree, uint32_t node, uint32_t function)
{
	while (node && tree->nodes.items[node].function != function)
		node = tree->nodes.items[node].parent;
	return node;
}

/* Builds CUT's tree from that of PROFILE; NODES becomes, by node of PROFILE, the node in it. */
static struct prof_error *build(const struct prof_cuts *cuts, const struct prof_profile *profile,
	struct prof_profile *cut, uint32_t *nodes)
{
	const struct prof_call *from = profile->tree.nodes.items;
	struct prof_error *error = prof_calltree_init(&cut->tree);

	for (uint32_t i = 1; i < profile->tree.nodes.count && !error; i++) {
		uint32_t parent = from[i].parent, function = from[i].function;
		uint32_t below = nodes[parent];
		if (parent && prof_cuts_have(cuts, from[parent].function, function)) {
			nodes[i] = find_above(&cut->tree, below, function);
			below = 0;
		}
		if (!nodes[i])
			error = prof_calltree_child(&cut->tree, below, function, &nodes[i]);
	}
	if (error)
		return error;
	cut->self = calloc(cut->tree.nodes.count, sizeof *cut->self);
	cut->inclusive = calloc(cut->tree.nodes.count, sizeof *cut->inclusive);
	if (!cut->self || !cut->inclusive)
		return prof_error_nomem();
	for (size_t i = 0; i < profile->tree.nodes.count; i++) {
		cut->self[nodes[i]] += profile->self[i];
		cut->inclusive[nodes[i]] += profile->self[i];
	}
	prof_calltree_accumulate(&cut->tree, cut->inclusive);
	return NULL;
}

struct prof_error *prof_cuts_stacks(
	const struct prof_cuts *cuts, const struct prof_profile *profile, struct prof_profile **ret)
{
	AUTO_FREE uint32_t *nodes = calloc(profile->tree.nodes.count, sizeof *nodes);
	struct prof_profile *cut = calloc(1, sizeof *cut);

	if (!nodes || !cut) {
		free(cut);
		return prof_error_nomem();
	}
	cut->experiment = profile->experiment;
	cut->metric = profile->metric;
	cut->items = profile->items;
	struct prof_error *error = build(cuts, profile, cut, nodes);
	if (error)
		prof_profile_destroy(cut);
	else
		*ret = cut;
	return error;
}

void prof_cuts_calls(const struct prof_cuts *cuts, struct prof_call_counts *calls)
{
	size_t kept = 0, counted = 0;

	for (size_t i = 0; i < calls->list.count; i++) {
		const struct prof_call_count *call = &calls->list.items[i];
		if (i == calls->counted)
			counted = kept;
		if (!prof_cuts_have(cuts, call->caller, call->callee))
			calls->list.items[kept++] = *call;
	}
	calls->counted = calls->counted < calls->list.count ? counted : kept;
	calls->list.count = kept;
}
