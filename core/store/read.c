/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/file.h"
#include "store/blocks.h"
#include "store/columns.h"
#include "store/database.h"
#include "store/rows.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Steps of SQLite's virtual machine between two polls: some milliseconds. */
enum { POLL_STEPS = 100000 };

static struct prof_error *refused(const struct prof_store_reader *reader)
{
	return prof_database_error(reader->database, reader->path, "read");
}

static struct prof_error *damaged(const struct prof_store_reader *reader, const char *table)
{
	if (sqlite3_errcode(reader->database) == SQLITE_NOMEM)
		return prof_error_nomem();
	return prof_file_damaged("experiment", reader->path, "table \"%s\" is wrong in row %lld",
		table, (long long)reader->id);
}

/* Reads the current row into ROW, and takes it.  Its id must be its number. */
static struct prof_error *read_row(
	struct prof_store_reader *reader, enum prof_schema_table table, union prof_row *row)
{
	struct prof_error *error = NULL;

	reader->bad = sqlite3_column_type(reader->row, 0) != SQLITE_INTEGER ||
		sqlite3_column_int64(reader->row, 0) != reader->id;
	if (!reader->bad)
		error = prof_columns_read(reader, prof_schema[table].columns, 1, row);
	return error || reader->bad ? error : prof_store_rows[table].take(reader, row);
}

static struct prof_error *read_rows(struct prof_store_reader *reader, enum prof_schema_table table)
{
	const char *name = prof_schema[table].name;
	union prof_row row;
	int code = sqlite3_step(reader->row);

	memset(&row, 0, sizeof row);
	reader->id = reader->counts[table] = table == PROF_TABLE_PATH;
	for (; code == SQLITE_ROW; reader->counts[table] = ++reader->id) {
		struct prof_error *error = read_row(reader, table, &row);
		if (error)
			return error;
		if (reader->bad)
			return damaged(reader, name);
		reader->rows++;
		code = sqlite3_step(reader->row);
	}
	if (code != SQLITE_DONE)
		return refused(reader);
	struct prof_error *error =
		prof_store_rows[table].end ? prof_store_rows[table].end(reader) : NULL;
	return reader->bad && !error ? damaged(reader, name) : error;
}

static struct prof_error *read_table(struct prof_store_reader *reader, enum prof_schema_table table)
{
	AUTO_STATEMENT sqlite3_stmt *select = NULL;
	AUTO_TEXT struct prof_text sql = {0};

	if (table == PROF_TABLE_SAMPLE)
		prof_store_select_samples(reader->version, &sql);
	else
		prof_text_print(&sql, "SELECT * FROM %s ORDER BY id", prof_schema[table].name);
	struct prof_error *error = prof_text_error(&sql);
	if (error)
		return error;
	if (sqlite3_prepare_v2(reader->database, prof_text_get(&sql), -1, &select, NULL))
		return refused(reader);
	reader->row = select;
	return read_rows(reader, table);
}

/* Reads TABLE, and the table that replaces it in newer files. */
static struct prof_error *read_with_newer(
	struct prof_store_reader *reader, enum prof_schema_table table)
{
	bool newer = table == PROF_TABLE_SAMPLE &&
		reader->version >= prof_schema[PROF_TABLE_SAMPLE_BLOCK].version;

	if (table == PROF_TABLE_SAMPLE_BLOCK)
		return NULL;
	struct prof_error *error = read_table(reader, table);
	if (!error && newer)
		error = read_table(reader, PROF_TABLE_SAMPLE_BLOCK);
	if (table == PROF_TABLE_SAMPLE)
		reader->counts[table] = (int64_t)reader->experiment->samples.count;
	return error;
}

/* How many tables a file of READER's version has: those of later versions come last. */
static size_t tables_of(const struct prof_store_reader *reader)
{
	size_t count = 0;

	while (count < PROF_TABLES && prof_schema[count].version <= reader->version)
		count++;
	return count;
}

