/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/live.h"

#include "base/strings.h"
#include "metric/intervals.h"
#include "metric/selection.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "model/traced_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void prof_live_deinit(struct prof_live *live)
{
	free(live->blocks);
	free(live->bytes);
	*live = (struct prof_live){0};
}

/* Adds LAST, which a traced row of PATH held. */
static void add(uint32_t path, const struct prof_held *last, struct prof_live *live)
{
	live->blocks[path] += prof_value_of(last->blocks);
	live->bytes[path] += prof_value_of(last->bytes);
}

struct prof_error *prof_live_at(const struct prof_experiment *experiment,
	const struct prof_selection *selection, int64_t time, struct prof_live *ret)
{
	AUTO_LIVE struct prof_live live = {
		.blocks = calloc(experiment->paths.count, sizeof *live.blocks),
		.bytes = calloc(experiment->paths.count, sizeof *live.bytes),
	};
	AUTO_CURSOR struct prof_cursor rows = {.experiment = experiment};
	struct prof_traced_rows_place place = {0};
	/* By traced row: the last entry that is not later than TIME. */
	AUTO_FREE const struct prof_held **last =
		calloc(experiment->traced.count + 1, sizeof *last);

	if (!live.blocks || !live.bytes || !last)
		return prof_error_nomem();
	for (size_t i = 0; i < experiment->held.count; i++) {
		const struct prof_held *held = &experiment->held.items[i];
		if (held->time <= time)
			last[held->traced] = held;
	}
	for (size_t i = 0; i < experiment->traced.count; i++) {
		if (!last[i])
			continue;
		uint32_t sample = prof_traced_rows_get(&experiment->traced, &place, i)->sample;
		if (!prof_selection_has(selection, sample))
			continue;
		const struct prof_sample_row *row = prof_cursor_at(&rows, sample);
		if (!row)
			return prof_cursor_error(&rows);
		add(row->sample.path, last[i], &live);
	}
	*ret = live;
	live = (struct prof_live){0};
	return NULL;
}

struct prof_error *prof_live_mark(
	const struct prof_experiment *experiment, const char *text, int64_t *ret)
{
	AUTO_INTERVALS struct prof_intervals *intervals = NULL;
	char *end;

	for (size_t i = experiment->marks.count; i-- > 0;) {
		const struct prof_mark *mark = &experiment->marks.items[i];
		if (!strcmp(prof_strings_get(&experiment->strings, mark->label), text)) {
			*ret = mark->time;
			return NULL;
		}
	}
	struct prof_error *error = prof_intervals_create(experiment, &intervals);
	if (error)
		return error;
	errno = 0;
	unsigned long number = strtoul(text, &end, 10);
	if (end == text || *end || errno || !number || number > intervals->items.count)
		return prof_error_create(PROF_ERROR_MISSING,
			"There is no mark \"%s\": give its label, or the number of the interval that it ends (there are %zu).",
			text, intervals->items.count);
	*ret = intervals->items.items[number - 1].end;
	return NULL;
}
