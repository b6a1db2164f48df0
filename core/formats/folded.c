/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/folded.h"

#include "base/value.h"
#include "formats/damage.h"
#include "formats/import.h"
#include "formats/lines.h"
#include "formats/part.h"
#include "formats/text_cache.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/samples.h"
#include "model/state.h"

#include <stdlib.h>
#include <string.h>

/* Where the last word of LINE begins, which is trimmed. */
static size_t last_word(const char *line, size_t length)
{
	while (length && !prof_part_is_blank(line[length - 1]))
		length--;
	return length;
}

/* Is it text, with a stack in it, or with something that could be a weight? */
static bool looks_folded(const char *line, size_t length)
{
	size_t word = last_word(line, length);

	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)line[i] < ' ' && line[i] != '\t')
			return false;
	}
	return memchr(line, ';', length) || (word && strchr("0123456789.-", line[word]));
}

bool prof_folded_probe(const char *bytes, size_t length)
{
	const char *line;
	size_t at = 0;
	size_t size = prof_lines_cut(bytes, length, &at, &line);

	return !size || looks_folded(line, size);
}

/* Of the stack that was read last, the part up to a frame. */
struct level {
	size_t end; /* where the frame's name ends, in bytes */
	uint32_t path;
};

/* A file, and the experiment that is made of it. */
struct reader {
	struct prof_lines lines;
	struct prof_experiment *experiment;
	struct prof_text_cache stacks, names; /* with their paths and frames */
	PROF_ARRAY(char) last;                /* the stack that was read last */
	PROF_ARRAY(struct level) levels;      /* of it, the root first */
	struct prof_sample_row row;           /* the last sample */
};

static void reader_deinit(struct reader *reader)
{
	prof_lines_close(&reader->lines);
	prof_experiment_destroy(reader->experiment);
	prof_text_cache_deinit(&reader->stacks);
	prof_text_cache_deinit(&reader->names);
	free(reader->last.items);
	free(reader->levels.items);
}

/* The frame of the function NAME. */
static struct prof_error *find_frame(struct reader *reader, struct prof_part name, uint32_t *ret)
{
	uint64_t key = prof_text_cache_key(name.text, name.length);
	uint32_t function;

	*ret = prof_text_cache_find(&reader->names, key, name.text, name.length);
	if (*ret != PROF_NONE)
		return NULL;
	struct prof_error *error =
		prof_experiment_function(reader->experiment, name.text, name.length, 0, &function);
	if (!error)
		error = prof_experiment_frame_of(reader->experiment, function, ret);
	if (error)
		return error;
	if (prof_text_cache_is_full(&reader->names))
		prof_text_cache_deinit(&reader->names);
	return prof_text_cache_add(&reader->names, key, name.text, name.length, *ret)
		? NULL
		: prof_error_nomem();
}

/*
 * Keeps of the last stack what STACK begins with, whole frames: neighbors in a sorted file have
 * most frames in common.
 */
static void keep_common(struct reader *reader, struct prof_part stack)
{
	size_t most = reader->last.count < stack.length ? reader->last.count : stack.length;
	size_t same = 0;

	while (same < most && reader->last.items[same] == stack.text[same])
		same++;
	while (reader->levels.count) {
		size_t end = reader->levels.items[reader->levels.count - 1].end;
		if (end <= same && (end == stack.length || stack.text[end] == ';'))
			break;
		reader->levels.count--;
	}
	reader->last.count = same;
}

/* Interns STACK, the root first, frame by frame. */
static struct prof_error *add_stack(struct reader *reader, struct prof_part stack, uint32_t *ret)
{
	keep_common(reader, stack);
	size_t known = reader->levels.count;
	struct level level = known ? reader->levels.items[known - 1] : (struct level){0, 0};

