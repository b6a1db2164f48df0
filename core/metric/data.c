/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/data.h"

#include "base/map.h"
#include "metric/metric.h"
#include "metric/selection.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "model/samples.h"

#include <stdlib.h>

const char *const prof_data_unit_names[PROF_DATA_UNITS] = {
	[PROF_DATA_PAGES] = "page",
	[PROF_DATA_LINES] = "line",
	[PROF_DATA_ADDRESSES] = "address",
};

const char *const prof_data_unknown_names[PROF_DATA_UNKNOWNS] = {
	[PROF_DATA_UNASCERTAINABLE] = "(Unascertainable)",
	[PROF_DATA_UNVERIFIABLE] = "(Unverifiable)",
	[PROF_DATA_UNRESOLVABLE] = "(Unresolvable)",
	[PROF_DATA_UNSPECIFIED] = "(Unspecified)",
	[PROF_DATA_UNDETERMINED] = "(Undetermined)",
};

/* Bytes of each unit: powers of 2. */
static const uint64_t sizes[PROF_DATA_UNITS] = {
	[PROF_DATA_PAGES] = 4096,
	[PROF_DATA_LINES] = 64,
	[PROF_DATA_ADDRESSES] = 1,
};

void prof_data_rows_deinit(struct prof_data_rows *rows)
{
	free(rows->rows.items);
	free(rows->of);
	*rows = (struct prof_data_rows){0};
}

/* Why DATA has no address. */
static enum prof_data_unknown why_unknown(const struct prof_data *data)
{
	switch ((enum prof_trigger)data->trigger) {
	case PROF_TRIGGER_UNRESOLVABLE:
		return PROF_DATA_UNRESOLVABLE;
	case PROF_TRIGGER_UNVERIFIABLE:
		return PROF_DATA_UNVERIFIABLE;
	case PROF_TRIGGER_UNSPECIFIED:
		return PROF_DATA_UNSPECIFIED;
	default:
		return PROF_DATA_UNDETERMINED;
	}
}

/* The number of the row at ADDRESS, which is added if it is new; PROF_NONE: no memory. */
static uint32_t find_row(struct prof_data_rows *rows, struct prof_map *index, uint64_t address)
{
	uint32_t number = prof_map_get(index, address);

	if (number != PROF_NONE)
		return number;
	number = (uint32_t)rows->rows.count;
	struct prof_data_row *added = prof_map_push(index, address, &rows->rows);
	if (!added)
		return PROF_NONE;
	*added = (struct prof_data_row){.address = address};
	return number;
}

/* Adds DATA's sample to its row.  False: no memory. */
static bool add(struct prof_data_rows *rows, struct prof_map *index, const struct prof_data *data,
	uint64_t size)
{
	uint32_t number = why_unknown(data);

	if (data->addressed)
		number = find_row(rows, index, data->address & ~(size - 1));
	if (number == PROF_NONE)
		return false;
	rows->of[data->sample] = number;
	return true;
}

struct prof_error *prof_data_rows_init(struct prof_data_rows *rows,
	const struct prof_experiment *experiment, const struct prof_selection *selection,
	enum prof_data_unit unit)
{
	PROF_AUTO(prof_map_deinit) struct prof_map index = {0};
	AUTO_DATA_ROWS struct prof_data_rows made = {0};

	made.of = calloc(experiment->samples.count + 1, sizeof *made.of);
	if (!made.of || !prof_array_reserve(&made.rows, PROF_DATA_UNKNOWNS))
		return prof_error_nomem();
	while (made.rows.count < PROF_DATA_UNKNOWNS)
		made.rows.items[made.rows.count++] = (struct prof_data_row){0};
	for (size_t i = 0; i < experiment->data.count; i++) {
		const struct prof_data *data = &experiment->data.items[i];
		if (prof_selection_has(selection, data->sample) &&
			!add(&made, &index, data, sizes[unit]))
			return prof_error_nomem();
	}
	*rows = made;
	made = (struct prof_data_rows){0};
	return NULL;
}

struct prof_error *prof_data_rows_note(struct prof_data_rows *rows,
	const struct prof_experiment *experiment, const struct prof_selection *selection,
	const struct prof_metric *metric)
{
	AUTO_CURSOR struct prof_cursor samples = {.experiment = experiment};

	for (size_t i = 0; i < experiment->data.count; i++) {
		const struct prof_data *data = &experiment->data.items[i];
		struct prof_data_row *row = &rows->rows.items[rows->of[data->sample]];
		if (!prof_selection_has(selection, data->sample))
			continue;
		const struct prof_sample_row *sample = prof_cursor_at(&samples, data->sample);
		if (!sample)
			return prof_cursor_error(&samples);
		if (!prof_metric_of(experiment, metric, selection, sample))
			continue;
		row->access |= data->access;
		row->called |= data->trigger == PROF_TRIGGER_CALL;
	}
	return NULL;
}

struct prof_data_summary prof_data_summarize(
	const struct prof_experiment *experiment, uint32_t number)
{
	AUTO_CURSOR struct prof_cursor samples = {.experiment = experiment};
	struct prof_data_summary summary = {0};

	for (size_t i = 0; i < experiment->data.count; i++) {
		const struct prof_data *data = &experiment->data.items[i];
		const struct prof_sample_row *sample = prof_cursor_at(&samples, data->sample);
		if (!sample)
			break;
		if (!(sample->has & PROF_QUANTITY_BIT(PROF_QUANTITY_EVENT + number)))
			continue;
		summary.triggers[data->trigger]++;
		summary.samples++;
		summary.addressed += data->addressed;
	}
	return summary;
}
