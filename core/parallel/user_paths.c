/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/user_paths.h"

#include "model/experiment.h"
#include "parallel/class.h"
#include "parallel/openmp_calls.h"
#include "parallel/openmp_regions.h"
#include "parallel/openmp_stacks.h"
#include "parallel/openmp_tasks.h"

#include <stdlib.h>
#include <string.h>

enum { NESTED = 8 }; /* how many openers, one opened by the next, a stack is joined to */

/* The function that stands for the runtime, by what it does. */
static const char *const leaves[PROF_CONSTRUCTS] = {
	[PROF_CONSTRUCT_INSIDE] = "<OMP-overhead>",
	[PROF_CONSTRUCT_REGION] = "<OMP-overhead>",
	[PROF_CONSTRUCT_FORK] = "<OMP-overhead>",
	[PROF_CONSTRUCT_OVERHEAD] = "<OMP-overhead>",
	[PROF_CONSTRUCT_CREATION] = "<OMP-overhead>",
	[PROF_CONSTRUCT_REDUCTION] = "<OMP-reduction>",
	[PROF_CONSTRUCT_BARRIER] = "<OMP-barrier>",
	[PROF_CONSTRUCT_EXPLICIT] = "<OMP-explicit_barrier>",
	[PROF_CONSTRUCT_IMPLICIT] = "<OMP-implicit_barrier>",
	[PROF_CONSTRUCT_JOIN] = "<OMP-implicit_barrier>",
	[PROF_CONSTRUCT_LOCK] = "<OMP-lock_wait>",
	[PROF_CONSTRUCT_CRITICAL] = "<OMP-critical_section_wait>",
	[PROF_CONSTRUCT_ATOMIC] = "<OMP-atomic_wait>",
	[PROF_CONSTRUCT_ORDERED] = "<OMP-ordered_section_wait>",
	[PROF_CONSTRUCT_TASKS] = "<OMP-task_wait>",
	[PROF_CONSTRUCT_UNKNOWN] = "<OMP-wait>",
};

static const char idle_leaf[] = "<OMP-idle>";

/* A path under construction. */
struct joining {
	struct prof_user_paths *paths;
	uint32_t path;
};

struct prof_error *prof_user_paths_init(struct prof_user_paths *paths)
{
	const struct prof_openmp_stack *stacks = paths->stacks->items;
	size_t count = paths->experiment->paths.count;

	paths->bases = calloc(count, sizeof *paths->bases);
	if (!paths->bases)
		return prof_error_nomem();
	for (uint32_t i = 1; i < count; i++) {
		uint32_t parent = paths->experiment->paths.items[i].parent;
		bool begins = stacks[i].worker && stacks[i].region == i && !stacks[parent].region;
		paths->bases[i] = begins ? i : paths->bases[parent];
	}
	return NULL;
}

void prof_user_paths_deinit(struct prof_user_paths *paths)
{
	free(paths->bases);
	free(paths->items.items);
	prof_map_deinit(&paths->made);
	*paths = (struct prof_user_paths){0};
}

uint32_t prof_user_paths_base(const struct prof_user_paths *paths, uint32_t path)
{
	return paths->bases[path] ? paths->regions->of[paths->bases[path]] : PROF_NONE;
}

/* Extends *PATH by FRAME. */
static struct prof_error *go_on(struct joining *joining, uint32_t frame)
{
	return prof_experiment_path(
		joining->paths->experiment, joining->path, frame, &joining->path);
}

/* Extends it by the artificial function NAME. */
static struct prof_error *go_on_in(struct joining *joining, const char *name)
{
	struct prof_experiment *experiment = joining->paths->experiment;
	uint32_t function, frame;
	struct prof_error *error =
		prof_experiment_function(experiment, name, strlen(name), 0, &function);

	if (!error)
		error = prof_experiment_frame_of(experiment, function, &frame);
	return error ? error : go_on(joining, frame);
}

static struct prof_error *add_stack(
	struct joining *joining, uint32_t path, uint32_t opener, int nested);

/* Begins with the stack of OPENER, and the function of its region if IN_REGION. */
static struct prof_error *begin(
	struct joining *joining, uint32_t opener, bool in_region, int nested)
{
	const struct prof_user_paths *paths = joining->paths;
	uint32_t opened = paths->regions->opened[opener];
	uint32_t base = prof_user_paths_base(paths, opener);
	uint32_t outer = base == PROF_NONE ? 0 : paths->regions->items.items[base].opener;

	if (!opener || nested > NESTED)
		return NULL;
	struct prof_error *error = add_stack(joining, opener, outer, nested + 1);
	if (!error && in_region && opened)
		error = go_on(joining, paths->experiment->paths.items[opened].frame);
	return error;
}

