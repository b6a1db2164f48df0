/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/collapse.h"

#include "base/map.h"
#include "metric/calltree.h"
#include "metric/walk.h"

#include <assert.h>
#include <stdlib.h>

const char *const prof_degree_names[PROF_DEGREES] = {"none", "direct", "conservative", "full"};

/* What is needed of a collapsed node only during the replay. */
struct place {
	uint32_t first;  /* the first node of the call tree that led to this node */
	uint32_t target; /* of a stub: the node that it stands for; otherwise PROF_NONE */
	uint32_t same;   /* the nearest ancestor with the same function, or PROF_NONE */
	uint32_t novel;  /* the level of the lowest node from here up without such an ancestor */
	uint32_t visits; /* nodes on the walk's path, in the call tree, that led to this node */
};

/*
 * A step of the replay: the current node of the call tree, or one above it, led to AT.  A step that
 * is no jump also changed `route` and `nearest`, and keeps their old entries here.
 */
struct step {
	uint32_t at;
	bool jumped; /* this step or one before it went through a stub */
	bool jump;
	uint32_t old_route, old_nearest;
};

/*
 * The replay of all stacks at once, in one walk over the call tree.
 *
 * The nodes from the root to the current node C are route[0 .. level of C].  Jumps leave stale
 * entries behind C.  So a node X is C or an ancestor of C if, and only if, its level is at most C's
 * and route[level of X] is X.
 */
struct replay {
	const struct prof_calltree *tree; /* borrowed */
	const prof_value *self, *inclusive;
	enum prof_degree degree;
	struct prof_collapsed *collapsed;
	struct prof_map children; /* node, function -> child, which may be a stub */
	PROF_ARRAY(struct place) places;
	PROF_ARRAY(struct step) steps;
	uint32_t *route;   /* by level */
	uint32_t *nearest; /* by function: the last node with it that was put on the route */
};

static void replay_deinit(struct replay *replay)
{
	prof_map_deinit(&replay->children);
	free(replay->places.items);
	free(replay->steps.items);
	free(replay->route);
	free(replay->nearest);
}

/*
 * The nearest node with FUNCTION from AT upwards, or PROF_NONE.
 *
 * It is nearest[FUNCTION], or, if a jump has left that, one of its `same` ancestors: each node that
 * later replaced it in nearest[] was added below it.
 */
static uint32_t find_instance(const struct replay *replay, uint32_t at, uint32_t function)
{
	const struct prof_collapsed_node *nodes = replay->collapsed->nodes.items;
	uint32_t node = replay->nearest[function];

	while (node != PROF_NONE &&
		(nodes[node].level > nodes[at].level || replay->route[nodes[node].level] != node))
		node = replay->places.items[node].same;
	return node;
}

/*
 * Does a call at AT of a function become a stub, if INSTANCE is the nearest node of that function?
 */
static bool collapses(const struct replay *replay, uint32_t at, uint32_t instance)
{
	if (instance == PROF_NONE)
		return false;
	switch (replay->degree) {
	case PROF_COLLAPSE_DIRECT:
		return instance == at;
	case PROF_COLLAPSE_CONSERVATIVE:
		/*
		 * No name may get lost: each function below INSTANCE must also occur from there
		 * upwards, so none of the nodes below is the uppermost one of its function.
		 */
		return replay->places.items[at].novel <=
			replay->collapsed->nodes.items[instance].level;
	case PROF_COLLAPSE_FULL:
		return true;
	default:
		return false;
	}
}

/* Adds NODE and PLACE, which describe the same node.  False: out of memory. */
static bool add_node(
	struct replay *replay, const struct prof_collapsed_node *node, const struct place *place)
{
	if (!prof_array_reserve(&replay->collapsed->nodes, 1) ||
		!prof_array_reserve(&replay->places, 1))
		return false;
	replay->collapsed->nodes.items[replay->collapsed->nodes.count++] = *node;
	replay->places.items[replay->places.count++] = *place;
	return true;
}

/* A new child of AT for FUNCTION, first met at the node RAW of the call tree. */
static struct prof_error *add_child(
	struct replay *replay, uint32_t at, uint32_t function, uint32_t raw, uint32_t *ret)
{
	uint32_t child = (uint32_t)replay->collapsed->nodes.count;
	uint32_t level = replay->collapsed->nodes.items[at].level + 1;
	uint32_t instance = find_instance(replay, at, function);
	bool stub = collapses(replay, at, instance);
	struct prof_collapsed_node node = {
		.function = function,
		.parent = at,
		.child = PROF_NONE,
		.sibling = PROF_NONE,
		.level = level,
		.stub = stub,
	};
	struct place place = {
		.first = raw,
		.target = stub ? instance : PROF_NONE,
		.same = instance,
		.novel = instance == PROF_NONE ? level : replay->places.items[at].novel,
	};

