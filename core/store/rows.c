/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/rows.h"

#include "model/call_target.h"
#include "model/data.h"
#include "model/rank.h"
#include "model/recording_fields.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The row added under *ID must be a new entry, the next one: a known entry would be in the file
 * twice.
 */
static struct prof_error *check_new(struct prof_store_reader *reader, struct prof_error *error,
	const uint32_t *id, int64_t expected)
{
	reader->bad |= !error && *id != expected;
	return error;
}

static struct prof_error *read_text_info(struct prof_store_reader *reader, char **field)
{
	const char *value = prof_row_text(reader, 2);
	char *copy = value ? strdup(value) : NULL;

	if (value && !copy)
		return prof_error_nomem();
	if (copy) {
		free(*field);
		*field = copy;
	}
	return NULL;
}

static struct prof_error *take_info(struct prof_store_reader *reader, const union prof_row *row)
{
	const struct prof_recording_field *info = prof_recording_fields + reader->id;

	if ((size_t)reader->id >= prof_recording_field_count ||
		strcmp(row->text, info->name) != 0) {
		reader->bad = true;
		return NULL;
	}
	void *field = prof_recording_at(&reader->experiment->recording, info);
	switch (info->type) {
	case PROF_FIELD_TEXT:
		return read_text_info(reader, field);
	case PROF_FIELD_TIME:
		*(int64_t *)field = prof_row_integer(reader, 2, 0, PROF_TIME_MOST);
		return NULL;
	case PROF_FIELD_NUMBER:
		*(int64_t *)field = prof_row_integer(reader, 2, INT64_MIN, INT64_MAX);
		return NULL;
	case PROF_FIELD_RATE:
		*(double *)field = sqlite3_column_double(reader->row, 2);
		reader->bad |= sqlite3_column_type(reader->row, 2) != SQLITE_FLOAT ||
			!isfinite(*(double *)field) || *(double *)field < 0;
		return NULL;
	}
	assert(!"an enum prof_field_type");
	return NULL;
}

static struct prof_error *take_string(struct prof_store_reader *reader, const union prof_row *row)
{
	uint32_t id;

	return check_new(reader, prof_experiment_string(reader->experiment, row->text, &id), &id,
		reader->id);
}

static struct prof_error *take_module(struct prof_store_reader *reader, const union prof_row *row)
{
	const struct prof_strings *strings = &reader->experiment->strings;
	uint32_t id;

	return check_new(reader,
		prof_experiment_module(reader->experiment,
			prof_strings_get(strings, row->module.path),
			prof_strings_get(strings, row->module.build_id), &id),
		&id, reader->id);
}

/* Does not use prof_experiment_range(), which searches all ranges of the module. */
static struct prof_error *take_range(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_module *module = &reader->experiment->modules.items[row->range.module];
	const struct prof_range *range = &row->range.range;

	reader->bad = range->low >= range->high;
	if (reader->bad)
		return NULL;
	struct prof_range *added = prof_array_push(&module->ranges);
	if (!added)
		return prof_error_nomem();
	*added = *range;
	return NULL;
}

static struct prof_error *take_thread(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_experiment *experiment = reader->experiment;
	const char *name = prof_strings_get(&experiment->strings, row->thread.name);
	uint32_t id;

	return prof_experiment_thread(experiment, row->thread.id, name, &id);
}

static struct prof_error *take_function(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_experiment *experiment = reader->experiment;
	const char *name = prof_strings_get(&experiment->strings, row->function.name);
	uint32_t id;

	return check_new(reader,
		prof_experiment_function(experiment, name, strlen(name), row->function.module, &id),
		&id, reader->id);
}

static struct prof_error *take_frame(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_frame *frame = prof_array_push(&reader->frames);

	if (!frame)
		return prof_error_nomem();
	*frame = row->frame;
	return NULL;
}

/* Adds the frames that were read, up to the number END, to the experiment. */
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

/*
 * The frame without an address for the function that is its only location: it must be the next one.
 */
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

/* Gives the frame the locations that were collected for it. */
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
 * Locations are in the order in which frames were resolved, those of a frame together.  A frame
 * without an address is resolved when it is added, and known by its function only: so frames are
 * added as their locations are read.
 */
static struct prof_error *take_location(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_error *error = NULL;

	if (row->location.frame != reader->resolving)
		error = resolve(reader);
	if (error || reader->bad)
		return error;
	reader->resolving = row->location.frame;
	struct prof_location *added = prof_array_push(&reader->locations);
	if (!added)
		return prof_error_nomem();
	*added = row->location.location;
	return NULL;
}

