/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Annotated source of functions or files. */
#include "view/print.h"

#include "base/strings.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "view/code.h"
#include "view/listing.h"
#include "view/wanted.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_, LINE, TEXT, WIDTH };

static const struct prof_listing_column columns[WIDTH] = {
	[FILE_] = {"file", {{NULL, NULL, NULL}, false}, true},
	[LINE] = {"line", {{NULL, NULL, "Line"}, true}, false},
	[TEXT] = {"source", {{NULL, NULL, "Source"}, false}, false},
};

/* A function to show. */
struct part {
	uint32_t function;
	struct prof_code_extent extent;
	uint32_t at; /* the line before which it is named, in the current section; 0: none */
	bool added;
};

/* A line that has metrics. */
struct place {
	uint32_t line;
	uint32_t item;
};

struct source {
	const struct prof_sheet *sheet;
	struct prof_code *code;
	struct prof_wanted wanted;
	struct prof_listing listing;
	PROF_ARRAY(struct part) parts;
	PROF_ARRAY(const char *) files;
	PROF_ARRAY(struct prof_code_source)
	sources;                         /* these own the names that the listing shows */
	PROF_ARRAY(struct place) places; /* of the current section, by line */
};

static void source_deinit(struct source *source)
{
	for (size_t i = 0; i < source->parts.count; i++)
		free(source->parts.items[i].extent.file);
	for (size_t i = 0; i < source->sources.count; i++)
		prof_code_source_deinit(&source->sources.items[i]);
	free(source->parts.items);
	free(source->files.items);
	free(source->sources.items);
	free(source->places.items);
	prof_wanted_deinit(&source->wanted);
	prof_listing_deinit(&source->listing);
}

static const char *file_of(const struct source *source, const struct prof_line *line)
{
	return prof_strings_get(&source->sheet->experiment->strings, line->file);
}

/* By function: a frame with code of it, or PROF_NONE; a new array; NULL: memory is short. */
static uint32_t *find_frames(const struct prof_experiment *experiment)
{
	size_t functions = prof_experiment_functions(experiment);
	uint32_t *frames = malloc(functions * sizeof *frames);

	for (size_t i = 0; frames && i < functions; i++)
		frames[i] = PROF_NONE;
	for (uint32_t i = 0; frames && i < experiment->frames.count; i++) {
		const struct prof_frame *frame = &experiment->frames.items[i];
		for (uint32_t j = 0; j < frame->locations && frame->address; j++)
			frames[experiment->locations.items[frame->first_location + j].function] = i;
	}
	return frames;
}

/* Finds the functions to show, and where they are. */
static struct prof_error *find_parts(struct source *source)
{
	const struct prof_experiment *experiment = source->sheet->experiment;
	AUTO_FREE uint32_t *frames = find_frames(experiment);
	size_t functions = prof_experiment_functions(experiment);
	struct prof_error *error = frames ? NULL : prof_error_nomem();

	for (uint32_t i = 0; !error && i < functions; i++) {
		if (!source->wanted.functions[i])
			continue;
		struct part *part = prof_array_push(&source->parts);
		if (!part)
			return prof_error_nomem();
		*part = (struct part){.function = i};
		if (source->code && frames[i] != PROF_NONE)
			error = source->code->extent(
				source->code, experiment, i, frames[i], &part->extent);
	}
	return error;
}

/* Adds FILE to the sections. */
static bool add_file(struct source *source, const char *file)
{
	for (size_t i = 0; i < source->files.count; i++) {
		if (!strcmp(source->files.items[i], file))
			return true;
	}
	const char **added = prof_array_push(&source->files);
	if (added)
		*added = file;
	return added;
}

/* Finds the sections: whole files, or files with code of the functions. */
static struct prof_error *find_files(struct source *source)
{
	const struct prof_items *items = &source->sheet->items;
	bool good = true;

	for (size_t i = 0; good && !source->wanted.files && i < source->parts.count; i++) {
		const char *file = source->parts.items[i].extent.file;
		good = !file || add_file(source, file);
	}
	for (size_t i = 0; good && i < items->lines.count; i++) {
		const struct prof_line *line = &items->lines.items[i];
		bool shown = source->wanted.files ? source->wanted.files[line->file]
						  : source->wanted.functions[line->function];
		if (line->line && shown)
			good = add_file(source, file_of(source, line));
	}
	return good ? NULL : prof_error_nomem();
}

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left;
	const struct place *b = right;

	return (a->line > b->line) - (a->line < b->line);
}

