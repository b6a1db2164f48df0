/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/openmp_places.h"

#include "model/cursor.h"
#include "model/experiment.h"

#include <stdlib.h>

/* The traced row of OpenMP that the sample NUMBER has; NULL: it has none. */
static const struct prof_traced_row *find(struct prof_openmp_places *places, uint32_t number)
{
	const struct prof_traced_rows *rows = &places->experiment->traced;

	for (; places->next < rows->omp; places->next++) {
		const struct prof_traced_row *row =
			prof_traced_rows_get(rows, &places->place, places->next);
		if (row->sample >= number)
			return row->sample == number && row->object != PROF_NONE ? row : NULL;
	}
	return NULL;
}

struct prof_error *prof_openmp_places_init(struct prof_openmp_places *places,
	const struct prof_experiment *experiment, const struct prof_openmp_stacks *stacks,
	const struct prof_progress *progress)
{
	AUTO_CURSOR struct prof_cursor rows = {
		.experiment = experiment, .progress = progress, .doing = "Finding traced regions"};

	*places = (struct prof_openmp_places){.experiment = experiment};
	if (!experiment->traced.omp)
		return NULL;
	places->openers = calloc(experiment->objects.count + 1, sizeof *places->openers);
	if (!places->openers)
		return prof_error_nomem();
	while (prof_cursor_next(&rows)) {
		const struct prof_traced_row *row = find(places, rows.row.number);
		if (row && row->values[PROF_TRACED_OMP_INSIDE] && !places->openers[row->object])
			places->openers[row->object] = stacks->items[rows.row.sample.path].caller;
	}
	places->next = 0;
	return prof_cursor_error(&rows);
}

void prof_openmp_places_deinit(struct prof_openmp_places *places)
{
	free(places->openers);
	*places = (struct prof_openmp_places){0};
}

uint32_t prof_openmp_places_opener(struct prof_openmp_places *places, uint32_t number)
{
	const struct prof_traced_row *row = places->openers ? find(places, number) : NULL;

	return row ? places->openers[row->object] : 0;
}
