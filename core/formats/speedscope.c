/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/speedscope.h"

#include "base/file.h"
#include "base/time_unit.h"
#include "base/value.h"
#include "formats/content.h"
#include "formats/damage.h"
#include "formats/import.h"
#include "formats/lines.h"
#include "model/call_builder.h"
#include "model/calls.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/state.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	const char *path;                   /* borrowed */
	struct prof_experiment *experiment; /* borrowed */
	const struct prof_progress *progress;
	json_t *root;
	PROF_ARRAY(uint32_t) frames; /* by number in the file */
	int64_t end;                 /* ns: of the profile that ends last */

	/* The current profile. */
	size_t profile,
		entry;    /* for errors: number of the profile, and of the sample or event in it */
	const char *what; /* kind of the current entry, "sample"; NULL: none */
	int64_t unit;     /* ns per unit of the profile; 0: its unit is no time */
	uint32_t thread;
};

static void reader_deinit(struct reader *reader)
{
	json_decref(reader->root);
	free(reader->frames.items);
}

bool prof_speedscope_probe(const char *bytes, size_t length)
{
	size_t at = 0;

	while (at < length && strchr(" \t\r\n", bytes[at]) && bytes[at])
		at++;
	if (at == length || bytes[at++] != '{')
		return false;
	while (at < length && strchr(" \t\r\n", bytes[at]) && bytes[at])
		at++;
	return at < length && bytes[at] == '"';
}

/* The error that the file is damaged: the current entry does what FORMAT says. */
static struct prof_error *PROF_PRINTF(2, 3)
	damaged(const struct reader *reader, const char *format, ...)
{
	char entry[PROF_DAMAGE_PLACE] = "", place[2 * PROF_DAMAGE_PLACE];
	va_list arguments;

	if (reader->what)
		snprintf(entry, sizeof entry, ", %s %zu", reader->what, reader->entry + 1);
	snprintf(place, sizeof place, "profile %zu%s", reader->profile + 1, entry);
	va_start(arguments, format);
	struct prof_error *error = prof_damage(reader->path, place, format, arguments);
	va_end(arguments);
	return error;
}

static struct prof_error *load(struct reader *reader)
{
	AUTO_CONTENT struct prof_content content = {0};
	json_error_t wrong;
	struct prof_error *error = prof_content_read(reader->path, reader->progress, &content);

	if (error)
		return error;
	reader->root = json_loadb((const char *)content.bytes, content.length, 0, &wrong);
	if (reader->root)
		return NULL;
	if (json_error_code(&wrong) == json_error_out_of_memory)
		return prof_error_nomem();
	return prof_file_damaged("file", reader->path, "line %d is not JSON at column %d: %s",
		wrong.line, wrong.column, wrong.text);
}

/* The frame that JSON describes. */
static struct prof_error *read_frame(struct reader *reader, size_t number, const json_t *json)
{
	const char *name = json_string_value(json_object_get(json, "name"));
	const char *path = json_string_value(json_object_get(json, "file"));
	json_int_t line = json_integer_value(json_object_get(json, "line"));
	uint32_t function, file;

	if (!name)
		return prof_file_damaged("file", reader->path, "frame %zu has no name", number);
	uint32_t *frame = prof_array_push(&reader->frames);
	if (!frame)
		return prof_error_nomem();
	struct prof_error *error =
		prof_experiment_function(reader->experiment, name, strlen(name), 0, &function);
	if (!error)
		error = prof_experiment_string(reader->experiment, path ? path : "", &file);
	if (!error)
		error = prof_experiment_frame_at(reader->experiment, function, file,
			path && line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0, frame);
	return error;
}

static struct prof_error *read_frames(struct reader *reader)
{
	const json_t *list = json_object_get(json_object_get(reader->root, "shared"), "frames");
	struct prof_error *error = NULL;

	if (!json_is_array(list))
		return prof_file_mistaken(
			reader->path, "a profile of speedscope", "it has no frames");
	for (size_t i = 0; !error && i < json_array_size(list); i++)
		error = read_frame(reader, i, json_array_get(list, i));
	return error;
}

/* Reads the number of a frame. */
static struct prof_error *find_frame(const struct reader *reader, const json_t *json, uint32_t *ret)
{
	json_int_t number = json_integer_value(json);

	if (!json_is_integer(json) || number < 0 || (uint64_t)number >= reader->frames.count)
		return damaged(reader, "has no frame of the %zu", reader->frames.count);
	*ret = reader->frames.items[number];
	return NULL;
}

/*
 * Reads a number that is not negative, times SCALE: exactly if it is an integer, otherwise rounded.
 * NULL counts as 0.
 */
