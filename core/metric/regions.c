/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/regions.h"

#include "base/map.h"
#include "metric/metric.h"
#include "metric/selection.h"
#include "model/arcs.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "parallel/openmp_calls.h"

#include <stdlib.h>

/* The share of a thread in a region. */
struct share {
	uint32_t region;
	prof_value work, wait, opened;
	prof_value times[PROF_REGION_TIMES];
};

struct work {
	const struct prof_experiment *experiment;
	const struct prof_selection *selection;
	struct prof_metric metrics[2]; /* omp-work, omp-wait */
	struct prof_map index;         /* by region and thread: the number of a share */
	PROF_ARRAY(struct share) shares;
};

static void work_deinit(struct work *work)
{
	prof_map_deinit(&work->index);
	free(work->shares.items);
}

void prof_region_sums_deinit(struct prof_region_sums *sums)
{
	free(sums->items.items);
	*sums = (struct prof_region_sums){0};
}

/* Reads what ROW has into SHARE.  False: nothing. */
static bool read_share(
	const struct work *work, const struct prof_sample_row *row, struct share *share)
{
	const int first = PROF_QUANTITY_TRACED + PROF_TRACED_OMP_INSIDE;
	bool any = false;

	share->work = prof_metric_of(work->experiment, &work->metrics[0], work->selection, row);
	share->wait = prof_metric_of(work->experiment, &work->metrics[1], work->selection, row);
	share->opened = prof_selection_value(
		work->selection, row, PROF_QUANTITY_TRACED + PROF_TRACED_OMP_REGIONS);
	for (int i = 0; i < PROF_REGION_TIMES; i++) {
		share->times[i] =
			prof_selection_value(work->selection, row, (enum prof_quantity)(first + i));
		any |= share->times[i] != 0;
	}
	return any || share->work || share->wait || share->opened;
}

/* Adds ROW to the share of its thread in its region. */
static struct prof_error *take(struct work *work, const struct prof_sample_row *row)
{
	const struct prof_experiment *experiment = work->experiment;
	uint32_t path = row->sample.path;
	uint32_t region =
		path < experiment->regions.count ? experiment->regions.items[path] : PROF_NONE;
	struct share one;

	if (region == PROF_NONE || !read_share(work, row, &one))
		return NULL;
	uint64_t key = prof_map_pair(region, row->sample.thread);
	uint32_t number = prof_map_get(&work->index, key);
	if (number == PROF_NONE) {
		number = (uint32_t)work->shares.count;
		struct share *added = prof_map_push(&work->index, key, &work->shares);
		if (!added)
			return prof_error_nomem();
		*added = (struct share){.region = region};
	}
	struct share *share = &work->shares.items[number];
	share->work += one.work;
	share->wait += one.wait;
	share->opened += one.opened;
	for (int i = 0; i < PROF_REGION_TIMES; i++)
		share->times[i] += one.times[i];
	return NULL;
}

/* The time that SHARE was inside of its region and did not wait. */
static prof_value busy(const struct share *share)
{
	prof_value left = share->times[PROF_REGION_INSIDE];

	for (int i = PROF_REGION_INSIDE + 1; i < PROF_REGION_TIMES; i++)
		left -= share->times[i];
	return left > 0 ? left : 0;
}

/* Adds the shares to SUMS, by the number of the region. */
static void add_up(const struct work *work, struct prof_region_sum *sums)
{
	for (size_t i = 0; i < work->shares.count; i++) {
		const struct share *share = &work->shares.items[i];
		struct prof_region_sum *sum = &sums[share->region];
		sum->work += share->work;
		sum->wait += share->wait;
		sum->instances += (uint64_t)(share->opened / PROF_VALUE_ONE);
		sum->traced |= share->times[PROF_REGION_INSIDE] != 0;
		for (int j = 0; j < PROF_REGION_TIMES; j++)
			sum->times[j] += share->times[j];
	}
	for (size_t i = 0; i < work->shares.count; i++) {
		const struct share *share = &work->shares.items[i];
		struct prof_region_sum *sum = &sums[share->region];
		prof_value own = sum->traced ? busy(share) : share->work;
		sum->threads += !sum->traced || share->times[PROF_REGION_INSIDE];
		sum->all += own;
		if (own > sum->most)
			sum->most = own;
	}
}

/* How often the frame CALLER has opened a region, from counted calls. */
static uint64_t count_instances(const struct prof_experiment *experiment, uint32_t caller)
{
	uint64_t count = 0;

	for (size_t i = 0; i < experiment->arcs.count; i++) {
		const struct prof_arc *arc = &experiment->arcs.items[i];
		const struct prof_frame *callee = &experiment->frames.items[arc->callee];
		if (arc->caller != caller || !callee->locations)
			continue;
		enum prof_construct construct = prof_openmp_construct(prof_experiment_function_name(
			experiment, experiment->locations.items[callee->first_location].function));
		if (construct == PROF_CONSTRUCT_FORK || construct == PROF_CONSTRUCT_REGION)
			count += arc->calls;
	}
	return count;
}

/* The time of all threads in the region of SUM. */
static prof_value whole(const struct prof_region_sum *sum)
{
	return sum->traced ? sum->times[PROF_REGION_INSIDE] : sum->work + sum->wait;
}

static int compare(const void *left, const void *right)
{
	const struct prof_region_sum *a = left, *b = right;
	prof_value x = whole(a), y = whole(b);

	if (x != y)
		return (x < y) - (x > y);
	return (a->region > b->region) - (a->region < b->region);
}

/* Makes SUMS from the results of WORK. */
static struct prof_error *finish(const struct work *work, struct prof_region_sums *sums)
{
	const struct prof_experiment *experiment = work->experiment;
	size_t count = experiment->region_rows.count;
	AUTO_FREE struct prof_region_sum *all = calloc(count + 1, sizeof *all);

	if (!all || !prof_array_reserve(&sums->items, count))
		return prof_error_nomem();
	add_up(work, all);
	for (size_t i = 0; i < count; i++) {
		if (!all[i].threads)
			continue;
		all[i].region = (uint32_t)i;
		if (!all[i].instances && experiment->region_rows.items[i].caller != PROF_NONE)
			all[i].instances = count_instances(
				experiment, experiment->region_rows.items[i].caller);
		sums->items.items[sums->items.count++] = all[i];
	}
	if (sums->items.count)
		qsort(sums->items.items, sums->items.count, sizeof *sums->items.items, compare);
	return NULL;
}

struct prof_error *prof_region_sums_init(struct prof_region_sums *sums,
	const struct prof_experiment *experiment, const struct prof_selection *selection,
	const struct prof_progress *progress)
{
	PROF_AUTO(work_deinit)
	struct work work = {.experiment = experiment, .selection = selection};
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment,
		.blocks = prof_selection_blocks(selection),
		.progress = progress,
		.doing = "Adding up regions"};
	struct prof_error *error = prof_metric_find(experiment, "omp-work", &work.metrics[0]);

	*sums = (struct prof_region_sums){0};
	if (!error)
		error = prof_metric_find(experiment, "omp-wait", &work.metrics[1]);
	while (!error && prof_cursor_next(&rows))
		error = take(&work, &rows.row);
	if (!error)
		error = prof_cursor_error(&rows);
	return error ? error : finish(&work, sums);
}

double prof_region_imbalance(prof_value most, prof_value all, uint32_t threads)
{
	return all ? 100 * (prof_value_double(most) * threads / prof_value_double(all) - 1) : 0;
}
