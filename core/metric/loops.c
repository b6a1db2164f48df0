/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/loops.h"

#include "base/map.h"
#include "metric/metric.h"
#include "metric/selection.h"
#include "model/call_target.h"
#include "model/cursor.h"
#include "model/experiment.h"

#include <stdlib.h>

/* The share of a thread in a loop. */
struct share {
	uint32_t loop;
	prof_value work;
};

struct work {
	const struct prof_experiment *experiment;
	const struct prof_selection *selection;
	struct prof_metric wait; /* omp-wait */
	bool traced;             /* were loops traced?  Otherwise they are known by samples. */
	struct prof_loop_sums *sums;
	struct prof_map index;       /* by region and place: the number of a loop */
	struct prof_map share_index; /* by loop and thread: the number of a share */
	PROF_ARRAY(struct share) shares;
};

static void work_deinit(struct work *work)
{
	prof_map_deinit(&work->index);
	prof_map_deinit(&work->share_index);
	free(work->shares.items);
}

void prof_loop_sums_deinit(struct prof_loop_sums *sums)
{
	free(sums->items.items);
	*sums = (struct prof_loop_sums){0};
}

static prof_value value_of(const struct work *work, const struct prof_sample_row *row, int value)
{
	return prof_selection_value(
		work->selection, row, (enum prof_quantity)(PROF_QUANTITY_TRACED + value));
}

/* Reads what was traced in ROW into LOOP.  False: nothing of a loop. */
static bool read_traced(
	const struct work *work, const struct prof_sample_row *row, struct prof_loop_sum *loop)
{
	static const int counts[PROF_SHARED_CODES] = {[PROF_SHARED_LOOP] = PROF_TRACED_OMP_LOOPS,
		[PROF_SHARED_SECTIONS] = PROF_TRACED_OMP_SECTIONS,
		[PROF_SHARED_SINGLE] = PROF_TRACED_OMP_SINGLES};

	loop->traced = true;
	loop->work = value_of(work, row, PROF_TRACED_OMP_LOOP);
	loop->wait = value_of(work, row, PROF_TRACED_OMP_LOOP_WAIT);
	for (int i = PROF_SHARED_NONE + 1; i < PROF_SHARED_CODES; i++) {
		prof_value count = value_of(work, row, counts[i]);
		if (count)
			loop->code = (enum prof_shared_code)i;
		loop->instances += (uint64_t)(count / PROF_VALUE_ONE);
	}
	return loop->work || loop->wait || loop->instances;
}

/* The frame that has called what ROW's stack ends with; PROF_NONE: there is none. */
static uint32_t caller_of(const struct prof_experiment *experiment, uint32_t path)
{
	uint32_t parent = experiment->paths.items[path].parent;

	return parent ? experiment->paths.items[parent].frame : PROF_NONE;
}

/* Reads the time of ROW, of a thread in a call of the runtime from FRAME.  False: none. */
static bool read_sampled(const struct work *work, const struct prof_sample_row *row, uint32_t frame,
	struct prof_loop_sum *loop)
{
	const char *called = prof_call_target_of(work->experiment, frame);

	loop->code = called ? prof_openmp_shared_code(called) : PROF_SHARED_NONE;
	if (loop->code == PROF_SHARED_NONE)
		return false;
	loop->wait = prof_metric_of(work->experiment, &work->wait, work->selection, row);
	return loop->wait;
}

/*
 * Fills in the place of LOOP, at FRAME.  clang gives the calls of the runtime lines of their own,
 * and gcc that of what happens to be beside them, which may be inlined from elsewhere.
 */
static bool find_place(
	const struct prof_experiment *experiment, uint32_t frame, struct prof_loop_sum *loop)
{
	const struct prof_frame *at = &experiment->frames.items[frame];

	if (!at->locations)
		return false;
	uint32_t number = at->first_location + (loop->traced ? 0 : at->locations - 1);
	const struct prof_location *location = &experiment->locations.items[number];
	loop->function = location->function;
	loop->file = location->file;
	loop->line = location->line;
	return true;
}

struct wanted {
	const struct prof_loop_sums *sums;
	const struct prof_loop_sum *loop;
};

static bool is_at(const void *context, uint32_t number)
{
	const struct wanted *wanted = context;
	const struct prof_loop_sum *loop = &wanted->sums->items.items[number];

	return loop->region == wanted->loop->region && loop->function == wanted->loop->function &&
		loop->file == wanted->loop->file && loop->line == wanted->loop->line;
}

