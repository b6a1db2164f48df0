/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/flame.h"

#include "export/folded.h"
#include "metric/items.h"
#include "metric/metric.h"
#include "metric/selection.h"
#include "metric/sequence.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/samples.h"
#include "report/number.h"
#include "report/recording.h"
#include "report/sheet.h"
#include "report/shown.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	REPORT_BYTES = 1 << 20, /* of text between two reports */
};

/* The data that lines are made of. */
struct source {
	const struct prof_experiment *experiment; /* borrowed */
	const struct prof_metric *metric;
	const struct prof_selection *selection; /* borrowed */
	const struct prof_progress *progress;
	struct prof_flame *flame; /* borrowed */
	bool sampled;             /* it was recorded, not imported */
	struct prof_text names;   /* the functions of all frames, separated by `;` */
	size_t *ends;     /* by frame: where its names end and those of the next frame begin */
	uint32_t *levels; /* by path: how many functions it has */
	uint32_t *chain;  /* the frames of a path; room for the longest */
	size_t reported;  /* bytes of text at the last report */
};

static void source_deinit(struct source *source)
{
	prof_text_deinit(&source->names);
	free(source->ends);
	free(source->levels);
	free(source->chain);
}

/* Adds the names of FRAME, the outermost function first. */
static struct prof_error *name_frame(
	struct source *source, struct prof_items *items, uint32_t frame, uint32_t *levels)
{
	*levels = prof_items_depth(items, frame);
	for (uint32_t i = *levels; i-- > 0;) {
		uint32_t item;
		struct prof_error *error = prof_items_of(items, frame, i, &item);
		if (error)
			return error;
		prof_folded_name(
			prof_experiment_function_name(source->experiment, item), &source->names);
		if (i)
			prof_text_bytes(&source->names, ";", 1);
	}
	source->ends[frame] = source->names.length;
	return NULL;
}

/* Adds the name of the empty path, as if it had a frame after all others. */
static struct prof_error *name_nothing(struct source *source, struct prof_items *items)
{
	uint32_t item;
	struct prof_error *error = prof_items_of_nothing(items, &item);

	if (error)
		return error;
	prof_folded_name(prof_experiment_function_name(source->experiment, item), &source->names);
	source->ends[source->experiment->frames.count] = source->names.length;
	return NULL;
}

/* Adds the names of all frames, and finds out how deep each path is. */
static struct prof_error *name_all(struct source *source, struct prof_items *items)
{
	const struct prof_experiment *experiment = source->experiment;
	const struct prof_path *paths = experiment->paths.items;
	AUTO_FREE uint32_t *levels = calloc(experiment->frames.count + 1, sizeof *levels);
	struct prof_error *error = NULL;

	source->ends = calloc(experiment->frames.count + 1, sizeof *source->ends);
	source->levels = calloc(experiment->paths.count, sizeof *source->levels);
	source->chain = calloc(experiment->paths.count, sizeof *source->chain);
	if (!levels || !source->ends || !source->levels || !source->chain)
		return prof_error_nomem();
	for (uint32_t i = 0; !error && i < experiment->frames.count; i++)
		error = name_frame(source, items, i, &levels[i]);
	if (!error)
		error = name_nothing(source, items);
	for (size_t i = 1; !error && i < experiment->paths.count; i++)
		source->levels[i] = source->levels[paths[i].parent] + levels[paths[i].frame];
	source->levels[0] = 1;
	return error ? error : prof_text_error(&source->names);
}

static struct prof_error *source_init(
	struct source *source, const struct prof_sheet *sheet, struct prof_flame *flame)
{
	AUTO_ITEMS struct prof_items items;

	*source = (struct source){
		.experiment = sheet->experiment,
		.metric = &sheet->shown.items[0].metric,
		.selection = sheet->selection,
		.progress = sheet->progress,
		.flame = flame,
		.sampled = prof_experiment_is_sampled(sheet->experiment),
	};
	prof_items_init(&items, sheet->experiment, PROF_KIND_FUNCTIONS, sheet->items.inlined);
	return name_all(source, &items);
}

