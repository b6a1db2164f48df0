/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/experiment.h"

#include "model/recording_fields.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * Makes room for one more row in a table, whose numbers must stay below PROF_NONE.  No recording
 * comes near that many rows, so a full table is reported as lack of memory.
 */
#define prepare(array) ((array)->count < PROF_NONE && prof_array_reserve((array), 1))

/* The columns of the threads, and of the owners. */
enum { THREAD_ID, THREAD_NAME, THREAD_PROCESS };
enum { OWNER_THREAD, OWNER_PROCESS };

static bool init(struct prof_experiment *experiment)
{
	uint32_t unknown;

	if (!prof_recording_init(&experiment->recording))
		return false;

	AUTO_ERROR struct prof_error *error =
		prof_experiment_module(experiment, PROF_UNKNOWN, "", &unknown);
	struct prof_path *empty = error ? NULL : prof_array_push(&experiment->paths);
	if (!empty)
		return false;
	*empty = (struct prof_path){.frame = PROF_NONE};
	return true;
}

struct prof_error *prof_experiment_create(struct prof_experiment **ret)
{
	struct prof_experiment *experiment = calloc(1, sizeof *experiment);

	if (!experiment || !init(experiment)) {
		prof_experiment_destroy(experiment);
		return prof_error_nomem();
	}
	*ret = experiment;
	return NULL;
}

void prof_experiment_destroy(struct prof_experiment *experiment)
{
	if (!experiment)
		return;
	prof_recording_deinit(&experiment->recording);
	prof_gmon_deinit(&experiment->gmon);
	prof_strings_deinit(&experiment->strings);
	for (size_t i = 0; i < experiment->modules.count; i++)
		free(experiment->modules.items[i].ranges.items);
	free(experiment->modules.items);
	prof_packed_rows_deinit(&experiment->threads);
	free(experiment->thread_changes.blocks.items);
	prof_packed_rows_deinit(&experiment->owners);
	prof_packed_rows_deinit(&experiment->calls);
	free(experiment->ranks.items);
	free(experiment->functions.items);
	free(experiment->locations.items);
	free(experiment->frames.items);
	free(experiment->call_targets.items);
	free(experiment->paths.items);
	free(experiment->classes.items);
	free(experiment->regions.items);
	free(experiment->region_rows.items);
	prof_samples_deinit(&experiment->samples);
	free(experiment->events.items);
	free(experiment->marks.items);
	free(experiment->arc_values.items);
	free(experiment->data.items);
	free(experiment->operations.items);
	free(experiment->arcs.items);
	free(experiment->objects.items);
	free(experiment->object_changes.blocks.items);
	prof_traced_rows_deinit(&experiment->traced);
	free(experiment->arguments.items);
	free(experiment->argument_changes.blocks.items);
	free(experiment->held.items);
	free(experiment->heaps.items);
	for (size_t i = 0; i < experiment->archived_sources.count; i++)
		free(experiment->archived_sources.items[i].text);
	for (size_t i = 0; i < experiment->archived_blocks.count; i++)
		free(experiment->archived_blocks.items[i].text);
	free(experiment->archived_sources.items);
	free(experiment->archived_extents.items);
	free(experiment->archived_blocks.items);
	free(experiment->resolved.items);
	prof_map_deinit(&experiment->module_index);
	prof_map_deinit(&experiment->function_index);
	prof_map_deinit(&experiment->frame_index);
	prof_children_deinit(&experiment->path_index);
	prof_map_deinit(&experiment->object_index);
	prof_map_deinit(&experiment->target_index);
	prof_map_deinit(&experiment->source_index);
	prof_map_deinit(&experiment->extent_index);
	prof_map_deinit(&experiment->block_index);
	free(experiment);
}

void prof_experiment_auto(struct prof_experiment **experiment)
{
	prof_experiment_destroy(*experiment);
}

struct prof_error *prof_experiment_string(
	struct prof_experiment *experiment, const char *text, uint32_t *ret)
{
	return prof_strings_add(&experiment->strings, text, strlen(text), ret);
}

