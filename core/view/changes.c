/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/changes.h"

#include "metric/metric.h"
#include "report/number.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { A, B, DIFFERENCE, RATIO };

static const char *const part_names[PROF_CHANGES_PARTS] = {
	[A] = "a",
	[B] = "b",
	[DIFFERENCE] = "difference",
	[RATIO] = "ratio",
};

static const char *const part_heads[PROF_CHANGES_PARTS] = {
	[A] = "A",
	[B] = "B",
	[DIFFERENCE] = "B - A",
	[RATIO] = "B / A",
};

/* "in_or_under_a" from "In or Under". */
static void name_column(char *name, size_t size, const char *what, const char *part)
{
	snprintf(name, size, "%s_%s", what, part);
	for (; *name; name++)
		*name = (char)(*name == ' ' ? '_' : tolower((unsigned char)*name));
}

void prof_changes_begin(struct prof_changes *changes, const char *const *names, size_t leading)
{
	size_t width = 0;

	assert(leading <= PROF_CHANGES_LEADING && changes->count <= PROF_CHANGES_MEASURES);
	for (; width < leading; width++)
		changes->columns[width] = names[width];
	for (size_t i = 0; i < changes->count * PROF_CHANGES_PARTS; i++) {
		char *name = changes->names[i];
		name_column(name, sizeof changes->names[i], changes->whats[i / PROF_CHANGES_PARTS],
			part_names[i % PROF_CHANGES_PARTS]);
		changes->columns[width++] = name;
	}
	changes->leading = leading;
	changes->table = (struct prof_table){
		.key = "rows",
		.columns = changes->columns,
		.width = width,
		.units = changes->metric->units,
	};
}

void prof_changes_deinit(struct prof_changes *changes)
{
	prof_table_deinit(&changes->table);
}

/* The share of the total that SIDE has, in percent. */
static double share(const struct prof_changes *changes, const struct prof_change *change, int side)
{
	return prof_value_percent(change->values[side], changes->totals[side]);
}

/* Fills in the parts of one measure.  A ratio to nothing does not exist. */
static void fill_cells(const struct prof_changes *changes, const struct prof_change *change,
	struct prof_cell *cells)
{
	double a = prof_value_double(change->values[A]);
	double b = prof_value_double(change->values[B]);

	if (changes->normalize) {
		a = share(changes, change, A);
		b = share(changes, change, B);
		cells[A] = prof_cell_real(a);
		cells[B] = prof_cell_real(b);
		cells[DIFFERENCE] = prof_cell_real(b - a);
	} else {
		cells[A] = prof_cell_value(change->values[A]);
		cells[B] = prof_cell_value(change->values[B]);
		cells[DIFFERENCE] = prof_cell_value(change->values[B] - change->values[A]);
	}
	if (a != 0)
		cells[RATIO] = prof_cell_real(b / a);
}

struct prof_cell *prof_changes_row(struct prof_changes *changes, const struct prof_change *change)
{
	struct prof_cell *row = prof_table_row(&changes->table);

	for (size_t i = 0; row && change && i < changes->count; i++)
		fill_cells(changes, &change[i], row + changes->leading + i * PROF_CHANGES_PARTS);
	return row;
}

int prof_changes_compare(const struct prof_changes *changes, const struct prof_change *a,
	const struct prof_change *b)
{
	if (changes->normalize) {
		double one = fabs(share(changes, a, B) - share(changes, a, A));
		double other = fabs(share(changes, b, B) - share(changes, b, A));
		return (one < other) - (one > other);
	}
	prof_value one = a->values[B] - a->values[A];
	prof_value other = b->values[B] - b->values[A];
	one = one < 0 ? -one : one;
	other = other < 0 ? -other : other;
	return (one < other) - (one > other);
}

size_t prof_changes_heads(const struct prof_changes *changes,
	const struct prof_grid_column *leading, size_t leading_count,
	struct prof_grid_column *heads)
{
	size_t width = 0;

	for (size_t i = 0; i < changes->count * PROF_CHANGES_PARTS; i++) {
		struct prof_grid_column head = {.right = true};
		size_t part = i % PROF_CHANGES_PARTS;
		if (part == A) {
			head.heads[0] = changes->whats[i / PROF_CHANGES_PARTS];
			head.heads[1] = changes->metric->title;
		}
		head.heads[2] = part_heads[part];
		heads[width++] = head;
	}
	for (size_t i = 0; i < leading_count; i++)
		heads[width++] = leading[i];
	return width;
}

/* A value, or a share; if it is a DIFFERENCE, with its sign. */
static const char *print_value(const struct prof_changes *changes, const struct prof_cell *cell,
	bool difference, char *buffer)
{
	bool share = cell->kind == PROF_CELL_REAL;
	bool more = difference && (share ? cell->real > 0 : cell->value > 0);

	buffer[0] = '+';
	if (share)
		prof_number_percent(cell->real, false, buffer + more);
	else
		prof_number_value(cell->value, changes->metric, buffer + more);
	return buffer;
}

/* B / A in the four CELLS of a measure; empty for what is new. */
static const char *print_ratio(const struct prof_cell *cells, char *buffer)
{
	const struct prof_cell *b = &cells[B];
	bool is_new = b->kind == PROF_CELL_REAL ? b->real > 0 : b->value > 0;

	if (cells[RATIO].kind == PROF_CELL_EMPTY)
		strcpy(buffer, is_new ? "new" : "");
	else if (cells[RATIO].real == 0)
		strcpy(buffer, "gone");
	else
		snprintf(buffer, PROF_NUMBER_TEXT, "%.3f", cells[RATIO].real);
	return buffer;
}

void prof_changes_cells(const struct prof_changes *changes, size_t number, struct prof_grid *grid)
{
	const struct prof_cell *cells = prof_table_get(&changes->table, number) + changes->leading;
	char buffer[PROF_NUMBER_TEXT + 1];

	for (size_t i = 0; i < changes->count; i++, cells += PROF_CHANGES_PARTS) {
		for (int part = 0; part < PROF_CHANGES_PARTS; part++) {
			const char *text = "";
			if (part == RATIO && cells[A].kind != PROF_CELL_EMPTY)
				text = print_ratio(cells, buffer);
			else if (cells[part].kind != PROF_CELL_EMPTY)
				text = print_value(
					changes, &cells[part], part == DIFFERENCE, buffer);
			prof_grid_cell(grid, text);
		}
	}
}