	if (!add_node(replay, &node, &place) ||
		!prof_map_add(&replay->children, prof_map_pair(at, function), child))
		return prof_error_nomem();
	*ret = child;
	return NULL;
}

/* Adds the values of the node RAW of the call tree, which has led to AT. */
static void count(struct replay *replay, uint32_t raw, const struct step *step)
{
	struct prof_collapsed_node *node = &replay->collapsed->nodes.items[step->at];

	node->in_only += replay->self[raw];
	/* Each stack counts once: the first time the walk reaches it. */
	if (replay->places.items[step->at].visits++)
		return;
	if (step->jumped)
		node->indirect += replay->inclusive[raw];
	else
		node->direct += replay->inclusive[raw];
}

/* A step down: the function of the node RAW of the call tree is called. */
static struct prof_error *enter(struct replay *replay, uint32_t raw)
{
	const struct step *last = &replay->steps.items[replay->steps.count - 1];
	uint32_t function = replay->tree->nodes.items[raw].function;
	uint32_t child = prof_map_get(&replay->children, prof_map_pair(last->at, function));

	if (child == PROF_NONE) {
		struct prof_error *error = add_child(replay, last->at, function, raw, &child);
		if (error)
			return error;
	}
	struct place *place = &replay->places.items[child];
	if (raw < place->first)
		place->first = raw;

	struct step step = {.at = child, .jumped = last->jumped};
	if (place->target != PROF_NONE) {
		step.at = place->target;
		step.jumped = step.jump = true;
	} else {
		uint32_t *route = &replay->route[replay->collapsed->nodes.items[child].level];
		step.old_route = *route;
		step.old_nearest = replay->nearest[function];
		*route = replay->nearest[function] = child;
	}
	struct step *pushed = prof_array_push(&replay->steps);
	if (!pushed)
		return prof_error_nomem();
	*pushed = step;
	replay->collapsed->led_to[raw] = step.at;
	count(replay, raw, &step);
	return NULL;
}

/* Undoes the last step. */
static void leave(struct replay *replay)
{
	const struct step *step = &replay->steps.items[--replay->steps.count];
	const struct prof_collapsed_node *node = &replay->collapsed->nodes.items[step->at];

	replay->places.items[step->at].visits--;
	if (!step->jump) {
		replay->route[node->level] = step->old_route;
		replay->nearest[node->function] = step->old_nearest;
	}
}

/* Begins at the root. */
static struct prof_error *start(struct replay *replay)
{
	size_t levels = replay->tree->nodes.count;
	struct prof_collapsed_node root = {.function = PROF_NONE,
		.parent = PROF_NONE,
		.child = PROF_NONE,
		.sibling = PROF_NONE};
	struct place place = {.target = PROF_NONE, .same = PROF_NONE};
	struct step step = {0};

	replay->route = calloc(levels, sizeof *replay->route);
	replay->nearest = malloc((replay->tree->functions + 1) * sizeof *replay->nearest);
	struct step *pushed = prof_array_push(&replay->steps);
	if (!replay->route || !replay->nearest || !pushed || !add_node(replay, &root, &place))
		return prof_error_nomem();
	for (uint32_t i = 0; i < replay->tree->functions; i++)
		replay->nearest[i] = PROF_NONE;
	*pushed = step;
	count(replay, 0, &step);
	return NULL;
}

static struct prof_error *replay_run(struct replay *replay)
{
	AUTO_WALK struct prof_walk walk = {0};
	struct prof_error *error = start(replay);

	if (!error)
		error = prof_walk_init(&walk, replay->tree);
	while (!error && prof_walk_next(&walk)) {
		if (!walk.node)
			continue;
		if (walk.entering)
			error = enter(replay, walk.node);
		else
			leave(replay);
	}
	return error;
}

/*
 * Numbers and links the nodes in the order of first encounter, which is that of the call tree's own
 * numbers and not that of the walk.
 */
static struct prof_error *put_in_order(struct replay *replay)
{
	struct prof_collapsed *collapsed = replay->collapsed;
	size_t count = collapsed->nodes.count;
	size_t raw_count = replay->tree->nodes.count;
	AUTO_FREE uint32_t *of_raw = malloc(raw_count * sizeof *of_raw);
	AUTO_FREE uint32_t *number = malloc(count * sizeof *number);
	AUTO_FREE struct prof_collapsed_node *nodes = malloc(count * sizeof *nodes);

