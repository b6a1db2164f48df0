/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/callgrind_outermost.h"

#include "base/map.h"
#include "model/arcs.h"
#include "model/cursor.h"
#include "model/experiment.h"

#include <stdlib.h>

/* The inclusive cost of a function. */
struct spent {
	uint32_t frame; /* one of its frames; PROF_NONE: none was met */
	bool called;    /* it is called by another function */
	prof_value values[PROF_QUANTITIES];
};

static struct spent *spent_of(
	const struct prof_experiment *experiment, struct spent *spent, uint32_t frame)
{
	const struct prof_frame *at = &experiment->frames.items[frame];
	struct spent *of = &spent[experiment->locations.items[at->first_location].function];

	if (of->frame == PROF_NONE)
		of->frame = frame;
	return of;
}

static struct prof_error *fill_spent(const struct prof_experiment *experiment, struct spent *spent)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};
	struct prof_arc_costs costs = {.experiment = experiment};

	while (prof_cursor_next(&rows)) {
		uint32_t path = rows.row.sample.path;
		struct spent *of = spent_of(experiment, spent, experiment->paths.items[path].frame);
		for (int j = 0; j < PROF_QUANTITIES; j++)
			of->values[j] += rows.row.values[j];
	}
	while (prof_arc_costs_next(&costs)) {
		struct spent *callee = spent_of(experiment, spent, costs.callee);
		struct spent *caller = costs.caller == PROF_NONE
			? NULL
			: spent_of(experiment, spent, costs.caller);
		callee->called |= caller != callee;
		for (int j = 0; caller && caller != callee && j < PROF_QUANTITIES; j++)
			caller->values[j] += costs.values[j];
	}
	return prof_cursor_error(&rows);
}

struct prof_error *prof_callgrind_add_outermost(struct prof_experiment *experiment)
{
	AUTO_FREE struct spent *spent = calloc(experiment->functions.count + 1, sizeof *spent);
	struct prof_error *error = spent ? NULL : prof_error_nomem();

	for (size_t i = 0; !error && i < experiment->functions.count; i++)
		spent[i].frame = PROF_NONE;
	if (!error)
		error = fill_spent(experiment, spent);
	for (size_t i = 0; !error && i < experiment->functions.count; i++) {
		prof_value values[PROF_QUANTITIES];
		if (spent[i].frame == PROF_NONE || spent[i].called)
			continue;
		for (int j = 0; j < PROF_QUANTITIES; j++)
			values[j] = spent[i].values[j] < PROF_VALUE_MOST ? spent[i].values[j]
									 : PROF_VALUE_MOST;
		error = prof_experiment_arc_cost(experiment, PROF_NONE, spent[i].frame, 1, values);
	}
	return error;
}
