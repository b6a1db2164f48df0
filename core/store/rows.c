/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/rows.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t word(struct prof_store_reader *reader, int column)
{
	return (uint64_t)prof_row_integer(reader, column, INT64_MIN, INT64_MAX);
}

/* The text in COLUMN, valid as long as the row, or NULL, and the row is bad. */
static const char *text(struct prof_store_reader *reader, int column)
{
	if (sqlite3_column_type(reader->row, column) == SQLITE_TEXT) {
		const char *bytes = (const char *)sqlite3_column_text(reader->row, column);
		size_t length = (size_t)sqlite3_column_bytes(reader->row, column);
		if (bytes && length <= reader->text_left && strlen(bytes) == length) {
			reader->text_left -= length;
			return bytes;
		}
	}
	reader->bad = true;
	return NULL;
}

/*
 * What has been added under *ID must be a new entry, the next: an entry that was there before is
 * twice in the file.
 */
static struct prof_error *check_new(struct prof_store_reader *reader, struct prof_error *error,
	const uint32_t *id, int64_t expected)
{
	reader->bad |= !error && *id != expected;
	return error;
}

static struct prof_error *read_text_info(struct prof_store_reader *reader, char **field)
{
	const char *value = text(reader, 2);
	char *copy = value ? strdup(value) : NULL;

	if (value && !copy)
		return prof_error_nomem();
	if (copy) {
		free(*field);
		*field = copy;
	}
	return NULL;
}

static struct prof_error *read_info(struct prof_store_reader *reader)
{
	const struct prof_schema_info *info = prof_schema_info;
	const char *key = (size_t)reader->id < prof_schema_infos ? text(reader, 1) : NULL;

	if (!key || strcmp(key, info[reader->id].key) != 0) {
		reader->bad = true;
		return NULL;
	}
	info += reader->id;
	void *field = (char *)&reader->experiment->recording + info->offset;
	switch (info->type) {
	case PROF_SCHEMA_TEXT:
		return read_text_info(reader, field);
	case PROF_SCHEMA_TIME:
		*(int64_t *)field = prof_row_integer(reader, 2, 0, PROF_TIME_MOST);
		return NULL;
	case PROF_SCHEMA_NUMBER:
		*(uint64_t *)field = word(reader, 2);
		return NULL;
	case PROF_SCHEMA_RATE:
		*(double *)field = sqlite3_column_double(reader->row, 2);
		reader->bad |= sqlite3_column_type(reader->row, 2) != SQLITE_FLOAT ||
			!isfinite(*(double *)field) || *(double *)field < 0;
		return NULL;
	}
	assert(!"a type of struct prof_schema_info");
	return NULL;
}

static struct prof_error *read_string(struct prof_store_reader *reader)
{
	const char *string = text(reader, 1);
	uint32_t id;

	if (!string)
		return NULL;
	return check_new(
		reader, prof_experiment_string(reader->experiment, string, &id), &id, reader->id);
}

static struct prof_error *read_module(struct prof_store_reader *reader)
{
	const struct prof_strings *strings = &reader->experiment->strings;
	uint32_t path = prof_row_reference(reader, 1, strings->texts.count);
	uint32_t build_id = prof_row_reference(reader, 2, strings->texts.count);
	uint32_t id;

	if (reader->bad)
		return NULL;
	return check_new(reader,
		prof_experiment_module(reader->experiment, prof_strings_get(strings, path),
			prof_strings_get(strings, build_id), &id),
		&id, reader->id);
}

/* Not by prof_experiment_range(), which looks at all ranges that the module has. */
static struct prof_error *read_range(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	uint32_t module = prof_row_reference(reader, 1, experiment->modules.count);
	struct prof_range range = {word(reader, 2), word(reader, 3), word(reader, 4)};

	reader->bad |= range.low >= range.high;
	if (reader->bad)
		return NULL;
	struct prof_range *added = prof_array_push(&experiment->modules.items[module].ranges);
	if (!added)
		return prof_error_nomem();
	*added = range;
	return NULL;
}

