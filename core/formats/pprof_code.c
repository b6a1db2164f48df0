/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/pprof_code.h"

#include "base/error.h"
#include "base/progress.h"
#include "base/strings.h"
#include "formats/content.h"
#include "formats/pprof.pb-c.h"
#include "model/experiment.h"

#include <stdlib.h>
#include <string.h>

/* As in the file: texts are numbers until all strings are known. */
struct prof_pprof_function {
	size_t at;
	int64_t name, file;
};

struct prof_pprof_mapping {
	size_t at;
	struct prof_range range;
	int64_t path, build_id;
	uint32_t module; /* once it is known */
};

struct prof_pprof_line {
	uint64_t function; /* its id; 0: not known */
	uint32_t line;
};

void prof_pprof_code_deinit(struct prof_pprof_code *code)
{
	free(code->strings.items);
	free(code->places.items);
	free(code->frames.items);
	free(code->functions.items);
	free(code->mappings.items);
	free(code->lines.items);
	prof_map_deinit(&code->function_index);
	prof_map_deinit(&code->mapping_index);
	prof_map_deinit(&code->place_index);
}

static struct prof_error *malformed(
	const struct prof_pprof_code *code, const struct prof_pprof_part *part, const char *what)
{
	return prof_content_damaged(code->content, part->at, "does not begin a %s", what);
}

/* Notes that the entry NUMBER of a table has the ID. */
static struct prof_error *add_id(const struct prof_pprof_code *code, struct prof_map *index,
	const struct prof_pprof_part *part, uint64_t id, size_t number)
{
	if (!id)
		return prof_content_damaged(code->content, part->at, "has the id 0");
	if (prof_map_get(index, id) != PROF_NONE)
		return prof_content_damaged(code->content, part->at,
			"has the id %llu, like one before", (unsigned long long)id);
	if (number >= PROF_NONE || !prof_map_add(index, id, (uint32_t)number))
		return prof_error_nomem();
	return NULL;
}

struct prof_error *prof_pprof_code_string(
	struct prof_pprof_code *code, const struct prof_pprof_part *part)
{
	uint32_t *string = prof_array_push(&code->strings);

	if (!string)
		return prof_error_nomem();
	return prof_strings_add(&code->experiment->strings,
		part->length ? (const char *)part->bytes : "", part->length, string);
}

struct prof_error *prof_pprof_code_function(
	struct prof_pprof_code *code, const struct prof_pprof_part *part)
{
	Pprof__Function *message = pprof__function__unpack(NULL, part->length, part->bytes);

	if (!message)
		return malformed(code, part, "function");
	const struct prof_pprof_function function = {
		part->at, message->name ? message->name : message->system_name, message->filename};
	uint64_t id = message->id;
	pprof__function__free_unpacked(message, NULL);
	if (!prof_array_reserve(&code->functions, 1))
		return prof_error_nomem();
	code->functions.items[code->functions.count++] = function;
	return add_id(code, &code->function_index, part, id, code->functions.count - 1);
}

struct prof_error *prof_pprof_code_mapping(
	struct prof_pprof_code *code, const struct prof_pprof_part *part)
{
	Pprof__Mapping *message = pprof__mapping__unpack(NULL, part->length, part->bytes);

	if (!message)
		return malformed(code, part, "mapping");
	const struct prof_pprof_mapping mapping = {part->at,
		{message->memory_start, message->memory_limit, message->file_offset},
		message->filename, message->build_id, 0};
	uint64_t id = message->id;
	pprof__mapping__free_unpacked(message, NULL);
	if (!prof_array_reserve(&code->mappings, 1))
		return prof_error_nomem();
	code->mappings.items[code->mappings.count++] = mapping;
	return add_id(code, &code->mapping_index, part, id, code->mappings.count - 1);
}

