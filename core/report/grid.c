/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/grid.h"

#include "base/columns.h"
#include "report/markup.h"
#include "report/number.h"

#include <stdlib.h>
#include <string.h>

/* Between two columns. */
enum { GAP = 2 };

/* In the place of a row's cells: an empty line. */
static const char blank[] = "\n";

void prof_grid_deinit(struct prof_grid *grid)
{
	prof_text_deinit(&grid->cells);
}

void prof_grid_cell(struct prof_grid *grid, const char *text)
{
	prof_text_bytes(&grid->cells, text, strlen(text) + 1);
}

void prof_grid_number(struct prof_grid *grid, prof_value value, int64_t units, int places)
{
	char buffer[PROF_NUMBER_TEXT];

	prof_grid_cell(grid, prof_number_fixed(value, units, places, buffer));
}

static void add_marked(struct prof_grid *grid, enum prof_markup_kind kind, const char *before,
	const char *name, const char *after)
{
	prof_text_bytes(&grid->cells, before, strlen(before));
	if (*name) {
		prof_markup_begin(&grid->cells, kind);
		prof_text_name(&grid->cells, name);
		prof_markup_end(&grid->cells);
	}
	prof_text_bytes(&grid->cells, after, strlen(after) + 1);
}

void prof_grid_name(struct prof_grid *grid, const char *before, const char *name, const char *after)
{
	add_marked(grid, PROF_MARKUP_NAME, before, name, after);
}

void prof_grid_function(
	struct prof_grid *grid, const char *before, const char *name, const char *after)
{
	add_marked(grid, PROF_MARKUP_FUNCTION, before, name, after);
}

void prof_grid_hot(struct prof_grid *grid, const char *text)
{
	add_marked(grid, PROF_MARKUP_HOT, "", text, "");
}

void prof_grid_line(struct prof_grid *grid, const char *text, bool styled)
{
	if (!*text) {
		prof_grid_cell(grid, text);
		return;
	}
	prof_markup_begin(&grid->cells, PROF_MARKUP_LINE);
	if (styled)
		prof_text_bytes(&grid->cells, text, strlen(text));
	else
		prof_text_name(&grid->cells, text);
	prof_markup_end(&grid->cells);
	prof_text_bytes(&grid->cells, "", 1);
}

void prof_grid_blank(struct prof_grid *grid)
{
	prof_grid_cell(grid, blank);
}

static const char *head(const struct prof_grid *grid, size_t column, size_t line)
{
	const char *text = grid->columns[column].heads[line];

	return text ? text : "";
}

/* The columns that CELL takes up. */
static size_t columns_of(const char *cell)
{
	return prof_columns_of(cell, strlen(cell));
}

static size_t head_width(const struct prof_grid *grid, size_t column)
{
	size_t width = 0;

	for (size_t line = 0; line < PROF_GRID_HEADS; line++) {
		size_t length = strlen(head(grid, column, line));
		width = length > width ? length : width;
	}
	return width;
}

/* Removes the spaces at the end of TEXT. */
static void trim(struct prof_text *text)
{
	while (text->length && text->bytes[text->length - 1] == ' ')
		text->bytes[--text->length] = '\0';
}

/* Prints one cell of COLUMN, WIDTH wide; the last one ends the line. */
static void print_cell(const struct prof_grid *grid, size_t column, const char *cell, size_t width,
	struct prof_text *text)
{
	long padding = (long)width - (long)columns_of(cell);
	bool last = column + 1 == grid->width;

	if (grid->columns[column].right)
		prof_text_spaces(text, padding);
	/* Those that follow stay where they are: a name before them is not cut. */
	if (last)
		prof_text_bytes(text, cell, strlen(cell));
	else
		prof_markup_keep(text, cell);
	if (last && !*cell)
		trim(text);
	if (last)
		prof_text_bytes(text, "\n", 1);
	else if (grid->columns[column].right)
		prof_text_spaces(text, GAP);
	else
		prof_text_spaces(text, padding + GAP);
}

static void print_heading(
	const struct prof_grid *grid, const size_t *widths, struct prof_text *text)
{
	for (size_t line = 0; line < PROF_GRID_HEADS; line++) {
		bool empty = true;
		for (size_t i = 0; i < grid->width; i++)
			empty = empty && !*head(grid, i, line);
		for (size_t i = 0; i < grid->width && !empty; i++)
			print_cell(grid, i, head(grid, i, line), widths[i], text);
	}
	for (size_t i = 0; i < grid->width && grid->underline; i++) {
		static const char dashes[] = "----------------------------------------";
		size_t width = head_width(grid, i);
		size_t most = sizeof dashes - 1;
		print_cell(grid, i, dashes + (width < most ? most - width : 0), widths[i], text);
	}
}

/*
 * Walks over the cells: returns the next one from *AT on, and sets *COLUMN; NULL: the end.  The
 * column of an empty line is the grid's width.
 */
static const char *next_cell(const struct prof_grid *grid, size_t *at, size_t *column)
{
	if (*at == grid->cells.length)
		return NULL;
	const char *cell = grid->cells.bytes + *at;
	*at += strlen(cell) + 1;
	if (!strcmp(cell, blank))
		*column = grid->width;
	else
		*column = *column + 1 < grid->width ? *column + 1 : 0;
	return cell;
}

/* The widths of all columns; NULL: no memory. */
static size_t *measure(const struct prof_grid *grid)
{
	size_t *widths = calloc(grid->width, sizeof *widths);
	size_t column = grid->width;
	const char *cell;

	if (!widths || grid->cells.failed) {
		free(widths);
		return NULL;
	}
	for (size_t i = 0; i < grid->width; i++)
		widths[i] = head_width(grid, i);
	for (size_t at = 0; (cell = next_cell(grid, &at, &column));) {
		size_t length = columns_of(cell);
		if (column < grid->width && length > widths[column])
			widths[column] = length;
	}
	/* The last column is not padded, so its widest cell does not matter. */
	widths[grid->width - 1] = 0;
	return widths;
}

size_t prof_grid_before(const struct prof_grid *grid)
{
	AUTO_FREE size_t *widths = measure(grid);
	size_t before = 0;

	for (size_t i = 0; widths && i + 1 < grid->width; i++)
		before += widths[i] + GAP;
	return before;
}

void prof_grid_print(const struct prof_grid *grid, struct prof_text *text)
{
	AUTO_FREE size_t *widths = measure(grid);
	size_t column = grid->width;
	const char *cell;

	if (!widths) {
		text->failed = true;
		return;
	}
	print_heading(grid, widths, text);
	column = grid->width;
	for (size_t at = 0; (cell = next_cell(grid, &at, &column));) {
		if (column == grid->width)
			prof_text_bytes(text, "\n", 1);
		else
			print_cell(grid, column, cell, widths[column], text);
	}
}