static struct prof_error *read_number(
	const struct reader *reader, const json_t *json, int64_t scale, prof_value *ret)
{
	const prof_value most = PROF_VALUE_MOST;

	*ret = 0;
	if (json && !json_is_number(json))
		return damaged(reader, "has something else where a number should be");
	if (json_number_value(json) < 0)
		return damaged(reader, "has the negative number %g", json_number_value(json));
	long double product = (long double)json_number_value(json) * (long double)scale;
	if (json_is_integer(json))
		*ret = (prof_value)json_integer_value(json) * scale;
	else if (product <= (long double)most)
		*ret = (prof_value)roundl(product);
	if (product > (long double)most || *ret > most)
		return damaged(reader, "has a number that is too large");
	return NULL;
}

/* Reads a time in ns, or, if the unit is no time, in millionths. */
static struct prof_error *read_moment(const struct reader *reader, const json_t *json, int64_t *ret)
{
	prof_value value;
	struct prof_error *error =
		read_number(reader, json, reader->unit ? reader->unit : PROF_VALUE_ONE, &value);

	if (!error && value > PROF_TIME_MOST)
		error = damaged(reader, "has a number that is too large");
	if (!error)
		*ret = (int64_t)value;
	return error;
}

/* Reads a stack, the root first. */
static struct prof_error *read_stack(
	const struct reader *reader, const json_t *list, uint32_t *path)
{
	struct prof_error *error = NULL;

	*path = 0;
	if (!json_is_array(list))
		return damaged(reader, "is not a stack");
	for (size_t i = 0; !error && i < json_array_size(list); i++) {
		uint32_t frame;
		error = find_frame(reader, json_array_get(list, i), &frame);
		if (!error)
			error = prof_experiment_path(reader->experiment, *path, frame, path);
	}
	return error;
}

/* Extends the profile to TIME. */
static void note_end(struct reader *reader, int64_t time)
{
	if (time > reader->end)
		reader->end = time;
}

/* Adds a stack with its weight, at *TIME, and advances *TIME to its end. */
static struct prof_error *read_sample(
	struct reader *reader, const json_t *stack, const json_t *weight, int64_t *time)
{
	prof_value values[PROF_QUANTITIES] = {0};
	struct prof_sample sample = {
		.time = *time, .thread = reader->thread, .state = PROF_STATE_USER};
	int64_t spent = 0;
	struct prof_error *error =
		read_number(reader, weight, PROF_VALUE_ONE, &values[PROF_QUANTITY_SAMPLES]);

	if (!error && reader->unit)
		error = read_moment(reader, weight, &spent);
	if (!error && *time > PROF_TIME_MOST - spent)
		error = damaged(reader, "is at a time that is too large");
	if (!error)
		error = read_stack(reader, stack, &sample.path);
	values[PROF_QUANTITY_SPENT + PROF_STATE_USER] = prof_value_of(spent);
	*time += spent;
	note_end(reader, *time);
	return error ? error : prof_experiment_sample(reader->experiment, &sample, values);
}

static struct prof_error *report(const struct reader *reader, size_t count)
{
	if (reader->entry % PROF_PROGRESS_STEP)
		return NULL;
	return prof_progress_report(reader->progress, "Reading", reader->entry, count);
}

static struct prof_error *read_sampled(struct reader *reader, const json_t *profile)
{
	const json_t *stacks = json_object_get(profile, "samples");
	const json_t *weights = json_object_get(profile, "weights");
	size_t count = json_array_size(stacks);
	int64_t time = 0;

	if (!json_is_array(stacks) || json_array_size(weights) != count)
		return damaged(reader, "has not as many weights as samples");
	struct prof_error *error = NULL;
	if (reader->unit)
		error = read_moment(reader, json_object_get(profile, "startValue"), &time);
	reader->what = "sample";
	for (reader->entry = 0; !error && reader->entry < count; reader->entry++) {
		error = report(reader, count);
		if (!error)
			error = read_sample(reader, json_array_get(stacks, reader->entry),
				json_array_get(weights, reader->entry), &time);
	}
	return error;
}

/* Closes FRAME, which must be the one that was opened last, if any is open. */
static struct prof_error *close_frame(const struct reader *reader, struct prof_builder *builder,
	uint32_t frame, int64_t cost, int64_t time)
{
	if (builder->current && builder->tree.nodes.items[builder->current].name != frame)
		return damaged(reader, "closes another frame than opened last");
	return prof_builder_end(builder, cost, time);
}

static struct prof_error *read_event(
	const struct reader *reader, const json_t *event, struct prof_builder *builder)
{
	const char *type = json_string_value(json_object_get(event, "type"));
	int64_t cost = 0;
	uint32_t frame;

	if (!type || (strcmp(type, "O") && strcmp(type, "C")))
		return damaged(reader, "has no type, O or C");
	struct prof_error *error = find_frame(reader, json_object_get(event, "frame"), &frame);
	if (!error && !json_object_get(event, "at"))
		return damaged(reader, "does not say at what");
	if (!error)
		error = read_moment(reader, json_object_get(event, "at"), &cost);
	if (error)
		return error;
	int64_t time = reader->unit ? cost : 0;
	if (!prof_builder_fits(builder, cost, time))
		return damaged(reader, "is at less than the one before");
	return *type == 'O' ? prof_builder_call(builder, frame, cost, time)
			    : close_frame(reader, builder, frame, cost, time);
}

