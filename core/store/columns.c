/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/columns.h"

#include "model/archive.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The integer of SIZE bytes at FIELD. */
static int64_t load(const void *field, size_t size)
{
	switch (size) {
	case sizeof(uint8_t):
		return *(const uint8_t *)field;
	case sizeof(uint32_t):
		return *(const uint32_t *)field;
	default:
		assert(size == sizeof(int64_t));
		return *(const int64_t *)field;
	}
}

int64_t prof_column_integer(const struct prof_column *column, const void *row)
{
	return load((const char *)row + column->offset, column->size);
}

static void store(void *field, size_t size, int64_t value)
{
	switch (size) {
	case sizeof(uint8_t):
		*(uint8_t *)field = (uint8_t)value;
		break;
	case sizeof(uint32_t):
		*(uint32_t *)field = (uint32_t)value;
		break;
	default:
		assert(size == sizeof(int64_t));
		*(int64_t *)field = value;
	}
}

static int bind_packed(sqlite3_stmt *insert, int at, const char *text)
{
	size_t length;
	char *packed = prof_archive_pack(text, &length);

	if (!packed)
		return SQLITE_NOMEM;
	int code = sqlite3_bind_int64(insert, at, (int64_t)strlen(text));
	int other = sqlite3_bind_blob64(insert, at + 1, packed, length, free);
	return code ? code : other;
}

static int bind_value(sqlite3_stmt *insert, int at, prof_value value)
{
	int code = sqlite3_bind_int64(insert, at, (int64_t)(value / PROF_VALUE_ONE));

	return code ? code : sqlite3_bind_int64(insert, at + 1, (int64_t)(value % PROF_VALUE_ONE));
}

/*
 * Binds the FIELD of COLUMN to the parameter *AT; advances *AT to the last parameter that it takes.
 */
static int bind_other(sqlite3_stmt *insert, const struct prof_column *column, const void *row,
	const void *field, int *at)
{
	switch (column->kind) {
	case PROF_COLUMN_OPTION:
		if (*(const uint32_t *)field == PROF_NONE)
			return sqlite3_bind_null(insert, *at);
		break;
	case PROF_COLUMN_KNOWN:
		if (!*(const bool *)((const char *)row + column->known))
			return sqlite3_bind_null(insert, *at);
		break;
	case PROF_COLUMN_VALUE:
		return bind_value(insert, (*at)++, *(const prof_value *)field);
	case PROF_COLUMN_TEXT:
		return sqlite3_bind_text(
			insert, *at, *(const char *const *)field, -1, SQLITE_STATIC);
	case PROF_COLUMN_PACKED:
		return bind_packed(insert, (*at)++, *(const char *const *)field);
	case PROF_COLUMN_BLOB:
	case PROF_COLUMN_ANY:
		return SQLITE_OK;
	case PROF_COLUMN_NUMBER:
	case PROF_COLUMN_FIGURE:
	case PROF_COLUMN_REFERENCE:
		break;
	}
	return sqlite3_bind_int64(insert, *at, load(field, column->size));
}

int prof_columns_bind(sqlite3_stmt *insert, const struct prof_column *columns, const void *row)
{
	int at = 2, code = SQLITE_OK;

	for (const struct prof_column *column = columns; column->name && !code; column++, at++) {
		const void *field = (const char *)row + column->offset;
		/* Almost all columns are one of these. */
		if (column->kind <= PROF_COLUMN_REFERENCE)
			code = sqlite3_bind_int64(insert, at, load(field, column->size));
		else
			code = bind_other(insert, column, row, field, &at);
	}
	return code;
}

/* Only one thread uses the connection, so values that SQLite calls unprotected are safe. */
int64_t prof_row_integer(struct prof_store_reader *reader, int column, int64_t least, int64_t most)
{
	sqlite3_value *found = sqlite3_column_value(reader->row, column);
	int64_t value = sqlite3_value_int64(found);

	if (sqlite3_value_type(found) == SQLITE_INTEGER && value >= least && value <= most)
		return value;
	reader->bad = true;
	return least;
}

