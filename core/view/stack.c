/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/stack.h"

#include "base/strings.h"
#include "base/text.h"
#include "model/experiment.h"
#include "report/markup.h"

#include <inttypes.h>
#include <stdlib.h>

void prof_stack_rows_deinit(struct prof_stack_rows *rows)
{
	free(rows->list.items);
	*rows = (struct prof_stack_rows){0};
}

static int compare_rows(const void *left, const void *right)
{
	const struct prof_stack_row *a = left;
	const struct prof_stack_row *b = right;

	if (a->first != b->first)
		return a->first > b->first ? -1 : 1;
	if (a->second != b->second)
		return a->second > b->second ? -1 : 1;
	return (a->path > b->path) - (a->path < b->path);
}

struct prof_error *prof_stack_rows_init(struct prof_stack_rows *rows,
	const struct prof_experiment *experiment, const struct prof_stacks_values *values)
{
	*rows = (struct prof_stack_rows){0};
	for (size_t i = 0; i < experiment->paths.count; i++) {
		struct prof_stack_row row = {
			(uint32_t)i, values->first[i], values->second ? values->second[i] : 0};
		if (!row.first && !row.second)
			continue;
		struct prof_stack_row *added = prof_array_push(&rows->list);
		if (!added)
			return prof_error_nomem();
		*added = row;
		rows->first += row.first;
		rows->second += row.second;
	}
	if (rows->list.count)
		qsort(rows->list.items, rows->list.count, sizeof *rows->list.items, compare_rows);
	return NULL;
}

/* One function at FRAME: LOCATION, or NULL if nothing is known. */
static void print_place(const struct prof_experiment *experiment, const struct prof_frame *frame,
	const struct prof_location *location, struct prof_text *text)
{
	if (!location) {
		prof_text_print(text, "<Unknown> at 0x%" PRIx64, frame->address);
		return;
	}
	prof_text_name(text, prof_experiment_function_name(experiment, location->function));
	if (location->offset != PROF_OFFSET_UNKNOWN)
		prof_text_print(text, " %c 0x%08" PRIX64, location->offset < 0 ? '-' : '+',
			location->offset < 0 ? -(uint64_t)location->offset
					     : (uint64_t)location->offset);
	if (!location->line)
		return;
	prof_text_print(text, ", line %" PRIu32 " in \"", location->line);
	prof_text_name(text, prof_strings_get(&experiment->strings, location->file));
	prof_text_print(text, "\"");
}

/* How many functions are shown at FRAME. */
static uint32_t places_of(const struct prof_frame *frame, bool folded)
{
	return frame->locations && !folded ? frame->locations : 1;
}

/* The function NUMBER of those, counted from the innermost. */
static const struct prof_location *place_of(const struct prof_experiment *experiment,
	const struct prof_frame *frame, uint32_t number, bool folded)
{
	if (!frame->locations)
		return NULL;
	return &experiment->locations
			.items[frame->first_location + (folded ? frame->locations - 1 : number)];
}

void prof_stack_print(const struct prof_experiment *experiment, uint32_t path, bool folded,
	struct prof_text *text)
{
	if (!path)
		prof_text_print(text, "  <Unknown>\n");
	while (path) {
		const struct prof_path *at = &experiment->paths.items[path];
		const struct prof_frame *frame = &experiment->frames.items[at->frame];
		for (uint32_t i = 0; i < places_of(frame, folded); i++) {
			prof_text_print(text, "  ");
			prof_markup_begin(text, PROF_MARKUP_NAME);
			print_place(
				experiment, frame, place_of(experiment, frame, i, folded), text);
			prof_markup_end(text);
			prof_text_print(text, "\n");
		}
		path = at->parent;
	}
}

void prof_stack_join(const struct prof_experiment *experiment, uint32_t path, bool folded,
	struct prof_text *text)
{
	PROF_ARRAY(uint32_t) frames = {0};

	if (!path)
		prof_text_print(text, PROF_UNKNOWN);
	for (; path; path = experiment->paths.items[path].parent) {
		uint32_t *frame = prof_array_push(&frames);
		text->failed |= !frame;
		if (!frame)
			break;
		*frame = experiment->paths.items[path].frame;
	}
	for (size_t i = frames.count; i-- > 0;) {
		const struct prof_frame *frame = &experiment->frames.items[frames.items[i]];
		for (uint32_t j = places_of(frame, folded); j-- > 0;) {
			if (text->length)
				prof_text_print(text, ";");
			print_place(
				experiment, frame, place_of(experiment, frame, j, folded), text);
		}
	}
	free(frames.items);
}
