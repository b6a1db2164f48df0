/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/states.h"

#include "metric/calltree.h"
#include "metric/metric.h"
#include "metric/profile.h"
#include "metric/selection.h"
#include "model/cursor.h"

#include <stdlib.h>

void prof_states_deinit(struct prof_states *states)
{
	for (int i = 0; i < PROF_STATES; i++)
		free(states->self[i]);
	*states = (struct prof_states){0};
}

enum prof_state prof_states_of(enum prof_quantity quantity, const struct prof_sample_row *row)
{
	return quantity == PROF_QUANTITY_SAMPLES || quantity >= PROF_QUANTITIES_SAMPLED
		? row->sample.state
		: (enum prof_state)(quantity - PROF_QUANTITY_SPENT);
}

static void add(struct prof_states *states, const struct prof_profile *profile,
	const struct prof_selection *selection, const struct prof_sample_row *row)
{
	const struct prof_metric *metric = profile->metric;
	uint32_t node = profile->nodes[row->sample.path];

	for (prof_quantities left = prof_metric_counts(metric, profile->experiment, row); left;
		left &= left - 1) {
		enum prof_quantity quantity = (enum prof_quantity)__builtin_ctzll(left);
		states->self[prof_states_of(quantity, row)][node] +=
			prof_metric_convert(metric, prof_selection_value(selection, row, quantity));
	}
}

struct prof_error *prof_states_init(struct prof_states *states, const struct prof_profile *profile,
	const struct prof_selection *selection, const struct prof_progress *progress)
{
	AUTO_CURSOR struct prof_cursor rows = {.experiment = profile->experiment,
		.blocks = prof_selection_blocks(selection),
		.progress = progress,
		.doing = "Adding up states"};

	*states = (struct prof_states){0};
	for (int i = 0; i < PROF_STATES; i++) {
		states->self[i] = calloc(profile->tree.nodes.count, sizeof *states->self[i]);
		if (!states->self[i])
			return prof_error_nomem();
	}
	while (prof_cursor_next(&rows))
		add(states, profile, selection, &rows.row);
	return prof_cursor_error(&rows);
}
