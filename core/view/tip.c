/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/tip.h"

#include "base/file.h"
#include "base/time_unit.h"
#include "metric/filter.h"
#include "metric/metric.h"
#include "metric/selection.h"
#include "metric/stops.h"
#include "model/experiment.h"
#include "model/mark.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With fewer samples the line has their numbers, because shares would be rough. */
enum { ENOUGH = 30 };

enum {
	NAMES = 2,      /* functions that the line has */
	NAME_MOST = 40, /* bytes of a name */
};

/* The samples of the time, as far as they end in a known function. */
struct leaves {
	const struct prof_experiment *experiment;
	prof_value *paths;     /* by path */
	prof_value *functions; /* by function */
	prof_value total;      /* of all paths */
};

static void leaves_deinit(struct leaves *leaves)
{
	free(leaves->paths);
	free(leaves->functions);
}

/* The innermost place of PATH, or NULL. */
static const struct prof_location *place_of(const struct prof_experiment *experiment, size_t path)
{
	const struct prof_path *row = &experiment->paths.items[path];
	const struct prof_frame *frame = path ? &experiment->frames.items[row->frame] : NULL;

	return frame && frame->locations ? &experiment->locations.items[frame->first_location]
					 : NULL;
}

static struct prof_error *find_leaves(const struct prof_selection *selection,
	const struct prof_progress *progress, struct leaves *leaves)
{
	const struct prof_experiment *experiment = leaves->experiment;
	struct prof_metric metric;

	prof_metric_default(experiment, &metric);
	struct prof_error *error =
		prof_metric_by_path(experiment, &metric, selection, progress, &leaves->paths);
	leaves->functions =
		calloc(prof_experiment_functions(experiment) + 1, sizeof *leaves->functions);
	if (error || !leaves->functions)
		return error ? error : prof_error_nomem();
	for (size_t i = 0; i < experiment->paths.count; i++) {
		const struct prof_location *place = place_of(experiment, i);
		leaves->total += leaves->paths[i];
		if (place)
			leaves->functions[place->function] += leaves->paths[i];
	}
	return NULL;
}

/* The function with the most samples that is not TAKEN, or PROF_NONE. */
static uint32_t find_most(const struct leaves *leaves, uint32_t taken)
{
	size_t count = prof_experiment_functions(leaves->experiment);
	prof_value most = 0;
	uint32_t found = PROF_NONE;

	for (uint32_t i = 0; i < count; i++) {
		if (i == taken || leaves->functions[i] <= most)
			continue;
		most = leaves->functions[i];
		found = i;
	}
	return found;
}

/* A line of a source file, and what of a function is on it. */
struct line {
	uint32_t file, number;
	prof_value value;
};

