/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/user_stacks.h"

#include "model/cursor.h"
#include "model/experiment.h"
#include "model/merge.h"
#include "model/samples.h"
#include "model/spool.h"
#include "parallel/class.h"
#include "parallel/openmp_places.h"
#include "parallel/openmp_regions.h"
#include "parallel/openmp_stacks.h"
#include "parallel/openmp_times.h"
#include "parallel/openmp_unseen.h"
#include "parallel/user_paths.h"

#include <stdlib.h>

const char *const prof_stacks_names[PROF_STACKS_MODES] = {
	[PROF_STACKS_USER] = "user",
	[PROF_STACKS_MACHINE] = "machine",
};

/* A part of a sample's time: in the region of OPENER, or, if that is 0, in none. */
struct part {
	uint32_t opener;
	int64_t length; /* ns */
};

struct work {
	struct prof_experiment *experiment;
	const struct prof_openmp_stacks *stacks;
	const struct prof_openmp_regions *regions;
	const struct prof_openmp_times *times;
	struct prof_openmp_places *places;
	struct prof_user_paths paths;
	PROF_ARRAY(struct part) parts; /* of the current sample, the longest first */
	struct prof_samples placed;    /* those that have their new paths */
	bool divided;                  /* is there a sample of more than one part? */
	bool others;                   /* samples are made of the parts behind the first ones */
};

static void work_deinit(struct work *work)
{
	prof_user_paths_deinit(&work->paths);
	free(work->parts.items);
	prof_samples_deinit(&work->placed);
}

/* Adds LENGTH ns in the region of OPENER. */
static bool add_part(struct work *work, uint32_t opener, int64_t length)
{
	for (size_t i = 0; i < work->parts.count; i++) {
		if (work->parts.items[i].opener == opener) {
			work->parts.items[i].length += length;
			return true;
		}
	}
	struct part *part = prof_array_push(&work->parts);
	if (part)
		*part = (struct part){opener, length};
	return part;
}

static int compare(const void *left, const void *right)
{
	const struct part *a = left, *b = right;

	return (a->length < b->length) - (a->length > b->length);
}

/* A stretch of a thread's time to divide. */
struct stretch {
	int64_t process, begin, end;
	int64_t at;      /* it is divided up to here */
	uint32_t region; /* PROF_NONE: divide by outermost regions; otherwise by this one */
};

/* Divides STRETCH by the times of outermost regions (OUTER), or of nested ones. */
static bool divide_by(struct work *work, struct stretch *stretch, bool outer)
{
	const struct prof_openmp_times *times = work->times;

	for (size_t i = prof_openmp_times_first(times, stretch->process, outer, stretch->begin);
		i < times->items.count; i++) {
		const struct prof_openmp_time *time = &times->items.items[i];
		if (time->process != stretch->process || time->outer != outer ||
			time->begin >= stretch->end)
			break;
		uint32_t opened = work->regions->opened[time->opener];
		if (stretch->region != PROF_NONE &&
			(!opened || work->regions->of[opened] != stretch->region))
			continue;
		int64_t from = time->begin > stretch->at ? time->begin : stretch->at;
		int64_t to = time->end < stretch->end ? time->end : stretch->end;
		if (to <= from)
			continue;
		if (!add_part(work, time->opener, to - from) ||
			(from > stretch->at && !add_part(work, 0, from - stretch->at)))
			return false;
		stretch->at = to;
	}
	return true;
}

/*
 * Divides the time from BEGIN to END of a thread of PROCESS by the regions that were open: by
 * REGION only or, if that is PROF_NONE, by all outermost ones.  If several threads had one open at
 * the same time, the time belongs to the one that was opened first.
 */
static bool divide(struct work *work, int64_t process, int64_t begin, int64_t end, uint32_t region)
{
	struct stretch stretch = {process, begin, end, begin, region};

	work->parts.count = 0;
	if (!divide_by(work, &stretch, true) ||
		(region != PROF_NONE && !divide_by(work, &stretch, false)))
		return false;
	if ((stretch.at < end || !work->parts.count) && !add_part(work, 0, end - stretch.at))
		return false;
	qsort(work->parts.items, work->parts.count, sizeof *work->parts.items, compare);
	return true;
}

/* Adds ROW to the samples that have their new paths. */
static struct prof_error *add(struct work *work, const struct prof_sample_row *row)
{
	if (work->placed.count >= PROF_NONE || !prof_samples_add(&work->placed, row))
		return prof_error_nomem();
	prof_spool_added(&work->placed);
	return NULL;
}

/*
 * Gives ROW its path in the region of the first part, and takes the time of the other parts off it.
 * If these are wanted now, adds a sample for each.  Counts of samples and events stay with the
 * first one.
 */
