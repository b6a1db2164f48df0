/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/firefox.h"

#include "base/strings.h"
#include "base/time_unit.h"
#include "export/firefox_markers.h"
#include "export/firefox_tables.h"
#include "metric/metric.h"
#include "metric/sequence.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/rank.h"
#include "model/samples.h"
#include "report/json.h"
#include "report/recording.h"
#include "report/sheet.h"
#include "report/shown.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	FORMAT = 48,       /* of the processed profile; newer versions of the tool read it */
	FLOW_FORMAT = 51,  /* the same, where messages connect markers */
	GECKO_FORMAT = 27, /* of Gecko's profile, from which Firefox makes processed ones */
	MS_PER_SECOND = 1000,
	RESOURCE_LIBRARY = 1,
};

struct sample {
	uint32_t stack; /* PROF_NONE: it has none */
	int64_t time;   /* ns */
	prof_value weight;
};

struct writer {
	const struct prof_sheet *sheet; /* borrowed */
	const struct prof_experiment *experiment;
	const struct prof_metric *metric;
	struct prof_items items; /* lines */
	struct prof_firefox_messages messages;
	struct prof_text *text; /* borrowed */
	bool timed;             /* the times of the samples are known */
	size_t threads;         /* written */

	/* The current thread. */
	uint32_t thread; /* PROF_NONE: none yet */
	struct prof_firefox_tables tables;
	PROF_ARRAY(struct sample) samples;
};

static void writer_deinit(struct writer *writer)
{
	prof_firefox_tables_deinit(&writer->tables);
	prof_items_deinit(&writer->items);
	prof_firefox_messages_deinit(&writer->messages);
	free(writer->samples.items);
}

/* Writes what separates two elements of an array; I is the number of the next one. */
#define COMMA(i) ((i) ? "," : "")

static void print_samples(struct writer *writer)
{
	bool time = writer->metric->units != 1;
	char number[PROF_VALUE_TEXT];
	struct prof_text *text = writer->text;

	prof_text_print(text, "\"samples\":{\"weightType\":\"%s\",\"weight\":[",
		time ? "tracing-ms" : "samples");
	for (size_t i = 0; i < writer->samples.count; i++)
		prof_text_print(text, "%s%s", COMMA(i),
			prof_value_print(writer->samples.items[i].weight, time ? PROF_NS_PER_MS : 1,
				number));
	prof_text_print(text, "],\n\"stack\":[");
	for (size_t i = 0; i < writer->samples.count; i++) {
		uint32_t stack = writer->samples.items[i].stack;
		if (stack == PROF_NONE)
			prof_text_print(text, "%snull", COMMA(i));
		else
			prof_text_print(text, "%s%" PRIu32, COMMA(i), stack);
	}
	prof_text_print(text, "],\n\"time\":[");
	for (size_t i = 0; i < writer->samples.count; i++) {
		prof_text_print(text, "%s", COMMA(i));
		prof_firefox_print_time(writer->samples.items[i].time, writer->text);
	}
	prof_text_print(text, "],\"length\":%zu},\n", writer->samples.count);
}

/* Writes a column KEY of COUNT elements, each of them WORD. */
static void print_same(struct writer *writer, const char *key, size_t count, const char *word)
{
	prof_text_print(writer->text, "\"%s\":[", key);
	for (size_t i = 0; i < count; i++)
		prof_text_print(writer->text, "%s%s", COMMA(i), word);
	prof_text_print(writer->text, "],");
}

static void print_stacks(struct writer *writer)
{
	const struct prof_firefox_tables *tables = &writer->tables;
	size_t count = tables->stacks.count;

	prof_text_print(writer->text, "\"stackTable\":{\"frame\":[");
	for (size_t i = 0; i < count; i++)
		prof_text_print(
			writer->text, "%s%" PRIu32, COMMA(i), tables->stacks.items[i].frame);
	prof_text_print(writer->text, "],\"prefix\":[");
	for (size_t i = 0; i < count; i++) {
		uint32_t prefix = tables->stacks.items[i].prefix;
		if (prefix == PROF_NONE)
			prof_text_print(writer->text, "%snull", COMMA(i));
		else
			prof_text_print(writer->text, "%s%" PRIu32, COMMA(i), prefix);
	}
	prof_text_print(writer->text, "],");
	print_same(writer, "category", count, "0");
	print_same(writer, "subcategory", count, "0");
	prof_text_print(writer->text, "\"length\":%zu},\n", count);
}

