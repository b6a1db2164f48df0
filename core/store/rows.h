/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows of an experiment's file, checked and taken into the experiment. */
#ifndef PROF_STORE_ROWS_H
#define PROF_STORE_ROWS_H

#include "base/progress.h"
#include "model/cursor.h"
#include "model/experiment.h"
#include "store/schema.h"

#include <sqlite3.h>
#include <stdbool.h>

/*
 * The file is read table by table, in an order that has everything there before it is referred to.
 * Ids that must count up leave no room for rows that are read twice, and no more text is taken than
 * the file has bytes: the work is in proportion to the file.
 */
struct prof_store_reader {
	const char *path;
	int version; /* of the file; see schema.h */
	const struct prof_progress *progress;
	sqlite3 *database;
	struct prof_experiment *experiment;
	uint64_t text_left; /* bytes that can still be in the file */
	uint64_t rows;      /* so far */
	/* The row at hand. */
	sqlite3_stmt *row;
	int64_t id;
	bool bad; /* something in it is not what it should be */
	/* Frames as the file has them, and the locations of one of them: see read_location(). */
	PROF_ARRAY(struct prof_frame) frames;
	PROF_ARRAY(struct prof_location) locations;
	size_t resolving;
	struct prof_cursor cursor; /* over the samples that were read */
};

/* The integer in COLUMN, from LEAST to MOST; if it is not, the row is bad, and it gives LEAST. */
static inline int64_t prof_row_integer(
	struct prof_store_reader *reader, int column, int64_t least, int64_t most)
{
	int64_t value = sqlite3_column_int64(reader->row, column);

	if (sqlite3_column_type(reader->row, column) == SQLITE_INTEGER && value >= least &&
		value <= most)
		return value;
	reader->bad = true;
	return least;
}

/* The number in COLUMN of an entry in a table of COUNT. */
static inline uint32_t prof_row_reference(
	struct prof_store_reader *reader, int column, size_t count)
{
	return (uint32_t)prof_row_integer(reader, column, 0, (int64_t)count - 1);
}

/* The time in COLUMN. */
static inline int64_t prof_row_time(struct prof_store_reader *reader, int column)
{
	return prof_row_integer(reader, column, -PROF_TIME_MOST, PROF_TIME_MOST);
}

/* The rows that samples have, by version, see schema.h. */
struct prof_error *prof_store_read_sample(struct prof_store_reader *reader) PROF_MUST_CHECK;
struct prof_error *prof_store_read_cpu(struct prof_store_reader *reader) PROF_MUST_CHECK;
struct prof_error *prof_store_read_text(struct prof_store_reader *reader) PROF_MUST_CHECK;
struct prof_error *prof_store_read_event_sample(struct prof_store_reader *reader) PROF_MUST_CHECK;
struct prof_error *prof_store_read_block_of_samples(
	struct prof_store_reader *reader) PROF_MUST_CHECK;

/* After the last event: no sample may have a value of another. */
struct prof_error *prof_store_check_events(struct prof_store_reader *reader) PROF_MUST_CHECK;

/* Prints the statement that selects what prof_store_read_sample() reads of a file of VERSION. */
void prof_store_select_samples(int version, struct prof_text *sql);

/* The rows of an archive. */
struct prof_error *prof_store_read_source(struct prof_store_reader *reader) PROF_MUST_CHECK;
struct prof_error *prof_store_read_extent(struct prof_store_reader *reader) PROF_MUST_CHECK;
struct prof_error *prof_store_read_block(struct prof_store_reader *reader) PROF_MUST_CHECK;

/* A row of what is known of accesses to memory. */
struct prof_error *prof_store_read_data(struct prof_store_reader *reader) PROF_MUST_CHECK;

/*
 * How a row of each table is read, and what is to be done after the last one.  What is wrong with
 * the row makes it bad, and is no error.
 */
extern const struct prof_store_row {
	struct prof_error *(*read)(struct prof_store_reader *reader);
	struct prof_error *(*end)(struct prof_store_reader *reader); /* NULL: nothing */
} prof_store_rows[PROF_TABLES];

#endif
