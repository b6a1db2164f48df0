/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/openmp_regions.h"

#include "base/file.h"
#include "base/text.h"
#include "model/experiment.h"
#include "parallel/openmp_calls.h"
#include "parallel/openmp_stacks.h"

#include <inttypes.h>
#include <stdlib.h>

void prof_openmp_regions_deinit(struct prof_openmp_regions *regions)
{
	free(regions->items.items);
	free(regions->of);
	free(regions->opened);
	prof_map_deinit(&regions->index);
	*regions = (struct prof_openmp_regions){0};
}

/* The location of the function whose code FRAME is in, or NULL. */
static struct prof_location *outermost(const struct prof_experiment *experiment, uint32_t frame)
{
	const struct prof_frame *at = &experiment->frames.items[frame];

	return at->locations ? &experiment->locations.items[at->first_location + at->locations - 1]
			     : NULL;
}

struct wanted {
	const struct prof_openmp_regions *regions;
	const struct prof_openmp_region *region;
};

static bool is_region(const void *context, uint32_t number)
{
	const struct wanted *wanted = context;
	const struct prof_openmp_region *region = &wanted->regions->items.items[number];

	return region->function == wanted->region->function &&
		region->start == wanted->region->start;
}

/* The function around FRAME of EXPERIMENT, as a region. */
static struct prof_openmp_region region_at(const struct prof_experiment *experiment, uint32_t frame)
{
	const struct prof_location *outer = outermost(experiment, frame);
	struct prof_openmp_region region = {.function = PROF_NONE, .task = true};

	if (!outer)
		return region;
	region.function = outer->function;
	if (experiment->frames.items[frame].address && outer->offset != PROF_OFFSET_UNKNOWN)
		region.start = experiment->frames.items[frame].address - (uint64_t)outer->offset;
	return region;
}

/* The number of REGION among REGIONS, or PROF_NONE. */
static uint32_t find(
	const struct prof_openmp_regions *regions, const struct prof_openmp_region *region)
{
	struct wanted wanted = {regions, region};

	return prof_map_find(&regions->index, prof_map_pair(region->function, 0) ^ region->start,
		is_region, &wanted);
}

/* Adds the function at the end of path NUMBER, which the runtime has called. */
static struct prof_error *add(struct prof_openmp_regions *regions,
	const struct prof_experiment *experiment, const struct prof_openmp_stack *stack,
	uint32_t number)
{
	struct prof_openmp_region region =
		region_at(experiment, experiment->paths.items[number].frame);

	if (region.function == PROF_NONE)
		return NULL;
	uint32_t found = find(regions, &region);
	if (found == PROF_NONE) {
		found = (uint32_t)regions->items.count;
		struct prof_openmp_region *added = prof_map_push(&regions->index,
			prof_map_pair(region.function, 0) ^ region.start, &regions->items);
		if (!added)
			return prof_error_nomem();
		*added = region;
		added->named = region.function;
	}
	regions->of[number] = found;
	regions->items.items[found].task &= stack->task;
	if (stack->task || !stack->opener)
		return NULL;
	struct prof_openmp_region *at = &regions->items.items[found];
	at->several |= at->opener && at->opener != stack->opener;
	if (!at->opener)
		at->opener = stack->opener;
	if (!regions->opened[stack->opener])
		regions->opened[stack->opener] = number;
	return NULL;
}

/* Where REGION is opened, or NULL. */
static const struct prof_location *opened_at(
	const struct prof_experiment *experiment, const struct prof_openmp_region *region)
{
	const struct prof_frame *frame =
		&experiment->frames.items[experiment->paths.items[region->opener].frame];

	return region->opener && frame->locations
		? &experiment->locations.items[frame->first_location]
		: NULL;
}

/* The frame at the beginning of REGION's function; NULL: unknown. */
static const struct prof_location *begins_at(
	const struct prof_experiment *experiment, const struct prof_openmp_region *region)
{
	uint32_t module = experiment->functions.items[region->function].module;
	uint32_t number = prof_experiment_find_frame(experiment, module, region->start);
	const struct prof_frame *frame =
		number == PROF_NONE ? NULL : &experiment->frames.items[number];

	return frame && frame->locations ? &experiment->locations.items[frame->first_location]
					 : NULL;
}

/*
 * Names REGION after its function, or else after the function that opens it, and the line at which
 * it begins.  Not after the line of the call: compilers give it another one when they move it.
 */
static struct prof_error *name_region(
	struct prof_experiment *experiment, struct prof_openmp_region *region)
{
	const struct prof_location *call = opened_at(experiment, region);
	const struct prof_location *line = begins_at(experiment, region);
	AUTO_TEXT struct prof_text text = {0};

	region->file = prof_experiment_no_string(experiment);
	/* What the runtime has called here is no task: it adds up a reduction, or initializes. */
	if (region->task &&
		!prof_openmp_is_outlined(
			prof_experiment_function_name(experiment, region->function)))
		return NULL;
	/* Compilers other than clang before 16 name it after the function that contains it. */
	prof_openmp_outlined_of(prof_experiment_function_name(experiment, region->function), &text);
	if (!text.length && call)
		prof_text_print(
			&text, "%s", prof_experiment_function_name(experiment, call->function));
	if (!line || !line->line)
		line = call;
	if (line) {
		region->file = line->file;
		region->line = line->line;
	}
	if (!text.length && !region->line)
		return NULL;
	prof_text_print(
		&text, "%s%s", text.length ? " " : "", region->task ? "(task" : "(parallel");
	if (region->line)
		prof_text_print(&text, " at %s:%" PRIu32,
			prof_file_base_name(prof_experiment_text(experiment, region->file)),
			region->line);
	prof_text_print(&text, ")");
	struct prof_error *error = prof_text_error(&text);
	return error
		? error
		: prof_experiment_function(experiment, prof_text_get(&text), text.length,
			  experiment->functions.items[region->function].module, &region->named);
}

