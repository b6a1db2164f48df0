/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/merge_private.h"

#include "model/archive.h"
#include "model/arcs.h"
#include "model/call_target.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "model/gmon.h"
#include "model/cursor.h"
#include "model/data.h"
#include "model/mpi_operation.h"
#include "model/rank.h"
#include "model/samples.h"
#include "model/single_calls.h"
#include "model/spool.h"
#include "model/usage.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void merge_deinit(struct prof_merge *merge)
{
	free(merge->modules);
	free(merge->functions);
	free(merge->frames);
	free(merge->paths);
	free(merge->threads);
}

/*
 * Adds all strings first, in their order.  So their numbers do not depend on how the experiments
 * are grouped, and several processes write the same file as one.
 */
static struct prof_error *merge_strings(struct prof_merge *merge)
{
	struct prof_error *error = NULL;
	uint32_t id;

	for (size_t i = 0; i < merge->from->strings.texts.count && !error; i++)
		error = prof_experiment_string(
			merge->into, prof_experiment_text(merge->from, (uint32_t)i), &id);
	return error;
}

static struct prof_error *merge_modules(struct prof_merge *merge)
{
	for (size_t i = 0; i < merge->from->modules.count; i++) {
		const struct prof_module *module = &merge->from->modules.items[i];
		struct prof_error *error = prof_experiment_module(merge->into,
			prof_experiment_text(merge->from, module->path),
			prof_experiment_text(merge->from, module->build_id), &merge->modules[i]);
		if (error)
			return error;
	}
	return NULL;
}

static struct prof_error *merge_functions(struct prof_merge *merge)
{
	for (size_t i = 0; i < merge->from->functions.count; i++) {
		const struct prof_function *function = &merge->from->functions.items[i];
		const char *name = prof_experiment_text(merge->from, function->name);
		struct prof_error *error = prof_experiment_function(merge->into, name, strlen(name),
			merge->modules[function->module], &merge->functions[i]);
		if (error)
			return error;
	}
	return NULL;
}

static struct prof_error *merge_counts(struct prof_merge *merge)
{
	return merge->into->gmon.word ? prof_merge_gmon(merge->into, merge->from, merge->functions)
				      : NULL;
}

static const struct prof_range *range_at(const struct prof_module *module, uint64_t address)
{
	for (size_t i = 0; i < module->ranges.count; i++) {
		const struct prof_range *range = &module->ranges.items[i];
		if (address >= range->low && address < range->high)
			return range;
	}
	return NULL;
}

/* The address of RANGE that maps OFFSET of its file; 0: it does not map it. */
static uint64_t address_of(const struct prof_range *range, uint64_t offset)
{
	bool has = offset >= range->offset && offset - range->offset < range->high - range->low;

	return has ? offset - range->offset + range->low : 0;
}

/*
 * The address in INTO of ADDRESS in MODULE of FROM: INTO may have mapped the same part of the file
 * elsewhere.  Parts that INTO has not mapped keep their addresses; their ranges are added after the
 * frames.
 */
static uint64_t relocate(const struct prof_merge *merge, uint32_t module, uint64_t address)
{
	const struct prof_module *to = &merge->into->modules.items[merge->modules[module]];
	const struct prof_range *range = range_at(&merge->from->modules.items[module], address);

	if (!range)
		return address;
	uint64_t offset = address - range->low + range->offset;
	uint64_t moved = 0;
	for (size_t i = 0; i < to->ranges.count && moved != address; i++) {
		uint64_t found = address_of(&to->ranges.items[i], offset);
		/* Prefer the same address; otherwise take the first range that maps it. */
		if (found == address || !moved)
			moved = found;
	}
	return moved ? moved : address;
}

/* The locations of FRAME, with the numbers of INTO, in a new array. */
static struct prof_error *map_locations(
	const struct prof_merge *merge, const struct prof_frame *frame, struct prof_location **ret)
{
	AUTO_FREE struct prof_location *locations =
		malloc((frame->locations + 1) * sizeof *locations);

	if (!locations)
		return prof_error_nomem();
	for (uint32_t i = 0; i < frame->locations; i++) {
		locations[i] = merge->from->locations.items[frame->first_location + i];
		locations[i].function = merge->functions[locations[i].function];
		struct prof_error *error = prof_experiment_string(merge->into,
			prof_experiment_text(merge->from, locations[i].file), &locations[i].file);
		if (error)
			return error;
	}
	*ret = steal(&locations);
	return NULL;
}

/* Does frame NUMBER of INTO, which is resolved, have the COUNT LOCATIONS? */
static bool has_locations(const struct prof_experiment *into, uint32_t number,
	const struct prof_location *locations, uint32_t count)
{
	const struct prof_frame *frame = &into->frames.items[number];

	if (frame->locations != count)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		const struct prof_location *a = &into->locations.items[frame->first_location + i];
		const struct prof_location *b = &locations[i];
		if (a->function != b->function || a->file != b->file || a->line != b->line)
			return false;
	}
	return true;
}

