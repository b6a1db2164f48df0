/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A table: what a view has computed, to be printed as CSV, JSON or text. */
#ifndef PROF_REPORT_TABLE_H
#define PROF_REPORT_TABLE_H

#include "base/text.h"
#include "base/value.h"

#include <stdbool.h>
#include <stdint.h>

enum prof_cell_kind {
	PROF_CELL_EMPTY,
	PROF_CELL_NAME,   /* text that is not trusted */
	PROF_CELL_LINE,   /* likewise, of source */
	PROF_CELL_STYLED, /* text for a terminal, shown as it is */
	PROF_CELL_INTEGER,
	PROF_CELL_VALUE, /* of the metric, exact */
	PROF_CELL_COUNT, /* an exact number that has no unit: it is not divided by `units` */
	PROF_CELL_REAL,  /* a ratio: percent, time per call */
};

struct prof_cell {
	enum prof_cell_kind kind;
	int64_t units; /* by which a value is divided; 0: as the table says */
	union {
		const char *name; /* borrowed */
		int64_t integer;
		prof_value value; /* or count */
		double real;      /* in the column's own unit */
	};
};

struct prof_table {
	const char *key;            /* of its rows in JSON, e.g. "rows" */
	const char *const *columns; /* their names; borrowed */
	size_t width;               /* number of columns */
	int64_t units;              /* by which values are divided, see struct prof_metric */
	PROF_ARRAY(struct prof_cell) cells; /* row by row */
};

void prof_table_deinit(struct prof_table *table);

/* Frees what a table holds, for the guard. */
#define AUTO_TABLE PROF_AUTO(prof_table_deinit)

/* A new last row of TABLE, `width` empty cells, borrowed likewise; NULL where memory is short. */
struct prof_cell *prof_table_row(struct prof_table *table);

/* The number of rows. */
size_t prof_table_rows(const struct prof_table *table);

/* The cells of the row NUMBER, from 0, borrowed until a row is added. */
const struct prof_cell *prof_table_get(const struct prof_table *table, size_t number);

/* Cells of each kind; texts are borrowed as long as the cell. */
static inline struct prof_cell prof_cell_name(const char *name)
{
	return (struct prof_cell){.kind = PROF_CELL_NAME, .name = name};
}

static inline struct prof_cell prof_cell_line(const char *text)
{
	return (struct prof_cell){.kind = PROF_CELL_LINE, .name = text};
}

static inline struct prof_cell prof_cell_styled(const char *text)
{
	return (struct prof_cell){.kind = PROF_CELL_STYLED, .name = text};
}

static inline struct prof_cell prof_cell_integer(int64_t integer)
{
	return (struct prof_cell){.kind = PROF_CELL_INTEGER, .integer = integer};
}

static inline struct prof_cell prof_cell_value(prof_value value)
{
	return (struct prof_cell){.kind = PROF_CELL_VALUE, .value = value};
}

static inline struct prof_cell prof_cell_value_in(prof_value value, int64_t units)
{
	return (struct prof_cell){.kind = PROF_CELL_VALUE, .units = units, .value = value};
}

static inline struct prof_cell prof_cell_count(prof_value count)
{
	return (struct prof_cell){.kind = PROF_CELL_COUNT, .value = count};
}

static inline struct prof_cell prof_cell_real(double real)
{
	return (struct prof_cell){.kind = PROF_CELL_REAL, .real = real};
}

/* Prints TABLE as RFC 4180 has it, except that lines end in `\n`; numbers have full precision. */
void prof_table_csv(const struct prof_table *table, struct prof_text *text);

#endif