struct prof_error *prof_experiment_module(
	struct prof_experiment *experiment, const char *path, const char *build_id, uint32_t *ret)
{
	struct prof_module module = {0};
	struct prof_error *error = prof_experiment_string(experiment, path, &module.path);

	if (!error)
		error = prof_experiment_string(experiment, build_id, &module.build_id);
	if (error)
		return error;

	uint64_t key = prof_map_pair(module.path, module.build_id);
	uint32_t id = prof_map_get(&experiment->module_index, key);
	if (id == PROF_NONE) {
		id = (uint32_t)experiment->modules.count;
		struct prof_module *added =
			prof_map_push(&experiment->module_index, key, &experiment->modules);
		if (!added)
			return prof_error_nomem();
		*added = module;
	}
	*ret = id;
	return NULL;
}

struct prof_error *prof_experiment_range(
	struct prof_experiment *experiment, uint32_t module, const struct prof_range *range)
{
	assert(module < experiment->modules.count && range->low < range->high);

	struct prof_module *owner = &experiment->modules.items[module];
	for (size_t i = 0; i < owner->ranges.count; i++) {
		const struct prof_range *known = &owner->ranges.items[i];
		if (known->low == range->low && known->high == range->high &&
			known->offset == range->offset)
			return NULL;
	}
	struct prof_range *added = prof_array_push(&owner->ranges);
	if (!added)
		return prof_error_nomem();
	*added = *range;
	return NULL;
}

struct prof_error *prof_experiment_thread(
	struct prof_experiment *experiment, int64_t id, const char *name, uint32_t *ret)
{
	uint32_t string, number = (uint32_t)experiment->threads.count;
	struct prof_error *error = prof_experiment_string(experiment, name, &string);

	if (error)
		return error;
	const int64_t values[PROF_PACKED_COLUMNS] = {[THREAD_ID] = id, [THREAD_NAME] = string};
	if (experiment->threads.count >= PROF_NONE ||
		!prof_row_changes_cover(&experiment->thread_changes, number + 1) ||
		!prof_packed_rows_add(&experiment->threads, values))
		return prof_error_nomem();
	*ret = number;
	if (number == 0 || id < experiment->first_thread)
		experiment->first_thread = id;
	return NULL;
}

struct prof_thread prof_experiment_thread_row(
	const struct prof_experiment *experiment, uint32_t thread)
{
	const struct prof_packed_rows *rows = &experiment->threads;

	return (struct prof_thread){
		.id = prof_packed_rows_get(rows, thread, THREAD_ID),
		.name = (uint32_t)prof_packed_rows_get(rows, thread, THREAD_NAME),
		.process = prof_packed_rows_get(rows, thread, THREAD_PROCESS),
	};
}

struct prof_owner prof_experiment_owner_row(
	const struct prof_experiment *experiment, uint32_t number)
{
	const struct prof_packed_rows *rows = &experiment->owners;

	return (struct prof_owner){
		.thread = (uint32_t)prof_packed_rows_get(rows, number, OWNER_THREAD),
		.process = prof_packed_rows_get(rows, number, OWNER_PROCESS),
	};
}

bool prof_experiment_is_main(const struct prof_experiment *experiment, uint32_t thread)
{
	const struct prof_thread at = prof_experiment_thread_row(experiment, thread);

	return at.id == (at.process ? at.process : experiment->first_thread);
}

struct prof_error *prof_experiment_own(
	struct prof_experiment *experiment, uint32_t thread, int64_t process)
{
	const int64_t values[PROF_PACKED_COLUMNS] = {
		[OWNER_THREAD] = thread, [OWNER_PROCESS] = process};

	assert(process && !prof_packed_rows_get(&experiment->threads, thread, THREAD_PROCESS));
	/* The file has it in the table of owners: there, the thread's row does not change. */
	if (!prof_packed_rows_prepare(&experiment->owners) ||
		!prof_packed_rows_set(&experiment->threads, thread, THREAD_PROCESS, process, 0) ||
		!prof_packed_rows_add(&experiment->owners, values))
		return prof_error_nomem();
	return NULL;
}

