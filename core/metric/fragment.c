/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/fragment.h"

#include "base/map.h"
#include "metric/calltree.h"
#include "metric/functions.h"
#include "metric/profile.h"
#include "metric/walk.h"

#include <assert.h>
#include <stdlib.h>

/* The lines of one side, and their index. */
struct lines {
	struct prof_map index; /* item -> its line */
	PROF_ARRAY(prof_value) values;
	PROF_ARRAY(uint32_t) items;
};

/* An occurrence of the fragment on the walk's path. */
struct match {
	uint32_t node;   /* the node where it ends */
	uint32_t caller; /* the line of its caller */
};

struct search {
	const struct prof_profile *profile;
	const struct prof_fragment_request *request;
	struct prof_fragment *fragment;
	struct lines callers, callees;
	PROF_ARRAY(struct match) matches; /* the innermost last */
};

static void deinit_lines(struct lines *lines)
{
	prof_map_deinit(&lines->index);
	free(lines->values.items);
	free(lines->items.items);
}

static void search_deinit(struct search *search)
{
	deinit_lines(&search->callers);
	deinit_lines(&search->callees);
	free(search->matches.items);
}

/* The line of ITEM, added if new; PROF_NONE: out of memory. */
static uint32_t line_of(struct lines *lines, uint32_t item)
{
	uint32_t line = prof_map_get(&lines->index, item);

	if (line != PROF_NONE)
		return line;
	line = (uint32_t)lines->items.count;
	if (!prof_array_reserve(&lines->values, 1))
		return PROF_NONE;
	uint32_t *added = prof_map_push(&lines->index, item, &lines->items);
	if (!added)
		return PROF_NONE;
	*added = item;
	lines->values.items[lines->values.count++] = 0;
	return line;
}

/* Do stacks that end at NODE end with the fragment?  *FIRST becomes the node of its first part. */
static bool ends_here(const struct search *search, uint32_t node, uint32_t *first)
{
	const struct prof_call *nodes = search->profile->tree.nodes.items;
	const struct prof_fragment_request *request = search->request;

	for (size_t i = request->count; i-- > 0; node = nodes[node].parent) {
		if (!node)
			return false;
		if (!request->parts[i][nodes[node].function])
			return false;
		*first = node;
	}
	return true;
}

/* The stacks through NODE count for this occurrence, and no longer for the one before. */
static bool add_match(
	struct search *search, const struct prof_walk *walk, uint32_t node, uint32_t first)
{
	const struct prof_call *nodes = search->profile->tree.nodes.items;
	struct prof_fragment *fragment = search->fragment;
	prof_value inclusive = search->profile->inclusive[node];
	struct match match = {node, line_of(&search->callers, nodes[nodes[first].parent].function)};

	if (match.caller == PROF_NONE || !prof_array_reserve(&search->matches, 1))
		return false;
	if (search->matches.count) {
		const struct match *before = &search->matches.items[search->matches.count - 1];
		uint32_t below = nodes[prof_walk_below(walk, before->node)].function;
		search->callers.values.items[before->caller] -= inclusive;
		search->callees.values.items[line_of(&search->callees, below)] -= inclusive;
	} else {
		fragment->inclusive += inclusive;
	}
	fragment->seen = true;
	fragment->exclusive += search->profile->self[node];
	search->callers.values.items[match.caller] += inclusive;
	search->matches.items[search->matches.count++] = match;
	return true;
}

/* Does the innermost occurrence end at NODE? */
static bool is_last_match(const struct search *search, uint32_t node)
{
	return search->matches.count &&
		search->matches.items[search->matches.count - 1].node == node;
}

static bool enter(struct search *search, const struct prof_walk *walk, uint32_t node)
{
	const struct prof_call *call = &search->profile->tree.nodes.items[node];
	uint32_t first = 0;

	if (is_last_match(search, call->parent)) {
		uint32_t callee = line_of(&search->callees, call->function);
		if (callee == PROF_NONE)
			return false;
		search->callees.values.items[callee] += search->profile->inclusive[node];
	}
	return !ends_here(search, node, &first) || add_match(search, walk, node, first);
}

/* LINES as attributions in a new array. */
static struct prof_error *take_lines(
	const struct lines *lines, struct prof_attribution **ret, size_t *count)
{
	struct prof_attribution *taken = malloc((lines->items.count + 1) * sizeof *taken);

	if (!taken)
		return prof_error_nomem();
	for (size_t i = 0; i < lines->items.count; i++)
		taken[i] = (struct prof_attribution){
			PROF_NONE, lines->items.items[i], lines->values.items[i]};
	*ret = taken;
	*count = lines->items.count;
	return NULL;
}

static struct prof_error *run(struct search *search)
{
	struct prof_fragment *fragment = search->fragment;
	AUTO_WALK struct prof_walk walk = {0};
	struct prof_error *error = prof_walk_init(&walk, &search->profile->tree);

	while (!error && prof_walk_next(&walk)) {
		if (!walk.node)
			continue;
		if (!walk.entering)
			search->matches.count -= is_last_match(search, walk.node);
		else if (!enter(search, &walk, walk.node))
			error = prof_error_nomem();
	}
	if (!error)
		error = take_lines(
			&search->callers, &fragment->callers.items, &fragment->callers.count);
	if (!error)
		error = take_lines(
			&search->callees, &fragment->callees.items, &fragment->callees.count);
	fragment->callers.capacity = fragment->callers.count;
	fragment->callees.capacity = fragment->callees.count;
	return error;
}

struct prof_error *prof_fragment_create(const struct prof_profile *profile,
	const struct prof_fragment_request *request, struct prof_fragment **ret)
{
	struct prof_fragment *fragment = calloc(1, sizeof *fragment);
	PROF_AUTO(search_deinit)
	struct search search = {.profile = profile, .request = request, .fragment = fragment};

	assert(request->count > 0);
	if (!fragment)
		return prof_error_nomem();
	struct prof_error *error = run(&search);
	if (error) {
		prof_fragment_destroy(fragment);
		return error;
	}
	*ret = fragment;
	return NULL;
}

void prof_fragment_destroy(struct prof_fragment *fragment)
{
	if (!fragment)
		return;
	free(fragment->callers.items);
	free(fragment->callees.items);
	free(fragment);
}

void prof_fragment_check(const struct prof_fragment *fragment)
{
	prof_value callers = 0;
	prof_value callees = 0;

	for (size_t i = 0; i < fragment->callers.count; i++)
		callers += fragment->callers.items[i].value;
	for (size_t i = 0; i < fragment->callees.count; i++)
		callees += fragment->callees.items[i].value;
	assert(callers == fragment->inclusive);
	assert(callees + fragment->exclusive == fragment->inclusive);
	assert(fragment->seen || (!fragment->inclusive && !fragment->callers.count));
}