static struct prof_error *add_place(struct prof_pprof_code *code,
	const struct prof_pprof_part *part, const Pprof__Location *message)
{
	const struct prof_pprof_place place = {part->at, message->mapping_id, message->address,
		code->lines.count, message->n_line, 0, 0};

	if (!prof_array_reserve(&code->lines, message->n_line) ||
		!prof_array_reserve(&code->places, 1))
		return prof_error_nomem();
	for (size_t i = 0; i < message->n_line; i++) {
		int64_t line = message->line[i]->line;
		bool known = line > 0 && line <= UINT32_MAX;
		code->lines.items[code->lines.count++] = (struct prof_pprof_line){
			message->line[i]->function_id, known ? (uint32_t)line : 0};
	}
	code->places.items[code->places.count++] = place;
	return add_id(code, &code->place_index, part, message->id, code->places.count - 1);
}

struct prof_error *prof_pprof_code_location(
	struct prof_pprof_code *code, const struct prof_pprof_part *part)
{
	Pprof__Location *message = pprof__location__unpack(NULL, part->length, part->bytes);

	if (!message)
		return malformed(code, part, "location");
	struct prof_error *error = add_place(code, part, message);
	pprof__location__free_unpacked(message, NULL);
	return error;
}

struct prof_error *prof_pprof_code_text(
	const struct prof_pprof_code *code, size_t at, int64_t number, uint32_t *ret)
{
	if (number < 0 || (uint64_t)number >= code->strings.count)
		return prof_content_damaged(code->content, at, "refers to the string %lld of %zu",
			(long long)number, code->strings.count);
	*ret = code->strings.items[number];
	return NULL;
}

/* Does not use prof_experiment_range(), which searches all ranges of the module. */
static struct prof_error *add_range(
	const struct prof_pprof_code *code, const struct prof_pprof_mapping *mapping)
{
	struct prof_module *module = &code->experiment->modules.items[mapping->module];

	if (mapping->range.low >= mapping->range.high)
		return NULL;
	struct prof_range *range = prof_array_push(&module->ranges);
	if (!range)
		return prof_error_nomem();
	*range = mapping->range;
	return NULL;
}

static struct prof_error *make_module(
	struct prof_pprof_code *code, struct prof_pprof_mapping *mapping)
{
	uint32_t path = 0, build_id = 0;
	struct prof_error *error = prof_pprof_code_text(code, mapping->at, mapping->path, &path);

	if (!error)
		error = prof_pprof_code_text(code, mapping->at, mapping->build_id, &build_id);
	if (error)
		return error;
	if (!*prof_experiment_text(code->experiment, path))
		return NULL;
	error = prof_experiment_module(code->experiment,
		prof_experiment_text(code->experiment, path),
		prof_experiment_text(code->experiment, build_id), &mapping->module);
	return error ? error : add_range(code, mapping);
}

static const char unknown[] = PROF_UNKNOWN;

/* Decodes LINE of the message at byte AT, in MODULE. */
static struct prof_error *make_location(struct prof_pprof_code *code, size_t at, uint32_t module,
	const struct prof_pprof_line *line, struct prof_location *ret)
{
	const char *name = unknown;
	struct prof_error *error = prof_experiment_string(code->experiment, "", &ret->file);

	ret->line = line->line;
	ret->offset = PROF_OFFSET_UNKNOWN;
	if (!error && line->function) {
		uint32_t number = prof_map_get(&code->function_index, line->function), string = 0;
		if (number == PROF_NONE)
			return prof_content_damaged(code->content, at,
				"refers to the function %llu, which is not there",
				(unsigned long long)line->function);
		const struct prof_pprof_function *function = &code->functions.items[number];
		error = prof_pprof_code_text(code, function->at, function->name, &string);
		if (!error)
			error = prof_pprof_code_text(
				code, function->at, function->file, &ret->file);
		if (!error && *prof_experiment_text(code->experiment, string))
			name = prof_experiment_text(code->experiment, string);
	}
	return error ? error
		     : prof_experiment_function(
			       code->experiment, name, strlen(name), module, &ret->function);
}