static int compare_lines(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* The line of FUNCTION with the most samples; its file is PROF_NONE if no line is known. */
static struct prof_error *find_line(
	const struct leaves *leaves, uint32_t function, struct line *ret)
{
	const struct prof_experiment *experiment = leaves->experiment;
	AUTO_FREE struct line *lines = calloc(experiment->paths.count + 1, sizeof *lines);
	size_t count = 0;

	*ret = (struct line){.file = PROF_NONE};
	if (!lines)
		return prof_error_nomem();
	for (size_t i = 0; i < experiment->paths.count; i++) {
		const struct prof_location *place = place_of(experiment, i);
		if (place && place->function == function && place->line && leaves->paths[i])
			lines[count++] = (struct line){place->file, place->line, leaves->paths[i]};
	}
	qsort(lines, count, sizeof *lines, compare_lines);
	for (size_t i = 1; i < count; i++) {
		if (!compare_lines(&lines[i - 1], &lines[i]))
			lines[i].value += lines[i - 1].value;
	}
	for (size_t i = 0; i < count; i++) {
		if (lines[i].value > ret->value)
			*ret = lines[i];
	}
	return NULL;
}

static void print_name(const char *name, struct prof_text *text)
{
	char begin[NAME_MOST + 1];

	snprintf(begin, sizeof begin, "%s", name);
	prof_text_name(text, begin);
	if (strlen(name) > NAME_MOST)
		prof_text_print(text, "...");
}

static struct prof_error *print_function(
	const struct leaves *leaves, uint32_t function, bool first, struct prof_text *text)
{
	const struct prof_experiment *experiment = leaves->experiment;
	prof_value value = leaves->functions[function];
	struct line line = {.file = PROF_NONE};
	struct prof_error *error = first ? find_line(leaves, function, &line) : NULL;

	prof_text_print(text, first ? " " : ", ");
	print_name(prof_experiment_function_name(experiment, function), text);
	if (leaves->total < prof_value_of(ENOUGH))
		prof_text_print(text, " %.0f", prof_value_double(value));
	else
		prof_text_print(text, " %.0f %%",
			100 * prof_value_double(value) / prof_value_double(leaves->total));
	if (line.file != PROF_NONE) {
		const char *file = prof_strings_get(&experiment->strings, line.file);
		prof_text_print(text, " (");
		prof_text_name(text, prof_file_base_name(file));
		prof_text_print(text, ":%" PRIu32 ")", line.number);
	}
	return error;
}

/* Adds where the samples are. */
static struct prof_error *print_functions(const struct leaves *leaves, struct prof_text *text)
{
	uint32_t taken = PROF_NONE;
	struct prof_error *error = NULL;

	if (!leaves->total)
		return NULL;
	if (leaves->total < prof_value_of(ENOUGH))
		prof_text_print(text, ", %.0f sample%s", prof_value_double(leaves->total),
			leaves->total == prof_value_of(1) ? "" : "s");
	for (int i = 0; !error && i < NAMES; i++) {
		uint32_t found = find_most(leaves, taken);
		if (found == PROF_NONE)
			break;
		if (!i)
			prof_text_print(text, ":");
		error = print_function(leaves, found, !i, text);
		taken = found;
	}
	return error;
}

/* Adds NUMBER with a comma before every third digit. */
static void print_count(uint64_t number, struct prof_text *text)
{
	if (number >= 1000) {
		print_count(number / 1000, text);
		prof_text_print(text, ",%03" PRIu64, number % 1000);
	} else {
		prof_text_print(text, "%" PRIu64, number);
	}
}

/* Adds BYTES with their sign. */
static void print_bytes(int64_t bytes, struct prof_text *text)
{
	static const char *const units[] = {"KB", "MB", "GB"};
	double size = (double)bytes;
	size_t unit = 0;

	if (bytes > -1000 && bytes < 1000) {
		prof_text_print(text, "%+" PRId64 " bytes", bytes);
		return;
	}
	for (size /= 1000; (size >= 1000 || size <= -1000) && unit + 1 < PROF_COUNT(units); unit++)
		size /= 1000;
	prof_text_print(text, "%+.1f %s", size, units[unit]);
}

/* How many bytes were not freed at TIME. */
static int64_t held_at(const struct prof_experiment *experiment, int64_t time, int64_t *last)
{
	int64_t sum = 0;

	memset(last, 0, experiment->traced.count * sizeof *last);
	for (size_t i = 0; i < experiment->held.count; i++) {
		const struct prof_held *held = &experiment->held.items[i];
		if (held->time <= time)
			last[held->traced] = held->bytes;
	}
	for (size_t i = 0; i < experiment->traced.count; i++)
		sum += last[i];
	return sum;
}

/* Adds up the metric NAME of SELECTION. */
static struct prof_error *sum_up(const struct prof_experiment *experiment, const char *name,
	const struct prof_selection *selection, prof_value *ret)
{
	AUTO_FREE prof_value *paths = NULL;
	struct prof_metric metric;
	struct prof_error *error = prof_metric_find(experiment, name, &metric);

	if (!error)
		error = prof_metric_by_path(experiment, &metric, selection, NULL, &paths);
	*ret = 0;
	for (size_t i = 0; !error && i < experiment->paths.count; i++)
		*ret += paths[i];
	return error;
}

/* Adds what was allocated in STRETCH, and by how much the heap has grown. */
static struct prof_error *print_heap(const struct prof_experiment *experiment,
	const struct prof_stop_span *stretch, const struct prof_selection *selection,
	struct prof_text *text)
{
	AUTO_FREE int64_t *last = calloc(experiment->traced.count + 1, sizeof *last);
	prof_value sum;
	struct prof_error *error =
		last ? sum_up(experiment, "allocs", selection, &sum) : prof_error_nomem();

	if (error)
		return error;
	int64_t grown = held_at(experiment, stretch->end->time, last) -
		held_at(experiment, stretch->begin->time, last);
	if (!sum && !grown)
		return NULL;
	prof_text_print(text, "; ");
	print_count((uint64_t)(sum / PROF_VALUE_ONE), text);
	prof_text_print(text, " allocation%s, ", sum == prof_value_of(1) ? "" : "s");
	print_bytes(grown, text);
	return NULL;
}

static void print_time(int64_t time, struct prof_text *text)
{
	double ms = (double)time / 1e6;

	if (ms >= 1000)
		prof_text_print(text, "%.2f s", ms / 1000);
	else
		prof_text_print(text, "%.*f ms", ms < 1 ? 2 : ms < 100 ? 1 : 0, ms);
}

/* The growth of FIGURE in STRETCH; 0 if it is not known. */
static int64_t growth(const struct prof_stop_span *stretch, int figure)
{
	int64_t first = stretch->begin->usage.figures[figure];
	int64_t last = stretch->end->usage.figures[figure];

	return first < 0 || last < first ? 0 : last - first;
}

static void selection_auto(struct prof_selection **selection)
{
	prof_selection_destroy(*selection);
}

static struct prof_error *print_line(const struct prof_experiment *experiment,
	const struct prof_stop_span *stretch, const struct prof_progress *progress,
	struct prof_text *text)
{
	const struct prof_filter filter = {{[PROF_CONDITION_SINCE] = "stop"}};
	PROF_AUTO(leaves_deinit) struct leaves leaves = {.experiment = experiment};
	PROF_AUTO(selection_auto) struct prof_selection *selection = NULL;
	int64_t running = growth(stretch, PROF_USAGE_RUNNING);
	prof_value cpu = 0;
	struct prof_error *error = prof_selection_create(experiment, &filter, &selection);

	if (!error)
		error = sum_up(experiment, "cpu", selection, &cpu);
	if (!error)
		error = find_leaves(selection, progress, &leaves);
	if (error)
		return error;
	prof_text_print(text, "[prof] ");
	print_time(running, text);
	prof_text_print(text, " since the last stop");
	if (cpu)
		prof_text_print(
			text, ", %.0f %% on CPU", 100 * prof_value_double(cpu) / (double)running);
	error = print_functions(&leaves, text);
	if (!error && experiment->held.count)
		error = print_heap(experiment, stretch, selection, text);
	prof_text_print(text, "\n");
	return error ? error : prof_text_error(text);
}

struct prof_error *prof_tip_print(const struct prof_experiment *experiment,
	const struct prof_progress *progress, int64_t *stop, struct prof_text *text)
{
	struct prof_stop_span stretch, last;
	struct prof_error *error = prof_stops_since(experiment, 1, &stretch);

	if (!error)
		error = prof_stops_since(experiment, 0, &last);
	if (error && prof_error_code(error) == PROF_ERROR_MISSING) {
		prof_error_destroy(error);
		return NULL;
	}
	if (error || last.begin->time == *stop || stretch.begin == last.begin ||
		!growth(&stretch, PROF_USAGE_RUNNING))
		return error;
	AUTO_TEXT struct prof_text line = {0};
	error = print_line(experiment, &stretch, progress, &line);
	if (error)
		return error;
	*stop = last.begin->time;
	prof_text_print(text, "%s", prof_text_get(&line));
	return prof_text_error(text);
}
