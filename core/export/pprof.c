/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/pprof.h"

#include "base/map.h"
#include "base/strings.h"
#include "base/time_unit.h"
#include "base/value.h"
#include "formats/pprof.pb-c.h"
#include "metric/items.h"
#include "metric/metric.h"
#include "metric/selection.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/rank.h"
#include "model/sample_row.h"
#include "model/unit.h"
#include "report/recording.h"
#include "report/sheet.h"
#include "report/shown.h"
#include "target/wait.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
	GZIP_WINDOW = 15 + 16,  /* the largest, with gzip's header */
	BUFFER = 1 << 16,       /* bytes */
	PROFILE_MOST = 1 << 30, /* bytes, unpacked: stacks that are very deep fill it */
};

/* Samples of one thread, state and stack, added up. */
struct group {
	uint32_t thread, path;
	uint8_t state;
};

/* A function whose code comes from FILE: in pprof a function has one file. */
struct place {
	uint32_t function, file;
};

/*
 * The profile is written piece by piece: a message with one entry of one field is a profile with
 * that entry, and such messages, one after the other, are the whole profile.
 */
struct writer {
	const struct prof_sheet *sheet; /* borrowed */
	const struct prof_experiment *experiment;
	struct prof_items items; /* lines */
	struct prof_text *text;  /* borrowed */
	z_stream stream;
	bool streaming;
	uint64_t written;            /* bytes, before compression */
	PROF_ARRAY(uint8_t) packed;  /* the current piece */
	struct prof_strings strings; /* as numbered in the file */
	PROF_ARRAY(struct group) groups;
	PROF_ARRAY(prof_value) values; /* by group, and metric */
	struct prof_map group_index;   /* hash of thread, state, path -> group */
	PROF_ARRAY(struct place) places;
	struct prof_map place_index; /* function, file -> its number */
	uint64_t *mappings;          /* by module: the id of its first; 0: it has none */
	bool *located;               /* by frame, and one more for none: it is written */
	PROF_ARRAY(uint64_t) stack;  /* of the current group */
};

static void writer_deinit(struct writer *writer)
{
	if (writer->streaming)
		deflateEnd(&writer->stream);
	prof_items_deinit(&writer->items);
	free(writer->packed.items);
	prof_strings_deinit(&writer->strings);
	free(writer->groups.items);
	free(writer->values.items);
	prof_map_deinit(&writer->group_index);
	free(writer->places.items);
	prof_map_deinit(&writer->place_index);
	free(writer->mappings);
	free(writer->located);
	free(writer->stack.items);
}

/* The number of TEXT in the file. */
static struct prof_error *add_string(struct writer *writer, const char *text, int64_t *ret)
{
	AUTO_TEXT struct prof_text clean = {0};
	uint32_t number;

	prof_text_utf8(&clean, text);
	struct prof_error *error = prof_text_error(&clean);
	if (!error)
		error = prof_strings_add(
			&writer->strings, prof_text_get(&clean), clean.length, &number);
	if (!error)
		*ret = number;
	return error;
}

static struct prof_error *writer_init(
	struct writer *writer, const struct prof_sheet *sheet, struct prof_text *text)
{
	const struct prof_experiment *experiment = sheet->experiment;
	int64_t empty;

	*writer = (struct writer){.sheet = sheet, .experiment = experiment, .text = text};
	prof_items_init(&writer->items, experiment, PROF_KIND_LINES, sheet->items.inlined);
	struct prof_error *error = add_string(writer, "", &empty);
	if (error)
		return error;
	writer->mappings = calloc(experiment->modules.count, sizeof *writer->mappings);
	writer->located = calloc(experiment->frames.count + 1, sizeof *writer->located);
	if (!writer->mappings || !writer->located)
		return prof_error_nomem();
	writer->streaming = deflateInit2(&writer->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
				    GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) == Z_OK;
	return writer->streaming ? NULL : prof_error_nomem();
}

/* Adds LENGTH BYTES to the file; FINISH: they are the last. */
static struct prof_error *deflate_bytes(
	struct writer *writer, uint8_t *bytes, size_t length, bool finish)
{
	z_stream *stream = &writer->stream;
	char buffer[BUFFER];

