/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows of an experiment's file, checked and taken into the experiment. */
#ifndef PROF_STORE_ROWS_H
#define PROF_STORE_ROWS_H

#include "base/progress.h"
#include "model/cursor.h"
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
	uint64_t text_left;          /* bytes that can still be in the file */
	uint64_t rows;               /* so far */
	int64_t counts[PROF_TABLES]; /* of entries that rows can refer to, so far */
	/* The row at hand. */
	sqlite3_stmt *row;
	int64_t id;
	bool bad;       /* something in it is not what it should be */
	char *unpacked; /* the text that was packed in it, or in a row before */
	/* Frames as the file has them, and the locations of one of them: see take_location(). */
	PROF_ARRAY(struct prof_frame) frames;
	PROF_ARRAY(struct prof_location) locations;
	size_t resolving;
	struct prof_cursor cursor; /* over the samples that were read */
};

/* The integer in COLUMN, from LEAST to MOST; if it is not, the row is bad, and it gives LEAST. */
int64_t prof_row_integer(struct prof_store_reader *reader, int column, int64_t least, int64_t most);

/* The text in COLUMN, valid as long as the row, or NULL, and the row is bad. */
const char *prof_row_text(struct prof_store_reader *reader, int column);

/* Prints the statement that selects the rows of `sample` of a file of VERSION. */
void prof_store_select_samples(int version, struct prof_text *sql);

/* What takes the rows of samples: those of versions before 9, and the blocks of later ones. */
struct prof_error *prof_store_take_sample(
	struct prof_store_reader *reader, const union prof_row *row) PROF_MUST_CHECK;
struct prof_error *prof_store_take_part(
	struct prof_store_reader *reader, const union prof_row *row) PROF_MUST_CHECK;
struct prof_error *prof_store_take_block_of_samples(
	struct prof_store_reader *reader, const union prof_row *row) PROF_MUST_CHECK;

/* What takes a block of single calls. */
struct prof_error *prof_store_take_calls(
	struct prof_store_reader *reader, const union prof_row *row) PROF_MUST_CHECK;

/* What takes the rows of an archive. */
struct prof_error *prof_store_take_source(
	struct prof_store_reader *reader, const union prof_row *row) PROF_MUST_CHECK;
struct prof_error *prof_store_take_extent(
	struct prof_store_reader *reader, const union prof_row *row) PROF_MUST_CHECK;
struct prof_error *prof_store_take_block(
	struct prof_store_reader *reader, const union prof_row *row) PROF_MUST_CHECK;

/* What takes the rows of a gmon.out. */
struct prof_error *prof_store_take_gmon(
	struct prof_store_reader *reader, const union prof_row *row) PROF_MUST_CHECK;
struct prof_error *prof_store_take_histogram(
	struct prof_store_reader *reader, const union prof_row *row) PROF_MUST_CHECK;
struct prof_error *prof_store_take_bin(
	struct prof_store_reader *reader, const union prof_row *row) PROF_MUST_CHECK;
struct prof_error *prof_store_take_address_arc(
	struct prof_store_reader *reader, const union prof_row *row) PROF_MUST_CHECK;
struct prof_error *prof_store_take_symbol(
	struct prof_store_reader *reader, const union prof_row *row) PROF_MUST_CHECK;
struct prof_error *prof_store_take_line(
	struct prof_store_reader *reader, const union prof_row *row) PROF_MUST_CHECK;

/* After the last event: no sample may have a value of another. */
struct prof_error *prof_store_check_events(struct prof_store_reader *reader) PROF_MUST_CHECK;

/*
 * How a row of each table, whose columns are each as they should be, is taken into the experiment,
 * and what happens after the last one.  If the row does not fit what was read before, it is bad,
 * which is no error.
 */
extern const struct prof_store_row {
	struct prof_error *(*take)(struct prof_store_reader *reader, const union prof_row *row);
	struct prof_error *(*end)(struct prof_store_reader *reader); /* NULL: nothing */
} prof_store_rows[PROF_TABLES];

#endif