/* Sets *RET to the number of the loop that is where ONE is. */
static struct prof_error *find_loop(
	struct work *work, const struct prof_loop_sum *one, uint32_t *ret)
{
	struct wanted wanted = {work->sums, one};
	uint64_t hash =
		prof_map_pair(one->region, one->function) ^ prof_map_pair(one->line, one->file);

	*ret = prof_map_find(&work->index, hash, is_at, &wanted);
	if (*ret != PROF_NONE)
		return NULL;
	*ret = (uint32_t)work->sums->items.count;
	struct prof_loop_sum *added = prof_map_push(&work->index, hash, &work->sums->items);
	if (!added)
		return prof_error_nomem();
	*added = (struct prof_loop_sum){.region = one->region,
		.function = one->function,
		.file = one->file,
		.line = one->line,
		.traced = one->traced};
	return NULL;
}

/* Adds WORK_OF of THREAD in the loop NUMBER. */
static struct prof_error *add_share(
	struct work *work, uint32_t number, uint32_t thread, prof_value work_of)
{
	uint64_t key = prof_map_pair(number, thread);
	uint32_t found = prof_map_get(&work->share_index, key);

	if (found == PROF_NONE) {
		found = (uint32_t)work->shares.count;
		struct share *added = prof_map_push(&work->share_index, key, &work->shares);
		if (!added)
			return prof_error_nomem();
		*added = (struct share){.loop = number};
		work->sums->items.items[number].threads++;
	}
	work->shares.items[found].work += work_of;
	return NULL;
}

/* Adds ROW to its loop, if it is of one. */
static struct prof_error *take(struct work *work, const struct prof_sample_row *row)
{
	const struct prof_experiment *experiment = work->experiment;
	uint32_t path = row->sample.path;
	struct prof_loop_sum one = {.region = path < experiment->regions.count
			? experiment->regions.items[path]
			: PROF_NONE};
	uint32_t frame = one.region == PROF_NONE ? PROF_NONE : caller_of(experiment, path);
	uint32_t number;

	if (frame == PROF_NONE)
		return NULL;
	bool any =
		work->traced ? read_traced(work, row, &one) : read_sampled(work, row, frame, &one);
	if (!any || !find_place(experiment, frame, &one))
		return NULL;
	struct prof_error *error = find_loop(work, &one, &number);
	if (error)
		return error;
	struct prof_loop_sum *loop = &work->sums->items.items[number];
	if (one.code)
		loop->code = one.code;
	loop->instances += one.instances;
	loop->work += one.work;
	loop->wait += one.wait;
	return add_share(work, number, row->sample.thread, one.work);
}

static int compare(const void *left, const void *right)
{
	const struct prof_loop_sum *a = left, *b = right;
	prof_value x = a->work + a->wait, y = b->work + b->wait;

	if (a->region != b->region)
		return (a->region > b->region) - (a->region < b->region);
	if (x != y)
		return (x < y) - (x > y);
	return (a->line > b->line) - (a->line < b->line);
}

/* Adds up the shares, and puts the loops in order. */
static void finish(const struct work *work)
{
	struct prof_loop_sums *sums = work->sums;

	for (size_t i = 0; i < work->shares.count; i++) {
		const struct share *share = &work->shares.items[i];
		struct prof_loop_sum *loop = &sums->items.items[share->loop];
		loop->all += share->work;
		if (share->work > loop->most)
			loop->most = share->work;
	}
	/* Threads that have not met its beginning may not tell what it is. */
	for (size_t i = 0; i < sums->items.count; i++) {
		if (sums->items.items[i].code == PROF_SHARED_NONE)
			sums->items.items[i].code = PROF_SHARED_LOOP;
	}
	if (sums->items.count)
		qsort(sums->items.items, sums->items.count, sizeof *sums->items.items, compare);
}

struct prof_error *prof_loop_sums_init(struct prof_loop_sums *sums,
	const struct prof_experiment *experiment, const struct prof_selection *selection,
	const struct prof_progress *progress)
{
	PROF_AUTO(work_deinit)
	struct work work = {.experiment = experiment,
		.selection = selection,
		.traced = experiment->traced.loops,
		.sums = sums};
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment,
		.blocks = prof_selection_blocks(selection),
		.progress = progress,
		.doing = "Adding up loops"};
	struct prof_error *error = prof_metric_find(experiment, "omp-wait", &work.wait);

	*sums = (struct prof_loop_sums){0};
	while (!error && prof_cursor_next(&rows))
		error = take(&work, &rows.row);
	if (!error)
		error = prof_cursor_error(&rows);
	if (error)
		return error;
	finish(&work);
	return NULL;
}