	stream->next_in = bytes;
	stream->avail_in = (unsigned)length;
	do {
		stream->next_out = (unsigned char *)buffer;
		stream->avail_out = BUFFER;
		deflate(stream, finish ? Z_FINISH : Z_NO_FLUSH);
		prof_text_bytes(writer->text, buffer, BUFFER - stream->avail_out);
	} while (!stream->avail_out);
	return prof_text_error(writer->text);
}

/* Adds a PIECE of the profile. */
static struct prof_error *add_piece(struct writer *writer, const Pprof__Profile *piece)
{
	size_t length = pprof__profile__get_packed_size(piece);

	writer->packed.count = 0;
	if (length > UINT32_MAX || !prof_array_reserve(&writer->packed, length))
		return prof_error_nomem();
	pprof__profile__pack(piece, writer->packed.items);
	writer->written += length;
	if (writer->written > PROFILE_MOST)
		return prof_error_create(PROF_ERROR_TOO_LARGE,
			"The profile is more than %d bytes, unpacked: leave out some of it with a filter.",
			PROFILE_MOST);
	return deflate_bytes(writer, writer->packed.items, length, false);
}

static struct prof_error *add_type(struct writer *writer, const struct prof_metric *metric)
{
	Pprof__ValueType type = PPROF__VALUE_TYPE__INIT, *types[] = {&type};
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	struct prof_error *error = add_string(writer, metric->name, &type.type);

	if (!error)
		error = add_string(
			writer, metric->units == 1 ? "count" : "nanoseconds", &type.unit);
	piece.n_sample_type = 1;
	piece.sample_type = types;
	return error ? error : add_piece(writer, &piece);
}

/* Adds the mapping with the ID of MODULE to RANGE, which may be NULL. */
static struct prof_error *add_mapping(struct writer *writer, uint64_t id,
	const struct prof_module *module, const struct prof_range *range)
{
	const struct prof_strings *strings = &writer->experiment->strings;
	Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings[] = {&mapping};
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	struct prof_error *error =
		add_string(writer, prof_strings_get(strings, module->path), &mapping.filename);

	if (!error)
		error = add_string(
			writer, prof_strings_get(strings, module->build_id), &mapping.build_id);
	mapping.id = id;
	if (range) {
		mapping.memory_start = range->low;
		mapping.memory_limit = range->high;
		mapping.file_offset = range->offset;
	}
	/* pprof need not look for functions, files and lines. */
	mapping.has_functions = mapping.has_filenames = mapping.has_line_numbers = true;
	mapping.has_inline_frames = true;
	piece.n_mapping = 1;
	piece.mapping = mappings;
	return error ? error : add_piece(writer, &piece);
}

/* Adds the mappings of all modules except the first, which stands for no module. */
static struct prof_error *add_mappings(struct writer *writer)
{
	struct prof_error *error = NULL;
	uint64_t id = 0;

	for (size_t i = 1; !error && i < writer->experiment->modules.count; i++) {
		const struct prof_module *module = &writer->experiment->modules.items[i];
		writer->mappings[i] = id + 1;
		if (!module->ranges.count)
			error = add_mapping(writer, ++id, module, NULL);
		for (size_t j = 0; !error && j < module->ranges.count; j++)
			error = add_mapping(writer, ++id, module, &module->ranges.items[j]);
	}
	return error;
}

/* The id of the mapping that FRAME is in. */
static uint64_t mapping_of(const struct writer *writer, const struct prof_frame *frame)
{
	const struct prof_module *module = &writer->experiment->modules.items[frame->module];
	uint64_t first = writer->mappings[frame->module];

	for (size_t i = 0; first && i < module->ranges.count; i++) {
		const struct prof_range *range = &module->ranges.items[i];
		if (frame->address >= range->low && frame->address < range->high)
			return first + i;
	}
	return first;
}

/* The id of the function of LINE in its file.  The function is written at its first use. */
static struct prof_error *add_function(
	struct writer *writer, const struct prof_line *line, uint64_t *ret)
{
	const struct prof_experiment *experiment = writer->experiment;
	Pprof__Function function = PPROF__FUNCTION__INIT, *functions[] = {&function};
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	uint64_t key = prof_map_pair(line->function, line->file);
	uint32_t number = prof_map_get(&writer->place_index, key);