/* Is SQL the statement that creates the table SCHEMA, with this SQLite or another? */
static bool is_ours(const struct prof_schema *schema, const char *sql)
{
	AUTO_TEXT struct prof_text strict = {0}, other = {0};

	prof_schema_print(schema, true, &strict);
	prof_schema_print(schema, false, &other);
	return !strcmp(sql, prof_text_get(&strict)) || !strcmp(sql, prof_text_get(&other));
}

/* The schema must be exactly ours: a view, trigger or virtual table could run code. */
static struct prof_error *check_schema(struct prof_store_reader *reader)
{
	AUTO_STATEMENT sqlite3_stmt *select = NULL;
	size_t tables = tables_of(reader);
	size_t count = 0;
	int code;

	if (sqlite3_prepare_v2(reader->database,
		    "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid", -1,
		    &select, NULL))
		return refused(reader);
	while ((code = sqlite3_step(select)) == SQLITE_ROW && count < tables) {
		const struct prof_schema *schema = &prof_schema[count];
		const char *expected[] = {"table", schema->name, schema->name};
		const char *sql = (const char *)sqlite3_column_text(select, 3);
		if (!sql || !is_ours(schema, sql))
			code = SQLITE_CORRUPT;
		for (int i = 0; i < (int)PROF_COUNT(expected); i++) {
			const char *found = (const char *)sqlite3_column_text(select, i);
			if (!found || strcmp(found, expected[i]) != 0)
				code = SQLITE_CORRUPT;
		}
		if (code == SQLITE_CORRUPT)
			break;
		count++;
	}
	if (code == SQLITE_DONE && count == tables)
		return NULL;
	if (code != SQLITE_DONE && code != SQLITE_ROW && code != SQLITE_CORRUPT)
		return refused(reader);
	return prof_file_damaged(
		"experiment", reader->path, "its tables are not those of an experiment");
}

/* The number that PRAGMA NAME returns; 0: it cannot be read. */
static int read_pragma(const struct prof_store_reader *reader, const char *name)
{
	AUTO_STATEMENT sqlite3_stmt *pragma = NULL;
	char sql[32];

	snprintf(sql, sizeof sql, "PRAGMA %s", name);
	if (sqlite3_prepare_v2(reader->database, sql, -1, &pragma, NULL) ||
		sqlite3_step(pragma) != SQLITE_ROW)
		return 0;
	return sqlite3_column_int(pragma, 0);
}

/* Allows reading the known tables and the page size, and nothing else. */
static int authorize(void *context, int action, const char *first, const char *second,
	const char *database, const char *inner)
{
	(void)context, (void)database;
	if (action == SQLITE_SELECT && !inner)
		return SQLITE_OK;
	if (action == SQLITE_PRAGMA && !second && !inner && !strcmp(first, "page_size"))
		return SQLITE_OK;
	if (action != SQLITE_READ || inner || !first)
		return SQLITE_DENY;
	for (size_t i = 0; i < PROF_TABLES; i++) {
		if (!strcmp(first, prof_schema[i].name))
			return SQLITE_OK;
	}
	return strcmp(first, "sqlite_master") ? SQLITE_DENY : SQLITE_OK;
}

static int is_unwanted(void *context)
{
	const struct prof_store_reader *reader = context;
	AUTO_ERROR struct prof_error *error =
		prof_progress_report(reader->progress, "Reading", reader->rows, 0);

	return error != NULL;
}

/* If the file of SIZE bytes is cut in its last page, SQLite reads zeroes. */
static bool whole_pages(const struct prof_store_reader *reader, off_t size)
{
	int page = read_pragma(reader, "page_size");

	return page > 0 && size % page == 0;
}

/* Reads everything in one transaction, so that it never sees a part of a writer's next one. */
static struct prof_error *read_all(struct prof_store_reader *reader)
{
	struct stat status;

