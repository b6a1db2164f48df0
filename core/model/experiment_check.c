/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/map.h"
#include "base/strings.h"
#include "model/archive.h"
#include "model/arcs.h"
#include "model/call_target.h"
#include "model/cursor.h"
#include "model/data.h"
#include "model/experiment.h"
#include "model/gmon.h"
#include "model/image_symbols.h"
#include "model/mark.h"
#include "model/mpi_operation.h"
#include "model/rank.h"
#include "model/recording_fields.h"
#include "model/samples.h"
#include "model/single_calls.h"
#include "model/unit.h"
#include "model/usage.h"

#include <assert.h>
#include <string.h>

static void check_time(int64_t time)
{
	assert(time >= -PROF_TIME_MOST && time <= PROF_TIME_MOST);
}

static void check_modules(const struct prof_experiment *experiment)
{
	size_t strings = experiment->strings.texts.count;

	assert(experiment->modules.count > 0 && experiment->modules.count < PROF_NONE);
	assert(experiment->module_index.count == experiment->modules.count);
	for (size_t i = 0; i < experiment->modules.count; i++) {
		const struct prof_module *module = &experiment->modules.items[i];
		assert(module->path < strings && module->build_id < strings);
		assert(prof_map_get(&experiment->module_index,
			       prof_map_pair(module->path, module->build_id)) == i);
		for (size_t j = 0; j < module->ranges.count; j++)
			assert(module->ranges.items[j].low < module->ranges.items[j].high);
	}
}

static void check_functions(const struct prof_experiment *experiment)
{
	assert(experiment->functions.count < PROF_NONE);
	assert(experiment->function_index.count == experiment->functions.count);
	for (size_t i = 0; i < experiment->functions.count; i++) {
		const struct prof_function *function = &experiment->functions.items[i];
		assert(function->name < experiment->strings.texts.count);
		assert(function->module < experiment->modules.count);
		assert(prof_map_get(&experiment->function_index,
			       prof_map_pair(function->module, function->name)) == i);
	}
	for (size_t i = 0; i < experiment->locations.count; i++) {
		const struct prof_location *location = &experiment->locations.items[i];
		assert(location->function < experiment->functions.count);
		assert(location->file < experiment->strings.texts.count);
	}
}

/* The locations belong to the resolved frames, in order, each to exactly one. */
static void check_frames(const struct prof_experiment *experiment)
{
	size_t resolved = 0;
	size_t locations = 0;

	assert(experiment->frames.count < PROF_NONE);
	assert(experiment->frame_index.count == experiment->frames.count);
	for (size_t i = 0; i < experiment->frames.count; i++) {
		const struct prof_frame *frame = &experiment->frames.items[i];
		assert(frame->module < experiment->modules.count);
		assert(frame->address || frame->locations == 1);
		resolved += frame->locations > 0;
	}
	assert(experiment->resolved.count == resolved);
	for (size_t i = 0; i < experiment->resolved.count; i++) {
		assert(experiment->resolved.items[i] < experiment->frames.count);
		const struct prof_frame *frame =
			&experiment->frames.items[experiment->resolved.items[i]];
		assert(frame->locations && frame->first_location == locations);
		locations += frame->locations;
	}
	assert(experiment->locations.count == locations);
}

static void check_paths(const struct prof_experiment *experiment)
{
	const struct prof_path *paths = experiment->paths.items;

	assert(experiment->paths.count > 0 && experiment->paths.count < PROF_NONE);
	assert(paths[0].parent == 0 && paths[0].frame == PROF_NONE);
	assert(experiment->path_index.count == experiment->paths.count - 1);
	for (size_t i = 1; i < experiment->paths.count; i++) {
		assert(paths[i].parent < i && paths[i].frame < experiment->frames.count);
		/* Stacks that were made of others may be equal and differ in their classes. */
		assert(experiment->regions.count ||
			prof_children_find(
				&experiment->path_index, paths[i].parent, paths[i].frame) == i);
	}
}