static struct prof_error *split(struct work *work, struct prof_sample_row *row, int64_t length)
{
	const struct prof_sample_row whole = *row;
	struct prof_error *error = NULL;

	for (size_t i = 0; i < work->parts.count && !error; i++) {
		const struct part *part = &work->parts.items[i];
		struct prof_sample_row one = {.sample = whole.sample};
		error = prof_user_paths_get(
			&work->paths, whole.sample.path, part->opener, &one.sample.path);
		if (!i)
			row->sample.path = one.sample.path;
		for (int j = 0; i && j < PROF_STATES; j++) {
			int quantity = PROF_QUANTITY_SPENT + j;
			prof_value value = prof_value_scale(
				whole.values[quantity], part->length, length ? length : 1);
			prof_sample_row_set(&one, quantity, value);
			prof_sample_row_set(row, quantity, row->values[quantity] - value);
		}
		if (i && work->others && !error)
			error = add(work, &one);
	}
	work->divided |= work->parts.count > 1;
	return error;
}

/* Finds the path of ROW, of a worker. */
static struct prof_error *place_worker(struct work *work, struct prof_sample_row *row)
{
	const struct prof_openmp_stack *stack = &work->stacks->items[row->sample.path];
	int64_t process = prof_openmp_process(work->experiment, row->sample.thread);
	int64_t begin = prof_openmp_begin(row), end = row->sample.time;
	uint32_t base = prof_user_paths_base(&work->paths, row->sample.path);
	const struct prof_openmp_region *region =
		base == PROF_NONE ? NULL : &work->regions->items.items[base];
	uint32_t opener = region ? region->opener : 0;

	if (prof_openmp_is_idle(stack))
		return divide(work, process, begin, end, PROF_NONE) ? split(work, row, end - begin)
								    : prof_error_nomem();
	if (!opener || region->several || region->task) {
		/* Take the one that was open for the longest part of the sample. */
		if (!divide(work, process, begin, end > begin ? end : begin + 1,
			    opener ? base : PROF_NONE))
			return prof_error_nomem();
		for (size_t i = work->parts.count; i-- > 0;) {
			if (work->parts.items[i].opener)
				opener = work->parts.items[i].opener;
		}
	}
	return prof_user_paths_get(&work->paths, row->sample.path, opener, &row->sample.path);
}

/* Gives ROW, of any thread, its new path. */
static struct prof_error *place(struct work *work, struct prof_sample_row *row)
{
	const struct prof_openmp_stack *stack = &work->stacks->items[row->sample.path];
	uint32_t opener = 0;

	if (stack->worker) {
		/* Otherwise it is the innermost region, and the stack shows that. */
		if (!stack->region)
			opener = prof_openmp_places_opener(work->places, row->number);
		if (!opener)
			return place_worker(work, row);
	}
	return prof_user_paths_get(&work->paths, row->sample.path, opener, &row->sample.path);
}

/* Adds all samples with their new paths, under the numbers that they have. */
static struct prof_error *add_all(struct work *work, const struct prof_progress *progress)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = work->experiment,
		.progress = progress,
		.doing = "Joining the stacks of OpenMP"};
	struct prof_error *error = NULL;

	while (!error && prof_cursor_next(&rows)) {
		/* The cursor needs its own as it is, to unpack the next one. */
		struct prof_sample_row row = rows.row;
		error = place(work, &row);
		/* What is traced stays in its own table. */
		for (int i = PROF_QUANTITY_TRACED; i < PROF_QUANTITIES; i++)
			prof_sample_row_set(&row, i, 0);
		if (!error)
			error = add(work, &row);
	}
	return error ? error : prof_cursor_error(&rows);
}

/*
 * Adds samples of the parts that add_all() has taken off others.  They are found once more, because
 * there may be too many to be kept.
 */
static struct prof_error *add_others(struct work *work, const struct prof_progress *progress)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = work->experiment,
		.progress = progress,
		.doing = "Dividing the time of workers"};
	struct prof_error *error = NULL;

	work->others = true;
	while (work->divided && !error && prof_cursor_next(&rows)) {
		struct prof_sample_row row = rows.row;
		if (prof_openmp_is_idle(&work->stacks->items[row.sample.path]))
			error = place_worker(work, &row);
	}
	return error ? error : prof_cursor_error(&rows);
}

/* Gives all samples their new paths. */
static struct prof_error *place_all(struct work *work, const struct prof_progress *progress)
{
	struct prof_samples *samples = &work->experiment->samples;
	struct prof_error *error = add_all(work, progress);

	if (!error)
		error = add_others(work, progress);
	if (error)
		return error;
	work->placed.changes += samples->changes;
	prof_samples_deinit(samples);
	*samples = work->placed;
	work->placed = (struct prof_samples){0};
	return prof_user_paths_classify(&work->paths);
}