/* Collects the lines of FILE that have metrics. */
static bool find_places(struct source *source, const char *file)
{
	const struct prof_items *items = &source->sheet->items;

	source->places.count = 0;
	for (uint32_t i = 0; i < items->lines.count; i++) {
		const struct prof_line *line = &items->lines.items[i];
		if (!line->line || !source->wanted.functions[line->function] ||
			strcmp(file_of(source, line), file) != 0)
			continue;
		struct place *place = prof_array_push(&source->places);
		if (!place)
			return false;
		*place = (struct place){line->line, i};
	}
	if (source->places.count)
		qsort(source->places.items, source->places.count, sizeof *source->places.items,
			compare_places);
	return true;
}

/* Finds the lines of FILE before which functions are named. */
static void place_parts(struct source *source, const char *file)
{
	const struct prof_items *items = &source->sheet->items;

	for (size_t i = 0; i < source->parts.count; i++) {
		struct part *part = &source->parts.items[i];
		bool here = part->extent.file && !strcmp(part->extent.file, file);
		part->at = here ? part->extent.first : 0;
		for (size_t j = 0; !part->at && j < source->places.count; j++) {
			const struct place *place = &source->places.items[j];
			if (items->lines.items[place->item].function == part->function)
				part->at = place->line;
		}
	}
}

/* Adds a row with TEXT about FILE, or about no file. */
static struct prof_listing_row *add_text(
	struct source *source, enum prof_listing_kind kind, const char *file, struct prof_cell text)
{
	struct prof_listing_row *row = prof_listing_row(&source->listing, kind);

	if (row && file)
		row->cells[FILE_] = prof_cell_name(file);
	if (row)
		row->cells[TEXT] = text;
	return row;
}

/* Gives the last row, of GROUPING, the metrics of ITEM. */
static void assign(struct source *source, struct prof_grouping *grouping, uint32_t item)
{
	grouping->own[item] = grouping->within[item] = prof_listing_last(&source->listing);
}

/* Adds the row of PART's function, and one for its code without line numbers. */
static bool add_part(struct source *source, struct part *part, const char *file)
{
	const struct prof_items *items = &source->sheet->items;
	struct prof_listing *listing = &source->listing;
	const char *name = prof_experiment_function_name(items->experiment, part->function);

	part->added = true;
	if (!add_text(source, PROF_LISTING_SUM, file,
		    prof_listing_cell(listing, name[0] == '<' ? "%s" : "<Function: %s>", name)))
		return false;
	for (uint32_t i = 0; i < items->lines.count; i++) {
		if (items->lines.items[i].function == part->function)
			assign(source, &listing->sums, i);
	}
	for (uint32_t i = 0; i < items->lines.count; i++) {
		const struct prof_line *line = &items->lines.items[i];
		if (line->function != part->function || line->line)
			continue;
		if (!add_text(source, PROF_LISTING_CODE, file,
			    prof_cell_name(prof_items_name(items, i))))
			return false;
		assign(source, &listing->code, i);
	}
	return true;
}

/* Adds LINE of FILE, with TEXT unless that is NULL; *NEXT is the next of the places. */
static bool add_line(struct source *source, const char *file, uint32_t line,
	const struct prof_code_line *text, size_t *next)
{
	struct prof_listing *listing = &source->listing;
	const struct place *places = source->places.items;
	bool code = *next < source->places.count && places[*next].line == line;

	for (size_t i = 0; i < source->parts.count; i++) {
		struct part *part = &source->parts.items[i];
		if (part->at == line && !part->added && !add_part(source, part, file))
			return false;
	}
	struct prof_cell cell = !text ? prof_cell_name("")
		: text->styled        ? prof_cell_styled(text->styled)
				      : prof_cell_line(text->text);
	struct prof_listing_row *row = add_text(source,
		code || (text && text->code) ? PROF_LISTING_CODE : PROF_LISTING_TEXT, file, cell);
	if (!row)
		return false;
	row->cells[LINE] = prof_cell_integer(line);
	for (; *next < source->places.count && places[*next].line == line; ++*next)
		assign(source, &listing->code, places[*next].item);
	return true;
}