static struct prof_error *read_thread(struct prof_store_reader *reader)
{
	const struct prof_strings *strings = &reader->experiment->strings;
	int64_t tid = prof_row_integer(reader, 1, INT64_MIN, INT64_MAX);
	uint32_t name = prof_row_reference(reader, 2, strings->texts.count);
	uint32_t id;

	if (reader->bad)
		return NULL;
	return prof_experiment_thread(
		reader->experiment, tid, prof_strings_get(strings, name), &id);
}

static struct prof_error *read_function(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	uint32_t name = prof_row_reference(reader, 1, experiment->strings.texts.count);
	uint32_t module = prof_row_reference(reader, 2, experiment->modules.count);
	uint32_t id;

	if (reader->bad)
		return NULL;
	const char *string = prof_strings_get(&experiment->strings, name);
	return check_new(reader,
		prof_experiment_function(experiment, string, strlen(string), module, &id), &id,
		reader->id);
}

static struct prof_error *read_frame(struct prof_store_reader *reader)
{
	uint32_t module = prof_row_reference(reader, 1, reader->experiment->modules.count);
	uint64_t address = word(reader, 2);

	if (reader->bad)
		return NULL;
	struct prof_frame *frame = prof_array_push(&reader->frames);
	if (!frame)
		return prof_error_nomem();
	*frame = (struct prof_frame){.module = module, .address = address};
	return NULL;
}

/* Takes the frames that were read, up to the number END, into the experiment. */
static struct prof_error *add_frames(struct prof_store_reader *reader, size_t end)
{
	struct prof_experiment *experiment = reader->experiment;
	struct prof_error *error = NULL;

	while (experiment->frames.count < end && !reader->bad && !error) {
		size_t next = experiment->frames.count;
		const struct prof_frame *frame = &reader->frames.items[next];
		uint32_t id;
		if (!frame->address)
			reader->bad = true;
		else
			error = check_new(reader,
				prof_experiment_frame(
					experiment, frame->module, frame->address, &id),
				&id, (int64_t)next);
	}
	return error;
}

/* The frame without an address that stands for the one function it has: it is the next one. */
static struct prof_error *add_frame_of(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	const struct prof_location *location = &reader->locations.items[0];
	const struct prof_frame *frame = &reader->frames.items[reader->resolving];
	uint32_t id;

	if (reader->resolving != experiment->frames.count || reader->locations.count != 1 ||
		experiment->functions.items[location->function].module != frame->module ||
		location->offset != PROF_OFFSET_UNKNOWN) {
		reader->bad = true;
		return NULL;
	}
	return check_new(reader,
		prof_experiment_frame_at(
			experiment, location->function, location->file, location->line, &id),
		&id, (int64_t)reader->resolving);
}

/* Gives the frame whose locations were gathered those locations. */
static struct prof_error *resolve(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	size_t id = reader->resolving;

	if (!reader->locations.count)
		return NULL;
	bool artificial = !reader->frames.items[id].address;
	struct prof_error *error = add_frames(reader, artificial ? id : id + 1);
	if (!error && !reader->bad && artificial)
		error = add_frame_of(reader);
	else if (!error && !reader->bad && experiment->frames.items[id].locations)
		reader->bad = true;
	else if (!error && !reader->bad)
		error = prof_experiment_resolve(experiment, (uint32_t)id, reader->locations.items,
			(uint32_t)reader->locations.count);
	reader->locations.count = 0;
	return error;
}

/*
 * Locations stand in the order in which frames were resolved; those of a frame side by side.
 * Frames without an address were born resolved, and are known by that function only: so frames
 * are added as the locations come.
 */
static struct prof_error *read_location(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	size_t frame = prof_row_reference(reader, 1, reader->frames.count);
	struct prof_location location = {
		.function = prof_row_reference(reader, 2, experiment->functions.count),
		.file = prof_row_reference(reader, 3, experiment->strings.texts.count),
		.line = (uint32_t)prof_row_integer(reader, 4, 0, UINT32_MAX),
		.offset = prof_row_integer(reader, 5, INT64_MIN, INT64_MAX),
	};
	struct prof_error *error = NULL;

	if (!reader->bad && frame != reader->resolving)
		error = resolve(reader);
	if (error || reader->bad)
		return error;
	reader->resolving = frame;
	struct prof_location *added = prof_array_push(&reader->locations);
	if (!added)
		return prof_error_nomem();
	*added = location;
	return NULL;
}