/*
 * A module with the path of MODULE, for other code at the same addresses: generated code, or builds
 * that cannot be told apart.  The number of the experiment takes the place of its build ID.
 */
static struct prof_error *other_module(
	const struct prof_merge *merge, uint32_t module, uint32_t *ret)
{
	char number[24];
	const char *path =
		prof_strings_get(&merge->into->strings, merge->into->modules.items[module].path);

	snprintf(number, sizeof number, "%" PRIu64, prof_merge_count(&merge->into->recording) + 1);
	return prof_experiment_module(merge->into, path, number, ret);
}

/* The frame of INTO at ADDRESS of MODULE that is unresolved, or has the COUNT LOCATIONS. */
static struct prof_error *add_frame(struct prof_merge *merge, uint32_t module, uint64_t address,
	const struct prof_location *locations, uint32_t count, uint32_t *ret)
{
	struct prof_experiment *into = merge->into;
	struct prof_error *error = prof_experiment_frame(into, module, address, ret);

	if (error || !count || has_locations(into, *ret, locations, count))
		return error;
	if (into->frames.items[*ret].locations) {
		error = other_module(merge, module, &module);
		if (!error)
			error = prof_experiment_frame(into, module, address, ret);
		/*
		 * Two places of FROM can become one in INTO only if one of them was outside of all
		 * ranges: the first one names it.
		 */
		if (error || into->frames.items[*ret].locations)
			return error;
	}
	return prof_experiment_resolve(into, *ret, locations, count);
}

static struct prof_error *merge_frame(
	struct prof_merge *merge, const struct prof_frame *frame, uint32_t *ret)
{
	AUTO_FREE struct prof_location *locations = NULL;
	struct prof_error *error = map_locations(merge, frame, &locations);

	if (error)
		return error;
	if (!frame->address)
		return prof_experiment_frame_at(merge->into, locations[0].function,
			locations[0].file, locations[0].line, ret);
	return add_frame(merge, merge->modules[frame->module],
		relocate(merge, frame->module, frame->address), locations, frame->locations, ret);
}

/* Does MODULE map the part of the file that RANGE maps, in one piece? */
static bool has_part(const struct prof_module *module, const struct prof_range *range)
{
	uint64_t last = range->high - range->low - 1;

	for (size_t i = 0; i < module->ranges.count; i++) {
		uint64_t first = address_of(&module->ranges.items[i], range->offset);
		if (first && address_of(&module->ranges.items[i], range->offset + last))
			return true;
	}
	return false;
}

/* Adds the ranges that INTO has not mapped yet; frames have moved to those that it has. */
static struct prof_error *merge_ranges(struct prof_merge *merge)
{
	for (size_t i = 0; i < merge->from->modules.count; i++) {
		const struct prof_module *module = &merge->from->modules.items[i];
		uint32_t to = merge->modules[i];
		for (size_t j = 0; j < module->ranges.count; j++) {
			const struct prof_range *range = &module->ranges.items[j];
			if (has_part(&merge->into->modules.items[to], range))
				continue;
			struct prof_error *error = prof_experiment_range(merge->into, to, range);
			if (error)
				return error;
		}
	}
	return NULL;
}

static struct prof_error *merge_frames(struct prof_merge *merge)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; i < merge->from->frames.count && !error; i++)
		error = merge_frame(merge, &merge->from->frames.items[i], &merge->frames[i]);
	if (!error)
		error = prof_call_target_merge(merge->into, merge->from, merge->frames);
	return error ? error : merge_ranges(merge);
}

static struct prof_error *merge_paths(struct prof_merge *merge)
{
	merge->paths[0] = 0;
	for (size_t i = 1; i < merge->from->paths.count; i++) {
		const struct prof_path *path = &merge->from->paths.items[i];
		struct prof_error *error = prof_experiment_path(merge->into,
			merge->paths[path->parent], merge->frames[path->frame], &merge->paths[i]);
		if (error)
			return error;
	}
	return NULL;
}

static struct prof_error *merge_threads(struct prof_merge *merge)
{
	for (size_t i = 0; i < merge->from->threads.count; i++) {
		const struct prof_thread thread =
			prof_experiment_thread_row(merge->from, (uint32_t)i);
		struct prof_error *error = prof_experiment_thread(merge->into, thread.id,
			prof_experiment_text(merge->from, thread.name), &merge->threads[i]);
		if (!error && thread.process)
			error = prof_experiment_own(merge->into, merge->threads[i], thread.process);
		if (error)
			return error;
	}
	return NULL;
}

