/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/dump.h"

#include "model/recording_fields.h"
#include "report/json.h"
#include "sampling/marker.h"
#include "target/wait.h"

#include <inttypes.h>
#include <stdlib.h>

struct writer {
	const struct prof_sheet *sheet;           /* borrowed */
	const struct prof_experiment *experiment; /* borrowed */
	struct prof_text *text;                   /* borrowed */
	const struct prof_sample *traced;         /* borrowed: the sample of each traced row */
	struct prof_arc_costs *costs;             /* as far as they are written */
};

/* Writes `"KEY":STRING`, after a comma unless it is the FIRST. */
static struct prof_error *print_string(
	const struct writer *writer, bool first, const char *key, const char *string)
{
	prof_text_print(writer->text, "%s\"%s\":", first ? "" : ",", key);
	return prof_json_string(string, writer->text);
}

static const char *string_of(const struct writer *writer, uint32_t string)
{
	return prof_strings_get(&writer->experiment->strings, string);
}

/* Begins the element NUMBER of an array. */
static void begin(const struct writer *writer, size_t number)
{
	prof_text_print(writer->text, "%s\n", number ? "," : "");
}

/* The same fields as in an experiment's file. */
static struct prof_error *print_recording(const struct writer *writer)
{
	struct prof_error *error = NULL;

	prof_text_print(writer->text, "\"recording\":{");
	for (size_t i = 0; !error && i < prof_recording_field_count; i++) {
		const struct prof_recording_field *field = &prof_recording_fields[i];
		const void *at = prof_recording_get(&writer->experiment->recording, field);
		if (field->type == PROF_FIELD_TEXT) {
			error = print_string(writer, !i, field->name, *(char *const *)at);
			continue;
		}
		prof_text_print(writer->text, "%s\"%s\":", i ? "," : "", field->name);
		if (field->type == PROF_FIELD_RATE)
			prof_text_print(writer->text, "%.17g", *(const double *)at);
		else
			prof_text_print(writer->text, "%" PRIu64, *(const uint64_t *)at);
	}
	prof_text_bytes(writer->text, "}", 1);
	return error;
}

static struct prof_error *print_object(const struct writer *writer, size_t number)
{
	const struct prof_module *module = &writer->experiment->modules.items[number];
	struct prof_error *error;

	prof_text_bytes(writer->text, "{", 1);
	error = print_string(writer, true, "path", string_of(writer, module->path));
	if (!error)
		error = print_string(
			writer, false, "build_id", string_of(writer, module->build_id));
	prof_text_print(writer->text, ",\"ranges\":[");
	for (size_t i = 0; i < module->ranges.count; i++) {
		const struct prof_range *range = &module->ranges.items[i];
		prof_text_print(writer->text,
			"%s{\"low\":\"0x%" PRIx64 "\",\"high\":\"0x%" PRIx64
			"\",\"offset\":\"0x%" PRIx64 "\"}",
			i ? "," : "", range->low, range->high, range->offset);
	}
	prof_text_print(writer->text, "]}");
	return error;
}

static struct prof_error *print_thread(const struct writer *writer, size_t number)
{
	const struct prof_thread *thread = &writer->experiment->threads.items[number];

	prof_text_print(writer->text, "{\"id\":%" PRId64, thread->id);
	if (thread->process)
		prof_text_print(writer->text, ",\"process\":%" PRId64, thread->process);
	struct prof_error *error =
		print_string(writer, false, "name", string_of(writer, thread->name));
	prof_text_bytes(writer->text, "}", 1);
	return error;
}

static struct prof_error *print_function(const struct writer *writer, size_t number)
{
	const struct prof_function *function = &writer->experiment->functions.items[number];

	prof_text_bytes(writer->text, "{", 1);
	struct prof_error *error =
		print_string(writer, true, "name", string_of(writer, function->name));
	prof_text_print(writer->text, ",\"object\":%" PRIu32 "}", function->module);
	return error;
}

static struct prof_error *print_location(
	const struct writer *writer, const struct prof_location *location)
{
	struct prof_error *error;

	prof_text_print(writer->text, "{\"function\":%" PRIu32, location->function);
	error = print_string(writer, false, "file", string_of(writer, location->file));
	prof_text_print(writer->text, ",\"line\":%" PRIu32, location->line);
	if (location->offset != PROF_OFFSET_UNKNOWN)
		prof_text_print(writer->text, ",\"offset\":%" PRId64, location->offset);
	prof_text_bytes(writer->text, "}", 1);
	return error;
}

static struct prof_error *print_frame(const struct writer *writer, size_t number)
{
	const struct prof_frame *frame = &writer->experiment->frames.items[number];
	struct prof_error *error = NULL;

