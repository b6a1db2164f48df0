/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/dump.h"

#include "export/dump_rows.h"
#include "metric/selection.h"
#include "model/contents.h"
#include "model/cursor.h"
#include "model/recording_fields.h"
#include "model/single_calls.h"
#include "report/json.h"
#include "report/sheet.h"
#include "store/entries.h"

#include <inttypes.h>
#include <stdlib.h>

struct writer {
	const struct prof_sheet *sheet;           /* borrowed */
	const struct prof_experiment *experiment; /* borrowed */
	struct prof_text *text;                   /* borrowed */
	struct prof_dump rows;
};

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
		prof_text_print(writer->text, "%s\"%s\":", i ? "," : "", field->name);
		if (field->type == PROF_FIELD_TEXT)
			error = prof_json_string(*(char *const *)at, writer->text);
		else if (field->type == PROF_FIELD_RATE)
			prof_text_print(writer->text, "%.17g", *(const double *)at);
		else
			prof_text_print(writer->text, "%" PRIu64, *(const uint64_t *)at);
	}
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

/* Writes which event VALUES belong to, if the experiment has events. */
static void print_event(const struct writer *writer, const prof_value values[PROF_QUANTITIES])
{
	char number[PROF_VALUE_TEXT];

	for (int i = 0; i < PROF_EVENTS; i++) {
		prof_value value = values[PROF_QUANTITY_EVENT + i];
		if (value)
			prof_text_print(writer->text, ",\"event\":%d,\"event_%s\":%s", i,
				prof_dump_is_counter(&writer->rows, (size_t)i) ? "count"
									       : "samples",
				prof_value_print(value, 1, number));
	}
}

/* Writes the VALUES that are not 0, each after a comma. */
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

/* Writes CALL, which the sample is; NULL: it is none. */
static void print_single_call(const struct writer *writer, const struct prof_single_call *call)
{
	if (call)
		prof_text_print(writer->text, ",\"duration\":%" PRId64 ",\"end\":\"%s\"",
			call->duration, prof_call_end_names[call->end]);
}

/* Writes ROW, unpacked from the file, and its TRACED_ROW and its single CALL, or NULL. */
static struct prof_error *print_sample(const struct writer *writer,
	const struct prof_sample_row *row, const struct prof_traced_row *traced_row,
	const struct prof_single_call *call)
{
	const struct prof_sample *sample = &row->sample;
	const struct prof_data *data = prof_experiment_data_of(writer->experiment, row->number);
	prof_value values[PROF_QUANTITIES];
	struct prof_error *error = NULL;

	prof_text_print(writer->text,
		"{\"time\":%" PRId64 ",\"thread\":%" PRIu32 ",\"stack\":%" PRIu32
		",\"state\":\"%s\"",
		sample->time, sample->thread, sample->path, prof_state_names[sample->state]);
	for (int i = 0; i < PROF_QUANTITIES; i++)
		values[i] =
			prof_selection_value(writer->sheet->selection, row, (enum prof_quantity)i);
	print_values(writer, values);
	print_event(writer, values);
	print_single_call(writer, call);
	if (sample->cpu)
		prof_text_print(writer->text, ",\"cpu\":%d", sample->cpu - 1);
	if (traced_row)
		error = prof_dump_columns(&writer->rows, PROF_TABLE_TRACED, traced_row);
	if (traced_row && !error)
		error = prof_dump_columns(&writer->rows, PROF_TABLE_TRACED_LAST, traced_row);
	if (traced_row && !error) {
		const struct prof_traced_mpi_row mpi = prof_store_traced_mpi(traced_row);
		error = prof_dump_columns(&writer->rows, PROF_TABLE_TRACED_MPI, &mpi);
	}
	if (traced_row && !error) {
		const struct prof_traced_omp_row omp = prof_store_traced_omp(traced_row);
		error = prof_dump_columns(&writer->rows, PROF_TABLE_TRACED_OMP, &omp);
		if (!error)
			error = prof_dump_columns(&writer->rows, PROF_TABLE_TRACED_LOOP, &omp);
	}
	if (data && !error)
		error = prof_dump_columns(&writer->rows, PROF_TABLE_DATA, data);
	prof_text_bytes(writer->text, "}", 1);
	return error;
}

/*
 * The single call that SAMPLE is, in *CALL; NULL: it is none.  *NEXT, 0 at first, is that of a
 * later sample: each caller asks for samples one after the other.
 */
static const struct prof_single_call *find_call(const struct prof_experiment *experiment,
	uint32_t sample, size_t *next, struct prof_single_call *call)
{
	for (; *next < experiment->calls.count; (*next)++) {
		*call = prof_single_calls_get(&experiment->calls, *next);
		if (call->sample >= sample)
			return call->sample == sample ? call : NULL;
	}
	return NULL;
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
	struct prof_traced_rows_place place = {0};
	size_t traced = 0, called = 0;
	struct prof_single_call call;
	struct prof_error *error = NULL;

	prof_text_print(writer->text, ",\n\"samples\":[");
	while (!error && prof_cursor_next(&rows)) {
		uint32_t number = rows.row.number;
		const struct prof_traced_row *traced_row = NULL;
		for (; traced < experiment->traced.count; traced++) {
			traced_row = prof_traced_rows_get(&experiment->traced, &place, traced);
			if (traced_row->sample >= number)
				break;
		}
		if (!prof_selection_has(writer->sheet->selection, number))
			continue;
		begin(writer, written++);
		error = print_sample(writer, &rows.row,
			traced_row && traced_row->sample == number ? traced_row : NULL,
			find_call(experiment, number, &called, &call));
	}
	prof_text_print(writer->text, "]");
	return error ? error : prof_cursor_error(&rows);
}