struct prof_error *prof_experiment_rename(
	struct prof_experiment *experiment, uint32_t thread, const char *name)
{
	uint32_t string;
	struct prof_error *error = prof_experiment_string(experiment, name, &string);

	if (error)
		return error;
	uint64_t change = experiment->changes + 1;
	if (!prof_packed_rows_set(&experiment->threads, thread, THREAD_NAME, string, change))
		return prof_error_nomem();
	experiment->changes = change;
	prof_row_changes_note(&experiment->thread_changes, thread, change);
	return NULL;
}

struct prof_error *prof_experiment_function(struct prof_experiment *experiment, const char *name,
	size_t length, uint32_t module, uint32_t *ret)
{
	assert(module < experiment->modules.count);

	struct prof_function function = {.module = module};
	struct prof_error *error =
		prof_strings_add(&experiment->strings, name, length, &function.name);
	if (error)
		return error;

	uint64_t key = prof_map_pair(module, function.name);
	uint32_t id = prof_map_get(&experiment->function_index, key);
	if (id == PROF_NONE) {
		id = (uint32_t)experiment->functions.count;
		struct prof_function *added =
			prof_map_push(&experiment->function_index, key, &experiment->functions);
		if (!added)
			return prof_error_nomem();
		*added = function;
	}
	*ret = id;
	return NULL;
}

/* The key of a frame: MODULE and ADDRESS; or PLACE, if ADDRESS is 0. */
struct wanted_frame {
	const struct prof_experiment *experiment;
	uint64_t address;
	uint32_t module;
	struct prof_location place;
};

static bool same_frame(const void *context, uint32_t id)
{
	const struct wanted_frame *wanted = context;
	const struct prof_frame *frame = &wanted->experiment->frames.items[id];

	if (frame->address != wanted->address)
		return false;
	if (frame->address)
		return frame->module == wanted->module;
	const struct prof_location *place =
		&wanted->experiment->locations.items[frame->first_location];
	return place->function == wanted->place.function && place->file == wanted->place.file &&
		place->line == wanted->place.line;
}

static uint64_t frame_key(const struct wanted_frame *wanted)
{
	if (wanted->address)
		return wanted->address ^ wanted->module * UINT64_C(0x9e3779b97f4a7c15);
	const uint32_t place[] = {wanted->place.function, wanted->place.file, wanted->place.line};
	return prof_map_hash(place, sizeof place);
}

uint32_t prof_experiment_find_frame_of(const struct prof_experiment *experiment, uint32_t function)
{
	struct wanted_frame wanted = {.experiment = experiment,
		.place = {.function = function, .file = prof_experiment_no_string(experiment)}};

	return prof_map_find(&experiment->frame_index, frame_key(&wanted), same_frame, &wanted);
}

uint32_t prof_experiment_find_frame(
	const struct prof_experiment *experiment, uint32_t module, uint64_t address)
{
	struct wanted_frame wanted = {experiment, address, module, {0}};

	return address
		? prof_map_find(&experiment->frame_index, frame_key(&wanted), same_frame, &wanted)
		: PROF_NONE;
}

static struct prof_error *intern_frame(
	const struct wanted_frame *wanted, struct prof_experiment *experiment, uint32_t *ret)
{
	uint64_t key = frame_key(wanted);
	uint32_t id = prof_map_find(&experiment->frame_index, key, same_frame, wanted);

	if (id == PROF_NONE) {
		id = (uint32_t)experiment->frames.count;
		struct prof_frame *added =
			prof_map_push(&experiment->frame_index, key, &experiment->frames);
		if (!added)
			return prof_error_nomem();
		*added = (struct prof_frame){.address = wanted->address, .module = wanted->module};
	}
	*ret = id;
	return NULL;
}

struct prof_error *prof_experiment_frame(
	struct prof_experiment *experiment, uint32_t module, uint64_t address, uint32_t *ret)
{
	assert(module < experiment->modules.count);

