/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/speedscope.h"

#include "base/strings.h"
#include "base/version.h"
#include "export/export.h"
#include "export/places.h"
#include "metric/sequence.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/rank.h"
#include "model/samples.h"
#include "report/json.h"
#include "report/recording.h"

#include <inttypes.h>
#include <stdlib.h>

struct writer {
	const struct prof_sheet *sheet; /* borrowed */
	const struct prof_metric *metric;
	struct prof_items items;     /* functions */
	struct prof_place *places;   /* by function */
	uint32_t *numbers;           /* by function, in the file; PROF_NONE: it is in no stack */
	PROF_ARRAY(uint32_t) listed; /* functions, by their number in the file */
	uint32_t *chain;             /* room for the frames of the longest path */
	struct prof_text *text;      /* borrowed */
	struct prof_text weights;    /* of the current thread */
	prof_value total;            /* of the current thread */
	bool any_thread, any_sample; /* one was written already; a sample of the current thread */
};

static void writer_deinit(struct writer *writer)
{
	prof_items_deinit(&writer->items);
	prof_text_deinit(&writer->weights);
	free(writer->places);
	free(writer->numbers);
	free(writer->listed.items);
	free(writer->chain);
}

static struct prof_error *writer_init(
	struct writer *writer, const struct prof_sheet *sheet, struct prof_text *text)
{
	const struct prof_experiment *experiment = sheet->experiment;
	size_t functions = prof_experiment_functions(experiment);

	*writer = (struct writer){
		.sheet = sheet, .metric = &sheet->shown.items[0].metric, .text = text};
	prof_items_init(&writer->items, experiment, PROF_KIND_FUNCTIONS, sheet->items.inlined);
	writer->places = prof_places_create(experiment);
	writer->numbers = calloc(functions + 1, sizeof *writer->numbers);
	writer->chain = calloc(experiment->paths.count, sizeof *writer->chain);
	if (!writer->places || !writer->numbers || !writer->chain)
		return prof_error_nomem();
	for (size_t i = 0; i < functions; i++)
		writer->numbers[i] = PROF_NONE;
	return NULL;
}

/* Adds the number of FUNCTION, which it gets at its first use. */
static struct prof_error *print_number(struct writer *writer, uint32_t function, bool first)
{
	uint32_t *number = &writer->numbers[function];

	if (*number == PROF_NONE) {
		uint32_t *listed = prof_array_push(&writer->listed);
		if (!listed)
			return prof_error_nomem();
		*listed = function;
		*number = (uint32_t)writer->listed.count - 1;
	}
	prof_text_print(writer->text, "%s%" PRIu32, first ? "" : ",", *number);
	return NULL;
}

/* Adds the stack PATH, the root first. */
static struct prof_error *print_stack(struct writer *writer, uint32_t path)
{
	const struct prof_path *paths = writer->sheet->experiment->paths.items;
	struct prof_error *error = NULL;
	uint32_t function;
	size_t depth = 0;

	prof_text_print(writer->text, "%s\n[", writer->any_sample ? "," : "");
	if (!path) {
		error = prof_items_of_nothing(&writer->items, &function);
		if (!error)
			error = print_number(writer, function, true);
	}
	for (; path; path = paths[path].parent)
		writer->chain[depth++] = paths[path].frame;
	for (size_t i = depth; i-- > 0;) {
		uint32_t levels = prof_items_depth(&writer->items, writer->chain[i]);
		for (uint32_t j = levels; !error && j-- > 0;) {
			error = prof_items_of(&writer->items, writer->chain[i], j, &function);
			if (!error)
				error = print_number(
					writer, function, i + 1 == depth && j + 1 == levels);
		}
	}
	prof_text_bytes(writer->text, "]", 1);
	if (!error && writer->text->length > PROF_TEXT_SHOWN)
		error = prof_error_create(
			PROF_ERROR_TOO_LARGE, PROF_EXPORT_STACKS_TOO_LARGE, PROF_TEXT_SHOWN);
	return error;
}

/* Begins the profile of THREAD. */
static struct prof_error *begin_thread(struct writer *writer, uint32_t thread)
{
	const struct prof_experiment *experiment = writer->sheet->experiment;
	const struct prof_thread this = prof_experiment_thread_row(experiment, thread);
	const char *own = prof_strings_get(&experiment->strings, this.name);
	AUTO_TEXT struct prof_text name = {0};

	prof_rank_print(prof_rank_of_thread(experiment, thread), &name);
	if (*own)
		prof_text_print(&name, "%s (%" PRId64 ")", own, this.id);
	else
		prof_text_print(&name, "thread %" PRId64, this.id);
	if (name.failed)
		return prof_error_nomem();
	prof_text_print(
		writer->text, "%s\n{\"type\":\"sampled\",\"name\":", writer->any_thread ? "," : "");
	struct prof_error *error = prof_json_string(prof_text_get(&name), writer->text);
	prof_text_print(writer->text, ",\"unit\":\"%s\",\"samples\":[",
		writer->metric->units == 1 ? "none" : "seconds");
	writer->any_thread = true;
	writer->any_sample = false;
	writer->weights.length = 0;
	writer->total = 0;
	return error;
}