	sqlite3_progress_handler(reader->database, POLL_STEPS, is_unwanted, reader);
	if (sqlite3_exec(reader->database, "BEGIN", NULL, NULL, NULL))
		return refused(reader);
	reader->version = read_pragma(reader, "user_version");
	sqlite3_set_authorizer(reader->database, authorize, NULL);
	struct prof_error *error = check_schema(reader);
	if (error)
		return error;
	/* Checks the size only now: SQLite may first have undone an unfinished write. */
	if (stat(reader->path, &status))
		return prof_file_unreadable(reader->path);
	if (!whole_pages(reader, status.st_size))
		return prof_file_damaged("experiment", reader->path,
			"it is truncated at byte %lld.  Copy it again from where it was recorded",
			(long long)status.st_size);
	reader->text_left = (uint64_t)status.st_size;
	sqlite3_limit(reader->database, SQLITE_LIMIT_LENGTH,
		status.st_size < INT32_MAX ? (int)status.st_size : INT32_MAX);
	for (size_t i = 0; i < tables_of(reader) && !error; i++)
		error = read_with_newer(reader, (enum prof_schema_table)i);
	return error;
}

static struct prof_error *check_file(const char *path)
{
	AUTO_CLOSE int fd = -1;
	struct prof_error *error = prof_file_open(path, NULL, &fd);

	return error ? error : prof_database_check(fd, path);
}

static void reader_deinit(struct prof_store_reader *reader)
{
	free(reader->frames.items);
	free(reader->locations.items);
	free(reader->unpacked);
	prof_cursor_deinit(&reader->cursor);
}

/* Lets the experiment read from its file later; closes the file if nothing is left to read. */
static struct prof_error *end_reading(struct prof_store_reader *reader)
{
	struct prof_samples *samples = &reader->experiment->samples;

	sqlite3_progress_handler(reader->database, 0, NULL, NULL);
	sqlite3_set_authorizer(reader->database, NULL, NULL);
	if (sqlite3_exec(reader->database, "COMMIT", NULL, NULL, NULL))
		return refused(reader);
	if (!samples->released)
		prof_samples_detach(samples);
	else
		sqlite3_set_authorizer(reader->database, authorize, NULL);
	return NULL;
}

struct prof_error *prof_store_load(
	const char *path, const struct prof_progress *progress, struct prof_experiment **ret)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	sqlite3 *database;
	struct prof_error *error = prof_experiment_create(&experiment);

	if (!error)
		error = check_file(path);
	if (!error)
		error = prof_database_open(path, path, &database);
	if (!error)
		error = prof_store_blocks_attach(&experiment->samples, database, path);
	if (error)
		return error;
	PROF_AUTO(reader_deinit)
	struct prof_store_reader reader = {.path = path,
		.progress = progress,
		.database = database,
		.experiment = experiment,
		.cursor = {.experiment = experiment}};
	error = read_all(&reader);
	if (!error)
		error = end_reading(&reader);
	prof_traced_rows_close_all(&experiment->traced);
	if (!error)
		*ret = steal(&experiment);
	return error;
}

/*
 * If the host was killed, nothing has ended the last interval: adds a mark without figures after
 * the last sample.  Imported files have no marks at all.
 */
static struct prof_error *end_intervals(struct prof_experiment *experiment)
{
	struct prof_mark mark = {.kind = PROF_MARK_END};
	struct prof_traced_rows_place place = {0};
	int64_t marked = INT64_MIN;

	if (!experiment->marks.count)
		return NULL;
	for (size_t i = 0; i < experiment->marks.count; i++) {
		if (experiment->marks.items[i].time > marked)
			marked = experiment->marks.items[i].time;
	}
	mark.time = marked;
	if (experiment->samples.count && experiment->samples.last > mark.time)
		mark.time = experiment->samples.last;
	for (size_t i = 0; i < experiment->traced.count; i++) {
		int64_t last = prof_traced_rows_get(&experiment->traced, &place, i)->last;
		mark.time = last > mark.time ? last : mark.time;
	}
	prof_usage_clear(&mark.usage);
	return mark.time > marked ? prof_experiment_mark(experiment, &mark, "end (not stopped)")
				  : NULL;
}

struct prof_error *prof_store_import(
	const char *path, const struct prof_progress *progress, struct prof_experiment **ret)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	struct prof_error *error = prof_store_load(path, progress, &experiment);

	if (!error)
		error = end_intervals(experiment);
	if (!error)
		*ret = steal(&experiment);
	return error;
}