	prof_text_print(writer->text, "{\"object\":%" PRIu32 ",", frame->module);
	if (frame->address)
		prof_text_print(writer->text, "\"address\":\"0x%" PRIx64 "\",", frame->address);
	prof_text_print(writer->text, "\"locations\":[");
	for (uint32_t i = 0; !error && i < frame->locations; i++) {
		prof_text_print(writer->text, "%s", i ? "," : "");
		error = print_location(
			writer, &writer->experiment->locations.items[frame->first_location + i]);
	}
	prof_text_print(writer->text, "]}");
	return error;
}

static struct prof_error *print_stack(const struct writer *writer, size_t number)
{
	const struct prof_path *path = &writer->experiment->paths.items[number];

	if (number)
		prof_text_print(writer->text, "{\"parent\":%" PRIu32 ",\"frame\":%" PRIu32 "}",
			path->parent, path->frame);
	else
		prof_text_print(writer->text, "{\"parent\":null,\"frame\":null}");
	return NULL;
}

static bool is_counter(const struct writer *writer, size_t event)
{
	return writer->experiment->events.items[event].unit != PROF_EVENT_SAMPLES;
}

static struct prof_error *print_event_row(const struct writer *writer, size_t number)
{
	const struct prof_event *event = &writer->experiment->events.items[number];

	prof_text_bytes(writer->text, "{", 1);
	struct prof_error *error =
		print_string(writer, true, "name", string_of(writer, event->name));
	prof_text_print(writer->text, ",\"unit\":\"%s\"", prof_event_units[event->unit]);
	if (is_counter(writer, number))
		prof_text_print(writer->text,
			",\"clock\":%" PRId64 ",\"interval\":%" PRId64 ",\"overflows\":%" PRId64
			",\"lost\":%" PRId64,
			event->clock, event->interval, event->overflows, event->lost);
	prof_text_bytes(writer->text, "}", 1);
	return error;
}

static const char *name_of(int quantity)
{
	int state = quantity - PROF_QUANTITY_SPENT;

	if (state < 0)
		return "samples";
	return state < PROF_STATES ? prof_state_names[state]
				   : prof_traced_names[quantity - PROF_QUANTITY_TRACED];
}

/* Writes of which event VALUES are, where the experiment has any. */
static void print_event(const struct writer *writer, const prof_value values[PROF_QUANTITIES])
{
	char number[PROF_VALUE_TEXT];

	for (int i = 0; i < PROF_EVENTS; i++) {
		prof_value value = values[PROF_QUANTITY_EVENT + i];
		if (value)
			prof_text_print(writer->text, ",\"event\":%d,\"event_%s\":%s", i,
				is_counter(writer, (size_t)i) ? "count" : "samples",
				prof_value_print(value, 1, number));
	}
}

/* Writes those of VALUES that are any, each after a comma. */
static void print_values(const struct writer *writer, const prof_value values[PROF_QUANTITIES])
{
	char number[PROF_VALUE_TEXT];

	for (int i = 0; i < PROF_QUANTITIES; i++) {
		bool event = i >= PROF_QUANTITY_EVENT && i < PROF_QUANTITY_TRACED;
		if (values[i] && !event)
			prof_text_print(writer->text, ",\"%s\":%s", name_of(i),
				prof_value_print(values[i], 1, number));
	}
}

/* What was waited for, and who had it. */
static void print_wait(const struct writer *writer, const struct prof_tracing *tracing)
{
	if (tracing->object != PROF_NONE)
		prof_text_print(writer->text, ",\"lock\":%" PRIu32, tracing->object);
	if (tracing->holder != PROF_NONE)
		prof_text_print(writer->text, ",\"holder\":%" PRIu32, tracing->holder);
	if (tracing->longest)
		prof_text_print(writer->text, ",\"longest\":%" PRId64, tracing->longest);
	prof_text_print(writer->text, ",\"last\":%" PRId64, tracing->last);
}

/* What is known of the access to memory. */
static void print_data(const struct writer *writer, const struct prof_data *data)
{
	prof_text_print(writer->text, ",\"trigger\":\"%s\"", prof_trigger_names[data->trigger]);
	if (data->access)
		prof_text_print(
			writer->text, ",\"access\":\"%s\"", prof_access_names[data->access]);
	if (data->skid)
		prof_text_print(writer->text, ",\"skid\":%d", data->skid);
	if (data->addressed)
		prof_text_print(writer->text, ",\"address\":\"0x%" PRIx64 "\"", data->address);
}

