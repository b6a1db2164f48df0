/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lines of a program's file as GNU gprof sees them. */
#include "target/image_private.h"

#include <stdlib.h>

struct addresses {
	PROF_ARRAY(uint64_t) list;
};

static void addresses_deinit(struct addresses *addresses)
{
	free(addresses->list.items);
}

/* Adds the begin and end of the code from LOW to HIGH, as far as it is in .text of IMAGE. */
static bool add_ends(
	const struct prof_image *image, struct addresses *addresses, uint64_t low, uint64_t high)
{
	if (!prof_array_reserve(&addresses->list, 2))
		return false;
	low = low < image->text_low ? image->text_low : low;
	if (low < image->text_high)
		addresses->list.items[addresses->list.count++] = low;
	if (high > image->text_low && high < image->text_high)
		addresses->list.items[addresses->list.count++] = high;
	return true;
}

static int compare(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* All addresses, sorted, at which the line of SOURCE may change. */
static bool find_addresses(const struct prof_image *image, const struct prof_source *source,
	struct addresses *addresses)
{
	for (size_t i = 0; i < source->rows.count; i++) {
		if (!add_ends(image, addresses, source->rows.items[i].low,
			    source->rows.items[i].high))
			return false;
	}
	for (size_t i = 0; i < source->extents.count; i++) {
		if (!add_ends(image, addresses, source->extents.items[i].low,
			    source->extents.items[i].high))
			return false;
	}
	if (addresses->list.count)
		qsort(addresses->list.items, addresses->list.count, sizeof *addresses->list.items,
			compare);
	return true;
}

/* Adds the line at ADDRESS, unless it is the same as the one before. */
static struct prof_error *add_line(struct prof_image *image, uint64_t address,
	const struct prof_source_row *row, uint32_t name)
{
	struct prof_image_symbols *lines = &image->lines;
	uint32_t function = prof_image_symbols_find(&image->functions, address);
	const struct prof_image_symbol *around =
		function == PROF_NONE ? NULL : &image->functions.items[function];
	const struct prof_image_symbol *before =
		lines->count ? &lines->items[lines->count - 1] : NULL;

	if (!row || !row->line || name == PROF_NONE)
		return NULL;
	bool same = before && before->name == name && before->file == row->file;
	if (same && before->line == row->line)
		return NULL;
	struct prof_image_symbol line = {
		.low = address,
		.name = name,
		.file = row->file,
		.line = row->line,
		.function = PROF_NONE,
		.local = same ? before->local : around && around->local,
	};
	struct prof_image_symbol *place = prof_array_push(lines);
	if (!place)
		return prof_error_nomem();
	*place = line;
	return NULL;
}

struct prof_error *prof_image_add_lines(struct prof_image *image, const struct prof_source *source)
{
	PROF_AUTO(addresses_deinit) struct addresses addresses = {0};
	AUTO_SOURCE_CURSOR struct prof_source_cursor cursor = {0};
	struct prof_error *error = NULL;

	if (!find_addresses(image, source, &addresses))
		return prof_error_nomem();
	for (size_t i = 0; !error && i < addresses.list.count; i++) {
		uint64_t address = addresses.list.items[i];
		const struct prof_source_row *row;
		uint32_t name;
		error = prof_source_move(source, &cursor, address, &row, &name);
		if (!error)
			error = add_line(image, address, row, name);
	}
	if (error)
		return error;
	if (!prof_array_reserve(&image->lines, image->functions.count))
		return prof_error_nomem();
	for (size_t i = 0; i < image->functions.count; i++) {
		const struct prof_image_symbol *function = &image->functions.items[i];
		/* Code behind .text has no end there. */
		if (function->low < function->high)
			image->lines.items[image->lines.count++] = *function;
	}
	return prof_image_settle(image, &image->lines);
}
