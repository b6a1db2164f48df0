/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/openmp_unseen.h"

#include "base/text.h"
#include "model/cursor.h"
#include "model/experiment.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The part of PATH that ends with the runtime's function that CALLER, a part of it, has called. */
static uint32_t entry_of(const struct prof_experiment *experiment, uint32_t path, uint32_t caller)
{
	const struct prof_path *paths = experiment->paths.items;

	while (path && paths[path].parent != caller)
		path = paths[path].parent;
	return path;
}

/* Extends *PATH by a frame of the function NAME. */
static struct prof_error *extend(
	struct prof_experiment *experiment, const char *name, uint32_t *path)
{
	uint32_t function, frame;
	struct prof_error *error =
		prof_experiment_function(experiment, name, strlen(name), 0, &function);

	if (!error)
		error = prof_experiment_frame_of(experiment, function, &frame);
	return error ? error : prof_experiment_path(experiment, *path, frame, path);
}

/* Adds the path of a region that was opened at the end of CALLER, a part of PATH. */
static struct prof_error *add(struct prof_experiment *experiment, uint32_t path, uint32_t caller)
{
	AUTO_TEXT struct prof_text name = {0};
	uint32_t entry = entry_of(experiment, path, caller);

	/* As clang names the functions of regions, but each place has a function of its own. */
	prof_text_print(&name, ".omp_outlined.@%" PRIu32, experiment->paths.items[caller].frame);
	struct prof_error *error = prof_text_error(&name);
	if (!error)
		error = extend(experiment, "__kmp_invoke_microtask", &entry);
	return error ? error : extend(experiment, prof_text_get(&name), &entry);
}

/* Marks in KNOWN the frames that have opened a region whose function a stack has. */
static void find_known(const struct prof_experiment *experiment,
	const struct prof_openmp_stacks *stacks, bool *known)
{
	for (uint32_t i = 1; i < experiment->paths.count; i++) {
		const struct prof_openmp_stack *stack = &stacks->items[i];
		if (stack->region == i && !stack->task && stack->opener)
			known[experiment->paths.items[stack->opener].frame] = true;
	}
}

struct prof_error *prof_openmp_unseen_add(struct prof_experiment *experiment,
	const struct prof_openmp_stacks *stacks, const struct prof_progress *progress)
{
	const int opened = PROF_QUANTITY_TRACED + PROF_TRACED_OMP_REGIONS;
	AUTO_FREE bool *known = calloc(experiment->frames.count + 1, sizeof *known);
	AUTO_CURSOR struct prof_cursor rows = {
		.experiment = experiment, .progress = progress, .doing = "Finding short regions"};
	struct prof_error *error = NULL;

	if (!known)
		return prof_error_nomem();
	if (!experiment->traced.omp)
		return NULL;
	find_known(experiment, stacks, known);
	while (!error && prof_cursor_next(&rows)) {
		uint32_t path = rows.row.sample.path, caller = stacks->items[path].caller;
		if (!rows.row.values[opened] || !caller)
			continue;
		bool *done = &known[experiment->paths.items[caller].frame];
		if (!*done)
			error = add(experiment, path, caller);
		*done = true;
	}
	return error ? error : prof_cursor_error(&rows);
}
