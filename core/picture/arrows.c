/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/arrows.h"

#include "base/map.h"
#include "metric/selection.h"
#include "model/experiment.h"
#include "model/mpi_matches.h"
#include "picture/chart.h"
#include "report/sheet.h"

#include <stdlib.h>

/* The row of the lane of THREAD, by number; PROF_NONE: it has none. */
static uint32_t *map_lanes(const struct prof_chart *chart, size_t threads)
{
	uint32_t *rows = malloc((threads + 1) * sizeof *rows);

	for (size_t i = 0; rows && i < threads; i++)
		rows[i] = PROF_NONE;
	for (size_t i = 0; rows && i < chart->lanes.count; i++)
		rows[chart->lanes.items[i].thread] = chart->lanes.items[i].row;
	return rows;
}

/* Where in the width of CHART the TIME is. */
static double share(const struct prof_chart *chart, int64_t time)
{
	return ((double)time - chart->begin) / chart->span;
}

static int compare_lengths(const void *left, const void *right)
{
	const struct prof_arrow *a = left;
	const struct prof_arrow *b = right;

	if (a->length != b->length)
		return a->length > b->length ? -1 : 1;
	return (a->send > b->send) - (a->send < b->send);
}

/* Adds the arrow of MATCH, if both of its lanes, ROWS by thread, are there.  False: no memory. */
static bool add_arrow(struct prof_chart *chart, const struct prof_sheet *sheet,
	const struct prof_mpi_match *match, const uint32_t *rows)
{
	const struct prof_mpi_operation *items = sheet->experiment->operations.items;
	const struct prof_mpi_operation *send = &items[match->send];
	const struct prof_mpi_operation *receive = &items[match->receive];
	int64_t first = send->posted < receive->begin ? send->posted : receive->begin;
	const struct prof_arrow arrow = {.send = match->send,
		.receive = match->receive,
		.from = rows[send->thread],
		.to = rows[receive->thread],
		.begin = share(chart, send->posted),
		.end = share(chart, receive->end),
		.length = receive->end - first};

	if (arrow.from == PROF_NONE || arrow.to == PROF_NONE ||
		!prof_selection_has(sheet->selection, send->sample) ||
		!prof_selection_has(sheet->selection, receive->sample))
		return true;
	struct prof_arrow *added = prof_array_push(&chart->arrows);
	if (added)
		*added = arrow;
	return added;
}

struct prof_error *prof_arrows_find(struct prof_chart *chart, const struct prof_sheet *sheet)
{
	const struct prof_experiment *experiment = sheet->experiment;
	AUTO_MPI_MATCHES struct prof_mpi_matches matches = {0};

	if (!experiment->operations.count)
		return NULL;
	AUTO_FREE uint32_t *rows = map_lanes(chart, experiment->threads.count);
	struct prof_error *error = prof_mpi_matches_init(
		&matches, experiment->operations.items, experiment->operations.count);
	bool done = rows;

	for (size_t i = 0; !error && done && i < matches.list.count; i++)
		done = add_arrow(chart, sheet, &matches.list.items[i], rows);
	if (error || !done)
		return error ? error : prof_error_nomem();
	chart->messages = chart->arrows.count;
	if (chart->arrows.count)
		qsort(chart->arrows.items, chart->arrows.count, sizeof *chart->arrows.items,
			compare_lengths);
	if (chart->arrows.count > PROF_ARROWS_MOST)
		chart->arrows.count = PROF_ARROWS_MOST;
	return NULL;
}
