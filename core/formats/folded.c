/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/folded.h"

#include "base/value.h"
#include "formats/damage.h"
#include "formats/import.h"
#include "formats/lines.h"
#include "formats/part.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/samples.h"
#include "model/state.h"

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

/* Interns the stack in the first LENGTH bytes of the line, the root first. */
static struct prof_error *add_stack(const struct prof_lines *lines,
	struct prof_experiment *experiment, size_t length, uint32_t *ret)
{
	const char *stack = lines->line.items;
	struct prof_error *error = NULL;
	uint32_t path = 0;

	for (size_t at = 0; at <= length && !error;) {
		const char *name = stack + at;
		const char *end = memchr(name, ';', length - at);
		size_t size = end ? (size_t)(end - name) : length - at;
		uint32_t function, frame;
		if (!size)
			return prof_lines_damaged(lines, "has a frame without a name");
		error = prof_experiment_function(experiment, name, size, 0, &function);
		if (!error)
			error = prof_experiment_frame_of(experiment, function, &frame);
		if (!error)
			error = prof_experiment_path(experiment, path, frame, &path);
		at += size + 1;
	}
	if (!error)
		*ret = path;
	return error;
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

/* A file, and the experiment that is made of it. */
struct reader {
	struct prof_lines lines;
	struct prof_experiment *experiment;
};

static struct prof_error *read_line(void *context)
{
	const struct reader *reader = context;
	const struct prof_lines *lines = &reader->lines;
	struct prof_experiment *experiment = reader->experiment;
	const char *line = lines->line.items;
	size_t length = lines->line.count;
	struct prof_sample sample = {.state = PROF_STATE_USER};
	prof_value values[PROF_QUANTITIES] = {0};

	size_t word = last_word(line, length);
	if (!word)
		return prof_lines_damaged(lines, "has no weight");
	struct prof_error *error =
		read_weight(lines, line + word, length - word, &values[PROF_QUANTITY_SAMPLES]);
	if (!error)
		error = add_stack(lines, experiment, word - 1, &sample.path);
	return error ? error : prof_experiment_sample(experiment, &sample, values);
}

static void reader_deinit(struct reader *reader)
{
	prof_lines_close(&reader->lines);
	prof_experiment_destroy(reader->experiment);
}

/* Reads all lines into the only thread of the experiment, which has no name. */
static struct prof_error *read_lines(struct reader *reader, const struct prof_progress *progress)
{
	uint32_t thread;
	struct prof_error *error = prof_experiment_thread(reader->experiment, 0, "", &thread);

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