static struct prof_error *end_locations(struct prof_store_reader *reader)
{
	struct prof_error *error = resolve(reader);

	return error ? error : add_frames(reader, reader->frames.count);
}

static struct prof_error *take_path(struct prof_store_reader *reader, const union prof_row *row)
{
	uint32_t id;

	return check_new(reader,
		prof_experiment_path(reader->experiment, row->path.parent, row->path.frame, &id),
		&id, reader->id);
}

static struct prof_error *take_call_target(
	struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_experiment *experiment = reader->experiment;
	const struct prof_call_target *target = &row->call_target;

	reader->bad = prof_call_target_of(experiment, target->frame);
	return reader->bad ? NULL
			   : prof_call_target_add(experiment, target->frame,
				     prof_experiment_text(experiment, target->name));
}

static struct prof_error *take_mark(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_experiment *experiment = reader->experiment;

	return prof_experiment_mark(
		experiment, &row->mark, prof_strings_get(&experiment->strings, row->mark.label));
}

static struct prof_error *take_counted(struct prof_store_reader *reader, const union prof_row *row)
{
	const struct prof_arc *counted = &row->counted;

	/* Arcs with a cost exist since the version that has their values. */
	reader->bad = !prof_arc_is_valid(reader->experiment, counted) ||
		(counted->kind > PROF_ARC_PART &&
			reader->version < prof_schema[PROF_TABLE_ARC_VALUE].version);
	return reader->bad ? NULL : prof_experiment_arc(reader->experiment, counted);
}

static struct prof_error *take_arc_value(
	struct prof_store_reader *reader, const union prof_row *row)
{
	reader->bad = !prof_arc_value_is_valid(reader->experiment, &row->arc_value);
	return reader->bad ? NULL : prof_experiment_arc_value(reader->experiment, &row->arc_value);
}

/* An experiment with costs of calls has no stacks. */
static struct prof_error *end_arc_values(struct prof_store_reader *reader)
{
	const struct prof_experiment *experiment = reader->experiment;

	for (size_t i = 1; i < experiment->paths.count && experiment->arc_values.count; i++)
		reader->bad |= experiment->paths.items[i].parent != 0;
	return NULL;
}

static struct prof_error *take_object(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_experiment *experiment = reader->experiment;
	uint32_t id;
	struct prof_error *error = check_new(reader,
		prof_experiment_object(experiment, row->object.address, &id), &id, reader->id);

	if (!error && !reader->bad)
		experiment->objects.items[id].name = row->object.name;
	return error;
}

static struct prof_error *take_traced(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_experiment *experiment = reader->experiment;
	size_t count = experiment->traced.count;
	struct prof_traced_row traced = {.sample = row->traced.sample,
		.object = row->traced.object,
		.holder = row->traced.holder};

	reader->bad = count && experiment->traced.last_sample >= traced.sample;
	if (reader->bad)
		return NULL;
	/* Files before version 7 lack this column. */
	if (reader->version < prof_schema[PROF_TABLE_TRACED_LAST].version) {
		const struct prof_sample_row *sample =
			prof_cursor_at(&reader->cursor, traced.sample);
		if (!sample)
			return prof_cursor_error(&reader->cursor);
		traced.last = sample->sample.time;
	}
	struct prof_error *error = prof_experiment_traced(experiment, &traced);
	if (!error)
		prof_experiment_traced_values(
			experiment, (uint32_t)count, row->traced.values, row->traced.longest);
	return error;
}

static bool fits(prof_value value)
{
	return value <= PROF_ARGUMENT_MOST && value >= -PROF_ARGUMENT_MOST;
}

/* The rows of a traced row are adjacent. */
static struct prof_error *take_argument(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_experiment *experiment = reader->experiment;
	const struct prof_argument *argument = &row->argument;
	size_t count = experiment->arguments.count;

	reader->bad = !fits(argument->sum.sum) || !fits(argument->sum.least) ||
		!fits(argument->sum.most) ||
		(count && experiment->arguments.items[count - 1].traced > argument->traced);
	return reader->bad ? NULL : prof_experiment_argument(experiment, argument);
}

static struct prof_error *take_held(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_experiment *experiment = reader->experiment;
	size_t count = experiment->held.count;

	reader->bad = count && experiment->held.items[count - 1].time > row->held.time;
	return reader->bad ? NULL : prof_experiment_held(experiment, &row->held);
}

static struct prof_error *take_heap(struct prof_store_reader *reader, const union prof_row *row)
{
	uint32_t number = PROF_NONE;

	return prof_experiment_heap(
		reader->experiment, row->heap.process, &row->heap.heap, &number);
}

