/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Takes the rows of an archive: data from outside of the experiment that views need. */
#include "store/rows.h"

#include "model/archive.h"

struct prof_error *prof_store_take_source(
	struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_experiment *experiment = reader->experiment;
	const struct prof_archived_source *source = &row->source;
	const char *file = prof_strings_get(&experiment->strings, source->file);

	reader->bad =
		!prof_archive_is_source(source->text) || prof_archive_source(experiment, file);
	return reader->bad ? NULL : prof_archive_add_source(experiment, source, source->text);
}

struct prof_error *prof_store_take_extent(
	struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_experiment *experiment = reader->experiment;
	const struct prof_archived_extent *extent = &row->extent;

	reader->bad =
		extent->first > extent->last || prof_archive_extent(experiment, extent->function);
	return reader->bad ? NULL : prof_archive_add_extent(experiment, extent);
}

struct prof_error *prof_store_take_block(
	struct prof_store_reader *reader, const union prof_row *row)
{
	struct prof_experiment *experiment = reader->experiment;
	uint32_t number = row->block.frame;
	const struct prof_frame *frame = &experiment->frames.items[number];

	reader->bad = !frame->address || !frame->locations ||
		prof_archive_block(experiment, number) || !prof_archive_is_block(row->block.text);
	return reader->bad ? NULL : prof_archive_add_block(experiment, number, row->block.text);
}