static bool same_locations(const struct prof_experiment *experiment, uint32_t number,
	const struct prof_location *locations, size_t count)
{
	const struct prof_frame *frame = &experiment->frames.items[number];
	const struct prof_location *known =
		count ? &experiment->locations.items[frame->first_location] : NULL;
	bool same = frame->locations == count;

	for (size_t i = 0; same && i < count; i++)
		same = known[i].function == locations[i].function &&
			known[i].file == locations[i].file && known[i].line == locations[i].line;
	return same;
}

static struct prof_error *add_frame(struct prof_pprof_code *code, uint32_t frame)
{
	uint32_t *added = prof_array_push(&code->frames);

	if (!added)
		return prof_error_nomem();
	*added = frame;
	return NULL;
}

/*
 * Makes the frame at the address of PLACE, if it has one; *MADE is false if the address already
 * belongs to other code, of another process.
 */
static struct prof_error *make_frame(struct prof_pprof_code *code,
	const struct prof_pprof_place *place, uint32_t module,
	const struct prof_location *locations, bool *made)
{
	struct prof_experiment *experiment = code->experiment;
	uint32_t frame;

	*made = false;
	if (!place->address && place->lines)
		return NULL;
	struct prof_error *error =
		prof_experiment_frame(experiment, module, place->address, &frame);
	if (error)
		return error;
	if (place->lines && !experiment->frames.items[frame].locations)
		error = prof_experiment_resolve(
			experiment, frame, locations, (uint32_t)place->lines);
	*made = !place->lines || same_locations(experiment, frame, locations, place->lines);
	return error || !*made ? error : add_frame(code, frame);
}

/* Makes the frames of PLACE, in MODULE: one, or one for each line where it has no address. */
static struct prof_error *make_frames(
	struct prof_pprof_code *code, struct prof_pprof_place *place, uint32_t module)
{
	AUTO_FREE struct prof_location *locations = calloc(place->lines + 1, sizeof *locations);
	struct prof_error *error = locations ? NULL : prof_error_nomem();
	bool made = false;

	for (size_t i = 0; !error && i < place->lines; i++)
		error = make_location(code, place->at, module,
			&code->lines.items[place->first_line + i], &locations[i]);
	/* The exporter writes this name if only the address is known. */
	if (!error && place->address && place->lines == 1 &&
		!strcmp(prof_experiment_function_name(code->experiment, locations[0].function),
			unknown))
		place->lines = 0;
	place->first_frame = code->frames.count;
	if (!error)
		error = make_frame(code, place, module, locations, &made);
	for (size_t i = 0; !error && !made && i < place->lines; i++) {
		uint32_t frame;
		error = prof_experiment_frame_at(code->experiment, locations[i].function,
			locations[i].file, locations[i].line, &frame);
		if (!error)
			error = add_frame(code, frame);
	}
	place->frames = code->frames.count - place->first_frame;
	return error;
}

static struct prof_error *make_place(struct prof_pprof_code *code, struct prof_pprof_place *place)
{
	uint32_t mapping = PROF_NONE;

	if (place->mapping) {
		mapping = prof_map_get(&code->mapping_index, place->mapping);
		if (mapping == PROF_NONE)
			return prof_content_damaged(code->content, place->at,
				"refers to the mapping %llu, which is not there",
				(unsigned long long)place->mapping);
	}
	return make_frames(
		code, place, mapping == PROF_NONE ? 0 : code->mappings.items[mapping].module);
}

struct prof_error *prof_pprof_code_finish(
	struct prof_pprof_code *code, const struct prof_progress *progress)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < code->mappings.count; i++)
		error = make_module(code, &code->mappings.items[i]);
	for (size_t i = 0; !error && i < code->places.count; i++) {
		if (i % PROF_PROGRESS_STEP == 0)
			error = prof_progress_report(
				progress, "Reading code", i, code->places.count);
		if (!error)
			error = make_place(code, &code->places.items[i]);
	}
	return error;
}

const struct prof_pprof_place *prof_pprof_code_place(
	const struct prof_pprof_code *code, uint64_t id)
{
	uint32_t number = prof_map_get(&code->place_index, id);

	return number == PROF_NONE ? NULL : &code->places.items[number];
}