	if (address) {
		struct wanted_frame wanted = {experiment, address, module, {0}};
		return intern_frame(&wanted, experiment, ret);
	}

	uint32_t unknown;
	struct prof_error *error = prof_experiment_function(
		experiment, PROF_UNKNOWN, strlen(PROF_UNKNOWN), module, &unknown);
	return error ? error : prof_experiment_frame_of(experiment, unknown, ret);
}

/* Makes room for COUNT locations, and for the frame that they resolve. */
static bool prepare_resolve(struct prof_experiment *experiment, uint32_t count)
{
	return count < PROF_NONE - experiment->locations.count &&
		prof_array_reserve(&experiment->locations, count) &&
		prof_array_reserve(&experiment->resolved, 1);
}

struct prof_error *prof_experiment_frame_of(
	struct prof_experiment *experiment, uint32_t function, uint32_t *ret)
{
	uint32_t file;
	struct prof_error *error = prof_experiment_string(experiment, "", &file);

	return error ? error : prof_experiment_frame_at(experiment, function, file, 0, ret);
}

struct prof_error *prof_experiment_frame_at(struct prof_experiment *experiment, uint32_t function,
	uint32_t file, uint32_t line, uint32_t *ret)
{
	assert(function < experiment->functions.count && file < experiment->strings.texts.count);

	uint32_t module = experiment->functions.items[function].module;
	struct wanted_frame wanted = {
		experiment, 0, module, {function, file, line, PROF_OFFSET_UNKNOWN}};
	if (!prepare_resolve(experiment, 1))
		return prof_error_nomem();

	size_t known = experiment->frames.count;
	uint32_t id;
	struct prof_error *error = intern_frame(&wanted, experiment, &id);
	/* The room is there already, so a frame without an address always gets its function. */
	if (!error && id == known)
		error = prof_experiment_resolve(experiment, id, &wanted.place, 1);
	if (!error)
		*ret = id;
	return error;
}

struct prof_error *prof_experiment_resolve(struct prof_experiment *experiment, uint32_t frame,
	const struct prof_location *locations, uint32_t count)
{
	assert(frame < experiment->frames.count && count > 0);

	struct prof_frame *resolved = &experiment->frames.items[frame];
	assert(!resolved->locations);
	if (!prepare_resolve(experiment, count))
		return prof_error_nomem();
	for (uint32_t i = 0; i < count; i++) {
		assert(locations[i].function < experiment->functions.count);
		assert(locations[i].file < experiment->strings.texts.count);
	}
	resolved->first_location = (uint32_t)experiment->locations.count;
	resolved->locations = count;
	memcpy(&experiment->locations.items[experiment->locations.count], locations,
		count * sizeof *locations);
	experiment->locations.count += count;
	experiment->resolved.items[experiment->resolved.count++] = frame;
	return NULL;
}

struct prof_error *prof_experiment_path(
	struct prof_experiment *experiment, uint32_t parent, uint32_t frame, uint32_t *ret)
{
	assert(parent < experiment->paths.count && frame < experiment->frames.count);

	uint32_t id = prof_children_find(&experiment->path_index, parent, frame);
	if (id == PROF_NONE) {
		id = (uint32_t)experiment->paths.count;
		struct prof_path *added = prof_children_push(
			&experiment->path_index, parent, frame, &experiment->paths);
		if (!added)
			return prof_error_nomem();
		*added = (struct prof_path){parent, frame};
	}
	*ret = id;
	return NULL;
}

static void check_values(const prof_value values[PROF_QUANTITIES])
{
	for (size_t i = 0; i < PROF_QUANTITIES; i++)
		assert(values[i] >= 0 && values[i] <= PROF_VALUE_MOST);
}

