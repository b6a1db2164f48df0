/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/openmp_tasks.h"

#include "base/map.h"
#include "base/text.h"
#include "model/experiment.h"
#include "parallel/openmp_calls.h"
#include "parallel/openmp_regions.h"
#include "parallel/openmp_stacks.h"

#include <string.h>

/* The compiler's name for the function at the end of PATH, if that is a region's. */
static const char *name_of(const struct prof_experiment *experiment,
	const struct prof_openmp_regions *regions, uint32_t path)
{
	uint32_t region = regions->of[path];

	return region == PROF_NONE
		? ""
		: prof_experiment_function_name(experiment, regions->items.items[region].function);
}

bool prof_openmp_is_task(const struct prof_experiment *experiment,
	const struct prof_openmp_stacks *stacks, const struct prof_openmp_regions *regions,
	uint32_t path)
{
	const struct prof_openmp_stack *stack = &stacks->items[path];

	return stack->region == path && stack->task &&
		prof_openmp_is_outlined(name_of(experiment, regions, path));
}

/*
 * Is NAME the name of the function WANTED, or of a part or a copy that the compiler has made of it?
 */
static bool is_called(const char *name, const char *wanted)
{
	size_t length = strlen(wanted);

	return !strncmp(name, wanted, length) && (!name[length] || name[length] == '.');
}

/* Does the last frame of PATH have code of the function WANTED, inlined or not? */
static bool has_code_of(const struct prof_experiment *experiment, uint32_t path, const char *wanted)
{
	const struct prof_frame *frame =
		&experiment->frames.items[experiment->paths.items[path].frame];

	for (uint32_t i = 0; i < frame->locations; i++) {
		const struct prof_location *location =
			&experiment->locations.items[frame->first_location + i];
		if (is_called(
			    prof_experiment_function_name(experiment, location->function), wanted))
			return true;
	}
	return false;
}

/* The path from CALLER upwards that has created the task TASK, for which it waits with others. */
static uint32_t find_waiting(const struct prof_experiment *experiment,
	const struct prof_openmp_stacks *stacks, const struct prof_openmp_regions *regions,
	uint32_t task, uint32_t caller)
{
	AUTO_TEXT struct prof_text wanted = {0};
	uint32_t path = caller;

	prof_openmp_outlined_of(name_of(experiment, regions, task), &wanted);
	/* Clang before 16 does not name it: only the code that waits is known. */
	if (!wanted.length)
		return caller;
	while (path && stacks->items[path].region != path &&
		!has_code_of(experiment, path, prof_text_get(&wanted)))
		path = experiment->paths.items[path].parent;
	return path ? path : caller;
}

uint32_t prof_openmp_creator(const struct prof_experiment *experiment,
	const struct prof_openmp_stacks *stacks, const struct prof_openmp_regions *regions,
	uint32_t path)
{
	const struct prof_openmp_stack *runtime =
		&stacks->items[experiment->paths.items[path].parent];

	switch ((enum prof_construct)runtime->construct) {
	case PROF_CONSTRUCT_CREATION:
		return runtime->caller;
	case PROF_CONSTRUCT_TASKS:
		return find_waiting(experiment, stacks, regions, path, runtime->caller);
	/* The region's thread waits for its end, without a frame in it. */
	case PROF_CONSTRUCT_REGION:
	case PROF_CONSTRUCT_FORK:
	case PROF_CONSTRUCT_JOIN:
		return runtime->caller;
	default:
		break;
	}
	if (runtime->jumped || !runtime->depth)
		return runtime->caller;
	path = runtime->region;
	while (path && stacks->items[path].task)
		path = stacks->items[experiment->paths.items[path].parent].region;
	return path;
}