static void end_thread(struct writer *writer)
{
	char total[PROF_VALUE_TEXT];

	prof_text_print(writer->text, "],\n\"weights\":[%s],\"startValue\":0,\"endValue\":%s}",
		prof_text_get(&writer->weights),
		prof_value_print(writer->total, writer->metric->units, total));
}

static struct prof_error *print_sample(struct writer *writer, uint32_t path, prof_value value)
{
	char weight[PROF_VALUE_TEXT];
	struct prof_error *error = print_stack(writer, path);

	prof_text_print(&writer->weights, "%s%s", writer->any_sample ? "," : "",
		prof_value_print(value, writer->metric->units, weight));
	writer->any_sample = true;
	writer->total += value;
	return error;
}

/* Samples of one thread and stack, next to each other. */
struct pending {
	uint32_t thread, path;
	prof_value value; /* 0: there are none */
};

static struct prof_error *flush(struct writer *writer, const struct pending *pending)
{
	return pending->value ? print_sample(writer, pending->path, pending->value) : NULL;
}

/* Takes SAMPLE with its VALUE, after which the same may come again. */
static struct prof_error *take(struct writer *writer, const struct prof_sample *sample,
	prof_value value, struct pending *pending)
{
	bool begun = pending->value != 0;
	bool same = begun && pending->thread == sample->thread;

	if (same && pending->path == sample->path &&
		prof_experiment_is_sampled(writer->sheet->experiment)) {
		pending->value += value;
		return NULL;
	}
	struct prof_error *error = flush(writer, pending);
	if (!error && !same) {
		if (begun)
			end_thread(writer);
		error = begin_thread(writer, sample->thread);
	}
	*pending = (struct pending){sample->thread, sample->path, value};
	return error;
}

static struct prof_error *print_threads(struct writer *writer)
{
	const struct prof_sheet *sheet = writer->sheet;
	const struct prof_experiment *experiment = sheet->experiment;
	AUTO_FREE struct prof_sequence_sample *order = NULL;
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};
	struct pending pending = {0};
	struct prof_error *error = prof_sequence_create(experiment, &order);

	for (size_t i = 0; !error && i < experiment->samples.count; i++) {
		const struct prof_sample_row *row = prof_cursor_at(&rows, order[i].number);
		if (!row)
			return prof_cursor_error(&rows);
		prof_value value =
			prof_metric_of(experiment, writer->metric, sheet->selection, row);
		if (i % PROF_PROGRESS_STEP == 0)
			error = prof_progress_report(
				sheet->progress, "Writing", i, experiment->samples.count);
		if (!error && value)
			error = take(writer, &row->sample, value, &pending);
	}
	if (!error)
		error = flush(writer, &pending);
	if (!error && pending.value)
		end_thread(writer);
	return error ? error : prof_text_error(&writer->weights);
}

static struct prof_error *print_frames(struct writer *writer)
{
	const struct prof_experiment *experiment = writer->sheet->experiment;
	struct prof_text *text = writer->text;
	struct prof_error *error = NULL;

	for (size_t i = 0; !error && i < writer->listed.count; i++) {
		uint32_t function = writer->listed.items[i];
		const struct prof_place *place = &writer->places[function];
		const char *file = prof_strings_get(&experiment->strings, place->file);
		prof_text_print(text, "%s\n{\"name\":", i ? "," : "");
		error = prof_json_string(prof_experiment_function_name(experiment, function), text);
		if (!error && *file) {
			prof_text_print(text, ",\"file\":");
			error = prof_json_string(file, text);
		}
		if (!error && *file && place->line)
			prof_text_print(text, ",\"line\":%" PRIu32, place->line);
		prof_text_bytes(text, "}", 1);
	}
	return error;
}

struct prof_error *prof_speedscope_print(const struct prof_sheet *sheet, struct prof_text *text)
{
	const struct prof_recording *recording = &sheet->experiment->recording;
	PROF_AUTO(writer_deinit) struct writer writer = {0};
	struct prof_error *error = writer_init(&writer, sheet, text);

	if (error)
		return error;
	prof_text_print(text,
		"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
		"\"exporter\":\"gdbprof@" PROF_VERSION "\",\"name\":");
	error = prof_json_string(*recording->source ? recording->source : recording->program, text);
	prof_text_print(text, ",\"profiles\":[");
	if (!error)
		error = print_threads(&writer);
	prof_text_print(text, "],\n\"shared\":{\"frames\":[");
	if (!error)
		error = print_frames(&writer);
	prof_text_print(text, "]}}\n");
	return error ? error : prof_text_error(text);
}