static struct prof_error *end_locations(struct prof_store_reader *reader)
{
	struct prof_error *error = resolve(reader);

	return error ? error : add_frames(reader, reader->frames.count);
}

static struct prof_error *read_path(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	uint32_t parent = prof_row_reference(reader, 1, experiment->paths.count);
	uint32_t frame = prof_row_reference(reader, 2, experiment->frames.count);
	uint32_t id;

	if (reader->bad)
		return NULL;
	return check_new(
		reader, prof_experiment_path(experiment, parent, frame, &id), &id, reader->id);
}

static struct prof_error *read_mark(struct prof_store_reader *reader)
{
	const struct prof_strings *strings = &reader->experiment->strings;
	struct prof_mark mark = {.time = prof_row_time(reader, 1)};
	uint32_t label = prof_row_reference(reader, 2, strings->texts.count);

	mark.kind = (uint8_t)prof_row_integer(reader, 3, 0, PROF_MARK_KINDS - 1);
	for (int i = 0; i < PROF_USAGES; i++)
		mark.usage.figures[i] =
			prof_row_integer(reader, 4 + i, PROF_USAGE_UNKNOWN, PROF_USAGE_LARGEST);
	if (reader->bad)
		return NULL;
	return prof_experiment_mark(reader->experiment, &mark, prof_strings_get(strings, label));
}

static struct prof_error *read_counted(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	struct prof_arc counted = {
		.time = prof_row_time(reader, 1),
		.callee = prof_row_reference(reader, 2, experiment->frames.count),
		.caller = prof_row_reference(reader, 3, experiment->frames.count),
		.calls = (uint64_t)prof_row_integer(reader, 4, 0, INT64_MAX),
		.kind = (uint8_t)prof_row_integer(reader, 5, 0, PROF_COUNTED_PART),
	};

	reader->bad |= !prof_arc_is_valid(experiment, &counted);
	return reader->bad ? NULL : prof_experiment_arc(experiment, &counted);
}

static struct prof_error *read_object(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	uint64_t address = word(reader, 1);
	uint32_t name = prof_row_reference(reader, 2, experiment->strings.texts.count);
	uint32_t id;

	if (reader->bad)
		return NULL;
	struct prof_error *error = check_new(
		reader, prof_experiment_object(experiment, address, &id), &id, reader->id);
	if (!error && !reader->bad)
		experiment->objects.items[id].name = name;
	return error;
}

/* The number in COLUMN of an entry in a table of COUNT; PROF_NONE: it has none. */
static uint32_t option(struct prof_store_reader *reader, int column, size_t count)
{
	if (sqlite3_column_type(reader->row, column) == SQLITE_NULL)
		return PROF_NONE;
	return prof_row_reference(reader, column, count);
}

static struct prof_error *read_traced(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	size_t count = experiment->traced.count;
	struct prof_tracing tracing = {
		.sample = prof_row_reference(reader, 1, experiment->samples.count),
		.object = option(reader, 2, experiment->objects.count),
		.holder = option(reader, 3, experiment->threads.count),
	};
	int64_t longest = prof_row_integer(reader, 4, 0, INT64_MAX);
	int64_t values[PROF_TRACED_VALUES];

	for (int i = 0; i < PROF_TRACED_VALUES; i++)
		values[i] = prof_row_integer(reader, 5 + i, 0, INT64_MAX);
	reader->bad |= count && experiment->traced.last_sample >= tracing.sample;
	if (reader->bad)
		return NULL;
	/* Files before version 7 do not have it. */
	if (reader->version < prof_schema[PROF_TABLE_TRACED_LAST].version) {
		const struct prof_sample_row *row = prof_cursor_at(&reader->cursor, tracing.sample);
		if (!row)
			return prof_cursor_error(&reader->cursor);
		tracing.last = row->sample.time;
	}
	struct prof_error *error = prof_experiment_traced(experiment, &tracing);
	if (!error)
		prof_experiment_trace(experiment, (uint32_t)count, values, longest);
	return error;
}

