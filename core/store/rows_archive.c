/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows of an archive: what views need from outside of an experiment. */
#include "store/rows.h"

#include "model/archive.h"

#include <stdlib.h>

/*
 * The text that is packed in COLUMN, its size in that before, in a new string; NULL: the row is
 * bad, or there is an error.
 */
static struct prof_error *packed(struct prof_store_reader *reader, int column, char **ret)
{
	int64_t size = prof_row_integer(reader, column - 1, 0, INT32_MAX);
	const void *bytes = sqlite3_column_blob(reader->row, column);
	size_t length = (size_t)sqlite3_column_bytes(reader->row, column);
	bool bad = false;

	*ret = NULL;
	if (sqlite3_column_type(reader->row, column) != SQLITE_BLOB || length > reader->text_left)
		reader->bad = true;
	if (reader->bad)
		return NULL;
	reader->text_left -= length;
	*ret = prof_archive_unpack(length ? bytes : "", length, (size_t)size, &bad);
	reader->bad = bad;
	return *ret || bad ? NULL : prof_error_nomem();
}

struct prof_error *prof_store_read_source(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	size_t strings = experiment->strings.texts.count;
	struct prof_archived_source source = {
		.file = prof_row_reference(reader, 1, strings),
		.path = prof_row_reference(reader, 2, strings),
		.newer = (uint8_t)prof_row_integer(
			reader, 3, 0, PROF_NEWER_RECORDING | PROF_NEWER_PROGRAM),
	};
	AUTO_FREE char *text = NULL;
	struct prof_error *error = packed(reader, 5, &text);

	reader->bad |= text &&
		(!prof_archive_is_source(text) ||
			prof_archive_source(
				experiment, prof_strings_get(&experiment->strings, source.file)));
	return error || reader->bad ? error : prof_archive_add_source(experiment, &source, text);
}

struct prof_error *prof_store_read_extent(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	struct prof_archived_extent extent = {
		.function = prof_row_reference(reader, 1, experiment->functions.count),
		.file = prof_row_reference(reader, 2, experiment->strings.texts.count),
		.first = (uint32_t)prof_row_integer(reader, 3, 1, UINT32_MAX - 1),
		.last = (uint32_t)prof_row_integer(reader, 4, 1, UINT32_MAX - 1),
	};

	reader->bad |= extent.first > extent.last ||
		(!reader->bad && prof_archive_extent(experiment, extent.function));
	return reader->bad ? NULL : prof_archive_add_extent(experiment, &extent);
}

struct prof_error *prof_store_read_block(struct prof_store_reader *reader)
{
	struct prof_experiment *experiment = reader->experiment;
	uint32_t frame = prof_row_reference(reader, 1, experiment->frames.count);
	AUTO_FREE char *text = NULL;
	struct prof_error *error = packed(reader, 3, &text);

	if (error || reader->bad)
		return error;
	const struct prof_frame *at = &experiment->frames.items[frame];
	reader->bad = !at->address || !at->locations || prof_archive_block(experiment, frame) ||
		!prof_archive_is_block(text);
	return reader->bad ? NULL : prof_archive_add_block(experiment, frame, text);
}
