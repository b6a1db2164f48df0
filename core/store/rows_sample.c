/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of samples: packed in blocks, or, up to version 8, one by one and in several tables. */
#include "store/rows.h"

#include <stdlib.h>
#include <string.h>

/* The columns that are selected: those of `sample`, and of the tables that are joined to it. */
enum {
	TIME = 1,
	THREAD,
	PATH,
	STATE,
	VALUES,
	CPU = VALUES + 2 * PROF_SCHEMA_QUANTITIES,
	TEXT_NOW,
	TEXT_TIME,
	EVENT = TEXT_TIME + 2,
	EVENT_SAMPLES,
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

/* Does a table that is joined have the value in COLUMN? */
static bool has(const struct prof_store_reader *reader, int column)
{
	return sqlite3_column_type(reader->row, column) != SQLITE_NULL;
}

static prof_value value_in(struct prof_store_reader *reader, int column)
{
	return prof_value_of(prof_row_integer(reader, column, 0, INT64_MAX)) +
		prof_row_integer(reader, column + 1, 0, PROF_VALUE_ONE - 1);
}

/* Takes what is joined to the row of SAMPLE, with its VALUES. */
static void read_joined(
	struct prof_store_reader *reader, struct prof_sample *sample, prof_value *values)
{
	if (has(reader, CPU))
		sample->cpu = (uint16_t)(prof_row_integer(reader, CPU, -1, UINT16_MAX - 1) + 1);
	if (has(reader, TEXT_NOW)) {
		if (prof_row_integer(reader, TEXT_NOW, 0, 1))
			sample->state = PROF_STATE_TEXT;
		values[PROF_QUANTITY_SPENT + (int)PROF_STATE_TEXT] = value_in(reader, TEXT_TIME);
	}
	if (has(reader, EVENT)) {
		int64_t event = prof_row_integer(reader, EVENT, 0, PROF_EVENTS - 1);
		values[PROF_QUANTITY_EVENT + event] =
			prof_value_of(prof_row_integer(reader, EVENT_SAMPLES, 0, INT64_MAX));
	}
}

struct prof_error *prof_store_read_sample(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	struct prof_sample sample = {
		.time = prof_row_time(reader, TIME),
		.thread = prof_row_reference(reader, THREAD, experiment->threads.count),
		.path = prof_row_reference(reader, PATH, experiment->paths.count),
		.state = (uint8_t)prof_row_integer(reader, STATE, 0, PROF_STATE_TEXT - 1),
	};
	prof_value values[PROF_QUANTITIES] = {0};

	for (int i = 0; i < PROF_SCHEMA_QUANTITIES; i++)
		values[i] = value_in(reader, VALUES + 2 * i);
	if (reader->version >= prof_schema[PROF_TABLE_CPU].version)
		read_joined(reader, &sample, values);
	return reader->bad ? NULL : prof_experiment_sample(experiment, &sample, values);
}

/* What was joined to the samples must be of one that there is. */
static void check_id(struct prof_store_reader *reader)
{
	reader->bad |= reader->id >= (int64_t)reader->experiment->samples.count;
}

struct prof_error *prof_store_read_cpu(struct prof_store_reader *reader)
{
	prof_row_integer(reader, 1, -1, UINT16_MAX - 1);
	check_id(reader);
	return NULL;
}

struct prof_error *prof_store_read_text(struct prof_store_reader *reader)
{
	prof_row_integer(reader, 1, 0, 1);
	value_in(reader, 2);
	check_id(reader);
	return NULL;
}

struct prof_error *prof_store_read_event_sample(struct prof_store_reader *reader)
{
	prof_row_reference(reader, 1, reader->experiment->events.count);
	prof_row_integer(reader, 2, 0, INT64_MAX);
	check_id(reader);
	return NULL;
}

/* Unpacks the next row at *AT into ROW, and checks it. */
static bool unpack(const struct prof_experiment *experiment, const unsigned char **at,
	const unsigned char *end, struct prof_sample_row *row)
{
	return prof_sample_row_unpack(at, end, row) &&
		row->sample.thread < experiment->threads.count &&
		row->sample.path < experiment->paths.count && !(row->has >> PROF_QUANTITY_TRACED);
}

/* Takes the last block's COUNT rows one by one: there may be more to come. */
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
		for (uint32_t left = row.has; left; left &= left - 1)
			totals[__builtin_ctz(left)] += row.values[__builtin_ctz(left)];
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
 * The last block is held: who still records may write it again.  All before it stay as they are,
 * and in the file.
 */
struct prof_error *prof_store_read_block_of_samples(struct prof_store_reader *reader)
{
	struct prof_samples *samples = &reader->experiment->samples;
	int64_t count = prof_row_integer(reader, 1, 1, PROF_SAMPLES_BLOCK);
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

/* No sample may have a value of an event that there is not. */
struct prof_error *prof_store_check_events(struct prof_store_reader *reader)
{
	const struct prof_experiment *experiment = reader->experiment;

	for (size_t i = experiment->events.count; i < PROF_EVENTS; i++)
		reader->bad |= experiment->samples.totals[PROF_QUANTITY_EVENT + i] != 0;
	return NULL;
}
