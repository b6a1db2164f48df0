/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/paint.h"

#include "base/file.h"
#include "base/map.h"
#include "base/strings.h"
#include "base/value.h"
#include "model/experiment.h"
#include "picture/boxes.h"
#include "target/wait.h"

#include <math.h>
#include <stdlib.h>

void prof_paint_deinit(struct prof_paint *paint)
{
	free(paint->legend.items);
	*paint = (struct prof_paint){0};
}

static struct prof_error *add_legend(struct prof_paint *paint, uint32_t color, const char *name)
{
	struct prof_legend *legend = prof_array_push(&paint->legend);

	if (!legend)
		return prof_error_nomem();
	*legend = (struct prof_legend){color, name};
	return NULL;
}

static const char *module_name(const struct prof_experiment *experiment, uint32_t module)
{
	return prof_file_base_name(
		prof_strings_get(&experiment->strings, experiment->modules.items[module].path));
}

const char *prof_paint_object_name(const struct prof_experiment *experiment, uint32_t function)
{
	return module_name(experiment, prof_experiment_function_row(experiment, function).module);
}

/* A load object and the area of its boxes. */
struct area {
	uint32_t module;
	double size;
};

static int compare_areas(const void *left, const void *right)
{
	const struct area *a = left, *b = right;

	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return (a->module > b->module) - (a->module < b->module);
}

/* Assigns COLORS to load objects, by number; those with the largest of AREAS choose first. */
static struct prof_error *rank(struct prof_paint *paint, const struct prof_experiment *experiment,
	struct area *areas, uint32_t *colors)
{
	size_t count = experiment->modules.count;
	bool unknown = areas[0].size > 0, others = false;
	struct prof_error *error = NULL;

	areas[0].size = 0;
	qsort(areas, count, sizeof *areas, compare_areas);
	for (size_t i = 0; !error && i < count && areas[i].size > 0; i++) {
		bool own = i < PROF_PAINT_OBJECTS;
		uint32_t color = own ? PROF_PAINT_OBJECT + (uint32_t)i : PROF_PAINT_OTHERS;
		colors[areas[i].module] = color;
		others |= !own;
		if (own)
			error = add_legend(paint, color, module_name(experiment, areas[i].module));
	}
	/* If no load object is known, the boxes need not be grey. */
	colors[0] = areas[0].size > 0 ? PROF_PAINT_UNKNOWN : PROF_PAINT_OBJECT;
	if (!error && others)
		error = add_legend(paint, PROF_PAINT_OTHERS, "others");
	if (!error && unknown && areas[0].size > 0)
		error = add_legend(paint, PROF_PAINT_UNKNOWN, PROF_UNKNOWN);
	return error;
}

static struct prof_error *paint_objects(struct prof_paint *paint, struct prof_boxes *boxes,
	const struct prof_layers *layers, const struct prof_experiment *experiment)
{
	size_t count = experiment->modules.count;
	AUTO_FREE struct area *areas = calloc(count, sizeof *areas);
	AUTO_FREE uint32_t *colors = calloc(count, sizeof *colors);

	(void)layers;
	if (!areas || !colors)
		return prof_error_nomem();
	for (uint32_t i = 0; i < count; i++)
		areas[i].module = i;
	for (size_t i = 0; i < boxes->items.count; i++) {
		const struct prof_box *box = &boxes->items.items[i];
		if (box->function != PROF_NONE)
			areas[prof_experiment_function_row(experiment, box->function).module]
				.size += box->width;
	}
	struct prof_error *error = rank(paint, experiment, areas, colors);
	for (size_t i = 0; !error && i < boxes->items.count; i++) {
		struct prof_box *box = &boxes->items.items[i];
		if (box->function != PROF_NONE)
			box->color = colors[prof_experiment_function_row(experiment, box->function)
						    .module];
	}
	return error;
}

/* A box has the colour of its most frequent state. */
static struct prof_error *paint_states(struct prof_paint *paint, struct prof_boxes *boxes,
	const struct prof_layers *layers, const struct prof_experiment *experiment)
{
	struct prof_error *error = NULL;

	(void)experiment;
	for (size_t i = 0; i < boxes->items.count; i++) {
		const prof_value *values = prof_boxes_values(boxes, i);
		size_t most = 0;
		for (size_t j = 1; j < layers->count; j++)
			most = values[j] > values[most] ? j : most;
		boxes->items.items[i].color = (uint32_t)(PROF_PAINT_STATE + most);
	}
	for (uint32_t i = 0; !error && i < layers->count; i++) {
		if (prof_boxes_values(boxes, 0)[i])
			error = add_legend(paint, PROF_PAINT_STATE + i, prof_state_names[i]);
	}
	return error;
}

/* From -1, if all of it is gone in B, to 1, if all of it is new there. */
static double change_of(const prof_value *values, const struct prof_layers *layers)
{
	double a = layers->scale[0] * prof_value_double(values[0]);
	double b = layers->scale[1] * prof_value_double(values[1]);

	return a + b > 0 ? (b - a) / (a + b) : 0;
}

static struct prof_error *paint_difference(struct prof_paint *paint, struct prof_boxes *boxes,
	const struct prof_layers *layers, const struct prof_experiment *experiment)
{
	static const char *const names[PROF_PAINT_STEPS] = {[0] = "only in A",
		[2] = "less in B",
		[4] = "the same",
		[6] = "more in B",
		[8] = "only in B"};
	const int most = (PROF_PAINT_STEPS - 1) / 2;
	struct prof_error *error = NULL;

	(void)experiment;
	for (size_t i = 0; i < boxes->items.count; i++) {
		double change = change_of(prof_boxes_values(boxes, i), layers);
		boxes->items.items[i].color =
			(uint32_t)(PROF_PAINT_DIFFERENCE + most + (int)lround(most * change));
	}
	for (uint32_t i = 0; !error && i < PROF_PAINT_STEPS; i++) {
		if (names[i])
			error = add_legend(paint, PROF_PAINT_DIFFERENCE + i, names[i]);
	}
	return error;
}

const char *const prof_color_names[PROF_COLORS] = {
	[PROF_COLOR_OBJECT] = "object",
	[PROF_COLOR_STATE] = "state",
	[PROF_COLOR_DIFFERENCE] = "difference",
};

struct prof_error *prof_paint_boxes(struct prof_paint *paint, enum prof_color color,
	struct prof_boxes *boxes, const struct prof_layers *layers,
	const struct prof_experiment *experiment)
{
	static struct prof_error *(*const painters[PROF_COLORS])(struct prof_paint * paint,
		struct prof_boxes * boxes, const struct prof_layers *layers,
		const struct prof_experiment *experiment) = {
		[PROF_COLOR_OBJECT] = paint_objects,
		[PROF_COLOR_STATE] = paint_states,
		[PROF_COLOR_DIFFERENCE] = paint_difference,
	};

	return painters[color](paint, boxes, layers, experiment);
}
