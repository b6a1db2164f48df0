#include "view/paint.h"

#include "base/file.h"

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
	return module_name(experiment, experiment->functions.items[function].module);
}

/* A load object and what its boxes cover. */
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

/* Gives load objects their COLORS, by number, those with the largest of AREAS first. */
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
	/* Where none is known, grey would tell nothing. */
	colors[0] = areas[0].size > 0 ? PROF_PAINT_UNKNOWN : PROF_PAINT_OBJECT;
	if (!error && others)
		error = add_legend(paint, PROF_PAINT_OTHERS, "others");
	if (!error && unknown && areas[0].size > 0)
		error = add_legend(paint, PROF_PAINT_UNKNOWN, "<Unknown>");
	return error;
}

struct prof_error *prof_paint_objects(struct prof_paint *paint, struct prof_boxes *boxes,
	const struct prof_experiment *experiment)
{
	size_t count = experiment->modules.count;
	AUTO_FREE struct area *areas = calloc(count, sizeof *areas);
	AUTO_FREE uint32_t *colors = calloc(count, sizeof *colors);

	if (!areas || !colors)
		return prof_error_nomem();
	for (uint32_t i = 0; i < count; i++)
		areas[i].module = i;
	for (size_t i = 0; i < boxes->items.count; i++) {
		const struct prof_box *box = &boxes->items.items[i];
		if (box->function != PROF_NONE)
			areas[experiment->functions.items[box->function].module].size += box->width;
	}
	struct prof_error *error = rank(paint, experiment, areas, colors);
	for (size_t i = 0; !error && i < boxes->items.count; i++) {
		struct prof_box *box = &boxes->items.items[i];
		if (box->function != PROF_NONE)
			box->color = colors[experiment->functions.items[box->function].module];
	}
	return error;
}