/* Finds the range of lines of FILE to show, as far as it has text. */
static void find_range(
	const struct source *source, const char *file, uint32_t *first, uint32_t *last)
{
	const struct place *places = source->places.items;
	size_t count = source->places.count;

	*first = source->wanted.files ? 1 : UINT32_MAX;
	*last = source->wanted.files ? UINT32_MAX : 0;
	if (source->wanted.files)
		return;
	for (size_t i = 0; i < source->parts.count; i++) {
		const struct prof_code_extent *extent = &source->parts.items[i].extent;
		if (!extent->file || strcmp(extent->file, file) != 0)
			continue;
		*first = extent->first < *first ? extent->first : *first;
		*last = extent->last > *last ? extent->last : *last;
	}
	if (count && places[0].line < *first)
		*first = places[0].line;
	if (count && places[count - 1].line > *last)
		*last = places[count - 1].line;
}

/* Adds a section: FILE. */
static struct prof_error *add_section(struct source *source, const char *file, bool text)
{
	struct prof_code_source *of = prof_array_push(&source->sources);
	struct prof_error *error = NULL;
	uint32_t first, last;
	size_t next = 0;

	if (!of)
		return prof_error_nomem();
	*of = (struct prof_code_source){0};
	if (source->code)
		error = source->code->source(source->code, source->sheet->experiment, file, of);
	if (error)
		return error;
	bool good = find_places(source, file);
	place_parts(source, file);
	if (text && good)
		good = add_text(source, PROF_LISTING_TEXT, NULL, prof_cell_name("")) &&
			add_text(source, PROF_LISTING_TEXT, NULL,
				prof_listing_cell(&source->listing, "Source file: %s",
					of->path ? of->path : file));
	find_range(source, file, &first, &last);
	for (uint32_t i = first; good && i <= last && i <= of->lines.count; i++)
		good = add_line(source, file, i, &of->lines.items[i - 1], &next);
	/* Behind the end of the text, only lines with metrics are shown. */
	while (good && next < source->places.count)
		good = add_line(source, file, source->places.items[next].line, NULL, &next);
	return good ? NULL : prof_error_nomem();
}

static struct prof_error *fill(struct source *source, bool text)
{
	struct prof_error *error = find_parts(source);
	bool good = true;

	if (!error)
		error = find_files(source);
	if (error)
		return error;
	if (!add_text(source, PROF_LISTING_TOTAL, NULL, prof_cell_name(PROF_SHEET_TOTAL)))
		return prof_error_nomem();
	for (size_t i = 0; !error && i < source->files.count; i++)
		error = add_section(source, source->files.items[i], text);
	for (size_t i = 0; !error && good && i < source->parts.count; i++) {
		if (!source->parts.items[i].added)
			good = add_part(source, &source->parts.items[i], NULL);
	}
	return error || good ? error : prof_error_nomem();
}

static struct prof_error *print_view(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	PROF_AUTO(source_deinit) struct source source = {.sheet = sheet, .code = choice->code};

	if (prof_print_nothing(sheet, choice, text))
		return NULL;
	struct prof_error *error = prof_listing_init(&source.listing, sheet);
	if (!error)
		error = prof_wanted_find(&source.wanted, sheet, choice->function);
	if (!error)
		error = fill(&source, choice->format == PROF_FORMAT_TEXT);
	if (error)
		return error;
	return prof_listing_print(&source.listing, "source", columns, WIDTH, choice, text);
}

const struct prof_view prof_view_source = {
	.name = "source",
	.usage = "[FUNCTION|FILE]",
	.describe =
		"Show source lines with their exclusive and inclusive metrics.\n"
		"FUNCTION is a function of the experiment; the default is the one with the largest exclusive metric, or with \"set prof annotate on\" that of the selected frame.  "
		"FILE is shown as a whole; give the end of its path.  "
		"A line is marked with ## if it has at least 75 percent of the largest value of a metric.",
	.here = true,
	.options = &prof_listing_options,
	.print = print_view,
	.kind = PROF_KIND_LINES,
	.want = PROF_WANT_ALL,
	.needs = PROF_HAS_COSTS,
};
