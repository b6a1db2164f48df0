/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/firefox_tables.h"

#include "base/error.h"
#include "base/time_unit.h"
#include "model/experiment.h"

#include <stdlib.h>
#include <string.h>

void prof_firefox_tables_deinit(struct prof_firefox_tables *tables)
{
	prof_strings_deinit(&tables->strings);
	free(tables->stacks.items);
	free(tables->frames.items);
	free(tables->places.items);
	free(tables->resources.items);
	free(tables->chain.items);
	prof_map_deinit(&tables->stack_index);
	prof_map_deinit(&tables->frame_index);
	prof_map_deinit(&tables->place_index);
	prof_map_deinit(&tables->resource_index);
	prof_map_deinit(&tables->paths);
	*tables = (struct prof_firefox_tables){0};
}

struct prof_error *prof_firefox_add_text(struct prof_firefox_tables *tables, const char *text)
{
	uint32_t number;

	return prof_strings_add(&tables->strings, text, strlen(text), &number);
}

uint32_t prof_firefox_text(const struct prof_firefox_tables *tables, const char *text)
{
	return prof_strings_find(&tables->strings, text);
}

/* Adds the load object, unless MODULE is PROF_NONE. */
static struct prof_error *add_resource(
	struct prof_firefox_tables *tables, struct prof_items *items, uint32_t module)
{
	if (!module || prof_map_get(&tables->resource_index, module) != PROF_NONE)
		return NULL;
	uint32_t *resource = prof_map_push(&tables->resource_index, module, &tables->resources);
	if (!resource)
		return prof_error_nomem();
	*resource = module;
	return prof_firefox_add_text(tables,
		prof_experiment_text(
			items->experiment, items->experiment->modules.items[module].path));
}

static struct prof_error *add_place(
	struct prof_firefox_tables *tables, struct prof_items *items, const struct prof_line *line)
{
	uint64_t key = prof_map_pair(line->function, line->file);

	if (prof_map_get(&tables->place_index, key) != PROF_NONE)
		return NULL;
	struct prof_firefox_place *place =
		prof_map_push(&tables->place_index, key, &tables->places);
	if (!place)
		return prof_error_nomem();
	*place = (struct prof_firefox_place){line->function, line->file};
	struct prof_error *error = prof_firefox_add_text(
		tables, prof_experiment_function_name(items->experiment, line->function));
	if (!error)
		error = prof_firefox_add_text(
			tables, prof_experiment_text(items->experiment, line->file));
	return error
		? error
		: add_resource(tables, items,
			  prof_experiment_function_row(items->experiment, line->function).module);
}

/* The frame of ITEM, a line. */
static struct prof_error *add_frame(
	struct prof_firefox_tables *tables, struct prof_items *items, uint32_t item, uint32_t *ret)
{
	*ret = prof_map_get(&tables->frame_index, item);
	if (*ret != PROF_NONE)
		return NULL;
	*ret = (uint32_t)tables->frames.count;
	uint32_t *frame = prof_map_push(&tables->frame_index, item, &tables->frames);
	if (!frame)
		return prof_error_nomem();
	*frame = item;
	return add_place(tables, items, &items->lines.items[item]);
}

/* The stack of ITEM called from the stack PREFIX. */
static struct prof_error *add_stack(struct prof_firefox_tables *tables, struct prof_items *items,
	uint32_t prefix, uint32_t item, uint32_t *ret)
{
	uint32_t frame;
	struct prof_error *error = add_frame(tables, items, item, &frame);

	if (error)
		return error;
	uint64_t key = prof_map_pair(prefix, frame);
	*ret = prof_map_get(&tables->stack_index, key);
	if (*ret != PROF_NONE)
		return NULL;
	*ret = (uint32_t)tables->stacks.count;
	struct prof_firefox_call *stack = prof_map_push(&tables->stack_index, key, &tables->stacks);
	if (!stack)
		return prof_error_nomem();
	*stack = (struct prof_firefox_call){prefix, frame};
	return NULL;
}

struct prof_error *prof_firefox_stack(
	struct prof_firefox_tables *tables, struct prof_items *items, uint32_t path, uint32_t *ret)
{
	const struct prof_path *paths = items->experiment->paths.items;
	struct prof_error *error = NULL;
	uint32_t item;

	*ret = PROF_NONE;
	if (!path) {
		error = prof_items_of_nothing(items, &item);
		return error ? error : add_stack(tables, items, PROF_NONE, item, ret);
	}
	/* Go up to the first node that is already known, and down again. */
	for (; path && (*ret = prof_map_get(&tables->paths, path)) == PROF_NONE;
		path = paths[path].parent) {
		uint32_t *next = prof_array_push(&tables->chain);
		if (!next)
			return prof_error_nomem();
		*next = path;
	}
	while (!error && tables->chain.count > 0) {
		uint32_t known = tables->chain.items[--tables->chain.count];
		uint32_t frame = paths[known].frame;
		for (uint32_t i = prof_items_depth(items, frame); !error && i-- > 0;) {
			error = prof_items_of(items, frame, i, &item);
			if (!error)
				error = add_stack(tables, items, *ret, item, ret);
		}
		if (!error && !prof_map_add(&tables->paths, known, *ret))
			error = prof_error_nomem();
	}
	return error;
}

void prof_firefox_print_time(int64_t ns, struct prof_text *text)
{
	char number[PROF_VALUE_TEXT];

	prof_text_print(text, "%s", prof_value_print(prof_value_of(ns), PROF_NS_PER_MS, number));
}