/* Each heap has all of its classes, in order. */
static struct prof_error *take_heap_class(
	struct prof_store_reader *reader, const union prof_row *row)
{
	const struct prof_heap_class_row *class = &row->heap_class;
	struct prof_heap *heap = &reader->experiment->heaps.items[class->heap].heap;

	reader->bad = reader->id != (int64_t) class->heap * PROF_HEAP_CLASSES + class->class;
	if (reader->bad)
		return NULL;
	heap->allocations[class->class] = class->allocations;
	heap->leaks[class->class] = class->leaks;
	return NULL;
}

static struct prof_error *take_owner(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_experiment *experiment = reader->experiment;
	const struct prof_owner *owner = &row->owner;

	reader->bad =
		!owner->process || prof_experiment_thread_row(experiment, owner->thread).process;
	return reader->bad ? NULL : prof_experiment_own(experiment, owner->thread, owner->process);
}

/* Gives the traced row of the same id the VALUES from FIRST to LAST.  False: there is none. */
static bool add_values(struct prof_store_reader *reader, const int64_t values[PROF_TRACED_VALUES],
	int first, int last)
{
	struct prof_experiment *experiment = reader->experiment;
	struct prof_traced_rows_place place = {0};
	uint32_t number = (uint32_t)reader->id;

	reader->bad = reader->id >= (int64_t)experiment->traced.count;
	if (reader->bad)
		return false;
	struct prof_traced_row traced = *prof_traced_rows_get(&experiment->traced, &place, number);
	for (int i = first; i <= last; i++)
		traced.values[i] = values[i];
	prof_experiment_traced_values(experiment, number, traced.values, traced.longest);
	return true;
}

static struct prof_error *take_traced_mpi(
	struct prof_store_reader *reader, const union prof_row *row)
{
	const struct prof_traced_mpi_row *mpi = &row->traced_mpi;

	if (add_values(reader, mpi->values, PROF_TRACED_MPI_TIME, PROF_TRACED_MPI_OTHER))
		prof_experiment_ranks(
			reader->experiment, (uint32_t)reader->id, mpi->rank, mpi->peer);
	return NULL;
}

static struct prof_error *take_traced_omp(
	struct prof_store_reader *reader, const union prof_row *row)
{
	(void)add_values(
		reader, row->traced_omp.values, PROF_TRACED_OMP_FIRST, PROF_TRACED_OMP_LAST);
	return NULL;
}

static struct prof_error *take_traced_loop(
	struct prof_store_reader *reader, const union prof_row *row)
{
	(void)add_values(
		reader, row->traced_omp.values, PROF_TRACED_LOOP_FIRST, PROF_TRACED_LOOP_LAST);
	return NULL;
}

static struct prof_error *take_traced_last(
	struct prof_store_reader *reader, const union prof_row *row)
{
	reader->bad = reader->id >= (int64_t)reader->experiment->traced.count;
	if (!reader->bad)
		prof_experiment_last(reader->experiment, (uint32_t)reader->id, row->traced.last);
	return NULL;
}

/* Takes every event for an imported one until the table of counters says which are not. */
static struct prof_error *take_event(struct prof_store_reader *reader, const union prof_row *row)
{
	const struct prof_event event = {.unit = PROF_EVENT_SAMPLES};
	struct prof_experiment *experiment = reader->experiment;
	uint32_t id;

	reader->bad = reader->id >= PROF_EVENTS;
	if (reader->bad)
		return NULL;
	return check_new(reader,
		prof_experiment_counter(experiment,
			prof_strings_get(&experiment->strings, row->event.name), &event, &id),
		&id, reader->id);
}

static struct prof_error *take_counter(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_experiment *experiment = reader->experiment;
	struct prof_event event = row->counter.event;
	int64_t unit = row->counter.unit;

	/* Rows after the last counter, or of no counter, have nothing but a name. */
	reader->bad = reader->id >= (int64_t)experiment->events.count ||
		event.lost > event.overflows ||
		(event.clock && (unit != PROF_COUNTER_CYCLES || event.clock < PROF_CLOCK_LEAST)) ||
		(unit < 0 && (event.interval || event.overflows));
	if (reader->bad)
		return NULL;
	event.unit = (uint8_t)(unit < 0 ? PROF_EVENT_SAMPLES : unit);
	event.name = experiment->events.items[reader->id].name;
	experiment->events.items[reader->id] = event;
	return NULL;
}

static struct prof_error *take_data(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_experiment *experiment = reader->experiment;
	size_t count = experiment->data.count;

	reader->bad = !prof_data_is_valid(&row->data) ||
		(count && experiment->data.items[count - 1].sample >= row->data.sample);
	return reader->bad ? NULL : prof_experiment_data(experiment, &row->data);
}