/*
 * Finds by time who has opened the region of ROW, of a worker, if no stack shows it because the
 * opening thread was only seen in the runtime.
 */
static struct prof_error *adopt(
	struct work *work, struct prof_openmp_regions *regions, const struct prof_sample_row *row)
{
	uint32_t path = row->sample.path;
	uint32_t base = prof_user_paths_base(&work->paths, path);
	int64_t process = prof_openmp_process(work->experiment, row->sample.thread);

	if (base == PROF_NONE || regions->items.items[base].opener ||
		regions->items.items[base].task)
		return NULL;
	if (!divide(work, process, prof_openmp_begin(row), row->sample.time, PROF_NONE))
		return prof_error_nomem();
	for (size_t i = 0; i < work->parts.count; i++) {
		uint32_t opener = work->parts.items[i].opener;
		if (opener && !regions->opened[opener]) {
			prof_openmp_regions_open(regions, work->paths.bases[path], opener);
			break;
		}
	}
	return NULL;
}

static struct prof_error *adopt_all(struct work *work, struct prof_openmp_regions *regions,
	const struct prof_progress *progress)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = work->experiment,
		.progress = progress,
		.doing = "Finding who opens regions"};
	bool any = false;
	struct prof_error *error = NULL;

	for (size_t i = 0; i < regions->items.count; i++)
		any |= !regions->items.items[i].opener && !regions->items.items[i].task;
	while (any && !error && prof_cursor_next(&rows))
		error = adopt(work, regions, &rows.row);
	return error ? error : prof_cursor_error(&rows);
}

/* Gives the samples of EXPERIMENT, whose stacks are STACKS, the stacks of MODE. */
static struct prof_error *change(struct prof_experiment *experiment,
	const struct prof_openmp_stacks *stacks, enum prof_stacks mode,
	const struct prof_progress *progress)
{
	AUTO_OPENMP_REGIONS struct prof_openmp_regions regions = {0};
	AUTO_OPENMP_TIMES struct prof_openmp_times times = {0};
	AUTO_OPENMP_PLACES struct prof_openmp_places places = {0};
	PROF_AUTO(work_deinit)
	struct work work = {
		.experiment = experiment,
		.stacks = stacks,
		.regions = &regions,
		.times = &times,
		.places = &places,
		.paths = {.experiment = experiment,
			.stacks = stacks,
			.regions = &regions,
			.mode = mode},
	};
	struct prof_error *error = prof_openmp_regions_init(&regions, experiment, stacks);

	if (!error)
		error = prof_openmp_times_init(&times, experiment, stacks, progress);
	if (!error)
		error = prof_openmp_places_init(&places, experiment, stacks, progress);
	if (!error)
		error = prof_user_paths_init(&work.paths);
	if (!error)
		error = adopt_all(&work, &regions, progress);
	if (!error)
		error = prof_openmp_regions_name(
			&regions, experiment, stacks, mode == PROF_STACKS_USER);
	return error ? error : place_all(&work, progress);
}

struct prof_error *prof_user_stacks_create(const struct prof_experiment *experiment,
	enum prof_stacks mode, const struct prof_progress *progress, struct prof_experiment **ret)
{
	AUTO_OPENMP_STACKS struct prof_openmp_stacks stacks = {0};
	AUTO_OPENMP_STACKS struct prof_openmp_stacks merged = {0};
	AUTO_OPENMP_STACKS struct prof_openmp_stacks own = {0};
	AUTO_EXPERIMENT struct prof_experiment *made = NULL;
	struct prof_error *error = prof_openmp_stacks_init(&stacks, experiment);

	*ret = NULL;
	if (error || !stacks.used)
		return error;
	error = prof_experiment_create(&made);
	if (!error)
		error = prof_experiment_merge(made, experiment, progress);
	if (!error)
		error = prof_openmp_stacks_init(&merged, made);
	if (!error)
		error = prof_openmp_unseen_add(made, &merged, progress);
	if (!error)
		error = prof_openmp_stacks_init(&own, made);
	if (!error)
		error = change(made, &own, mode, progress);
	if (error)
		return error;
	made->recording.experiments = experiment->recording.experiments;
	*ret = steal(&made);
	return NULL;
}

struct prof_error *prof_user_stacks_apply(struct prof_experiment **experiment,
	enum prof_stacks mode, const struct prof_progress *progress)
{
	struct prof_experiment *made = NULL;
	struct prof_error *error = prof_classes_update(*experiment);

	if (!error)
		error = prof_user_stacks_create(*experiment, mode, progress, &made);
	if (error || !made)
		return error;
	prof_experiment_destroy(*experiment);
	*experiment = made;
	return NULL;
}
