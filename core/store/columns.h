/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The columns of a table's row, as the table of columns describes them: bound, and read. */
#ifndef PROF_STORE_COLUMNS_H
#define PROF_STORE_COLUMNS_H

#include "store/rows.h"

#include <sqlite3.h>

/*
 * Binds what ROW has in the COLUMNS to the parameters of INSERT from the second on.  ROW must stay
 * as it is until the statement was run.  Returns SQLite's code; no error is SQLITE_OK.
 */
int prof_columns_bind(
	sqlite3_stmt *insert, const struct prof_column *columns, const void *row) PROF_MUST_CHECK;

/*
 * Reads the COLUMNS, which begin at the column AT of READER's row, into RET, and checks each by
 * itself: if a value is not what it should be, the row is bad.  Texts are valid until the next row
 * is read.  What has no column stays as it is.
 */
struct prof_error *prof_columns_read(struct prof_store_reader *reader,
	const struct prof_column *columns, int at, union prof_row *ret) PROF_MUST_CHECK;

/* Whether the COLUMN of READER's row has a value: it is not NULL. */
static inline bool prof_columns_has(const struct prof_store_reader *reader, int column)
{
	return sqlite3_column_type(reader->row, column) != SQLITE_NULL;
}

#endif