/* Is FUNCTION the one with a region's code that clang shows to debuggers inside of the region? */
static bool is_inner(const struct prof_experiment *experiment, uint32_t function)
{
	return prof_openmp_is_outlined(prof_experiment_function_name(experiment, function));
}

/* Renames the frames in regions' functions. */
static void rename_frames(
	const struct prof_openmp_regions *regions, struct prof_experiment *experiment)
{
	for (uint32_t i = 0; i < experiment->frames.count; i++) {
		struct prof_frame *frame = &experiment->frames.items[i];
		const struct prof_openmp_region region = region_at(experiment, i);
		uint32_t found = region.function == PROF_NONE ? PROF_NONE : find(regions, &region);
		if (found == PROF_NONE)
			continue;
		struct prof_location *outer = outermost(experiment, i);
		if (frame->locations > 1 && is_inner(experiment, outer[-1].function)) {
			frame->locations--;
			outer--;
		}
		outer->function = regions->items.items[found].named;
	}
}

/*
 * Adds path NUMBER, which the function of REGION calls, to the region if clang has put the region's
 * code there.
 */
static struct prof_error *add_inner(struct prof_openmp_regions *regions,
	const struct prof_experiment *experiment, uint32_t number, uint32_t region)
{
	struct prof_openmp_region inner =
		region_at(experiment, experiment->paths.items[number].frame);

	if (inner.function == PROF_NONE || !is_inner(experiment, inner.function))
		return NULL;
	inner.task = regions->items.items[region].task;
	inner.named = regions->items.items[region].named;
	inner.opener = regions->items.items[region].opener;
	inner.several = regions->items.items[region].several;
	if (find(regions, &inner) == PROF_NONE) {
		struct prof_openmp_region *added = prof_map_push(&regions->index,
			prof_map_pair(inner.function, 0) ^ inner.start, &regions->items);
		if (!added)
			return prof_error_nomem();
		*added = inner;
	}
	regions->of[number] = region;
	return NULL;
}

/* Finds the functions that the runtime has called. */
static struct prof_error *find_all(struct prof_openmp_regions *regions,
	const struct prof_experiment *experiment, const struct prof_openmp_stacks *stacks)
{
	struct prof_error *error = NULL;

	for (uint32_t i = 0; i < experiment->paths.count; i++)
		regions->of[i] = PROF_NONE;
	for (uint32_t i = 1; i < experiment->paths.count && !error; i++) {
		if (stacks->items[i].region == i)
			error = add(regions, experiment, &stacks->items[i], i);
	}
	return error;
}

/* A place in the code opens the same region, whatever path leads there. */
static struct prof_error *spread(
	struct prof_openmp_regions *regions, const struct prof_experiment *experiment)
{
	const struct prof_path *paths = experiment->paths.items;
	AUTO_FREE uint32_t *opened = calloc(experiment->frames.count + 1, sizeof *opened);

	if (!opened)
		return prof_error_nomem();
	for (uint32_t i = 1; i < experiment->paths.count; i++) {
		if (regions->opened[i])
			opened[paths[i].frame] = regions->opened[i];
	}
	for (uint32_t i = 1; i < experiment->paths.count; i++) {
		if (!regions->opened[i])
			regions->opened[i] = opened[paths[i].frame];
	}
	return NULL;
}

struct prof_error *prof_openmp_regions_init(struct prof_openmp_regions *regions,
	const struct prof_experiment *experiment, const struct prof_openmp_stacks *stacks)
{
	size_t paths = experiment->paths.count;

	*regions = (struct prof_openmp_regions){
		.of = malloc(paths * sizeof *regions->of),
		.opened = calloc(paths, sizeof *regions->opened),
	};
	if (!regions->of || !regions->opened)
		return prof_error_nomem();
	struct prof_error *error = find_all(regions, experiment, stacks);
	return error ? error : spread(regions, experiment);
}

void prof_openmp_regions_open(struct prof_openmp_regions *regions, uint32_t path, uint32_t opener)
{
	struct prof_openmp_region *region = &regions->items.items[regions->of[path]];

	if (!region->opener)
		region->opener = opener;
	if (!regions->opened[opener])
		regions->opened[opener] = path;
}

struct prof_error *prof_openmp_regions_name(struct prof_openmp_regions *regions,
	struct prof_experiment *experiment, const struct prof_openmp_stacks *stacks, bool renamed)
{
	size_t paths = experiment->paths.count;
	struct prof_error *error = NULL;

	for (size_t i = 0; i < regions->items.count && !error; i++)
		error = name_region(experiment, &regions->items.items[i]);
	for (uint32_t i = 1; i < paths && !error; i++) {
		uint32_t parent = experiment->paths.items[i].parent;
		if (regions->of[parent] != PROF_NONE && stacks->items[parent].region == parent &&
			!stacks->items[i].construct)
			error = add_inner(regions, experiment, i, regions->of[parent]);
	}
	if (!error && renamed)
		rename_frames(regions, experiment);
	return error;
}