static void check_rows(const struct prof_experiment *experiment)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};
	const struct prof_samples *samples = &experiment->samples;
	prof_value totals[PROF_QUANTITY_TRACED] = {0};

	while (prof_cursor_next(&rows)) {
		const struct prof_sample *sample = &rows.row.sample;
		check_time(sample->time);
		assert(sample->time >= samples->first && sample->time <= samples->last);
		assert(sample->path < experiment->paths.count);
		assert(sample->thread < experiment->threads.count);
		assert(sample->state < PROF_STATES);
		for (int i = 0; i < PROF_QUANTITIES; i++) {
			prof_value value = rows.row.values[i];
			assert(value >= 0 && value <= PROF_VALUE_MOST);
			assert(!value == !(rows.row.has & PROF_QUANTITY_BIT(i)));
			if (i < PROF_QUANTITY_TRACED)
				totals[i] += value;
		}
	}
	assert(!rows.error && !memcmp(totals, samples->totals, sizeof totals));
	assert(samples->count == samples->blocks.count * PROF_SAMPLES_BLOCK + samples->tail.count);
}

static void check_samples(const struct prof_experiment *experiment)
{
	assert(experiment->threads.count < PROF_NONE && experiment->samples.count < PROF_NONE);
	size_t owned = 0;
	for (uint32_t i = 0; i < experiment->threads.count; i++)
		owned += prof_experiment_thread_row(experiment, i).process != 0;
	assert(owned == experiment->owners.count);
	for (uint32_t i = 0; i < experiment->owners.count; i++) {
		const struct prof_owner owner = prof_experiment_owner_row(experiment, i);
		assert(owner.thread < experiment->threads.count && owner.process);
		assert(prof_experiment_thread_row(experiment, owner.thread).process ==
			owner.process);
	}
	for (uint32_t i = 0; i < experiment->threads.count; i++)
		assert(prof_experiment_thread_row(experiment, i).name <
			experiment->strings.texts.count);
	check_rows(experiment);
}

/* The string NUMBER exists. */
static void check_string(const struct prof_experiment *experiment, uint32_t number)
{
	assert(number < experiment->strings.texts.count);
}

static void check_ranks(const struct prof_experiment *experiment)
{
	const struct prof_rank *before = NULL;

	for (size_t i = 0; i < experiment->ranks.count; i++) {
		const struct prof_rank *rank = &experiment->ranks.items[i];
		assert(rank->rank >= PROF_RANK_NONE && rank->size >= 0);
		check_string(experiment, rank->launcher);
		check_string(experiment, rank->job);
		check_string(experiment, rank->host);
		check_string(experiment, rank->kernel);
		assert(rank->first_thread <= experiment->threads.count);
		assert(rank->first_mark <= experiment->marks.count);
		assert(!before || rank->first_thread >= before->first_thread);
		assert(!before || rank->first_mark >= before->first_mark);
		check_time(rank->monotonic);
		check_time(rank->realtime);
		before = rank;
	}
}

static void check_marks(const struct prof_experiment *experiment)
{
	for (size_t i = 0; i < experiment->marks.count; i++) {
		const struct prof_mark *mark = &experiment->marks.items[i];
		check_time(mark->time);
		assert(mark->label < experiment->strings.texts.count);
		assert(mark->kind < PROF_MARK_KINDS);
		for (int j = 0; j < PROF_USAGES; j++)
			assert(mark->usage.figures[j] >= PROF_USAGE_UNKNOWN &&
				mark->usage.figures[j] <= PROF_USAGE_LARGEST);
	}
}

static void check_events(const struct prof_experiment *experiment)
{
	assert(experiment->events.count <= PROF_EVENTS);
	for (size_t i = 0; i < experiment->events.count; i++) {
		const struct prof_event *event = &experiment->events.items[i];
		assert(event->name < experiment->strings.texts.count);
		for (size_t j = 0; j < i; j++)
			assert(experiment->events.items[j].name != event->name);
		assert(event->unit <= PROF_EVENT_SAMPLES && event->changed <= experiment->changes);
		assert(!event->clock ||
			(event->clock >= PROF_CLOCK_LEAST && event->unit == PROF_COUNTER_CYCLES));
		assert(event->interval >= 0 && event->lost >= 0);
		assert(event->lost <= event->overflows);
		assert(event->unit != PROF_EVENT_SAMPLES ||
			(!event->interval && !event->overflows));
	}
	for (size_t i = experiment->events.count; i < PROF_EVENTS; i++)
		assert(!experiment->samples.totals[PROF_QUANTITY_EVENT + i]);
}