/* Does the region's function of PATH only lead to CALLEE, which has its code? */
static bool is_wrapper(const struct prof_user_paths *paths, uint32_t path, uint32_t callee)
{
	const struct prof_path *at = &paths->experiment->paths.items[callee];

	return callee && at->parent == path && paths->regions->of[path] != PROF_NONE &&
		paths->regions->of[path] == paths->regions->of[callee];
}

/* Does STACK open a region, or wait for the end of one that its own thread has opened? */
static bool is_edge(const struct prof_openmp_stack *stack)
{
	switch ((enum prof_construct)stack->construct) {
	case PROF_CONSTRUCT_REGION:
	case PROF_CONSTRUCT_FORK:
	case PROF_CONSTRUCT_JOIN:
		return !prof_openmp_is_idle(stack);
	case PROF_CONSTRUCT_UNKNOWN:
		return !prof_openmp_is_idle(stack) && !stack->depth;
	default:
		return false;
	}
}

/*
 * The path that ends with the function of STACK's region if STACK does not show it: at its begin or
 * end, or after a jump.  0: there is none.
 */
static uint32_t hidden_region(
	const struct prof_user_paths *paths, const struct prof_openmp_stack *stack)
{
	return is_edge(stack) || stack->jumped ? paths->regions->opened[stack->caller] : 0;
}

/* Frames of a path under construction, the innermost first. */
struct frames {
	PROF_ARRAY(uint32_t) list;
};

/* Adds the last frame of PATH, unless PATH is 0. */
static struct prof_error *add_frame(
	const struct prof_user_paths *paths, struct frames *frames, uint32_t path)
{
	uint32_t *frame = path ? prof_array_push(&frames->list) : NULL;

	if (frame)
		*frame = paths->experiment->paths.items[path].frame;
	return frame || !path ? NULL : prof_error_nomem();
}

/* The caller of PATH as the user sees it: for a task, the path that has created it. */
static uint32_t caller_of(const struct prof_user_paths *paths, uint32_t path)
{
	return prof_openmp_is_task(paths->experiment, paths->stacks, paths->regions, path)
		? prof_openmp_creator(paths->experiment, paths->stacks, paths->regions, path)
		: paths->experiment->paths.items[path].parent;
}

/* Adds the frames of PATH that are code of the program, for a worker those from its base on. */
static struct prof_error *add_code(struct joining *joining, uint32_t path)
{
	const struct prof_user_paths *paths = joining->paths;
	const struct prof_path *rows = paths->experiment->paths.items;
	uint32_t end = paths->bases[path] ? rows[paths->bases[path]].parent : 0;
	struct frames frames = {0};
	struct prof_error *error = NULL;

	for (uint32_t callee = 0; path && path != end && !error;) {
		const struct prof_openmp_stack *stack = &paths->stacks->items[path];
		uint32_t caller = rows[path].parent;
		if (!stack->construct && !is_wrapper(paths, path, callee))
			error = add_frame(paths, &frames, path);
		/* The runtime has called a task, or anything else but a region. */
		if (!error && caller != end && stack->region == path && stack->task)
			error = add_frame(paths, &frames,
				hidden_region(paths, &paths->stacks->items[caller]));
		callee = path;
		path = caller != end ? caller_of(paths, path) : end;
	}
	while (!error && frames.list.count)
		error = go_on(joining, frames.list.items[--frames.list.count]);
	free(frames.list.items);
	return error;
}

/* Adds all frames of PATH, of a thread whose region OPENER has opened. */
static struct prof_error *add_stack(
	struct joining *joining, uint32_t path, uint32_t opener, int nested)
{
	const struct prof_user_paths *paths = joining->paths;
	const struct prof_openmp_stack *stack = &paths->stacks->items[path];
	bool idle = prof_openmp_is_idle(stack);
	/* A worker whose stack has only frames of the runtime. */
	bool bare = stack->worker && !stack->region;
	uint32_t opened = bare ? 0 : hidden_region(paths, stack);
	struct prof_error *error = NULL;

	if (bare || paths->bases[path])
		error = begin(joining, opener,
			bare || paths->stacks->items[paths->bases[path]].task, nested);
	if (!error && idle)
		return go_on_in(joining, opener ? leaves[PROF_CONSTRUCT_JOIN] : idle_leaf);
	if (!error && !bare)
		error = add_code(joining, path);
	/* The begin and the end of a region are inside of it. */
	if (!error && opened)
		error = go_on(joining, paths->experiment->paths.items[opened].frame);
	if (!error && stack->construct)
		error = go_on_in(joining, leaves[stack->construct]);
	return error;
}