static void print_frames(struct writer *writer)
{
	const struct prof_firefox_tables *tables = &writer->tables;
	const struct prof_line *lines = writer->items.lines.items;
	size_t count = tables->frames.count;

	prof_text_print(writer->text, "\"frameTable\":{\"func\":[");
	for (size_t i = 0; i < count; i++) {
		const struct prof_line *line = &lines[tables->frames.items[i]];
		prof_text_print(writer->text, "%s%" PRIu32, COMMA(i),
			prof_map_get(
				&tables->place_index, prof_map_pair(line->function, line->file)));
	}
	prof_text_print(writer->text, "],\"line\":[");
	for (size_t i = 0; i < count; i++) {
		uint32_t line = lines[tables->frames.items[i]].line;
		if (line)
			prof_text_print(writer->text, "%s%" PRIu32, COMMA(i), line);
		else
			prof_text_print(writer->text, "%snull", COMMA(i));
	}
	prof_text_print(writer->text, "],");
	print_same(writer, "address", count, "-1");
	print_same(writer, "inlineDepth", count, "0");
	print_same(writer, "category", count, "null");
	print_same(writer, "subcategory", count, "null");
	print_same(writer, "nativeSymbol", count, "null");
	print_same(writer, "innerWindowID", count, "0");
	print_same(writer, "implementation", count, "null");
	print_same(writer, "column", count, "null");
	prof_text_print(writer->text, "\"length\":%zu},\n", count);
}

static void print_functions(struct writer *writer)
{
	const struct prof_firefox_tables *tables = &writer->tables;
	const struct prof_experiment *experiment = writer->experiment;
	size_t count = tables->places.count;

	prof_text_print(writer->text, "\"funcTable\":{\"name\":[");
	for (size_t i = 0; i < count; i++)
		prof_text_print(writer->text, "%s%" PRIu32, COMMA(i),
			prof_firefox_text(tables,
				prof_experiment_function_name(
					experiment, tables->places.items[i].function)));
	prof_text_print(writer->text, "],\"resource\":[");
	for (size_t i = 0; i < count; i++) {
		uint32_t module =
			prof_experiment_function_row(experiment, tables->places.items[i].function)
				.module;
		prof_text_print(writer->text, "%s%" PRId64, COMMA(i),
			module ? (int64_t)prof_map_get(&tables->resource_index, module) : -1);
	}
	prof_text_print(writer->text, "],\"fileName\":[");
	for (size_t i = 0; i < count; i++) {
		const char *file =
			prof_experiment_text(writer->experiment, tables->places.items[i].file);
		if (*file)
			prof_text_print(writer->text, "%s%" PRIu32, COMMA(i),
				prof_firefox_text(tables, file));
		else
			prof_text_print(writer->text, "%snull", COMMA(i));
	}
	prof_text_print(writer->text, "],");
	print_same(writer, "isJS", count, "false");
	print_same(writer, "relevantForJS", count, "false");
	print_same(writer, "lineNumber", count, "null");
	print_same(writer, "columnNumber", count, "null");
	prof_text_print(writer->text, "\"length\":%zu},\n", count);
}

/* Load objects: a resource of the thread leads to the profile's library. */
static void print_resources(struct writer *writer)
{
	const struct prof_firefox_tables *tables = &writer->tables;
	const struct prof_module *modules = writer->experiment->modules.items;
	size_t count = tables->resources.count;

	prof_text_print(writer->text, "\"resourceTable\":{\"lib\":[");
	for (size_t i = 0; i < count; i++)
		prof_text_print(
			writer->text, "%s%" PRIu32, COMMA(i), tables->resources.items[i] - 1);
	prof_text_print(writer->text, "],\"name\":[");
	for (size_t i = 0; i < count; i++)
		prof_text_print(writer->text, "%s%" PRIu32, COMMA(i),
			prof_firefox_text(tables,
				prof_experiment_text(writer->experiment,
					modules[tables->resources.items[i]].path)));
	prof_text_print(writer->text, "],\"host\":[");
	for (size_t i = 0; i < count; i++)
		prof_text_print(writer->text, "%snull", COMMA(i));
	prof_text_print(writer->text, "],\"type\":[");
	for (size_t i = 0; i < count; i++)
		prof_text_print(writer->text, "%s%d", COMMA(i), RESOURCE_LIBRARY);
	prof_text_print(writer->text,
		"],\"length\":%zu},\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],"
		"\"functionSize\":[],\"length\":0},\n",
		count);
}

static struct prof_error *print_strings(struct writer *writer)
{
	const struct prof_strings *strings = &writer->tables.strings;
	struct prof_error *error = NULL;

