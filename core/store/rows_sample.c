/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of samples: packed in blocks; up to version 8, single rows in several tables. */
#include "store/columns.h"
#include "store/rows.h"

#include <stdlib.h>
#include <string.h>

/* The first column of each table that is joined to `sample`. */
enum {
	CPU = 5 + 2 * PROF_SCHEMA_QUANTITIES,
	TEXT,
	EVENT = TEXT + 3,
};

void prof_store_select_samples(int version, struct prof_text *sql)
{
	if (version < prof_schema[PROF_TABLE_CPU].version)
		prof_text_print(sql, "SELECT * FROM sample ORDER BY id");
	else
		prof_text_print(sql,
			"SELECT sample.*, cpu.cpu, now, text_fault.time, time_millionths,"
			" event, event_sample.samples FROM sample"
			" LEFT JOIN cpu ON cpu.id=sample.id"
			" LEFT JOIN text_fault ON text_fault.id=sample.id"
			" LEFT JOIN event_sample ON event_sample.id=sample.id"
			" ORDER BY sample.id");
}

/* Takes the columns that are joined to the row of SAMPLE, with its VALUES. */
static struct prof_error *take_joined(
	struct prof_store_reader *reader, struct prof_sample *sample, prof_value *values)
{
	union prof_row row;
	struct prof_error *error = NULL;

	if (prof_columns_has(reader, CPU)) {
		error = prof_columns_read(reader, prof_schema[PROF_TABLE_CPU].columns, CPU, &row);
		sample->cpu = (uint16_t)(row.cpu.cpu + 1);
	}
	if (!error && prof_columns_has(reader, TEXT)) {
		error = prof_columns_read(reader, prof_schema[PROF_TABLE_TEXT].columns, TEXT, &row);
		if (row.text_fault.now)
			sample->state = PROF_STATE_TEXT;
		values[PROF_QUANTITY_SPENT + (int)PROF_STATE_TEXT] = row.text_fault.time;
	}
	/* The events are read later: prof_store_check_events() checks that this one exists. */
	if (prof_columns_has(reader, EVENT)) {
		int64_t event = prof_row_integer(reader, EVENT, 0, PROF_EVENTS - 1);
		values[PROF_QUANTITY_EVENT + event] =
			prof_value_of(prof_row_integer(reader, EVENT + 1, 0, INT64_MAX));
	}
	return error;
}

struct prof_error *prof_store_take_sample(
	struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_sample sample = row->sample.sample;
	prof_value values[PROF_QUANTITIES] = {0};
	struct prof_error *error = NULL;

	memcpy(values, row->sample.values, sizeof row->sample.values);
	if (reader->version >= prof_schema[PROF_TABLE_CPU].version)
		error = take_joined(reader, &sample, values);
	return error || reader->bad ? error
				    : prof_experiment_sample(reader->experiment, &sample, values);
}

/* Each row that was joined must belong to an existing sample. */
struct prof_error *prof_store_take_part(struct prof_store_reader *reader, const union prof_row *row)
{
	(void)row;
	reader->bad = reader->id >= (int64_t)reader->experiment->samples.count;
	return NULL;
}

/* Unpacks and checks the next row at *AT into ROW. */
static bool unpack(const struct prof_experiment *experiment, const unsigned char **at,
	const unsigned char *end, struct prof_sample_row *row)
{
	return prof_sample_row_unpack(at, end, row) &&
		row->sample.thread < experiment->threads.count &&
		row->sample.path < experiment->paths.count && !(row->has >> PROF_QUANTITY_TRACED);
}

/* Takes the COUNT rows of the last block one by one: more may follow. */
static struct prof_error *read_tail(struct prof_store_reader *reader, const unsigned char *at,
	const unsigned char *end, int64_t count)
{
	struct prof_samples *samples = &reader->experiment->samples;
	struct prof_sample_row row = {0};

	for (; count > 0 && !reader->bad; count--) {
		if (!unpack(reader->experiment, &at, end, &row))
			reader->bad = true;
		else if (!prof_samples_add(samples, &row))
			return prof_error_nomem();
	}
	reader->bad |= at != end;
	return NULL;
}

/* Adds up the rows of BLOCK, and finds their times. */
static bool add_up(const struct prof_experiment *experiment, struct prof_samples_block *block,
	prof_value totals[PROF_QUANTITY_TRACED])
{
	const unsigned char *at = block->bytes, *end = at + block->size;
	struct prof_sample_row row = {0};

	block->first = INT64_MAX;
	block->last = INT64_MIN;
	for (int i = 0; i < PROF_SAMPLES_BLOCK; i++) {
		if (!unpack(experiment, &at, end, &row))
			return false;
		int64_t time = row.sample.time;
		block->first = time < block->first ? time : block->first;
		block->last = time > block->last ? time : block->last;
		for (prof_quantities left = row.has; left; left &= left - 1)
			totals[__builtin_ctzll(left)] += row.values[__builtin_ctzll(left)];
	}
	return at == end;
}

static struct prof_error *read_block(
	struct prof_store_reader *reader, const void *packed, size_t size)
{
	struct prof_samples *samples = &reader->experiment->samples;
	struct prof_samples_block block = {.size = (uint32_t)size};
	prof_value totals[PROF_QUANTITY_TRACED] = {0};

	block.bytes = malloc(size);
	if (!block.bytes)
		return prof_error_nomem();
	memcpy(block.bytes, packed, size);
	reader->bad = !add_up(reader->experiment, &block, totals);
	bool added = !reader->bad && prof_samples_add_block(samples, &block, totals);
	if (!added)
		free(block.bytes);
	return added || reader->bad ? NULL : prof_error_nomem();
}

/*
 * The last block is kept in memory, because a running recording may write it again.  All blocks
 * before it stay as they are, and in the file.
 */
struct prof_error *prof_store_take_block_of_samples(
	struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_samples *samples = &reader->experiment->samples;
	int64_t count = row->event_sample.samples;
	const unsigned char *packed = sqlite3_column_blob(reader->row, 2);
	size_t size = (size_t)sqlite3_column_bytes(reader->row, 2);

	reader->bad |= samples->tail.count || !packed ||
		sqlite3_column_type(reader->row, 2) != SQLITE_BLOB ||
		size > (size_t)PROF_SAMPLES_BLOCK * PROF_SAMPLE_ROW_MOST ||
		samples->count >= PROF_NONE - PROF_SAMPLES_BLOCK;
	if (reader->bad)
		return NULL;
	prof_samples_release(samples, samples->blocks.count);
	return count < PROF_SAMPLES_BLOCK ? read_tail(reader, packed, packed + size, count)
					  : read_block(reader, packed, size);
}

/* No sample may have a value of an event that does not exist. */
struct prof_error *prof_store_check_events(struct prof_store_reader *reader)
{
	const struct prof_experiment *experiment = reader->experiment;

	for (size_t i = experiment->events.count; i < PROF_EVENTS; i++)
		reader->bad |= experiment->samples.totals[PROF_QUANTITY_EVENT + i] != 0;
	return NULL;
}
