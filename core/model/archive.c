/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/archive.h"

#include "base/map.h"
#include "base/strings.h"
#include "model/experiment.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
	RATIO_MOST = 40,  /* the size of a text to its packed size; usual texts have some 10 */
	LENGTH_MOST = 256 /* bytes of an instruction: more than any has */
};

const struct prof_archived_source *prof_archive_source(
	const struct prof_experiment *experiment, const char *file)
{
	uint32_t string = prof_strings_find(&experiment->strings, file);
	uint32_t id =
		string == PROF_NONE ? PROF_NONE : prof_map_get(&experiment->source_index, string);

	return id == PROF_NONE ? NULL : &experiment->archived_sources.items[id];
}

const struct prof_archived_extent *prof_archive_extent(
	const struct prof_experiment *experiment, uint32_t function)
{
	uint32_t id = prof_map_get(&experiment->extent_index, function);

	return id == PROF_NONE ? NULL : &experiment->archived_extents.items[id];
}

/* The function whose code FRAME, which is resolved, is part of, inlined or not. */
static uint32_t outermost(const struct prof_experiment *experiment, uint32_t frame)
{
	const struct prof_frame *at = &experiment->frames.items[frame];

	return experiment->locations.items[at->first_location + at->locations - 1].function;
}

const struct prof_archived_block *prof_archive_block(
	const struct prof_experiment *experiment, uint32_t frame)
{
	uint32_t id = experiment->frames.items[frame].locations
		? prof_map_get(&experiment->block_index, outermost(experiment, frame))
		: PROF_NONE;

	return id == PROF_NONE ? NULL : &experiment->archived_blocks.items[id];
}

bool prof_archive_is_there(const struct prof_experiment *experiment)
{
	return experiment->archived_sources.count || experiment->archived_extents.count ||
		experiment->archived_blocks.count;
}

struct prof_error *prof_archive_add_source(struct prof_experiment *experiment,
	const struct prof_archived_source *source, const char *text)
{
	AUTO_FREE char *copy = strdup(text);

	assert(source->file < experiment->strings.texts.count);
	assert(source->path < experiment->strings.texts.count);
	assert(prof_map_get(&experiment->source_index, source->file) == PROF_NONE);
	struct prof_archived_source *added = copy
		? prof_map_push(
			  &experiment->source_index, source->file, &experiment->archived_sources)
		: NULL;
	if (!added)
		return prof_error_nomem();
	*added = *source;
	added->text = steal(&copy);
	return NULL;
}

struct prof_error *prof_archive_add_extent(
	struct prof_experiment *experiment, const struct prof_archived_extent *extent)
{
	assert(extent->function < experiment->functions.count);
	assert(extent->file < experiment->strings.texts.count);
	assert(!prof_archive_extent(experiment, extent->function));
	struct prof_archived_extent *added = prof_map_push(
		&experiment->extent_index, extent->function, &experiment->archived_extents);
	if (!added)
		return prof_error_nomem();
	*added = *extent;
	return NULL;
}

struct prof_error *prof_archive_add_block(
	struct prof_experiment *experiment, uint32_t frame, const char *text)
{
	AUTO_FREE char *copy = strdup(text);

	assert(experiment->frames.items[frame].address);
	assert(experiment->frames.items[frame].locations);
	assert(!prof_archive_block(experiment, frame));
	struct prof_archived_block *added = copy
		? prof_map_push(&experiment->block_index, outermost(experiment, frame),
			  &experiment->archived_blocks)
		: NULL;
	if (!added)
		return prof_error_nomem();
	*added = (struct prof_archived_block){frame, steal(&copy)};
	return NULL;
}

/* Reads a decimal from LEAST to MOST, and the blank behind it, at *AT. */
static bool take_number(const char **at, int64_t least, int64_t most, int64_t *ret)
{
	char *end;

	if (**at != '-' && (**at < '0' || **at > '9'))
		return false;
	/* strtoll() returns one of the ends for what is out of range, and MOST is none of them. */
	long long number = strtoll(*at, &end, 10);
	if (*end != ' ' || number < least || number > most)
		return false;
	*at = end + 1;
	*ret = number;
	return true;
}

