/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A cursor through the places in the code. */
#include "target/source.h"

#include "base/ranges.h"
#include "base/search.h"

#include <stdlib.h>

void prof_source_cursor_deinit(struct prof_source_cursor *cursor)
{
	free(cursor->open.items);
	*cursor = (struct prof_source_cursor){0};
}

/* Of two extents that contain an address, is A the inner one? */
static bool is_inner(const struct prof_source *source, uint32_t a, uint32_t b)
{
	const struct prof_source_extent *one = &source->extents.items[a];
	const struct prof_source_extent *other = &source->extents.items[b];
	uint64_t length = one->high - one->low, other_length = other->high - other->low;

	return length != other_length ? length < other_length : one->order > other->order;
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t held = *a;

	*a = *b;
	*b = held;
}

/* The open extents are a heap, the innermost at its top. */
static bool open_extent(
	const struct prof_source *source, struct prof_source_cursor *cursor, uint32_t extent)
{
	uint32_t *place = prof_array_push(&cursor->open);
	uint32_t *heap = cursor->open.items;

	if (!place)
		return false;
	*place = extent;
	for (size_t i = cursor->open.count - 1; i && is_inner(source, heap[i], heap[(i - 1) / 2]);
		i = (i - 1) / 2)
		swap(&heap[i], &heap[(i - 1) / 2]);
	return true;
}

static void close_innermost(const struct prof_source *source, struct prof_source_cursor *cursor)
{
	uint32_t *heap = cursor->open.items;
	size_t count = --cursor->open.count;

	heap[0] = heap[count];
	for (size_t i = 0, child; (child = 2 * i + 1) < count; i = child) {
		if (child + 1 < count && is_inner(source, heap[child + 1], heap[child]))
			child++;
		if (!is_inner(source, heap[child], heap[i]))
			break;
		swap(&heap[child], &heap[i]);
	}
}

/*
 * The innermost of the open extents that contain ADDRESS; closes those at the top that have ended.
 */
static const struct prof_source_extent *innermost(
	const struct prof_source *source, struct prof_source_cursor *cursor, uint64_t address)
{
	while (cursor->open.count) {
		const struct prof_source_extent *extent =
			&source->extents.items[cursor->open.items[0]];
		if (extent->high > address)
			return extent;
		close_innermost(source, cursor);
	}
	return NULL;
}

/*
 * The first of the labels from FIRST up to END, sorted by `high`, that ends above ADDRESS, or END.
 */
static const struct prof_source_label *first_beyond(const struct prof_source_label *first,
	const struct prof_source_label *end, uint64_t address)
{
	size_t below;

	PROF_SEARCH(below, (size_t)(end - first), i, first[i].high <= address);
	return first + below;
}

/* The first of the labels from FIRST up to END, all at one address, that is no function, or END. */
static const struct prof_source_label *first_other(
	const struct prof_source_label *first, const struct prof_source_label *end)
{
	size_t functions;

	PROF_SEARCH(functions, (size_t)(end - first), i, first[i].function);
	return first + functions;
}

/*
 * The best of the labels from FIRST up to END, all at the last address up to ADDRESS: the shortest
 * function that reaches ADDRESS, otherwise the shortest other label that does, otherwise the
 * longest of all.
 */
static const struct prof_source_label *best_label(const struct prof_source_label *first,
	const struct prof_source_label *end, uint64_t address)
{
	const struct prof_source_label *others = first_other(first, end);
	const struct prof_source_label *function = first_beyond(first, others, address);
	const struct prof_source_label *other = first_beyond(others, end, address);

	if (function < others)
		return function;
	if (other < end)
		return other;
	bool functions = others > first && (others == end || others[-1].high >= end[-1].high);
	const struct prof_source_label *longest = functions ? &others[-1] : &end[-1];
	return first_beyond(functions ? first : others, longest, longest->high - 1);
}

/* The name of the last label at or before ADDRESS, at any distance; PROF_NONE: there is none. */
static uint32_t label_of(const struct prof_source *source, uint64_t address)
{
	const struct prof_source_label *labels = source->labels.items;
	size_t count = source->labels.count;
	size_t below = prof_ranges_below(labels, count, sizeof *labels, address);

	if (!below)
		return PROF_NONE;
	uint64_t low = labels[below - 1].low;
	size_t first = low ? prof_ranges_below(labels, count, sizeof *labels, low - 1) : 0;
	return best_label(&labels[first], &labels[below], address)->name;
}

struct prof_error *prof_source_move(const struct prof_source *source,
	struct prof_source_cursor *cursor, uint64_t address, const struct prof_source_row **row,
	uint32_t *name)
{
	const struct prof_source_row *rows = source->rows.items;

	while (cursor->row < source->rows.count && rows[cursor->row].low <= address)
		cursor->row++;
	while (cursor->extent < source->extents.count &&
		source->extents.items[cursor->extent].low <= address) {
		if (!open_extent(source, cursor, (uint32_t)cursor->extent++))
			return prof_error_nomem();
	}
	*row = cursor->row && address < rows[cursor->row - 1].high ? &rows[cursor->row - 1] : NULL;
	const struct prof_source_extent *extent = innermost(source, cursor, address);
	*name = extent ? extent->name : PROF_NONE;
	if (*name == PROF_NONE)
		*name = label_of(source, address);
	return NULL;
}