	if (number != PROF_NONE) {
		*ret = number + 1;
		return NULL;
	}
	struct place *place = prof_map_push(&writer->place_index, key, &writer->places);
	if (!place)
		return prof_error_nomem();
	*place = (struct place){line->function, line->file};
	*ret = function.id = writer->places.count;
	struct prof_error *error = add_string(
		writer, prof_experiment_function_name(experiment, line->function), &function.name);
	function.system_name = function.name;
	if (!error)
		error = add_string(writer, prof_strings_get(&experiment->strings, line->file),
			&function.filename);
	piece.n_function = 1;
	piece.function = functions;
	return error ? error : add_piece(writer, &piece);
}

static struct prof_error *fill_line(struct writer *writer, uint32_t item, Pprof__Line *line)
{
	const struct prof_line *at = &writer->items.lines.items[item];

	pprof__line__init(line);
	line->line = at->line;
	return add_function(writer, at, &line->function_id);
}

/* Fills the COUNT LINES of FRAME, PROF_NONE for a stack without one. */
static struct prof_error *fill_lines(
	struct writer *writer, uint32_t frame, Pprof__Line *lines, uint32_t count)
{
	struct prof_error *error = NULL;

	for (uint32_t i = 0; !error && i < count; i++) {
		uint32_t item;
		error = frame == PROF_NONE ? prof_items_of_nothing(&writer->items, &item)
					   : prof_items_of(&writer->items, frame, i, &item);
		if (!error)
			error = fill_line(writer, item, &lines[i]);
	}
	return error;
}

/* Adds the location of FRAME under its id, unless it is there. */
static struct prof_error *add_location(struct writer *writer, uint32_t frame, uint64_t id)
{
	Pprof__Location location = PPROF__LOCATION__INIT, *locations[] = {&location};
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	uint32_t count = frame == PROF_NONE ? 1 : prof_items_depth(&writer->items, frame);

	if (writer->located[id - 1])
		return NULL;
	writer->located[id - 1] = true;
	AUTO_FREE Pprof__Line *lines = calloc(count, sizeof *lines);
	AUTO_FREE Pprof__Line **pointers = calloc(count, sizeof *pointers);
	if (!lines || !pointers)
		return prof_error_nomem();
	struct prof_error *error = fill_lines(writer, frame, lines, count);
	for (uint32_t i = 0; i < count; i++)
		pointers[i] = &lines[i];
	location.id = id;
	if (frame != PROF_NONE) {
		location.address = writer->experiment->frames.items[frame].address;
		location.mapping_id = mapping_of(writer, &writer->experiment->frames.items[frame]);
	}
	location.n_line = count;
	location.line = pointers;
	piece.n_location = 1;
	piece.location = locations;
	return error ? error : add_piece(writer, &piece);
}

/* A group that is looked for. */
struct wanted {
	const struct writer *writer;
	const struct prof_sample *sample;
};

static bool is_group(const void *context, uint32_t number)
{
	const struct wanted *wanted = context;
	const struct group *group = &wanted->writer->groups.items[number];

	return group->thread == wanted->sample->thread && group->path == wanted->sample->path &&
		group->state == wanted->sample->state;
}

/* The group of SAMPLE, added if new. */
static struct prof_error *find_group(
	struct writer *writer, const struct prof_sample *sample, uint32_t *ret)
{
	size_t metrics = writer->sheet->shown.count;
	const struct wanted wanted = {writer, sample};
	const uint32_t words[] = {sample->thread, sample->path, sample->state};
	uint64_t key = prof_map_hash(words, sizeof words);

	*ret = prof_map_find(&writer->group_index, key, is_group, &wanted);
	if (*ret != PROF_NONE)
		return NULL;
	*ret = (uint32_t)writer->groups.count;
	struct group *group = prof_array_reserve(&writer->values, metrics)
		? prof_map_push(&writer->group_index, key, &writer->groups)
		: NULL;
	if (!group)
		return prof_error_nomem();
	*group = (struct group){sample->thread, sample->path, sample->state};
	memset(&writer->values.items[writer->values.count], 0, metrics * sizeof(prof_value));
	writer->values.count += metrics;
	return NULL;
}

