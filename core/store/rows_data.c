/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How rows of accesses to memory are read. */
#include "model/data.h"
#include "store/rows.h"

struct prof_error *prof_store_read_data(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	size_t count = experiment->data.count;
	bool addressed = sqlite3_column_type(reader->row, 5) != SQLITE_NULL;
	const struct prof_data data = {
		.sample = prof_row_reference(reader, 1, experiment->samples.count),
		.trigger = (uint8_t)prof_row_integer(reader, 2, 0, PROF_TRIGGERS - 1),
		.access = (uint8_t)prof_row_integer(reader, 3, 0, PROF_ACCESSES - 1),
		.skid = (uint8_t)prof_row_integer(reader, 4, 0, PROF_TRIGGER_REACH),
		.addressed = addressed,
		.address =
			addressed ? (uint64_t)prof_row_integer(reader, 5, INT64_MIN, INT64_MAX) : 0,
	};

	reader->bad |= !prof_data_is_valid(&data) ||
		(count && experiment->data.items[count - 1].sample >= data.sample);
	return reader->bad ? NULL : prof_experiment_data(experiment, &data);
}