	prof_text_print(writer->text, "\"stringArray\":[");
	for (uint32_t i = 0; !error && i < strings->texts.count; i++) {
		prof_text_print(writer->text, "%s", COMMA(i));
		error = prof_json_string(prof_strings_get(strings, i), writer->text);
	}
	prof_text_print(writer->text, "]}");
	return error;
}

/*
 * Adds a sample without a stack at the time of MARK.  The tool shows the time from the first to the
 * last sample, and marks can be outside of it.
 */
static struct prof_error *reach(struct writer *writer, const struct prof_mark *mark)
{
	struct sample *added = prof_array_push(&writer->samples);

	if (!added)
		return prof_error_nomem();
	*added = (struct sample){.stack = PROF_NONE, .time = mark->time};
	return NULL;
}

/* The marks, if they are written with the current thread; NULL: they are not, or there are none. */
static const struct prof_mark *marks_of(const struct writer *writer)
{
	return writer->timed && !writer->threads && writer->experiment->marks.count
		? writer->experiment->marks.items
		: NULL;
}

/* Adds a sample at the first mark if that is before the first sample, which is at TIME. */
static struct prof_error *reach_first(struct writer *writer, int64_t time)
{
	const struct prof_mark *marks = marks_of(writer);

	return marks && !writer->samples.count && marks->time < time ? reach(writer, marks) : NULL;
}

/* Adds a sample at the last mark if that is after the last sample. */
static struct prof_error *reach_last(struct writer *writer)
{
	const struct prof_mark *marks = marks_of(writer);
	const struct prof_mark *last = marks ? marks + writer->experiment->marks.count - 1 : NULL;
	size_t count = writer->samples.count;

	return last && last->time > writer->samples.items[count - 1].time ? reach(writer, last)
									  : NULL;
}

/* Writes the current thread, if there is one, and empties its tables. */
static struct prof_error *end_thread(struct writer *writer)
{
	if (writer->thread == PROF_NONE)
		return NULL;
	const struct prof_thread thread =
		prof_experiment_thread_row(writer->experiment, writer->thread);
	const char *own = prof_experiment_text(writer->experiment, thread.name);
	AUTO_TEXT struct prof_text name = {0};
	/*
	 * The tool shows no process without a main thread: the first thread counts as one too, as
	 * the filter may have left out the real one.
	 */
	bool is_main = !writer->threads ||
		(thread.process && prof_experiment_is_main(writer->experiment, writer->thread));
	prof_rank_print(prof_rank_of_thread(writer->experiment, writer->thread), &name);
	prof_text_print(&name, "%s", *own ? own : "thread");
	prof_text_print(writer->text, "%s\n{\"name\":", COMMA(writer->threads));
	struct prof_error *error = name.failed ? prof_error_nomem() : reach_last(writer);
	if (!error)
		error = prof_json_string(prof_text_get(&name), writer->text);
	prof_text_print(writer->text,
		",\"isMainThread\":%s,\"processType\":\"default\",\"processStartupTime\":0,"
		"\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
		"\"pausedRanges\":[],\"pid\":\"%" PRId64 "\",\"tid\":%" PRId64 ",\n",
		is_main ? "true" : "false", thread.process, thread.id);
	print_samples(writer);
	print_stacks(writer);
	print_frames(writer);
	print_functions(writer);
	print_resources(writer);
	if (!error)
		error = prof_firefox_print_markers(writer->experiment, &writer->messages,
			writer->thread, !writer->threads, &writer->tables, writer->text);
	if (!error)
		error = print_strings(writer);
	writer->threads++;
	prof_firefox_tables_deinit(&writer->tables);
	writer->samples.count = 0;
	if (!error && writer->text->length > PROF_TEXT_SHOWN)
		error = prof_error_create(PROF_ERROR_TOO_LARGE,
			"The samples are more than %d bytes of text: leave out some of them with a filter.",
			PROF_TEXT_SHOWN);
	return error;
}

/* Takes the sample FROM, with its WEIGHT. */
static struct prof_error *take(
	struct writer *writer, const struct prof_sample *from, prof_value weight)
{
	struct prof_error *error = NULL;

	if (from->thread != writer->thread)
		error = end_thread(writer);
	writer->thread = from->thread;
	struct sample sample = {.time = from->time, .weight = weight};
	if (!writer->timed)
		sample.time = (int64_t)writer->samples.count * PROF_NS_PER_MS;
	if (!error)
		error = reach_first(writer, sample.time);
	if (!error)
		error = prof_firefox_stack(
			&writer->tables, &writer->items, from->path, &sample.stack);
	if (error)
		return error;
	struct sample *added = prof_array_push(&writer->samples);
	if (!added)
		return prof_error_nomem();
	*added = sample;
	return NULL;
}