/* Writes ROW; TRACING is of it, or NULL. */
static void print_sample(const struct writer *writer, const struct prof_sample_row *row,
	const struct prof_tracing *tracing)
{
	const struct prof_sample *sample = &row->sample;
	prof_value values[PROF_QUANTITIES];

	prof_text_print(writer->text,
		"{\"time\":%" PRId64 ",\"thread\":%" PRIu32 ",\"stack\":%" PRIu32
		",\"state\":\"%s\"",
		sample->time, sample->thread, sample->path, prof_state_names[sample->state]);
	for (int i = 0; i < PROF_QUANTITIES; i++)
		values[i] =
			prof_selection_value(writer->sheet->selection, row, (enum prof_quantity)i);
	print_values(writer, values);
	print_event(writer, values);
	if (sample->cpu)
		prof_text_print(writer->text, ",\"cpu\":%d", sample->cpu - 1);
	if (tracing)
		print_wait(writer, tracing);
	const struct prof_data *data = prof_experiment_data_of(writer->experiment, row->number);
	if (data)
		print_data(writer, data);
	prof_text_bytes(writer->text, "}", 1);
}

/* Writes the samples that pass the filter. */
static struct prof_error *print_samples(const struct writer *writer)
{
	const struct prof_experiment *experiment = writer->experiment;
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment,
		.blocks = prof_selection_blocks(writer->sheet->selection),
		.progress = writer->sheet->progress,
		.doing = "Writing"};
	size_t written = 0;
	struct prof_tracings_place place = {0};
	size_t traced = 0;

	prof_text_print(writer->text, ",\n\"samples\":[");
	while (prof_cursor_next(&rows)) {
		uint32_t number = rows.row.number;
		const struct prof_tracing *tracing = NULL;
		for (; traced < experiment->traced.count; traced++) {
			tracing = prof_tracings_get(&experiment->traced, &place, traced);
			if (tracing->sample >= number)
				break;
		}
		if (!prof_selection_has(writer->sheet->selection, number))
			continue;
		begin(writer, written++);
		print_sample(
			writer, &rows.row, tracing && tracing->sample == number ? tracing : NULL);
	}
	prof_text_print(writer->text, "]");
	return prof_cursor_error(&rows);
}

/* Writes the arc with costs that is next. */
static struct prof_error *print_call(const struct writer *writer, size_t number)
{
	struct prof_arc_costs *cost = writer->costs;

	(void)number;
	prof_arc_costs_next(cost);
	if (cost->caller == PROF_NONE)
		prof_text_print(writer->text, "{\"caller\":null");
	else
		prof_text_print(writer->text, "{\"caller\":%" PRIu32, cost->caller);
	prof_text_print(writer->text, ",\"callee\":%" PRIu32 ",\"calls\":%" PRIu64, cost->callee,
		cost->calls);
	print_values(writer, cost->values);
	prof_text_bytes(writer->text, "}", 1);
	return NULL;
}

static struct prof_error *print_counted(const struct writer *writer, size_t number)
{
	static const char *const kinds[] = {"calls", "begin", "part"};
	const struct prof_arc *counted = &writer->experiment->arcs.items[number];

	prof_text_print(writer->text,
		"{\"time\":%" PRId64 ",\"kind\":\"%s\",\"caller\":%" PRIu32 ",\"callee\":%" PRIu32
		",\"calls\":%" PRIu64 "}",
		counted->time, kinds[counted->kind], counted->caller, counted->callee,
		counted->calls);
	return NULL;
}

static struct prof_error *print_lock(const struct writer *writer, size_t number)
{
	const struct prof_object *object = &writer->experiment->objects.items[number];

	prof_text_print(writer->text, "{\"address\":\"0x%" PRIx64 "\"", object->address);
	struct prof_error *error =
		print_string(writer, false, "name", string_of(writer, object->name));
	prof_text_bytes(writer->text, "}", 1);
	return error;
}

static struct prof_error *print_held(const struct writer *writer, size_t number)
{
	const struct prof_experiment *experiment = writer->experiment;
	const struct prof_held *held = &experiment->held.items[number];
	const struct prof_sample *sample = &writer->traced[held->traced];

	prof_text_print(writer->text,
		"{\"time\":%" PRId64 ",\"allocated\":%" PRId64 ",\"thread\":%" PRIu32
		",\"stack\":%" PRIu32 ",\"blocks\":%" PRId64 ",\"bytes\":%" PRId64 "}",
		held->time, sample->time, sample->thread, sample->path, held->blocks, held->bytes);
	return NULL;
}

static void print_classes(const struct writer *writer, const char *key, const int64_t *counts)
{
	prof_text_print(writer->text, ",\"%s\":[", key);
	for (int i = 0; i < PROF_HEAP_CLASSES; i++)
		prof_text_print(writer->text, "%s%" PRId64, i ? "," : "", counts[i]);
	prof_text_bytes(writer->text, "]", 1);
}

static struct prof_error *print_heap(const struct writer *writer, size_t number)
{
	const struct prof_heap_of *of = &writer->experiment->heaps.items[number];
	const struct prof_heap *heap = &of->heap;