/* The innermost region of PATH, whose first region OPENER has opened, or PROF_NONE. */
static uint32_t find_region(const struct prof_user_paths *paths, uint32_t path, uint32_t opener)
{
	const struct prof_openmp_regions *regions = paths->regions;
	const struct prof_openmp_stack *stacks = paths->stacks->items;
	const struct prof_openmp_stack *stack = &stacks[path];
	uint32_t at = is_edge(stack) || stack->jumped ? hidden_region(paths, stack) : stack->region;

	while (at && stacks[at].task) {
		const struct prof_openmp_stack *caller =
			&stacks[paths->experiment->paths.items[at].parent];
		at = is_edge(caller) || caller->jumped ? hidden_region(paths, caller)
						       : caller->region;
	}
	if (!at)
		at = regions->opened[opener];
	return at ? regions->of[at] : PROF_NONE;
}

/* A path of its own with the frames of PATH. */
static struct prof_error *copy(struct prof_experiment *experiment, uint32_t path, uint32_t *ret)
{
	struct prof_path of = experiment->paths.items[path];

	*ret = (uint32_t)experiment->paths.count;
	struct prof_path *added = prof_children_push(
		&experiment->path_index, of.parent, of.frame, &experiment->paths);
	if (!added)
		return prof_error_nomem();
	*added = of;
	return NULL;
}

/* Makes the path of PATH and OPENER in the mode of PATHS. */
static struct prof_error *make(
	struct prof_user_paths *paths, uint32_t path, uint32_t opener, uint32_t *ret)
{
	struct joining joining = {.paths = paths};
	struct prof_error *error;

	*ret = path;
	if (paths->mode == PROF_STACKS_MACHINE)
		return opener && prof_openmp_is_idle(&paths->stacks->items[path])
			? copy(paths->experiment, path, ret)
			: NULL;
	error = add_stack(&joining, path, opener, 0);
	*ret = joining.path;
	return error;
}

struct prof_error *prof_user_paths_get(
	struct prof_user_paths *paths, uint32_t path, uint32_t opener, uint32_t *ret)
{
	uint64_t key = prof_map_pair(path, opener);
	const struct prof_openmp_stack *stack = &paths->stacks->items[path];
	uint32_t number = prof_map_get(&paths->made, key);
	struct prof_user_path made = {.class = (uint8_t)prof_openmp_class(stack)};

	if (number != PROF_NONE) {
		*ret = paths->items.items[number].path;
		return NULL;
	}
	if (prof_openmp_is_idle(stack) && opener)
		made.class = PROF_CLASS_OMP_WAIT;
	made.region = find_region(paths, path, opener);
	struct prof_error *error = make(paths, path, opener, &made.path);
	if (error)
		return error;
	struct prof_user_path *added = prof_map_push(&paths->made, key, &paths->items);
	if (!added)
		return prof_error_nomem();
	*added = made;
	*ret = made.path;
	return NULL;
}

/* Adds the regions to the experiment. */
static struct prof_error *add_regions(const struct prof_user_paths *paths)
{
	struct prof_experiment *experiment = paths->experiment;

	for (size_t i = 0; i < paths->regions->items.count; i++) {
		const struct prof_openmp_region *region = &paths->regions->items.items[i];
		struct prof_region *added = prof_array_push(&experiment->region_rows);
		if (!added)
			return prof_error_nomem();
		*added = (struct prof_region){
			.function = region->named,
			.caller = region->opener ? experiment->paths.items[region->opener].frame
						 : PROF_NONE,
			.file = region->file,
			.line = region->line,
		};
	}
	return NULL;
}

struct prof_error *prof_user_paths_classify(struct prof_user_paths *paths)
{
	struct prof_experiment *experiment = paths->experiment;
	size_t count = experiment->paths.count;
	struct prof_error *error = prof_classes_update(experiment);

	if (!error && !prof_array_reserve(&experiment->regions, count))
		error = prof_error_nomem();
	if (!error)
		error = add_regions(paths);
	if (error)
		return error;
	memset(experiment->regions.items, 0xff, count * sizeof *experiment->regions.items);
	experiment->regions.count = count;
	for (size_t i = 0; i < paths->items.count; i++) {
		const struct prof_user_path *made = &paths->items.items[i];
		uint8_t *class = &experiment->classes.items[made->path];
		*class = (uint8_t)((*class & ~PROF_CLASS_OMP) | made->class);
		experiment->classes_used |= made->class;
		experiment->regions.items[made->path] = made->region;
	}
	experiment->classes.count = count;
	return NULL;
}
