/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/table.h"

#include "report/number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void prof_table_deinit(struct prof_table *table)
{
	free(table->cells.items);
	table->cells.items = NULL;
	table->cells.count = table->cells.capacity = 0;
}

struct prof_cell *prof_table_row(struct prof_table *table)
{
	if (!prof_array_reserve(&table->cells, table->width))
		return NULL;
	struct prof_cell *row = &table->cells.items[table->cells.count];
	for (size_t i = 0; i < table->width; i++)
		row[i] = (struct prof_cell){.kind = PROF_CELL_EMPTY};
	table->cells.count += table->width;
	return row;
}

size_t prof_table_rows(const struct prof_table *table)
{
	return table->cells.count / table->width;
}

const struct prof_cell *prof_table_get(const struct prof_table *table, size_t number)
{
	return &table->cells.items[number * table->width];
}

/* Prints NAME without bytes that a terminal would obey, and in quotes if CSV needs them. */
static void print_name(const char *name, struct prof_text *text)
{
	AUTO_TEXT struct prof_text clean = {0};

	prof_text_name(&clean, name);
	if (clean.failed) {
		text->failed = true;
		return;
	}
	const char *at = prof_text_get(&clean);
	if (!strpbrk(at, "\",")) {
		prof_text_bytes(text, at, strlen(at));
		return;
	}
	prof_text_bytes(text, "\"", 1);
	for (; *at; at++)
		prof_text_bytes(text, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
	prof_text_bytes(text, "\"", 1);
}

static void print_cell(
	const struct prof_table *table, const struct prof_cell *cell, struct prof_text *text)
{
	char buffer[PROF_NUMBER_TEXT];
	const char *number = "";

	switch (cell->kind) {
	case PROF_CELL_EMPTY:
		break;
	case PROF_CELL_NAME:
	case PROF_CELL_LINE:
	case PROF_CELL_STYLED:
		print_name(cell->name, text);
		return;
	case PROF_CELL_INTEGER:
		prof_text_print(text, "%" PRId64, cell->integer);
		return;
	case PROF_CELL_VALUE:
		number = prof_value_print(
			cell->value, cell->units ? cell->units : table->units, buffer);
		break;
	case PROF_CELL_COUNT:
		number = prof_value_print(cell->value, 1, buffer);
		break;
	case PROF_CELL_REAL:
		number = prof_number_real(cell->real, buffer);
		break;
	}
	prof_text_bytes(text, number, strlen(number));
}

void prof_table_csv(const struct prof_table *table, struct prof_text *text)
{
	for (size_t i = 0; i < table->width; i++)
		prof_text_print(text, "%s%s", i ? "," : "", table->columns[i]);
	prof_text_bytes(text, "\n", 1);
	for (size_t i = 0; i < table->cells.count; i++) {
		print_cell(table, &table->cells.items[i], text);
		prof_text_bytes(text, (i + 1) % table->width ? "," : "\n", 1);
	}
}
