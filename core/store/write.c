/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/file.h"
#include "model/recording_fields.h"
#include "model/single_calls.h"
#include "store/columns.h"
#include "store/private.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writer {
	struct prof_store *store;
	const struct prof_experiment *experiment;
	const struct prof_progress *progress;
	struct prof_store_done done; /* becomes the store's once all is committed */
	int version;                 /* likewise */
	uint64_t rows, total;        /* of this transaction */
	struct prof_error *error;
	struct prof_store_place place;
};

/*
 * Executes the insert into TABLE, whose columns except the id are bound.  False: WRITER's error
 * says why it failed.
 */
static bool insert_row(struct writer *writer, enum prof_schema_table table)
{
	struct prof_store *store = writer->store;
	sqlite3_stmt *insert = store->insert[table];

	sqlite3_bind_int64(insert, 1, writer->done.rows[table]++);
	if (sqlite3_step(insert) != SQLITE_DONE)
		writer->error = prof_database_error(store->database, store->name, "written");
	sqlite3_reset(insert);
	if (++writer->rows % PROF_PROGRESS_STEP == 0 && !writer->error)
		writer->error = prof_progress_report(
			writer->progress, "Writing", writer->rows, writer->total);
	return !writer->error;
}

/* Makes an error of SQLite's CODE.  False: there is one. */
static bool is_bound(struct writer *writer, int code)
{
	if (code == SQLITE_NOMEM)
		writer->error = prof_error_nomem();
	else if (code)
		writer->error = prof_database_error(
			writer->store->database, writer->store->name, "written");
	return !code;
}

/* Inserts ROW into TABLE. */
static bool insert_columns(struct writer *writer, enum prof_schema_table table, const void *row)
{
	sqlite3_stmt *insert = writer->store->insert[table];

	return is_bound(writer, prof_columns_bind(insert, prof_schema[table].columns, row)) &&
		insert_row(writer, table);
}

/* The file is of VERSION or a later one. */
static void demand(struct writer *writer, int version)
{
	if (writer->version < version)
		writer->version = version;
}

/* The locations of the frame that was resolved as number NUMBER. */
static bool write_locations(struct writer *writer, size_t number)
{
	const struct prof_experiment *experiment = writer->experiment;
	uint32_t id = experiment->resolved.items[number];
	const struct prof_frame *frame = &experiment->frames.items[id];

	for (uint32_t i = 0; i < frame->locations; i++) {
		const struct prof_location *location =
			&experiment->locations.items[frame->first_location + i];
		const struct prof_location_row row = {id, *location};
		if (!insert_columns(writer, PROF_TABLE_LOCATION, &row))
			return false;
		if (!frame->address &&
			(location->line || *prof_strings_get(&experiment->strings, location->file)))
			demand(writer, 4);
	}
	return true;
}

/* Inserts a block of SAMPLES, packed in BYTES, and frees them. */
static bool insert_block(struct writer *writer, size_t samples, unsigned char *bytes, uint32_t size)
{
	sqlite3_stmt *insert = writer->store->insert[PROF_TABLE_SAMPLE_BLOCK];

	sqlite3_bind_int64(insert, 2, (int64_t)samples);
	return is_bound(writer, sqlite3_bind_blob64(insert, 3, bytes, size, free)) &&
		insert_row(writer, PROF_TABLE_SAMPLE_BLOCK);
}

/* Writes the block NUMBER, which replaces the tail if that was written with this number. */
static bool write_block_of_samples(struct writer *writer, size_t number)
{
	const struct prof_samples *samples = &writer->experiment->samples;
	const struct prof_samples_block *block = &samples->blocks.items[number];
	unsigned char *bytes = malloc(block->size);

	if (!bytes)
		writer->error = prof_error_nomem();
	else if (block->bytes)
		memcpy(bytes, block->bytes, block->size);
	else
		writer->error =
			samples->source.read(samples->source.context, number, bytes, block->size);
	if (!writer->error)
		return insert_block(writer, PROF_SAMPLES_BLOCK, bytes, block->size);
	free(bytes);
	return false;
}

/* The samples that are in no block yet become one in the file, which is written anew each time. */
static bool write_tail(struct writer *writer)
{
	const struct prof_samples *samples = &writer->experiment->samples;
	int64_t rows = writer->done.rows[PROF_TABLE_SAMPLE_BLOCK];

	if (!samples->tail.count || writer->done.sampled == samples->changes) {
		writer->done.sampled = samples->changes;
		return true;
	}
	unsigned char *bytes = malloc(prof_samples_room(samples));
	if (!bytes) {
		writer->error = prof_error_nomem();
		return false;
	}
	uint32_t size = prof_samples_pack(samples, bytes).size;
	bool written = insert_block(writer, samples->tail.count, bytes, size);
	writer->done.sampled = samples->changes;
	writer->done.rows[PROF_TABLE_SAMPLE_BLOCK] = rows;
	return written;
}