bool prof_archive_next(const char **text, struct prof_archived_instruction *ret)
{
	const char *at = *text;
	int64_t length, line;

	while (*at == '@') {
		ret->file = at + 1;
		ret->file_length = strcspn(at + 1, "\n");
		at += 1 + ret->file_length;
		at += *at == '\n';
	}
	if (!*at) {
		*text = at;
		return false;
	}
	if (!take_number(&at, INT64_MIN / 2, INT64_MAX / 2, &ret->delta) ||
		!take_number(&at, 1, LENGTH_MOST, &length) ||
		!take_number(&at, INT64_MIN / 2, INT64_MAX / 2, &ret->offset) ||
		!take_number(&at, 0, UINT32_MAX, &line))
		return false;
	ret->length = (uint32_t)length;
	ret->line = (uint32_t)line;
	ret->text = at;
	ret->text_length = strcspn(at, "\n");
	at += ret->text_length;
	*text = at + (*at == '\n');
	return true;
}

bool prof_archive_is_source(const char *text)
{
	size_t lines = 0;

	for (; *text == '+' || *text == ' '; lines++) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return !*text && lines <= PROF_ARCHIVE_LINES_MOST;
}

bool prof_archive_is_block(const char *text)
{
	struct prof_archived_instruction instruction = {0};
	size_t lines = 0;

	while (prof_archive_next(&text, &instruction))
		lines++;
	return !*text && lines <= PROF_ARCHIVE_LINES_MOST;
}

static struct prof_error *merge_sources(
	struct prof_experiment *into, const struct prof_experiment *from)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < from->archived_sources.count; i++) {
		struct prof_archived_source source = from->archived_sources.items[i];
		const char *file = prof_strings_get(&from->strings, source.file);
		if (prof_archive_source(into, file))
			continue;
		error = prof_experiment_string(into, file, &source.file);
		if (!error)
			error = prof_experiment_string(
				into, prof_strings_get(&from->strings, source.path), &source.path);
		if (!error)
			error = prof_archive_add_source(into, &source, source.text);
	}
	return error;
}

struct prof_error *prof_archive_merge(struct prof_experiment *into,
	const struct prof_experiment *from, const uint32_t *functions, const uint32_t *frames)
{
	struct prof_error *error = merge_sources(into, from);

	for (size_t i = 0; !error && i < from->archived_extents.count; i++) {
		struct prof_archived_extent extent = from->archived_extents.items[i];
		extent.function = functions[extent.function];
		if (prof_archive_extent(into, extent.function))
			continue;
		error = prof_experiment_string(
			into, prof_strings_get(&from->strings, extent.file), &extent.file);
		if (!error)
			error = prof_archive_add_extent(into, &extent);
	}
	for (size_t i = 0; !error && i < from->archived_blocks.count; i++) {
		const struct prof_archived_block *block = &from->archived_blocks.items[i];
		uint32_t frame = frames[block->frame];
		if (!prof_archive_block(into, frame))
			error = prof_archive_add_block(into, frame, block->text);
	}
	return error;
}

char *prof_archive_pack(const char *text, size_t *length)
{
	size_t size = strlen(text);
	uLongf room = compressBound(size);
	AUTO_FREE char *packed = malloc(room + 1);

	if (!packed)
		return NULL;
	/* Text that cannot be packed, or that readers would take for an attack, stays unpacked. */
	if (compress((Bytef *)packed, &room, (const Bytef *)text, size) == Z_OK && room < size &&
		size / RATIO_MOST < room) {
		*length = room;
		return steal(&packed);
	}
	*length = size;
	return strdup(text);
}

char *prof_archive_unpack(const void *bytes, size_t length, size_t size, bool *bad)
{
	*bad = length > size || size / RATIO_MOST > length;
	AUTO_FREE char *text = *bad ? NULL : malloc(size + 1);
	uLongf unpacked = size;
	int code = Z_OK;

	if (!text)
		return NULL;
	if (length == size)
		memcpy(text, bytes, size);
	else
		code = uncompress((Bytef *)text, &unpacked, bytes, length);
	text[size] = '\0';
	*bad = (code != Z_OK && code != Z_MEM_ERROR) || unpacked != size || strlen(text) != size;
	return *bad || code != Z_OK ? NULL : steal(&text);
}