	if (!of_raw || !number || !nodes)
		return prof_error_nomem();
	for (size_t i = 0; i < raw_count; i++)
		of_raw[i] = PROF_NONE;
	/* Each node of the call tree takes one step, so it is the first of one node at most. */
	for (uint32_t i = 0; i < count; i++)
		of_raw[replay->places.items[i].first] = i;
	uint32_t next = 0;
	for (size_t i = 0; i < raw_count; i++) {
		if (of_raw[i] == PROF_NONE)
			continue;
		number[of_raw[i]] = next;
		nodes[next] = collapsed->nodes.items[of_raw[i]];
		next++;
	}
	for (size_t i = count; i-- > 1;) {
		nodes[i].parent = number[nodes[i].parent];
		nodes[i].sibling = nodes[nodes[i].parent].child;
		nodes[nodes[i].parent].child = (uint32_t)i;
	}
	for (size_t i = 0; i < raw_count; i++)
		collapsed->led_to[i] = number[collapsed->led_to[i]];
	free(collapsed->nodes.items);
	collapsed->nodes.items = steal(&nodes);
	collapsed->nodes.capacity = count;
	return NULL;
}

struct prof_error *prof_collapse_create(const struct prof_calltree *tree, const prof_value *self,
	enum prof_degree degree, struct prof_collapsed **ret)
{
	size_t count = tree->nodes.count;
	AUTO_FREE prof_value *inclusive = malloc(count * sizeof *inclusive);
	struct prof_collapsed *collapsed = calloc(1, sizeof *collapsed);
	PROF_AUTO(replay_deinit)
	struct replay replay = {
		.tree = tree,
		.self = self,
		.inclusive = inclusive,
		.degree = degree,
		.collapsed = collapsed,
	};
	struct prof_error *error = NULL;

	if (collapsed)
		collapsed->led_to = calloc(count, sizeof *collapsed->led_to);
	if (inclusive && collapsed && collapsed->led_to) {
		for (size_t i = 0; i < count; i++)
			inclusive[i] = self[i];
		prof_calltree_accumulate(tree, inclusive);
		error = replay_run(&replay);
		if (!error)
			error = put_in_order(&replay);
	} else {
		error = prof_error_nomem();
	}
	if (error) {
		prof_collapse_destroy(collapsed);
		return error;
	}
	*ret = collapsed;
	return NULL;
}

void prof_collapse_destroy(struct prof_collapsed *collapsed)
{
	if (!collapsed)
		return;
	free(collapsed->nodes.items);
	free(collapsed->led_to);
	free(collapsed);
}

/* Asserts the invariants of the node I, and of it and its parent. */
static void check_node(const struct prof_collapsed_node *nodes, uint32_t i)
{
	const struct prof_collapsed_node *node = &nodes[i];

	assert(node->parent < i && !nodes[node->parent].stub);
	assert(node->level == nodes[node->parent].level + 1);
	assert(node->child == PROF_NONE || nodes[node->child].parent == i);
	assert(node->sibling == PROF_NONE ||
		(node->sibling > i && nodes[node->sibling].parent == node->parent));
	if (!node->stub)
		return;
	assert(node->child == PROF_NONE);
	assert(!node->direct && !node->indirect && !node->in_only);
	/* A stub stands for a node above it. */
	uint32_t above = node->parent;
	while (nodes[above].function != node->function) {
		assert(above);
		above = nodes[above].parent;
	}
}

void prof_collapse_check(const struct prof_collapsed *collapsed)
{
	const struct prof_collapsed_node *nodes = collapsed->nodes.items;
	size_t linked = 0;
	prof_value in_only = 0;

	assert(collapsed->nodes.count > 0);
	assert(nodes[0].function == PROF_NONE && nodes[0].parent == PROF_NONE);
	assert(nodes[0].sibling == PROF_NONE && !nodes[0].level && !nodes[0].stub);
	for (uint32_t i = 0; i < collapsed->nodes.count; i++) {
		if (i)
			check_node(nodes, i);
		linked += (nodes[i].child != PROF_NONE) + (nodes[i].sibling != PROF_NONE);
		in_only += nodes[i].in_only;
	}
	/* Links lead to larger numbers, and exactly one leads to each node but the root. */
	assert(linked == collapsed->nodes.count - 1);
	/* Each stack comes to the root directly, and ends at some node. */
	assert(nodes[0].direct == in_only && !nodes[0].indirect);
}