	prof_text_print(writer->text,
		"{\"process\":%" PRId64 ",\"peak\":%" PRId64 ",\"peak_time\":%" PRId64
		",\"unmatched\":%" PRId64 ",\"smallest\":%" PRId64 ",\"largest\":%" PRId64
		",\"leak_smallest\":%" PRId64 ",\"leak_largest\":%" PRId64,
		of->process, heap->peak, heap->peak_time, heap->unmatched, heap->smallest,
		heap->largest, heap->leak_smallest, heap->leak_largest);
	print_classes(writer, "allocations", heap->allocations);
	print_classes(writer, "leaks", heap->leaks);
	prof_text_bytes(writer->text, "}", 1);
	return NULL;
}

static struct prof_error *print_mark(const struct writer *writer, size_t number)
{
	const struct prof_mark *mark = &writer->experiment->marks.items[number];

	prof_text_print(writer->text, "{\"time\":%" PRId64, mark->time);
	struct prof_error *error =
		print_string(writer, false, "label", string_of(writer, mark->label));
	prof_text_print(writer->text, ",\"kind\":\"%s\"", prof_mark_names[mark->kind]);
	for (int i = 0; i < PROF_USAGES; i++) {
		int64_t figure = mark->usage.figures[i];
		prof_text_print(writer->text, ",\"%s\":", prof_usage_table[i].name);
		if (figure == PROF_USAGE_UNKNOWN)
			prof_text_print(writer->text, "null");
		else
			prof_text_print(writer->text, "%" PRId64, figure);
	}
	prof_text_bytes(writer->text, "}", 1);
	return error;
}

/* Writes the array KEY of COUNT elements. */
static struct prof_error *print_array(const struct writer *writer, const char *key, size_t count,
	struct prof_error *(*print)(const struct writer *writer, size_t number))
{
	struct prof_error *error = NULL;

	prof_text_print(writer->text, ",\n\"%s\":[", key);
	for (size_t i = 0; !error && i < count; i++) {
		if (i % PROF_PROGRESS_STEP == 0)
			error = prof_progress_report(writer->sheet->progress, "Writing", i, count);
		begin(writer, i);
		if (!error)
			error = print(writer, i);
	}
	prof_text_print(writer->text, "]");
	return error;
}

/* The samples of the traced rows of EXPERIMENT, in a new array. */
static struct prof_error *find_traced(
	const struct prof_experiment *experiment, struct prof_sample **ret)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};
	struct prof_tracings_place place = {0};
	size_t count = experiment->traced.count;
	AUTO_FREE struct prof_sample *samples = malloc((count + 1) * sizeof *samples);

	if (!samples)
		return prof_error_nomem();
	for (size_t i = 0; i < count; i++) {
		const struct prof_sample_row *row = prof_cursor_at(
			&rows, prof_tracings_get(&experiment->traced, &place, i)->sample);
		if (!row)
			return prof_cursor_error(&rows);
		samples[i] = row->sample;
	}
	*ret = steal(&samples);
	return NULL;
}

struct prof_error *prof_dump_print(const struct prof_sheet *sheet, struct prof_text *text)
{
	const struct prof_experiment *experiment = sheet->experiment;
	AUTO_FREE struct prof_sample *traced = NULL;
	struct prof_error *failed = find_traced(experiment, &traced);
	if (failed)
		return failed;
	struct prof_arc_costs costs = {.experiment = experiment};
	size_t calls = prof_arc_costs_count(experiment);
	const struct writer writer = {sheet, experiment, text, traced, &costs};
	const struct {
		const char *key;
		size_t count;
		struct prof_error *(*print)(const struct writer *writer, size_t number);
	} arrays[] = {{"objects", experiment->modules.count, print_object},
		{"threads", experiment->threads.count, print_thread},
		{"functions", experiment->functions.count, print_function},
		{"frames", experiment->frames.count, print_frame},
		{"stacks", experiment->paths.count, print_stack},
		{"events", experiment->events.count, print_event_row}, {"calls", calls, print_call},
		{"counted", experiment->arcs.count - calls, print_counted},
		{"locks", experiment->objects.count, print_lock},
		{"held", experiment->held.count, print_held},
		{"heaps", experiment->heaps.count, print_heap},
		{"marks", experiment->marks.count, print_mark}};

	prof_text_print(text, "{\"format\":\"gdbprof\",\"version\":%d,\n", PROF_DUMP_VERSION);
	struct prof_error *error = print_recording(&writer);
	for (size_t i = 0; !error && i < PROF_COUNT(arrays); i++)
		error = print_array(&writer, arrays[i].key, arrays[i].count, arrays[i].print);
	if (!error)
		error = print_samples(&writer);
	prof_text_print(text, "}\n");
	return error ? error : prof_text_error(text);
}