/* Adds ROW to the group of samples like it, unless all its values are 0. */
static struct prof_error *add_to_group(struct writer *writer, const struct prof_sample_row *row)
{
	const struct prof_shown_list *shown = &writer->sheet->shown;
	prof_value values[PROF_COUNT(shown->items)];
	bool any = false;
	uint32_t group;

	for (size_t i = 0; i < shown->count; i++) {
		values[i] = prof_metric_of(
			writer->experiment, &shown->items[i].metric, writer->sheet->selection, row);
		any |= values[i] != 0;
	}
	struct prof_error *error = any ? find_group(writer, &row->sample, &group) : NULL;
	for (size_t i = 0; any && !error && i < shown->count; i++)
		writer->values.items[group * shown->count + i] += values[i];
	return error;
}

static struct prof_error *add_groups(struct writer *writer)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = writer->experiment,
		.blocks = prof_selection_blocks(writer->sheet->selection),
		.progress = writer->sheet->progress,
		.doing = "Writing"};
	struct prof_error *error = NULL;

	while (!error && prof_cursor_next(&rows)) {
		if (prof_selection_has(writer->sheet->selection, rows.row.number))
			error = add_to_group(writer, &rows.row);
	}
	return error ? error : prof_cursor_error(&rows);
}

/* Notes the location of FRAME as the next of the stack. */
static struct prof_error *push_location(struct writer *writer, uint32_t frame)
{
	uint64_t id = frame == PROF_NONE ? writer->experiment->frames.count + 1 : frame + 1;
	uint64_t *added = prof_array_push(&writer->stack);

	if (!added)
		return prof_error_nomem();
	*added = id;
	return add_location(writer, frame, id);
}

static struct prof_error *fill_stack(struct writer *writer, uint32_t path, Pprof__Sample *sample)
{
	const struct prof_path *paths = writer->experiment->paths.items;
	struct prof_error *error = NULL;

	writer->stack.count = 0;
	if (!path)
		error = push_location(writer, PROF_NONE);
	for (; !error && path; path = paths[path].parent)
		error = push_location(writer, paths[path].frame);
	sample->n_location_id = writer->stack.count;
	sample->location_id = writer->stack.items;
	return error;
}

static struct prof_error *fill_values(const struct writer *writer, size_t group, int64_t *values)
{
	const size_t metrics = writer->sheet->shown.count;

	for (size_t i = 0; i < metrics; i++) {
		prof_value value = writer->values.items[group * metrics + i];
		prof_value whole = (value + PROF_VALUE_ONE / 2) / PROF_VALUE_ONE;
		if (whole > INT64_MAX)
			return prof_error_create(PROF_ERROR_TOO_LARGE,
				"A stack has more of the metric \"%s\" than pprof can hold: leave out the metric.",
				writer->sheet->shown.items[i].metric.name);
		values[i] = (int64_t)whole;
	}
	return NULL;
}

enum { LABELS = 4 };

static struct prof_error *add_label(struct writer *writer, const char *key, const char *text,
	int64_t number, Pprof__Sample *sample)
{
	Pprof__Label *label = sample->label[sample->n_label];
	struct prof_error *error = add_string(writer, key, &label->key);

	if (!error)
		error = add_string(writer, text, &label->str);
	label->num = number;
	sample->n_label++;
	return error;
}

/* Adds what is known of the thread of GROUP, and of what it did. */
static struct prof_error *fill_labels(
	struct writer *writer, const struct group *group, Pprof__Sample *sample)
{
	const struct prof_experiment *experiment = writer->experiment;
	const struct prof_thread thread = prof_experiment_thread_row(experiment, group->thread);
	const struct prof_rank *rank = prof_rank_of_thread(experiment, group->thread);
	const char *name = prof_strings_get(&experiment->strings, thread.name);
	struct prof_error *error = NULL;

	if (*name)
		error = add_label(writer, "thread", name, 0, sample);
	if (!error && thread.id)
		error = add_label(writer, "thread_id", "", thread.id, sample);
	if (!error && rank)
		error = add_label(writer, "rank", "", rank->rank, sample);
	if (!error && (prof_experiment_is_sampled(experiment) || group->state != PROF_STATE_USER))
		error = add_label(writer, "state", prof_state_names[group->state], 0, sample);
	return error;
}