static void check_data(const struct prof_experiment *experiment)
{
	for (size_t i = 0; i < experiment->data.count; i++) {
		const struct prof_data *data = &experiment->data.items[i];
		assert(prof_data_is_valid(data) && data->sample < experiment->samples.count);
		assert(!i || experiment->data.items[i - 1].sample < data->sample);
	}
}

/* An experiment with costs of calls has no stacks. */
static void check_arcs(const struct prof_experiment *experiment)
{
	const struct prof_arc_value *values = experiment->arc_values.items;

	for (size_t i = 0; i < experiment->arcs.count; i++) {
		check_time(experiment->arcs.items[i].time);
		assert(prof_arc_is_valid(experiment, &experiment->arcs.items[i]));
	}
	for (size_t i = 0; i < experiment->arc_values.count; i++) {
		assert(values[i].arc < experiment->arcs.count);
		assert(!i || values[i - 1].arc <= values[i].arc);
	}
	for (size_t i = 1; i < experiment->paths.count && experiment->arc_values.count; i++)
		assert(!experiment->paths.items[i].parent);
}

static void check_symbols(const struct prof_experiment *experiment,
	const struct prof_image_symbols *symbols, bool lines)
{
	size_t strings = experiment->strings.texts.count;

	for (size_t i = 0; i < symbols->count; i++) {
		const struct prof_image_symbol *symbol = &symbols->items[i];
		assert(!i || symbol[-1].low < symbol->low);
		assert(symbol->name < strings);
		assert(symbol->file == PROF_NONE || symbol->file < strings);
		assert(lines ? symbol->function == PROF_NONE
			     : symbol->function < experiment->functions.count);
	}
}

static void check_bins(const struct prof_gmon *gmon)
{
	for (size_t i = 0; i < gmon->bins.count; i++) {
		const struct prof_bin *bin = &gmon->bins.items[i];
		assert(bin->samples && bin->histogram < gmon->histograms.count);
		assert(bin->part < gmon->histograms.items[bin->histogram].parts);
		assert(!i || bin[-1].histogram < bin->histogram ||
			(bin[-1].histogram == bin->histogram && bin[-1].part < bin->part));
	}
}

/* An experiment with a gmon.out has no samples. */
static void check_counts(const struct prof_experiment *experiment)
{
	const struct prof_gmon *gmon = &experiment->gmon;

	if (!gmon->word) {
		assert(!gmon->histograms.count && !gmon->bins.count && !gmon->arcs.count);
		assert(!gmon->functions.count && !gmon->lines.count);
		return;
	}
	assert(gmon->word == 4 || gmon->word == 8);
	assert(!experiment->samples.count && !experiment->arcs.count);
	assert(!gmon->histograms.count || (gmon->rate && *gmon->dimension && *gmon->unit));
	for (size_t i = 0; i < gmon->histograms.count; i++) {
		const struct prof_histogram *histogram = &gmon->histograms.items[i];
		assert(histogram->low < histogram->high && histogram->parts);
	}
	check_bins(gmon);
	check_symbols(experiment, &gmon->functions, false);
	check_symbols(experiment, &gmon->lines, true);
}