	for (size_t at = known ? level.end + 1 : 0; at <= stack.length; at = level.end + 1) {
		const char *name = stack.text + at;
		const char *end = memchr(name, ';', stack.length - at);
		size_t size = end ? (size_t)(end - name) : stack.length - at;
		uint32_t frame;
		if (!size)
			return prof_lines_damaged(&reader->lines, "has a frame without a name");
		struct prof_error *error =
			find_frame(reader, (struct prof_part){name, size}, &frame);
		if (!error)
			error = prof_experiment_path(
				reader->experiment, level.path, frame, &level.path);
		if (error)
			return error;
		level.end = at + size;
		struct level *added = prof_array_push(&reader->levels);
		if (!added)
			return prof_error_nomem();
		*added = level;
	}
	size_t same = reader->last.count;
	if (!prof_array_reserve(&reader->last, stack.length - same))
		return prof_error_nomem();
	memcpy(reader->last.items + same, stack.text + same, stack.length - same);
	reader->last.count = stack.length;
	*ret = level.path;
	return NULL;
}

/* The path of STACK. */
static struct prof_error *find_stack(struct reader *reader, struct prof_part stack, uint32_t *ret)
{
	uint64_t key = prof_text_cache_key(stack.text, stack.length);

	*ret = prof_text_cache_find(&reader->stacks, key, stack.text, stack.length);
	if (*ret != PROF_NONE)
		return NULL;
	struct prof_error *error = add_stack(reader, stack, ret);
	if (error)
		return error;
	if (prof_text_cache_is_full(&reader->stacks))
		prof_text_cache_deinit(&reader->stacks);
	return prof_text_cache_add(&reader->stacks, key, stack.text, stack.length, *ret)
		? NULL
		: prof_error_nomem();
}

static struct prof_error *read_weight(
	const struct prof_lines *lines, const char *word, size_t length, prof_value *ret)
{
	int shown = prof_lines_shown(length);

	if (prof_value_parse(word, length, ret))
		return NULL;
	if (length > 1 && *word == '-' && prof_value_parse(word + 1, length - 1, ret))
		return prof_lines_damaged(lines, "has the negative weight %.*s", shown, word);
	return prof_lines_damaged(lines, "ends in \"%.*s\", which is not a weight", shown, word);
}

static struct prof_error *read_line(void *context)
{
	struct reader *reader = context;
	const struct prof_lines *lines = &reader->lines;
	struct prof_part line = lines->line;
	prof_value weight;

	size_t word = last_word(line.text, line.length);
	if (!word)
		return prof_lines_damaged(lines, "has no weight");
	struct prof_error *error =
		read_weight(lines, line.text + word, line.length - word, &weight);
	if (!error)
		error = find_stack(
			reader, (struct prof_part){line.text, word - 1}, &reader->row.sample.path);
	if (error)
		return error;
	prof_sample_row_set(&reader->row, PROF_QUANTITY_SAMPLES, weight);
	return prof_experiment_sample_row(reader->experiment, &reader->row);
}

/* Reads all lines into the only thread of the experiment, which has no name. */
static struct prof_error *read_lines(struct reader *reader, const struct prof_progress *progress)
{
	struct prof_sample *sample = &reader->row.sample;
	struct prof_error *error =
		prof_experiment_thread(reader->experiment, 0, "", &sample->thread);

	sample->state = PROF_STATE_USER;

	if (!error)
		error = prof_lines_read(&reader->lines, progress, read_line, reader);
	if (!error && !reader->experiment->samples.count)
		error = prof_damage_without(
			reader->lines.path, "stacks", "Record longer, or at a higher rate");
	return error;
}

struct prof_error *prof_folded_read(
	const char *path, const struct prof_progress *progress, struct prof_experiment **ret)
{
	PROF_AUTO(reader_deinit) struct reader reader = {0};
	struct prof_error *error = prof_import_create(path, &reader.experiment);

	if (!error)
		error = prof_lines_open(&reader.lines, path);
	if (!error)
		error = read_lines(&reader, progress);
	if (!error)
		*ret = steal(&reader.experiment);
	return error;
}