/* The value in the columns from COLUMN on. */
static prof_value argument_value(struct prof_store_reader *reader, int column)
{
	int64_t units = prof_row_integer(reader, column, -(INT64_MAX / 2), INT64_MAX / 2);
	int64_t rest = prof_row_integer(reader, column + 1, 1 - PROF_VALUE_ONE, PROF_VALUE_ONE - 1);
	prof_value value = prof_value_of(units) + rest;

	reader->bad |= value > PROF_ARGUMENT_MOST || value < -PROF_ARGUMENT_MOST;
	return value;
}

/* The rows of a traced row stand together. */
static struct prof_error *read_argument(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	size_t count = experiment->arguments.count;
	uint32_t traced = prof_row_reference(reader, 1, experiment->traced.count);
	uint32_t name = prof_row_reference(reader, 2, experiment->strings.texts.count);
	struct prof_argument argument = {
		.traced = traced,
		.name = name,
		.sum = {argument_value(reader, 3), argument_value(reader, 5),
			argument_value(reader, 7)},
	};

	reader->bad |= count && experiment->arguments.items[count - 1].traced > traced;
	return reader->bad ? NULL : prof_experiment_argument(experiment, &argument);
}

static struct prof_error *read_held(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	size_t count = experiment->held.count;
	struct prof_held held = {
		.time = prof_row_time(reader, 1),
		.traced = prof_row_reference(reader, 2, experiment->traced.count),
		.blocks = prof_row_integer(reader, 3, 0, INT64_MAX),
		.bytes = prof_row_integer(reader, 4, 0, INT64_MAX),
	};

	reader->bad |= count && experiment->held.items[count - 1].time > held.time;
	return reader->bad ? NULL : prof_experiment_held(experiment, &held);
}

static struct prof_error *read_heap(struct prof_store_reader *reader)
{
	uint32_t number = PROF_NONE;
	int64_t process = prof_row_integer(reader, 1, INT64_MIN, INT64_MAX);
	struct prof_heap heap = {
		.peak = prof_row_integer(reader, 2, 0, INT64_MAX),
		.peak_time = prof_row_time(reader, 3),
		.unmatched = prof_row_integer(reader, 4, 0, INT64_MAX),
		.smallest = prof_row_integer(reader, 5, -1, INT64_MAX),
		.largest = prof_row_integer(reader, 6, 0, INT64_MAX),
		.leak_smallest = prof_row_integer(reader, 7, -1, INT64_MAX),
		.leak_largest = prof_row_integer(reader, 8, 0, INT64_MAX),
	};

	return reader->bad ? NULL
			   : prof_experiment_heap(reader->experiment, process, &heap, &number);
}

/* Each heap has all its classes, in their order. */
static struct prof_error *read_heap_class(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	uint32_t heap = prof_row_reference(reader, 1, experiment->heaps.count);
	int64_t class = prof_row_integer(reader, 2, 0, PROF_HEAP_CLASSES - 1);
	int64_t allocations = prof_row_integer(reader, 3, 0, INT64_MAX);
	int64_t leaks = prof_row_integer(reader, 4, 0, INT64_MAX);

	reader->bad |= reader->id != (int64_t)heap * PROF_HEAP_CLASSES + class;
	if (reader->bad)
		return NULL;
	experiment->heaps.items[heap].heap.allocations[class] = allocations;
	experiment->heaps.items[heap].heap.leaks[class] = leaks;
	return NULL;
}

static struct prof_error *read_owner(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	uint32_t thread = prof_row_reference(reader, 1, experiment->threads.count);
	int64_t process = prof_row_integer(reader, 2, INT64_MIN, INT64_MAX);

	reader->bad |= !process || (!reader->bad && experiment->threads.items[thread].process);
	return reader->bad ? NULL : prof_experiment_own(experiment, thread, process);
}

static struct prof_error *read_traced_last(struct prof_store_reader *reader)
{
	int64_t last = prof_row_time(reader, 1);

	reader->bad |= reader->id >= (int64_t)reader->experiment->traced.count;
	if (!reader->bad)
		prof_experiment_last(reader->experiment, (uint32_t)reader->id, last);
	return NULL;
}