/* Events of imported files that do not fit are merged into one. */
static struct prof_error *merge_event(
	struct prof_merge *merge, const struct prof_event *event, uint32_t *ret)
{
	const char *name = prof_experiment_text(merge->from, event->name);

	return event->unit == PROF_EVENT_SAMPLES
		? prof_experiment_event(merge->into, name, ret)
		: prof_experiment_counter(merge->into, name, event, ret);
}

/* Gives equal events of both the same numbers; EVENTS maps those of FROM to those of INTO. */
static struct prof_error *merge_events(struct prof_merge *merge, uint32_t events[PROF_EVENTS])
{
	struct prof_error *error = NULL;

	for (size_t i = 0; i < merge->from->events.count && !error; i++)
		error = merge_event(merge, &merge->from->events.items[i], &events[i]);
	return error;
}

/*
 * The values of a row of FROM, with the new numbers of EVENTS; values of traced events are in the
 * tables of those.
 */
static void take_values(const struct prof_sample_row *row, const uint32_t *events,
	prof_value values[PROF_QUANTITIES])
{
	memset(values, 0, PROF_QUANTITIES * sizeof *values);
	for (int i = 0; i < PROF_QUANTITY_TRACED; i++) {
		int event = i - PROF_QUANTITY_EVENT;
		int to = event >= 0 && event < PROF_EVENTS
			? PROF_QUANTITY_EVENT + (int)events[event]
			: i;
		values[to] += row->values[i];
	}
}

static struct prof_error *merge_samples(struct prof_merge *merge)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = merge->from,
		.progress = merge->progress,
		.doing = "Adding up experiments"};
	uint32_t events[PROF_EVENTS] = {0};
	struct prof_error *error = merge_events(merge, events);

	while (!error && prof_cursor_next(&rows)) {
		struct prof_sample sample = rows.row.sample;
		prof_value values[PROF_QUANTITIES];
		sample.time += merge->shift;
		sample.path = merge->paths[sample.path];
		sample.thread = merge->threads[sample.thread];
		take_values(&rows.row, events, values);
		error = prof_experiment_sample(merge->into, &sample, values);
		prof_spool_added(&merge->into->samples);
	}
	if (!error)
		error = prof_cursor_error(&rows);
	return error ? error : prof_data_merge(merge->into, merge->from, merge->samples);
}

/* The last known value of each figure in EXPERIMENT, or 0. */
static void find_usage(const struct prof_experiment *experiment, struct prof_usage *ret)
{
	*ret = (struct prof_usage){0};
	for (size_t i = 0; i < experiment->marks.count; i++) {
		const struct prof_usage *usage = &experiment->marks.items[i].usage;
		for (int j = 0; j < PROF_USAGES; j++) {
			if (usage->figures[j] != PROF_USAGE_UNKNOWN)
				ret->figures[j] = usage->figures[j];
		}
	}
}

/* Running figures continue from LAST; a state, and the peak of an experiment, stay as they are. */
static void add_usage(struct prof_usage *usage, const struct prof_usage *last)
{
	for (int i = 0; i < PROF_USAGES; i++) {
		int64_t *figure = &usage->figures[i];
		if (prof_usage_table[i].kind != PROF_USAGE_GROWS || *figure == PROF_USAGE_UNKNOWN)
			continue;
		if (last->figures[i] > PROF_USAGE_LARGEST - *figure)
			*figure = PROF_USAGE_LARGEST;
		else
			*figure += last->figures[i];
	}
}

static struct prof_error *merge_marks(struct prof_merge *merge)
{
	struct prof_usage last = {0};

	/*
	 * Ranks run side by side, so that each mark keeps the figures of its rank: see
	 * metric/intervals.h.
	 */
	if (!merge->into->ranks.count && !merge->from->ranks.count)
		find_usage(merge->into, &last);
	for (size_t i = 0; i < merge->from->marks.count; i++) {
		struct prof_mark mark = merge->from->marks.items[i];
		mark.time += merge->shift;
		add_usage(&mark.usage, &last);
		struct prof_error *error = prof_experiment_mark(
			merge->into, &mark, prof_experiment_text(merge->from, mark.label));
		if (error)
			return error;
	}
	return NULL;
}

static struct prof_error *merge_operations(struct prof_merge *merge)
{
	const struct prof_mpi_operation_shift shift = {
		merge->samples, merge->first_thread, merge->shift};

	return prof_mpi_operation_merge(merge->into, merge->from, shift);
}

static struct prof_error *merge_calls(struct prof_merge *merge)
{
	return prof_single_calls_merge(merge->into, merge->from, merge->samples);
}

static struct prof_error *merge_arcs(struct prof_merge *merge)
{
	return prof_merge_arcs(
		merge->into, merge->from, merge->frames, merge->samples, merge->shift);
}

static void stretch(int64_t time, int64_t *first, int64_t *last)
{
	*first = time < *first ? time : *first;
	*last = time > *last ? time : *last;
}

