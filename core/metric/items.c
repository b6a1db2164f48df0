/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/items.h"

#include "base/text.h"
#include "model/experiment.h"

#include <inttypes.h>
#include <stdlib.h>

/* The frame for empty stacks; if there is none, the number after the last frame. */
static uint32_t unknown_frame(const struct prof_experiment *experiment)
{
	uint32_t frame =
		prof_experiment_find_frame_of(experiment, prof_experiment_unknown(experiment));

	return frame == PROF_NONE ? (uint32_t)experiment->frames.count : frame;
}

void prof_items_init(struct prof_items *items, const struct prof_experiment *experiment,
	enum prof_kind kind, bool inlined)
{
	*items = (struct prof_items){.experiment = experiment, .kind = kind, .inlined = inlined};
}

void prof_items_deinit(struct prof_items *items)
{
	for (size_t i = 0; i < items->names.count; i++)
		free(items->names.items[i]);
	free(items->names.items);
	free(items->lines.items);
	prof_map_deinit(&items->index);
	*items = (struct prof_items){0};
}

size_t prof_items_count(const struct prof_items *items)
{
	switch (items->kind) {
	case PROF_KIND_OBJECTS:
		return items->experiment->modules.count;
	case PROF_KIND_LINES:
		return items->lines.count;
	case PROF_KIND_PCS:
		return items->experiment->frames.count + items->has_unknown;
	default:
		return items->experiment->functions.count + items->has_unknown;
	}
}

static bool has_several(const struct prof_items *items)
{
	return items->inlined &&
		(items->kind == PROF_KIND_FUNCTIONS || items->kind == PROF_KIND_LINES);
}

uint32_t prof_items_depth(const struct prof_items *items, uint32_t frame)
{
	uint32_t locations = items->experiment->frames.items[frame].locations;

	return has_several(items) && locations ? locations : 1;
}

/* The key of a line. */
struct wanted {
	const struct prof_items *items;
	const struct prof_line *line;
};

static bool is_line(const void *context, uint32_t item)
{
	const struct wanted *wanted = context;
	const struct prof_line *line = &wanted->items->lines.items[item];

	return line->function == wanted->line->function && line->file == wanted->line->file &&
		line->line == wanted->line->line;
}

static struct prof_error *add_line(
	struct prof_items *items, const struct prof_line *line, uint32_t *ret)
{
	struct wanted wanted = {items, line};
	uint64_t hash = prof_map_hash(line, sizeof *line);

	*ret = prof_map_find(&items->index, hash, is_line, &wanted);
	if (*ret != PROF_NONE)
		return NULL;
	*ret = (uint32_t)items->lines.count;
	struct prof_line *added = prof_map_push(&items->index, hash, &items->lines);
	if (!added)
		return prof_error_nomem();
	*added = *line;
	return NULL;
}

/* The item of FUNCTION where its code is at LINE of FILE. */
static struct prof_error *of_place(
	struct prof_items *items, const struct prof_location *place, uint32_t *ret)
{
	const struct prof_experiment *experiment = items->experiment;
	struct prof_line line = {place->function, place->file, place->line};
	struct prof_error *error = NULL;

	switch (items->kind) {
	case PROF_KIND_OBJECTS:
		*ret = prof_experiment_function_row(experiment, place->function).module;
		break;
	case PROF_KIND_LINES:
		/* A file without a line is treated like no file. */
		if (!line.line)
			line.file = prof_experiment_no_string(experiment);
		error = add_line(items, &line, ret);
		break;
	default:
		*ret = place->function;
		items->has_unknown |= *ret == experiment->functions.count;
		break;
	}
	return error;
}

struct prof_error *prof_items_of(
	struct prof_items *items, uint32_t frame, uint32_t number, uint32_t *ret)
{
	const struct prof_frame *at = &items->experiment->frames.items[frame];
	struct prof_location place = {0};

	if (items->kind == PROF_KIND_PCS) {
		*ret = frame;
		return NULL;
	}
	if (at->locations) {
		const struct prof_location *locations =
			&items->experiment->locations.items[at->first_location];
		place = locations[has_several(items) ? number : 0];
		/* The line is the source of the code itself, whatever the code is inlined into. */
		if (!items->inlined)
			place.function = locations[at->locations - 1].function;
		return of_place(items, &place, ret);
	}
	if (items->kind == PROF_KIND_OBJECTS) {
		*ret = at->module;
		return NULL;
	}
	place.function = prof_experiment_unknown(items->experiment);
	return of_place(items, &place, ret);
}