/* Adds the stack PATH. */
static void print_stack(const struct source *source, uint32_t path, struct prof_text *text)
{
	const struct prof_path *paths = source->experiment->paths.items;
	const char *names = prof_text_get(&source->names);
	size_t depth = 0;

	if (!path)
		source->chain[depth++] = (uint32_t)source->experiment->frames.count;
	for (; path; path = paths[path].parent)
		source->chain[depth++] = paths[path].frame;
	for (size_t i = depth; i-- > 0;) {
		uint32_t frame = source->chain[i];
		size_t start = frame ? source->ends[frame - 1] : 0;
		size_t length = source->ends[frame] - start;
		if (i + 1 == depth) {
			prof_folded_begin(names + start, length, text);
			continue;
		}
		prof_text_bytes(text, ";", 1);
		prof_text_bytes(text, names + start, length);
	}
}

static void print_line(const char *stack, prof_value value, struct prof_text *text)
{
	char weight[PROF_VALUE_TEXT];

	prof_text_bytes(text, stack, strlen(stack));
	prof_text_print(text, " %s\n", prof_value_print(value, 1, weight));
}

/* Adds VALUE to PATH.  Returns true if the sample is left out. */
static bool is_left_out(const struct source *source, uint32_t path, prof_value value)
{
	source->flame->total += value;
	if (source->levels[path] - 1 <= source->flame->max_depth)
		return false;
	source->flame->left_out += value;
	return true;
}

/* Called for DONE of TOTAL: reports now and then, and checks that TEXT does not get too large. */
static struct prof_error *check(
	struct source *source, size_t done, size_t total, const struct prof_text *text)
{
	if (text->length > PROF_TEXT_SHOWN)
		return prof_error_create(PROF_ERROR_TOO_LARGE,
			"The stacks are more than %d bytes of text: leave out the deeper ones with --max-depth, or some of them with a filter.",
			PROF_TEXT_SHOWN);
	if (done % PROF_PROGRESS_STEP && text->length - source->reported < REPORT_BYTES)
		return NULL;
	source->reported = text->length;
	return prof_progress_report(source->progress, "Folding", done, total);
}

/* A stack; its text begins at START in the common text. */
struct line {
	size_t start;
	prof_value value;
};

struct lines {
	PROF_ARRAY(struct line) items;
	struct prof_text stacks; /* the texts, each with a NUL at its end */
};

static void lines_deinit(struct lines *lines)
{
	free(lines->items.items);
	prof_text_deinit(&lines->stacks);
}

static int compare_lines(const void *left, const void *right, void *stacks)
{
	const struct line *a = left, *b = right;

	return strcmp((const char *)stacks + a->start, (const char *)stacks + b->start);
}

/* Finds the paths that get a line: those with VALUES, and imported ones without any, too. */
static struct prof_error *find_listed(
	const struct source *source, const prof_value *values, bool *listed)
{
	const struct prof_experiment *experiment = source->experiment;
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};

	for (size_t i = 0; i < experiment->paths.count; i++)
		listed[i] = values[i] != 0;
	while (!source->sampled && prof_cursor_next(&rows)) {
		if (prof_selection_has(source->selection, rows.row.number))
			listed[rows.row.sample.path] = true;
	}
	return prof_cursor_error(&rows);
}

/* Adds a line for each of these paths, in order. */
static struct prof_error *add_lines(
	struct source *source, const prof_value *values, struct lines *lines)
{
	size_t count = source->experiment->paths.count;
	AUTO_FREE bool *listed = calloc(count, sizeof *listed);
	struct prof_error *error =
		listed ? find_listed(source, values, listed) : prof_error_nomem();

	for (uint32_t i = 0; !error && i < count; i++) {
		if (!listed[i] || is_left_out(source, i, values[i]))
			continue;
		struct line *line = prof_array_push(&lines->items);
		if (!line)
			return prof_error_nomem();
		*line = (struct line){lines->stacks.length, values[i]};
		print_stack(source, i, &lines->stacks);
		prof_text_bytes(&lines->stacks, "", 1);
		error = check(source, i, count, &lines->stacks);
	}
	return error ? error : prof_text_error(&lines->stacks);
}

/* Adds up equal stacks, by their text. */
static struct prof_error *print_collapsed(struct source *source, struct prof_text *text)
{
	PROF_AUTO(lines_deinit) struct lines lines = {0};
	AUTO_FREE prof_value *values = NULL;
	struct prof_error *error = prof_metric_by_path(
		source->experiment, source->metric, source->selection, source->progress, &values);