/* Writes the block of single calls NUMBER, which replaces what was written with this number. */
static bool write_block_of_calls(struct writer *writer, size_t number)
{
	const struct prof_packed_rows *calls = &writer->experiment->calls;
	sqlite3_stmt *insert = writer->store->insert[PROF_TABLE_CALL_BLOCK];
	unsigned char *bytes = malloc(PROF_SINGLE_CALLS_ROOM);
	size_t count;

	if (!bytes) {
		writer->error = prof_error_nomem();
		return false;
	}
	size_t size = prof_single_calls_pack(calls, number, bytes, &count);
	sqlite3_bind_int64(insert, 2, (int64_t)count);
	return is_bound(writer, sqlite3_bind_blob64(insert, 3, bytes, size, free)) &&
		insert_row(writer, PROF_TABLE_CALL_BLOCK);
}

/* The single calls of the last block, if it is not whole yet: as with samples. */
static bool write_last_calls(struct writer *writer)
{
	size_t count = writer->experiment->calls.count;
	size_t whole = count / PROF_SINGLE_CALLS_BLOCK;
	int64_t rows = writer->done.rows[PROF_TABLE_CALL_BLOCK];
	bool written = count == writer->done.calls || count == whole * PROF_SINGLE_CALLS_BLOCK ||
		write_block_of_calls(writer, whole);

	writer->done.rows[PROF_TABLE_CALL_BLOCK] = rows;
	writer->done.calls = count;
	return written;
}

/* Writes the rows of ENTRY of TABLE; `info` and the ranges have functions of their own. */
static bool write_entry(struct writer *writer, enum prof_schema_table table, size_t entry)
{
	switch (table) {
	case PROF_TABLE_LOCATION:
		return write_locations(writer, entry);
	case PROF_TABLE_SAMPLE_BLOCK:
		return write_block_of_samples(writer, entry);
	case PROF_TABLE_CALL_BLOCK:
		return write_block_of_calls(writer, entry);
	default:
		return insert_columns(writer, table,
			prof_store_row(writer->experiment, table, entry, &writer->place));
	}
}

/* Writes those entries of TABLE again that have changed since they were written. */
static bool rewrite(struct writer *writer, enum prof_schema_table table)
{
	int64_t rows = writer->done.rows[table];

	if (!prof_schema[table].changes || writer->experiment->changes == writer->done.changes)
		return true;
	for (size_t i = 0, end = writer->done.entries[table];; i++) {
		i = prof_store_next_changed(
			writer->experiment, table, i, end, writer->done.changes);
		if (i == end)
			break;
		/* The id of a row is the number of its entry. */
		writer->done.rows[table] = (int64_t)i;
		if (!write_entry(writer, table, i))
			return false;
	}
	writer->done.rows[table] = rows;
	return true;
}

static bool write_ranges(struct writer *writer)
{
	for (size_t i = 0; i < writer->experiment->modules.count; i++) {
		const struct prof_module *module = &writer->experiment->modules.items[i];
		for (size_t j = prof_store_ranges(writer->store, i); j < module->ranges.count;
			j++) {
			const struct prof_range_row row = {(uint32_t)i, module->ranges.items[j]};
			if (!insert_columns(writer, PROF_TABLE_RANGE, &row))
				return false;
		}
	}
	return true;
}

static int bind_info(sqlite3_stmt *insert, const struct prof_recording_field *info,
	const struct prof_recording *recording)
{
	const void *field = prof_recording_get(recording, info);

	switch (info->type) {
	case PROF_FIELD_TEXT:
		return sqlite3_bind_text(insert, 3, *(char *const *)field, -1, SQLITE_STATIC);
	case PROF_FIELD_TIME:
		return sqlite3_bind_int64(insert, 3, *(const int64_t *)field);
	case PROF_FIELD_NUMBER:
		return sqlite3_bind_int64(insert, 3, (int64_t) * (const uint64_t *)field);
	case PROF_FIELD_RATE:
		return sqlite3_bind_double(insert, 3, *(const double *)field);
	}
	assert(!"an enum prof_field_type");
	return SQLITE_MISUSE;
}