static int64_t reference(struct prof_store_reader *reader, int column, enum prof_schema_table table)
{
	return prof_row_integer(reader, column, 0, reader->counts[table] - 1);
}

/* The value in the columns from AT on. */
static prof_value read_value(
	struct prof_store_reader *reader, int at, const struct prof_column *column)
{
	int64_t rest = column->least < 0 ? 1 - PROF_VALUE_ONE : 0;

	return prof_value_of(prof_row_integer(reader, at, column->least, column->most)) +
		prof_row_integer(reader, at + 1, rest, PROF_VALUE_ONE - 1);
}

const char *prof_row_text(struct prof_store_reader *reader, int column)
{
	if (sqlite3_column_type(reader->row, column) == SQLITE_TEXT) {
		const char *bytes = (const char *)sqlite3_column_text(reader->row, column);
		size_t length = (size_t)sqlite3_column_bytes(reader->row, column);
		if (bytes && length <= reader->text_left && strlen(bytes) == length) {
			reader->text_left -= length;
			return bytes;
		}
	}
	reader->bad = true;
	return NULL;
}

/* Unpacks the text behind the column with its size into *RET, unless the row is bad. */
static struct prof_error *read_packed(struct prof_store_reader *reader, int size_column, char **ret)
{
	int64_t size = prof_row_integer(reader, size_column, 0, INT32_MAX);
	const void *bytes = sqlite3_column_blob(reader->row, size_column + 1);
	size_t length = (size_t)sqlite3_column_bytes(reader->row, size_column + 1);
	bool bad = false;

	if (sqlite3_column_type(reader->row, size_column + 1) != SQLITE_BLOB ||
		length > reader->text_left)
		reader->bad = true;
	if (reader->bad)
		return NULL;
	reader->text_left -= length;
	free(reader->unpacked);
	reader->unpacked = prof_archive_unpack(length ? bytes : "", length, (size_t)size, &bad);
	*ret = reader->unpacked;
	reader->bad = bad;
	return *ret || bad ? NULL : prof_error_nomem();
}

/* Reads COLUMN, which begins at *AT, into the FIELD of RET; advances *AT to its last column. */
static struct prof_error *read_other(struct prof_store_reader *reader,
	const struct prof_column *column, int *at, union prof_row *ret, void *field)
{
	switch (column->kind) {
	case PROF_COLUMN_OPTION:
		*(uint32_t *)field = prof_columns_has(reader, *at)
			? (uint32_t)reference(reader, *at, column->table)
			: PROF_NONE;
		break;
	case PROF_COLUMN_KNOWN:
		*(bool *)((char *)ret + column->known) = prof_columns_has(reader, *at);
		*(int64_t *)field = prof_columns_has(reader, *at)
			? prof_row_integer(reader, *at, INT64_MIN, INT64_MAX)
			: 0;
		break;
	case PROF_COLUMN_VALUE:
		*(prof_value *)field = read_value(reader, (*at)++, column);
		break;
	case PROF_COLUMN_TEXT:
		*(const char **)field = prof_row_text(reader, *at);
		break;
	case PROF_COLUMN_PACKED:
		return read_packed(reader, (*at)++, field);
	case PROF_COLUMN_BLOB:
	case PROF_COLUMN_ANY:
	case PROF_COLUMN_NUMBER:
	case PROF_COLUMN_FIGURE:
	case PROF_COLUMN_REFERENCE:
		break;
	}
	return NULL;
}

struct prof_error *prof_columns_read(struct prof_store_reader *reader,
	const struct prof_column *columns, int at, union prof_row *ret)
{
	struct prof_error *error = NULL;

	for (const struct prof_column *column = columns; column->name && !error; column++, at++) {
		void *field = (char *)ret + column->offset;
		if (column->kind <= PROF_COLUMN_FIGURE)
			store(field, column->size,
				prof_row_integer(reader, at, column->least, column->most));
		else if (column->kind == PROF_COLUMN_REFERENCE)
			*(uint32_t *)field = (uint32_t)reference(reader, at, column->table);
		else
			error = read_other(reader, column, &at, ret, field);
	}
	return error;
}