/* Closes the open frames at END, or at the last event if that is later, and counts them. */
static void close_all(struct reader *reader, struct prof_builder *builder, int64_t end)
{
	struct prof_recording *recording = &reader->experiment->recording;

	recording->extra_ends += builder->extra_ends;
	recording->open_calls += prof_builder_finish(builder, end, reader->unit ? end : 0);
	note_end(reader, builder->time);
}

static struct prof_error *read_evented(struct reader *reader, const json_t *profile)
{
	const json_t *events = json_object_get(profile, "events");
	AUTO_BUILDER struct prof_builder builder = {0};
	const struct prof_calls_terms terms = {reader->thread, reader->unit != 0, 0,
		{1, reader->unit ? reader->unit : PROF_VALUE_ONE}};
	int64_t end = 0;

	if (!json_is_array(events))
		return damaged(reader, "has no events");
	struct prof_error *error = prof_builder_init(&builder);
	if (!error)
		error = read_moment(reader, json_object_get(profile, "endValue"), &end);
	reader->what = "event";
	for (reader->entry = 0; !error && reader->entry < json_array_size(events);
		reader->entry++) {
		error = report(reader, json_array_size(events));
		if (!error)
			error = read_event(reader, json_array_get(events, reader->entry), &builder);
	}
	if (error)
		return error;
	close_all(reader, &builder, end);
	return prof_calls_add(reader->experiment, &builder.tree, &terms, reader->progress);
}

/* Makes the thread of NAME; if NAME contains no id, the number of the profile is its id. */
static struct prof_error *make_thread(struct reader *reader, const char *name)
{
	static const char nameless[] = "thread ";
	size_t length = strlen(name), start = length, own = length;
	int64_t id = (int64_t)reader->profile + 1;

	if (length && name[length - 1] == ')') {
		while (start && name[start - 1] != '(')
			start--;
		if (start >= 2 && name[start - 2] == ' ' &&
			prof_lines_number(name + start, length - 1 - start, 0, INT64_MAX, &id))
			own = start - 2;
	} else if (!strncmp(name, nameless, sizeof nameless - 1) &&
		prof_lines_number(name + sizeof nameless - 1, length - (sizeof nameless - 1), 0,
			INT64_MAX, &id)) {
		own = 0;
	}
	AUTO_FREE char *copy = strndup(name, own);
	return copy ? prof_experiment_thread(reader->experiment, id, copy, &reader->thread)
		    : prof_error_nomem();
}

static struct prof_error *find_unit(struct reader *reader, const char *name)
{
	reader->unit = name ? prof_time_unit_word(name) : 0;
	if (name && (reader->unit || !strcmp(name, "none") || !strcmp(name, "bytes")))
		return NULL;
	return damaged(reader, "has no unit that speedscope knows");
}

static struct prof_error *read_profile(struct reader *reader, const json_t *profile)
{
	const char *type = json_string_value(json_object_get(profile, "type"));
	const char *name = json_string_value(json_object_get(profile, "name"));

	reader->what = NULL;
	struct prof_error *error =
		find_unit(reader, json_string_value(json_object_get(profile, "unit")));
	if (!error)
		error = make_thread(reader, name ? name : "");
	if (error)
		return error;
	if (type && !strcmp(type, "sampled"))
		return read_sampled(reader, profile);
	if (type && !strcmp(type, "evented"))
		return read_evented(reader, profile);
	return damaged(reader, "has no type, sampled or evented");
}

static struct prof_error *read_profiles(struct reader *reader)
{
	const json_t *list = json_object_get(reader->root, "profiles");
	struct prof_error *error = NULL;

	if (!json_is_array(list))
		return prof_file_mistaken(
			reader->path, "a profile of speedscope", "it has no profiles");
	for (; !error && reader->profile < json_array_size(list); reader->profile++)
		error = read_profile(reader, json_array_get(list, reader->profile));
	if (!error)
		error = prof_damage_without_samples(reader->experiment, reader->path);
	return error;
}

struct prof_error *prof_speedscope_read(
	const char *path, const struct prof_progress *progress, struct prof_experiment **ret)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	PROF_AUTO(reader_deinit) struct reader reader = {.path = path, .progress = progress};
	struct prof_error *error = prof_import_create(path, &experiment);

	reader.experiment = experiment;
	if (!error)
		error = load(&reader);
	if (!error)
		error = read_frames(&reader);
	if (!error)
		error = read_profiles(&reader);
	if (!error)
		error = prof_import_begin_at_zero(experiment, reader.end);
	if (!error)
		*ret = steal(&experiment);
	return error;
}