static struct prof_error *print_threads(struct writer *writer)
{
	const struct prof_sheet *sheet = writer->sheet;
	size_t count = writer->experiment->samples.count;
	AUTO_FREE struct prof_sequence_sample *order = NULL;
	AUTO_CURSOR struct prof_cursor rows = {.experiment = writer->experiment};
	struct prof_error *error = prof_sequence_create(writer->experiment, &order);

	for (size_t i = 0; !error && i < count; i++) {
		const struct prof_sample_row *row = prof_cursor_at(&rows, order[i].number);
		if (!row)
			return prof_cursor_error(&rows);
		prof_value weight =
			prof_metric_of(writer->experiment, writer->metric, sheet->selection, row);
		if (i % PROF_PROGRESS_STEP == 0)
			error = prof_progress_report(sheet->progress, "Writing", i, count);
		if (!error && weight)
			error = take(writer, &row->sample, weight);
	}
	return error ? error : end_thread(writer);
}

static struct prof_error *print_libraries(struct writer *writer)
{
	const struct prof_experiment *experiment = writer->experiment;
	static const char *const keys[] = {"path", "debugPath", "name", "debugName"};
	struct prof_error *error = NULL;

	prof_text_print(writer->text, "\"libs\":[");
	for (size_t i = 1; !error && i < experiment->modules.count; i++) {
		const struct prof_module *module = &experiment->modules.items[i];
		const char *path = prof_experiment_text(writer->experiment, module->path);
		const char *slash = strrchr(path, '/');
		prof_text_print(writer->text, "%s\n{", COMMA(i - 1));
		for (size_t j = 0; !error && j < PROF_COUNT(keys); j++) {
			prof_text_print(writer->text, "\"%s\":", keys[j]);
			error = prof_json_string(j >= 2 && slash ? slash + 1 : path, writer->text);
			prof_text_bytes(writer->text, ",", 1);
		}
		prof_text_print(writer->text, "\"arch\":\"\",\"breakpadId\":\"\",\"codeId\":");
		if (!error)
			error = prof_json_string(
				prof_experiment_text(writer->experiment, module->build_id),
				writer->text);
		prof_text_bytes(writer->text, "}", 1);
	}
	prof_text_print(writer->text, "],\n");
	return error;
}

static struct prof_error *print_meta(struct writer *writer)
{
	const struct prof_recording *recording = &writer->experiment->recording;
	bool sampled = prof_recording_sampled(recording);

	prof_text_print(writer->text,
		"{\"meta\":{\"version\":%d,\"preprocessedProfileVersion\":%d,"
		"\"importedFrom\":\"gdbprof\",\"processType\":0,\"stackwalk\":1,"
		"\"symbolicated\":true,\"sourceCodeIsNotOnSearchfox\":true,"
		"\"usesOnlyOneStackType\":true,\"doesNotUseFrameImplementation\":true,"
		"\"keepProfileThreadOrder\":true,\"markerSchema\":",
		GECKO_FORMAT, writer->messages.items.count ? FLOW_FORMAT : FORMAT);
	prof_firefox_print_kinds(&writer->messages, writer->text);
	prof_text_print(writer->text,
		",\"categories\":[{\"name\":"
		"\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}],"
		"\"interval\":%.17g,\"startTime\":%" PRId64 ",\"product\":",
		sampled ? MS_PER_SECOND / recording->rate_asked : 1,
		recording->date < INT64_MAX / MS_PER_SECOND ? recording->date * MS_PER_SECOND : 0);
	struct prof_error *error = prof_json_string(
		*recording->source ? recording->source : recording->program, writer->text);
	prof_text_print(writer->text, "},\n");
	return error;
}

struct prof_error *prof_firefox_print(const struct prof_sheet *sheet, struct prof_text *text)
{
	const struct prof_experiment *experiment = sheet->experiment;
	PROF_AUTO(writer_deinit)
	struct writer writer = {.sheet = sheet,
		.experiment = experiment,
		.metric = &sheet->shown.items[0].metric,
		.text = text,
		.thread = PROF_NONE};

	prof_items_init(&writer.items, experiment, PROF_KIND_LINES, sheet->items.inlined);
	writer.timed = experiment->samples.first || experiment->samples.last;
	struct prof_error *error = prof_firefox_messages_find(sheet, &writer.messages);
	if (!error)
		error = print_meta(&writer);
	if (!error)
		error = print_libraries(&writer);
	prof_text_print(text, "\"threads\":[");
	if (!error)
		error = print_threads(&writer);
	prof_text_print(text, "]}\n");
	return error ? error : prof_text_error(text);
}