static struct prof_error *add_sample(struct writer *writer, size_t number)
{
	const struct group *group = &writer->groups.items[number];
	int64_t values[PROF_COUNT(writer->sheet->shown.items)];
	Pprof__Label labels[LABELS], *pointers[LABELS];
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples[] = {&sample};
	Pprof__Profile piece = PPROF__PROFILE__INIT;

	for (int i = 0; i < LABELS; i++) {
		pprof__label__init(&labels[i]);
		pointers[i] = &labels[i];
	}
	sample.value = values;
	sample.n_value = writer->sheet->shown.count;
	sample.label = pointers;
	piece.n_sample = 1;
	piece.sample = samples;
	struct prof_error *error = fill_values(writer, number, values);
	if (!error)
		error = fill_labels(writer, group, &sample);
	if (!error)
		error = fill_stack(writer, group->path, &sample);
	return error ? error : add_piece(writer, &piece);
}

/* The only counter of EXPERIMENT, if that has samples of one alone, each for as many events; NULL.
 */
static const struct prof_event *only_counter(const struct prof_experiment *experiment)
{
	const struct prof_event *event = experiment->events.items;

	return experiment->events.count == 1 && event->unit != PROF_EVENT_SAMPLES && event->interval
		? event
		: NULL;
}

/* Sets what PIECE says that its samples were taken after, in TYPE. */
static struct prof_error *set_period(
	struct writer *writer, Pprof__Profile *piece, Pprof__ValueType *type)
{
	const struct prof_experiment *experiment = writer->experiment;
	const struct prof_recording *recording = &experiment->recording;
	const struct prof_event *event = only_counter(experiment);
	bool sampled = prof_recording_sampled(recording);

	if (!sampled && !event)
		return NULL;
	const char *name = !sampled ? prof_strings_get(&experiment->strings, event->name)
		: *recording->clock ? recording->clock
				    : "cpu";
	struct prof_error *error = add_string(writer, name, &type->type);
	if (!error)
		error = add_string(writer,
			sampled || event->unit == PROF_COUNTER_NS ? "nanoseconds" : "count",
			&type->unit);
	piece->period_type = type;
	piece->period =
		sampled ? (int64_t)(PROF_NS_PER_SECOND / recording->rate_asked) : event->interval;
	return error;
}

/* Adds what is known of the recording, and all strings. */
static struct prof_error *add_end(struct writer *writer)
{
	const struct prof_recording *recording = &writer->experiment->recording;
	Pprof__ValueType type = PPROF__VALUE_TYPE__INIT;
	Pprof__Profile piece = PPROF__PROFILE__INIT;

	if (recording->date > 0 && recording->date < INT64_MAX / PROF_NS_PER_SECOND)
		piece.time_nanos = recording->date * PROF_NS_PER_SECOND;
	piece.duration_nanos = recording->duration;
	struct prof_error *error = set_period(writer, &piece, &type);
	piece.n_string_table = writer->strings.texts.count;
	piece.string_table = writer->strings.texts.items;
	return error ? error : add_piece(writer, &piece);
}

struct prof_error *prof_pprof_print(const struct prof_sheet *sheet, struct prof_text *text)
{
	PROF_AUTO(writer_deinit) struct writer writer = {0};
	struct prof_error *error = writer_init(&writer, sheet, text);

	for (size_t i = 0; !error && i < sheet->shown.count; i++)
		error = add_type(&writer, &sheet->shown.items[i].metric);
	if (!error)
		error = add_mappings(&writer);
	if (!error)
		error = add_groups(&writer);
	for (size_t i = 0; !error && i < writer.groups.count; i++) {
		if (i % PROF_PROGRESS_STEP == 0)
			error = prof_progress_report(
				sheet->progress, "Packing", i, writer.groups.count);
		if (!error)
			error = add_sample(&writer, i);
	}
	if (!error)
		error = add_end(&writer);
	return error ? error : deflate_bytes(&writer, NULL, 0, true);
}