/* The stretch of time, including 0, that contains all of EXPERIMENT. */
static void find_times(const struct prof_experiment *experiment, int64_t *first, int64_t *last)
{
	*first = *last = 0;
	stretch(experiment->samples.first, first, last);
	stretch(experiment->samples.last, first, last);
	for (size_t i = 0; i < experiment->marks.count; i++)
		stretch(experiment->marks.items[i].time, first, last);
	for (size_t i = 0; i < experiment->arcs.count; i++)
		stretch(experiment->arcs.items[i].time, first, last);
	for (size_t i = 0; i < experiment->held.count; i++)
		stretch(experiment->held.items[i].time, first, last);
	for (size_t i = 0; i < experiment->heaps.count; i++)
		stretch(experiment->heaps.items[i].heap.peak_time, first, last);
	for (size_t i = 0; i < experiment->operations.count; i++) {
		stretch(experiment->operations.items[i].posted, first, last);
		stretch(experiment->operations.items[i].begin, first, last);
		stretch(experiment->operations.items[i].end, first, last);
	}
}

/*
 * How far FROM's times must be moved to be those of INTO: if both are ranks of one job, by the
 * difference of their clocks; otherwise, to begin where INTO ends.
 */
static struct prof_error *find_shift(struct prof_merge *merge)
{
	struct prof_rank_stretch into, from;

	find_times(merge->into, &into.first, &into.last);
	find_times(merge->from, &from.first, &from.last);
	if (prof_rank_align(merge->into, into, merge->from, from, &merge->shift))
		return NULL;
	/* No time is further from 0 than PROF_TIME_MOST, half of the range of the type. */
	if (into.last - from.first > PROF_TIME_MOST - from.last)
		return prof_error_create(PROF_ERROR_TOO_LARGE,
			"These experiments cannot be added up: together they last too long.  Add up fewer.");
	merge->shift = into.last - from.first;
	return NULL;
}

static struct prof_error *merge_ranks(struct prof_merge *merge)
{
	return prof_rank_merge(merge->into, merge->from, (uint32_t)merge->first_thread,
		(uint32_t)merge->marks, merge->shift);
}

static bool allocate(struct prof_merge *merge)
{
	const struct prof_experiment *from = merge->from;

	merge->modules = calloc(from->modules.count + 1, sizeof *merge->modules);
	merge->functions = calloc(from->functions.count + 1, sizeof *merge->functions);
	merge->frames = calloc(from->frames.count + 1, sizeof *merge->frames);
	merge->paths = calloc(from->paths.count + 1, sizeof *merge->paths);
	merge->threads = calloc(from->threads.count + 1, sizeof *merge->threads);
	return merge->modules && merge->functions && merge->frames && merge->paths &&
		merge->threads;
}

static struct prof_error *merge_archive(struct prof_merge *merge)
{
	return prof_archive_merge(merge->into, merge->from, merge->functions, merge->frames);
}

/* An experiment without stacks can only be added to one of its kind. */
static struct prof_error *check_contents(
	const struct prof_experiment *into, const struct prof_experiment *from)
{
	unsigned differ = prof_experiment_has(into) ^ prof_experiment_has(from);

	if (differ & PROF_HAS_GMON)
		return prof_error_create(PROF_ERROR_MISMATCH,
			"A gmon.out can be added only to others of the same program, because it has no stacks.");
	if (differ & PROF_HAS_STACKS)
		return prof_error_create(PROF_ERROR_MISMATCH,
			"A callgrind file can be added only to other callgrind files, because it has no stacks.");
	return NULL;
}

struct prof_error *prof_experiment_merge(struct prof_experiment *into,
	const struct prof_experiment *from, const struct prof_progress *progress)
{
	static struct prof_error *(*const steps[])(struct prof_merge * merge) = {
		find_shift,
		merge_strings,
		merge_modules,
		merge_functions,
		merge_counts,
		merge_frames,
		merge_paths,
		merge_threads,
		merge_samples,
		merge_calls,
		prof_merge_traced,
		merge_operations,
		merge_marks,
		merge_ranks,
		merge_arcs,
		merge_archive,
	};
	PROF_AUTO(merge_deinit)
	struct prof_merge merge = {
		.into = into,
		.from = from,
		.progress = progress,
		.samples = into->samples.count,
		.marks = into->marks.count,
		.first_thread = into->threads.count,
	};
	struct prof_error *error = prof_merge_check(&into->recording, &from->recording);

	assert(into != from);
	if (!error)
		error = check_contents(into, from);
	if (!error && !allocate(&merge))
		error = prof_error_nomem();
	for (size_t i = 0; i < PROF_COUNT(steps) && !error; i++)
		error = steps[i](&merge);
	return error ? error : prof_merge_recording(&into->recording, &from->recording);
}