/* Writes the next arc with costs. */
static void print_call(const struct writer *writer, struct prof_arc_costs *cost)
{
	prof_arc_costs_next(cost);
	if (cost->caller == PROF_NONE)
		prof_text_print(writer->text, "{\"caller\":null");
	else
		prof_text_print(writer->text, "{\"caller\":%" PRIu32, cost->caller);
	prof_text_print(writer->text, ",\"callee\":%" PRIu32 ",\"calls\":%" PRIu64, cost->callee,
		cost->calls);
	print_values(writer, cost->values);
	prof_text_bytes(writer->text, "}", 1);
}

/* An array of the rows of TABLE, or of calls, which are in two tables. */
struct array {
	const char *key;
	size_t count;
	enum prof_schema_table table; /* PROF_TABLES: of calls */
};

static struct prof_error *print_array(const struct writer *writer, const struct array *array)
{
	struct prof_arc_costs costs = {.experiment = writer->experiment};
	struct prof_error *error = NULL;

	prof_text_print(writer->text, ",\n\"%s\":[", array->key);
	for (size_t i = 0; !error && i < array->count; i++) {
		if (i % PROF_PROGRESS_STEP == 0)
			error = prof_progress_report(
				writer->sheet->progress, "Writing", i, array->count);
		begin(writer, i);
		if (array->table == PROF_TABLES)
			print_call(writer, &costs);
		else if (!error)
			error = prof_dump_row(&writer->rows, array->table, i);
	}
	prof_text_print(writer->text, "]");
	return error;
}

/* Writes the tables of a gmon.out, if EXPERIMENT has them. */
static struct prof_error *print_counts(const struct writer *writer)
{
	const struct prof_gmon *gmon = &writer->experiment->gmon;
	const struct array arrays[] = {
		{"gmon", 1, PROF_TABLE_GMON},
		{"histograms", gmon->histograms.count, PROF_TABLE_GMON_HISTOGRAM},
		{"bins", gmon->bins.count, PROF_TABLE_GMON_BIN},
		{"arcs", gmon->arcs.count, PROF_TABLE_GMON_ARC},
		{"symbols", gmon->functions.count, PROF_TABLE_GMON_SYMBOL},
		{"lines", gmon->lines.count, PROF_TABLE_GMON_LINE},
	};
	struct prof_error *error = NULL;

	if (!(prof_experiment_has(writer->experiment) & PROF_HAS_GMON))
		return NULL;
	for (size_t i = 0; !error && i < PROF_COUNT(arrays); i++)
		error = print_array(writer, &arrays[i]);
	return error;
}

/* The samples of the traced rows of EXPERIMENT, in a new array. */
static struct prof_error *find_traced(
	const struct prof_experiment *experiment, struct prof_sample **ret)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};
	struct prof_traced_rows_place place = {0};
	size_t count = experiment->traced.count;
	AUTO_FREE struct prof_sample *samples = malloc((count + 1) * sizeof *samples);

	if (!samples)
		return prof_error_nomem();
	for (size_t i = 0; i < count; i++) {
		const struct prof_sample_row *row = prof_cursor_at(
			&rows, prof_traced_rows_get(&experiment->traced, &place, i)->sample);
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
	size_t calls = prof_arc_costs_count(experiment);
	const struct writer writer = {sheet, experiment, text, {experiment, text, traced}};
	const struct array arrays[] = {
		{"objects", experiment->modules.count, PROF_TABLE_MODULE},
		{"threads", experiment->threads.count, PROF_TABLE_THREAD},
		{"functions", experiment->functions.count, PROF_TABLE_FUNCTION},
		{"frames", experiment->frames.count, PROF_TABLE_FRAME},
		{"stacks", experiment->paths.count, PROF_TABLE_PATH},
		{"events", experiment->events.count, PROF_TABLE_EVENT},
		{"calls", calls, PROF_TABLES},
		{"counted", experiment->arcs.count - calls, PROF_TABLE_COUNTED},
		{"locks", experiment->objects.count, PROF_TABLE_OBJECT},
		{"held", experiment->held.count, PROF_TABLE_HELD},
		{"heaps", experiment->heaps.count, PROF_TABLE_HEAP},
		{"marks", experiment->marks.count, PROF_TABLE_MARK},
	};

	prof_text_print(text, "{\"format\":\"gdbprof\",\"version\":%d,\n", PROF_DUMP_VERSION);
	struct prof_error *error = print_recording(&writer);
	for (size_t i = 0; !error && i < PROF_COUNT(arrays); i++)
		error = print_array(&writer, &arrays[i]);
	const struct array ranks = {"ranks", experiment->ranks.count, PROF_TABLE_RANK};
	if (!error && ranks.count)
		error = print_array(&writer, &ranks);
	const struct array operations = {
		"operations", experiment->operations.count, PROF_TABLE_OPERATION};
	if (!error && operations.count)
		error = print_array(&writer, &operations);
	if (!error)
		error = print_counts(&writer);
	if (!error)
		error = print_samples(&writer);
	prof_text_print(text, "}\n");
	return error ? error : prof_text_error(text);
}