static void check_traced(const struct prof_experiment *experiment)
{
	struct prof_traced_rows_place place = {0};
	uint32_t sample = 0;

	assert(experiment->object_index.count == experiment->objects.count);
	for (size_t i = 0; i < experiment->objects.count; i++) {
		const struct prof_object *object = &experiment->objects.items[i];
		assert(object->name < experiment->strings.texts.count);
		assert(object->changed <= experiment->changes);
		assert(prof_map_get(&experiment->object_index, object->address) == i);
	}
	for (size_t i = 0; i < experiment->traced.count; i++) {
		const struct prof_traced_row *traced =
			prof_traced_rows_get(&experiment->traced, &place, i);
		assert(traced->sample < experiment->samples.count);
		assert(!i || sample < traced->sample);
		sample = traced->sample;
		assert(traced->object == PROF_NONE || traced->object < experiment->objects.count);
		assert(traced->holder == PROF_NONE || traced->holder < experiment->threads.count);
		assert(traced->longest >= 0);
		assert(prof_traced_rows_changed(&experiment->traced, i) <= experiment->changes);
		check_time(traced->last);
	}
	for (size_t i = 0; i < experiment->arguments.count; i++) {
		const struct prof_argument *argument = &experiment->arguments.items[i];
		assert(argument->traced < experiment->traced.count);
		const struct prof_traced_row *traced =
			prof_traced_rows_get(&experiment->traced, &place, argument->traced);
		assert(argument->name < experiment->strings.texts.count);
		assert(i - traced->first_argument < traced->arguments);
		assert(argument->sum.most <= PROF_ARGUMENT_MOST);
		assert(argument->sum.least >= -PROF_ARGUMENT_MOST);
	}
	for (size_t i = 0; i < experiment->held.count; i++) {
		const struct prof_held *held = &experiment->held.items[i];
		check_time(held->time);
		assert(!i || experiment->held.items[i - 1].time <= held->time);
		assert(held->traced < experiment->traced.count);
		assert(held->blocks >= 0 && held->bytes >= 0);
	}
	for (size_t i = 0; i < experiment->heaps.count; i++)
		check_time(experiment->heaps.items[i].heap.peak_time);
	for (size_t i = 0; i < experiment->operations.count; i++) {
		const struct prof_mpi_operation *operation = &experiment->operations.items[i];
		assert(prof_mpi_operation_is_valid(operation));
		assert(operation->sample < experiment->samples.count &&
			operation->thread < experiment->threads.count);
		check_time(operation->posted);
		check_time(operation->begin);
		check_time(operation->end);
	}
}

static void check_archive(const struct prof_experiment *experiment)
{
	const struct prof_strings *strings = &experiment->strings;

	assert(experiment->source_index.count == experiment->archived_sources.count);
	for (size_t i = 0; i < experiment->archived_sources.count; i++) {
		const struct prof_archived_source *source = &experiment->archived_sources.items[i];
		assert(source->file < strings->texts.count && source->path < strings->texts.count);
		assert(prof_archive_source(experiment, prof_strings_get(strings, source->file)) ==
			source);
		assert(prof_archive_is_source(source->text));
	}
	assert(experiment->extent_index.count == experiment->archived_extents.count);
	for (size_t i = 0; i < experiment->archived_extents.count; i++) {
		const struct prof_archived_extent *extent = &experiment->archived_extents.items[i];
		assert(extent->function < experiment->functions.count);
		assert(extent->file < strings->texts.count && extent->first <= extent->last);
		assert(prof_archive_extent(experiment, extent->function) == extent);
	}
	assert(experiment->target_index.count == experiment->call_targets.count);
	for (size_t i = 0; i < experiment->call_targets.count; i++)
		assert(experiment->call_targets.items[i].frame < experiment->frames.count &&
			prof_call_target_of(experiment, experiment->call_targets.items[i].frame));
	assert(experiment->block_index.count == experiment->archived_blocks.count);
	for (size_t i = 0; i < experiment->archived_blocks.count; i++) {
		const struct prof_archived_block *block = &experiment->archived_blocks.items[i];
		assert(prof_archive_block(experiment, block->frame) == block);
		assert(prof_archive_is_block(block->text));
	}
}

static void check_calls(const struct prof_experiment *experiment)
{
	for (size_t i = 0; i < experiment->calls.count; i++) {
		const struct prof_single_call call = prof_single_calls_get(&experiment->calls, i);
		assert(prof_single_call_is_valid(&call));
		assert(call.sample < experiment->samples.count);
		assert(!i || call.sample > prof_single_calls_get(&experiment->calls, i - 1).sample);
	}
}

void prof_experiment_check(const struct prof_experiment *experiment)
{
	prof_recording_check(&experiment->recording);
	check_modules(experiment);
	check_functions(experiment);
	check_frames(experiment);
	check_paths(experiment);
	check_samples(experiment);
	check_calls(experiment);
	check_marks(experiment);
	check_ranks(experiment);
	check_events(experiment);
	check_data(experiment);
	check_arcs(experiment);
	check_counts(experiment);
	check_traced(experiment);
	check_archive(experiment);
}