/* All are taken for imported ones, until the table of counters says which are not. */
static struct prof_error *read_event(struct prof_store_reader *reader)
{
	const struct prof_event event = {.unit = PROF_EVENT_SAMPLES};
	struct prof_experiment *experiment = reader->experiment;
	uint32_t name = prof_row_reference(reader, 1, experiment->strings.texts.count);
	uint32_t id;

	reader->bad |= reader->id >= PROF_EVENTS;
	if (reader->bad)
		return NULL;
	return check_new(reader,
		prof_experiment_counter(
			experiment, prof_strings_get(&experiment->strings, name), &event, &id),
		&id, reader->id);
}

static struct prof_error *read_counter(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	int64_t unit = prof_row_integer(reader, 1, -1, PROF_COUNTER_UNITS - 1);
	struct prof_event event = {
		.unit = (uint8_t)(unit < 0 ? PROF_EVENT_SAMPLES : unit),
		.clock = prof_row_integer(reader, 2, 0, INT64_MAX),
		.interval = prof_row_integer(reader, 3, 0, INT64_MAX),
		.overflows = prof_row_integer(reader, 4, 0, INT64_MAX),
	};

	event.lost = prof_row_integer(reader, 5, 0, event.overflows);
	/* There are no rows behind the last counter, and those that are none have only a name. */
	reader->bad |= reader->id >= (int64_t)experiment->events.count ||
		(event.clock && (unit != PROF_COUNTER_CYCLES || event.clock < PROF_CLOCK_LEAST)) ||
		(unit < 0 && (event.interval || event.overflows));
	if (reader->bad)
		return NULL;
	event.name = experiment->events.items[reader->id].name;
	experiment->events.items[reader->id] = event;
	return NULL;
}

const struct prof_store_row prof_store_rows[PROF_TABLES] = {
	[PROF_TABLE_INFO] = {read_info, NULL},
	[PROF_TABLE_STRING] = {read_string, NULL},
	[PROF_TABLE_MODULE] = {read_module, NULL},
	[PROF_TABLE_RANGE] = {read_range, NULL},
	[PROF_TABLE_THREAD] = {read_thread, NULL},
	[PROF_TABLE_FUNCTION] = {read_function, NULL},
	[PROF_TABLE_FRAME] = {read_frame, NULL},
	[PROF_TABLE_LOCATION] = {read_location, end_locations},
	[PROF_TABLE_PATH] = {read_path, NULL},
	[PROF_TABLE_SAMPLE] = {prof_store_read_sample, NULL},
	[PROF_TABLE_MARK] = {read_mark, NULL},
	[PROF_TABLE_COUNTED] = {read_counted, NULL},
	[PROF_TABLE_OBJECT] = {read_object, NULL},
	[PROF_TABLE_TRACED] = {read_traced, NULL},
	[PROF_TABLE_ARGUMENT] = {read_argument, NULL},
	[PROF_TABLE_HELD] = {read_held, NULL},
	[PROF_TABLE_HEAP] = {read_heap, NULL},
	[PROF_TABLE_HEAP_CLASS] = {read_heap_class, NULL},
	[PROF_TABLE_OWNER] = {read_owner, NULL},
	[PROF_TABLE_CPU] = {prof_store_read_cpu, NULL},
	[PROF_TABLE_TEXT] = {prof_store_read_text, NULL},
	[PROF_TABLE_TRACED_LAST] = {read_traced_last, NULL},
	[PROF_TABLE_EVENT] = {read_event, prof_store_check_events},
	[PROF_TABLE_EVENT_SAMPLE] = {prof_store_read_event_sample, NULL},
	[PROF_TABLE_SOURCE] = {prof_store_read_source, NULL},
	[PROF_TABLE_EXTENT] = {prof_store_read_extent, NULL},
	[PROF_TABLE_BLOCK] = {prof_store_read_block, NULL},
	[PROF_TABLE_COUNTER] = {read_counter, NULL},
	[PROF_TABLE_SAMPLE_BLOCK] = {prof_store_read_block_of_samples, NULL},
	[PROF_TABLE_DATA] = {prof_store_read_data, NULL},
};