	if (!error)
		error = add_lines(source, values, &lines);
	if (error || !lines.items.count)
		return error;
	char *stacks = lines.stacks.bytes;
	qsort_r(lines.items.items, lines.items.count, sizeof *lines.items.items, compare_lines,
		stacks);
	for (size_t i = 0; i < lines.items.count;) {
		const struct line *line = &lines.items.items[i];
		prof_value value = 0;
		for (; i < lines.items.count && !compare_lines(line, &lines.items.items[i], stacks);
			i++)
			value += lines.items.items[i].value;
		print_line(stacks + line->start, value, text);
	}
	return NULL;
}

/* The pending line of a chart: if the next one is equal, both become one. */
struct pending {
	struct prof_text stack; /* "": no line is pending */
	uint32_t thread;
	prof_value value;
};

static void pending_deinit(struct pending *pending)
{
	prof_text_deinit(&pending->stack);
}

static void flush(struct pending *pending, struct prof_text *text)
{
	if (pending->stack.length)
		print_line(prof_text_get(&pending->stack), pending->value, text);
	pending->stack.length = 0;
}

/* Adds SAMPLE with its VALUE to a chart; CURRENT is a text to work with. */
static struct prof_error *chart_sample(const struct source *source,
	const struct prof_sample *sample, prof_value value, struct pending *pending,
	struct prof_text *current, struct prof_text *text)
{
	current->length = 0;
	print_stack(source, sample->path, current);
	if (current->failed)
		return prof_error_nomem();
	if (source->sampled && pending->stack.length && pending->thread == sample->thread &&
		!strcmp(current->bytes, pending->stack.bytes)) {
		pending->value += value;
		return NULL;
	}
	flush(pending, text);
	struct prof_text stack = pending->stack;
	*pending = (struct pending){*current, sample->thread, value};
	*current = stack;
	return NULL;
}

/* Adds the stacks of each thread in the order of time. */
static struct prof_error *print_chart(struct source *source, struct prof_text *text)
{
	const struct prof_experiment *experiment = source->experiment;
	PROF_AUTO(pending_deinit) struct pending pending = {0};
	AUTO_TEXT struct prof_text current = {0};
	AUTO_FREE struct prof_sequence_sample *order = NULL;
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};
	struct prof_error *error = prof_sequence_create(experiment, &order);

	for (size_t i = 0; !error && i < experiment->samples.count; i++) {
		const struct prof_sample_row *row = prof_cursor_at(&rows, order[i].number);
		if (!row)
			return prof_cursor_error(&rows);
		prof_value value =
			prof_metric_of(experiment, source->metric, source->selection, row);
		if (!prof_selection_has(source->selection, row->number) ||
			(source->sampled && !value))
			continue;
		if (is_left_out(source, row->sample.path, value))
			flush(&pending, text);
		else
			error = chart_sample(source, &row->sample, value, &pending, &current, text);
		if (!error)
			error = check(source, i, experiment->samples.count, text);
	}
	if (!error)
		flush(&pending, text);
	return error;
}

struct prof_error *prof_flame_print(
	const struct prof_sheet *sheet, struct prof_flame *flame, struct prof_text *text)
{
	PROF_AUTO(source_deinit) struct source source = {0};

	if (sheet->shown.count > 1)
		return prof_error_create(PROF_ERROR_USAGE,
			"A flame graph shows one metric at a time: give one to --metric.");
	flame->total = flame->left_out = 0;
	struct prof_error *error = source_init(&source, sheet, flame);
	if (!error)
		error = flame->chart ? print_chart(&source, text) : print_collapsed(&source, text);
	return error ? error : prof_text_error(text);
}

void prof_flame_left_out(
	const struct prof_sheet *sheet, const struct prof_flame *flame, struct prof_text *text)
{
	const struct prof_metric *metric = &sheet->shown.items[0].metric;
	char value[PROF_NUMBER_TEXT], percent[PROF_NUMBER_TEXT];

	if (!flame->left_out)
		return;
	prof_number_value(flame->left_out, metric, value);
	prof_number_percent(prof_value_percent(flame->left_out, flame->total), false, percent);
	prof_text_print(text, "Left out, deeper than %" PRIu64 ": %s %s, %s %% of all.\n",
		flame->max_depth, value, metric->unit, percent);
}