struct prof_error *prof_experiment_sample_row(
	struct prof_experiment *experiment, const struct prof_sample_row *row)
{
	assert(row->sample.path < experiment->paths.count);
	assert(row->sample.thread < experiment->threads.count && row->sample.state < PROF_STATES);
	for (prof_quantities left = row->has; left; left &= left - 1) {
		prof_value value = row->values[__builtin_ctzll(left)];
		assert(value > 0 && value <= PROF_VALUE_MOST);
		(void)value;
	}
	if (experiment->samples.count >= PROF_NONE || !prof_samples_add(&experiment->samples, row))
		return prof_error_nomem();
	return NULL;
}

struct prof_error *prof_experiment_sample(struct prof_experiment *experiment,
	const struct prof_sample *sample, const prof_value values[PROF_QUANTITIES])
{
	struct prof_sample_row row = {.sample = *sample};

	check_values(values);
	for (int i = 0; i < PROF_QUANTITIES; i++) {
		if (values[i])
			prof_sample_row_set(&row, i, values[i]);
	}
	return prof_experiment_sample_row(experiment, &row);
}

bool prof_experiment_extend(struct prof_experiment *experiment, size_t number, int64_t time,
	const prof_value values[PROF_QUANTITIES])
{
	const struct prof_sample_row *row = prof_samples_recent(&experiment->samples, number);

	check_values(values);
	for (int i = 0; row && i < PROF_QUANTITIES; i++) {
		if (values[i] > PROF_VALUE_MOST - row->values[i])
			return false;
	}
	if (row)
		prof_samples_extend(&experiment->samples, number, time, values);
	return row;
}

struct prof_error *prof_experiment_mark(
	struct prof_experiment *experiment, const struct prof_mark *mark, const char *label)
{
	uint32_t string;
	struct prof_error *error = prof_experiment_string(experiment, label, &string);

	assert(mark->kind < PROF_MARK_KINDS);
	if (error)
		return error;
	if (!prepare(&experiment->marks))
		return prof_error_nomem();
	struct prof_mark *added = &experiment->marks.items[experiment->marks.count++];
	*added = *mark;
	added->label = string;
	return NULL;
}

uint32_t prof_experiment_unknown(const struct prof_experiment *experiment)
{
	uint64_t key = prof_map_pair(0, experiment->modules.items[0].path);
	uint32_t function = prof_map_get(&experiment->function_index, key);

	return function == PROF_NONE ? (uint32_t)experiment->functions.count : function;
}

size_t prof_experiment_functions(const struct prof_experiment *experiment)
{
	size_t count = experiment->functions.count;

	return count + (prof_experiment_unknown(experiment) == count);
}

struct prof_function prof_experiment_function_row(
	const struct prof_experiment *experiment, uint32_t function)
{
	assert(function <= experiment->functions.count);
	/* Module 0 has the same name. */
	return function < experiment->functions.count
		? experiment->functions.items[function]
		: (struct prof_function){.name = experiment->modules.items[0].path};
}

const char *prof_experiment_function_name(
	const struct prof_experiment *experiment, uint32_t function)
{
	return prof_strings_get(
		&experiment->strings, prof_experiment_function_row(experiment, function).name);
}

#define BYTES(array) ((array).count * sizeof *(array).items)

uint64_t prof_experiment_size(const struct prof_experiment *experiment)
{
	return prof_packed_rows_size(&experiment->threads) +
		prof_packed_rows_size(&experiment->owners) +
		prof_packed_rows_size(&experiment->calls) + BYTES(experiment->ranks) +
		BYTES(experiment->functions) + BYTES(experiment->locations) +
		BYTES(experiment->frames) + BYTES(experiment->paths) +
		prof_samples_size(&experiment->samples) + BYTES(experiment->marks) +
		BYTES(experiment->data) + BYTES(experiment->arcs) + BYTES(experiment->arc_values) +
		BYTES(experiment->objects) + experiment->traced.bytes +
		BYTES(experiment->arguments) + BYTES(experiment->held) +
		BYTES(experiment->operations) + BYTES(experiment->gmon.bins) +
		BYTES(experiment->gmon.arcs) + BYTES(experiment->gmon.functions) +
		BYTES(experiment->gmon.lines);
}