static struct prof_error *take_rank(struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_experiment *experiment = reader->experiment;
	const struct prof_rank *rank = &row->rank;
	size_t count = experiment->ranks.count;
	const struct prof_rank *before = count ? &experiment->ranks.items[count - 1] : NULL;

	reader->bad = rank->first_thread > experiment->threads.count ||
		rank->first_mark > experiment->marks.count ||
		(before &&
			(before->first_thread > rank->first_thread ||
				before->first_mark > rank->first_mark));
	if (reader->bad)
		return NULL;
	struct prof_rank *added = prof_array_push(&experiment->ranks);
	if (!added)
		return prof_error_nomem();
	*added = *rank;
	return NULL;
}

static struct prof_error *take_operation(
	struct prof_store_reader *reader, const union prof_row *row)
{
	reader->bad = !prof_mpi_operation_is_valid(&row->operation);
	return reader->bad ? NULL : prof_mpi_operation_add(reader->experiment, &row->operation);
}

const struct prof_store_row prof_store_rows[PROF_TABLES] = {
	[PROF_TABLE_INFO] = {take_info, NULL},
	[PROF_TABLE_STRING] = {take_string, NULL},
	[PROF_TABLE_MODULE] = {take_module, NULL},
	[PROF_TABLE_RANGE] = {take_range, NULL},
	[PROF_TABLE_THREAD] = {take_thread, NULL},
	[PROF_TABLE_FUNCTION] = {take_function, NULL},
	[PROF_TABLE_FRAME] = {take_frame, NULL},
	[PROF_TABLE_LOCATION] = {take_location, end_locations},
	[PROF_TABLE_PATH] = {take_path, NULL},
	[PROF_TABLE_SAMPLE] = {prof_store_take_sample, NULL},
	[PROF_TABLE_MARK] = {take_mark, NULL},
	[PROF_TABLE_COUNTED] = {take_counted, NULL},
	[PROF_TABLE_OBJECT] = {take_object, NULL},
	[PROF_TABLE_TRACED] = {take_traced, NULL},
	[PROF_TABLE_ARGUMENT] = {take_argument, NULL},
	[PROF_TABLE_HELD] = {take_held, NULL},
	[PROF_TABLE_HEAP] = {take_heap, NULL},
	[PROF_TABLE_HEAP_CLASS] = {take_heap_class, NULL},
	[PROF_TABLE_OWNER] = {take_owner, NULL},
	[PROF_TABLE_CPU] = {prof_store_take_part, NULL},
	[PROF_TABLE_TEXT] = {prof_store_take_part, NULL},
	[PROF_TABLE_TRACED_LAST] = {take_traced_last, NULL},
	[PROF_TABLE_TRACED_MPI] = {take_traced_mpi, NULL},
	[PROF_TABLE_TRACED_OMP] = {take_traced_omp, NULL},
	[PROF_TABLE_TRACED_LOOP] = {take_traced_loop, NULL},
	[PROF_TABLE_EVENT] = {take_event, prof_store_check_events},
	[PROF_TABLE_EVENT_SAMPLE] = {prof_store_take_part, NULL},
	[PROF_TABLE_SOURCE] = {prof_store_take_source, NULL},
	[PROF_TABLE_EXTENT] = {prof_store_take_extent, NULL},
	[PROF_TABLE_BLOCK] = {prof_store_take_block, NULL},
	[PROF_TABLE_COUNTER] = {take_counter, NULL},
	[PROF_TABLE_SAMPLE_BLOCK] = {prof_store_take_block_of_samples, NULL},
	[PROF_TABLE_DATA] = {take_data, NULL},
	[PROF_TABLE_ARC_VALUE] = {take_arc_value, end_arc_values},
	[PROF_TABLE_GMON] = {prof_store_take_gmon, NULL},
	[PROF_TABLE_GMON_HISTOGRAM] = {prof_store_take_histogram, NULL},
	[PROF_TABLE_GMON_BIN] = {prof_store_take_bin, NULL},
	[PROF_TABLE_GMON_ARC] = {prof_store_take_address_arc, NULL},
	[PROF_TABLE_GMON_SYMBOL] = {prof_store_take_symbol, NULL},
	[PROF_TABLE_GMON_LINE] = {prof_store_take_line, NULL},
	[PROF_TABLE_CALL_TARGET] = {take_call_target, NULL},
	[PROF_TABLE_RANK] = {take_rank, NULL},
	[PROF_TABLE_OPERATION] = {take_operation, NULL},
	[PROF_TABLE_CALL_BLOCK] = {prof_store_take_calls, NULL},
};