struct prof_error *prof_items_of_nothing(struct prof_items *items, uint32_t *ret)
{
	struct prof_location place = {.function = prof_experiment_unknown(items->experiment)};

	if (items->kind != PROF_KIND_PCS)
		return of_place(items, &place, ret);
	*ret = unknown_frame(items->experiment);
	items->has_unknown |= *ret == items->experiment->frames.count;
	return NULL;
}

uint32_t prof_items_function(const struct prof_items *items, uint32_t item)
{
	const struct prof_experiment *experiment = items->experiment;
	const struct prof_frame *frame;

	switch (items->kind) {
	case PROF_KIND_OBJECTS:
		return PROF_NONE;
	case PROF_KIND_LINES:
		return items->lines.items[item].function;
	case PROF_KIND_PCS:
		if (item == experiment->frames.count)
			return prof_experiment_unknown(experiment);
		frame = &experiment->frames.items[item];
		if (!frame->locations)
			return PROF_NONE;
		return experiment->locations
			.items[frame->first_location + (items->inlined ? 0 : frame->locations - 1)]
			.function;
	default:
		return item;
	}
}

static void name_line(
	const struct prof_items *items, const struct prof_line *line, struct prof_text *text)
{
	const char *function = prof_experiment_function_name(items->experiment, line->function);

	if (line->line)
		prof_text_print(text, "%s, line %" PRIu32 " in \"%s\"", function, line->line,
			prof_experiment_text(items->experiment, line->file));
	else if (function[0] == '<')
		prof_text_print(text, "%s", function);
	else
		prof_text_print(
			text, "<Function: %s, instructions without line numbers>", function);
}

static void name_address(const struct prof_items *items, uint32_t frame, struct prof_text *text)
{
	static const struct prof_frame none;
	const struct prof_experiment *experiment = items->experiment;
	const struct prof_frame *at =
		frame < experiment->frames.count ? &experiment->frames.items[frame] : &none;
	const struct prof_location *outer = at->locations
		? &experiment->locations.items[at->first_location + at->locations - 1]
		: NULL;
	uint32_t function = prof_items_function(items, frame);
	const char *name = function == PROF_NONE
		? PROF_UNKNOWN
		: prof_experiment_function_name(experiment, function);

	prof_text_print(text, "%s", name);
	if (outer && outer->function != function)
		prof_text_print(text, ", inlined in %s",
			prof_experiment_function_name(experiment, outer->function));
	if (outer && outer->offset != PROF_OFFSET_UNKNOWN)
		prof_text_print(text, " %c 0x%" PRIx64, outer->offset < 0 ? '-' : '+',
			outer->offset < 0 ? -(uint64_t)outer->offset : (uint64_t)outer->offset);
	else if (at->address)
		prof_text_print(text, " at 0x%" PRIx64, at->address);
	else if (outer && outer->line)
		prof_text_print(text, ", line %" PRIu32 " in \"%s\"", outer->line,
			prof_experiment_text(items->experiment, outer->file));
}

struct prof_error *prof_items_make_names(struct prof_items *items)
{
	size_t count = prof_items_count(items);

	if (items->kind != PROF_KIND_LINES && items->kind != PROF_KIND_PCS)
		return NULL;
	for (size_t i = items->names.count; i < count; i++) {
		struct prof_text text = {0};
		char **name = prof_array_push(&items->names);
		if (!name)
			return prof_error_nomem();
		if (items->kind == PROF_KIND_LINES)
			name_line(items, &items->lines.items[i], &text);
		else
			name_address(items, (uint32_t)i, &text);
		*name = text.bytes;
		struct prof_error *error = prof_text_error(&text);
		if (error)
			return error;
	}
	return NULL;
}

const char *prof_items_name(const struct prof_items *items, uint32_t item)
{
	const struct prof_experiment *experiment = items->experiment;

	switch (items->kind) {
	case PROF_KIND_OBJECTS:
		return prof_experiment_text(
			items->experiment, experiment->modules.items[item].path);
	case PROF_KIND_LINES:
	case PROF_KIND_PCS:
		return items->names.items[item];
	default:
		return prof_experiment_function_name(experiment, item);
	}
}