/* The file gets each table that has rows, and `info`. */
static bool prepare_tables(struct writer *writer)
{
	for (size_t i = 0; i < prof_recording_field_count; i++) {
		if (prof_recording_has(&writer->experiment->recording, &prof_recording_fields[i]))
			demand(writer, prof_recording_fields[i].version);
	}
	for (size_t i = 0; i < PROF_TABLES; i++) {
		if (prof_store_entries(writer->experiment, (enum prof_schema_table)i))
			demand(writer, prof_schema[i].version);
	}
	if (writer->experiment->samples.count)
		demand(writer, prof_schema[PROF_TABLE_SAMPLE_BLOCK].version);
	if (writer->experiment->calls.count)
		demand(writer, prof_schema[PROF_TABLE_CALL_BLOCK].version);
	writer->error = prof_store_tables(writer->store, writer->store->version, writer->version);
	return !writer->error;
}

/* Sets the file's version to the lowest that has everything written so far. */
static bool write_version(struct writer *writer)
{
	struct prof_store *store = writer->store;
	char pragma[64];

	if (writer->version == store->version)
		return true;
	snprintf(pragma, sizeof pragma, "PRAGMA user_version=%d", writer->version);
	if (sqlite3_exec(store->database, pragma, NULL, NULL, NULL))
		writer->error = prof_database_error(store->database, store->name, "written");
	return !writer->error;
}

static bool write_infos(struct writer *writer)
{
	sqlite3_stmt *insert = writer->store->insert[PROF_TABLE_INFO];

	writer->done.rows[PROF_TABLE_INFO] = 0;
	for (size_t i = 0; i < prof_recording_field_count; i++) {
		const struct prof_recording_field *info = &prof_recording_fields[i];
		if (info->version > writer->version)
			continue;
		int code = bind_info(insert, info, &writer->experiment->recording);
		if (!is_bound(writer, code) ||
			!insert_columns(writer, PROF_TABLE_INFO, &info->name))
			return false;
	}
	return true;
}

static bool write_tables(struct writer *writer)
{
	if (!prepare_tables(writer))
		return false;
	for (size_t i = 0; i < PROF_TABLES; i++) {
		size_t count = prof_store_entries(writer->experiment, (enum prof_schema_table)i);
		if (!rewrite(writer, (enum prof_schema_table)i))
			return false;
		for (size_t j = writer->done.entries[i]; j < count; j++) {
			if (!write_entry(writer, (enum prof_schema_table)i, j))
				return false;
		}
		writer->done.entries[i] = count;
	}
	writer->done.changes = writer->experiment->changes;
	return write_tail(writer) && write_last_calls(writer) && write_ranges(writer) &&
		write_version(writer) && write_infos(writer);
}

static uint64_t count_rows(const struct writer *writer)
{
	uint64_t rows = prof_recording_field_count;

	for (size_t i = 0; i < PROF_TABLES; i++)
		rows += prof_store_entries(writer->experiment, (enum prof_schema_table)i) -
			writer->done.entries[i];
	return rows;
}

static bool busy(const struct prof_store *store)
{
	return (sqlite3_errcode(store->database) & 0xff) == SQLITE_BUSY;
}

/* Updates the store with what is in the file now. */
static void note_done(struct writer *writer)
{
	struct prof_store *store = writer->store;

	store->done = writer->done;
	store->version = writer->version;
	for (size_t i = 0; i < writer->experiment->modules.count; i++)
		store->ranges.items[i] = writer->experiment->modules.items[i].ranges.count;
	store->ranges.count = writer->experiment->modules.count;
}

struct prof_error *prof_store_write(struct prof_store *store,
	const struct prof_experiment *experiment, const struct prof_progress *progress)
{
	AUTO_FILE_GUARD struct prof_file_guard guard = prof_file_guard();
	struct writer writer = {
		store, experiment, progress, .done = store->done, .version = store->version};
	size_t modules = experiment->modules.count - store->ranges.count;

	if (!prof_array_reserve(&store->ranges, modules))
		return prof_error_nomem();
	writer.total = count_rows(&writer);

	int code = sqlite3_exec(store->database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
	if (!code && write_tables(&writer))
		code = sqlite3_exec(store->database, "COMMIT", NULL, NULL, NULL);
	if (!code && !writer.error) {
		note_done(&writer);
		return NULL;
	}

	bool later = busy(store);
	if (!writer.error)
		writer.error = prof_database_error(store->database, store->name, "written");
	sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
	if (later) {
		prof_error_destroy(writer.error);
		writer.error = NULL;
	}
	return writer.error;
}
