/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/blocks.h"

#include "store/database.h"
#include "store/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct blocks {
	sqlite3 *database;
	sqlite3_stmt *select; /* NULL: not needed yet */
	char *name;           /* the name of the file in errors */
};

static void close_blocks(void *context)
{
	struct blocks *blocks = context;

	sqlite3_finalize(blocks->select);
	sqlite3_close(blocks->database);
	free(blocks->name);
	free(blocks);
}

static struct prof_error *refused(const struct blocks *blocks)
{
	return prof_database_error(blocks->database, blocks->name, "read");
}

/* Copies the selected block. */
static struct prof_error *copy(const struct blocks *blocks, unsigned char *bytes, size_t size)
{
	const void *packed = sqlite3_column_blob(blocks->select, 0);

	if (sqlite3_column_type(blocks->select, 0) == SQLITE_BLOB && packed &&
		(size_t)sqlite3_column_bytes(blocks->select, 0) == size) {
		memcpy(bytes, packed, size);
		return NULL;
	}
	if (sqlite3_errcode(blocks->database) == SQLITE_NOMEM)
		return prof_error_nomem();
	return prof_error_create(PROF_ERROR_DAMAGED,
		"The experiment \"%s\" has changed since it was opened.  Load it again.",
		blocks->name);
}

static struct prof_error *read_block(
	void *context, size_t number, unsigned char *bytes, size_t size)
{
	struct blocks *blocks = context;
	char sql[64];

	snprintf(sql, sizeof sql, "SELECT packed FROM %s WHERE id=?",
		prof_schema[PROF_TABLE_SAMPLE_BLOCK].name);
	if (!blocks->select &&
		sqlite3_prepare_v3(blocks->database, sql, -1, SQLITE_PREPARE_PERSISTENT,
			&blocks->select, NULL))
		return refused(blocks);
	sqlite3_bind_int64(blocks->select, 1, (int64_t)number);
	int code = sqlite3_step(blocks->select);
	struct prof_error *error = code == SQLITE_ROW || code == SQLITE_DONE
		? copy(blocks, bytes, code == SQLITE_ROW ? size : SIZE_MAX)
		: refused(blocks);
	/* A statement that is not reset would keep writers waiting. */
	sqlite3_reset(blocks->select);
	return error;
}

struct prof_error *prof_store_blocks_attach(
	struct prof_samples *samples, sqlite3 *database, const char *name)
{
	struct blocks *blocks = calloc(1, sizeof *blocks);
	char *copied = strdup(name);

	if (!blocks || !copied) {
		free(blocks);
		free(copied);
		sqlite3_close(database);
		return prof_error_nomem();
	}
	*blocks = (struct blocks){.database = database, .name = copied};
	samples->source = (struct prof_samples_source){read_block, close_blocks, blocks};
	return NULL;
}
