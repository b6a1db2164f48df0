/* SPDX-License-Identifier: GPL-3.0-or-later */

/* SQL statements, made from the table of columns. */
#include "store/schema.h"

int prof_schema_columns(const struct prof_schema *schema)
{
	int count = 1;

	for (const struct prof_column *column = schema->columns; column->name; column++)
		count += column->kind == PROF_COLUMN_VALUE || column->kind == PROF_COLUMN_PACKED
			? 2
			: 1;
	return count;
}

/* The reference of COLUMN.  Path 0 has no row, so columns of paths have no reference. */
static void print_reference(const struct prof_column *column, struct prof_text *sql)
{
	if (column->table != PROF_TABLES && column->table != PROF_TABLE_PATH)
		prof_text_print(sql, " REFERENCES %s", prof_schema[column->table].name);
}

static void print_column(const struct prof_column *column, bool strict, struct prof_text *sql)
{
	switch (column->kind) {
	case PROF_COLUMN_NUMBER:
	case PROF_COLUMN_FIGURE:
	case PROF_COLUMN_REFERENCE:
		prof_text_print(sql, ", %s INTEGER NOT NULL", column->name);
		break;
	case PROF_COLUMN_OPTION:
	case PROF_COLUMN_KNOWN:
		prof_text_print(sql, ", %s INTEGER", column->name);
		break;
	case PROF_COLUMN_VALUE:
		prof_text_print(sql, ", %s INTEGER NOT NULL, %s_millionths INTEGER NOT NULL",
			column->name, column->name);
		break;
	case PROF_COLUMN_TEXT:
		prof_text_print(sql, ", %s TEXT NOT NULL", column->name);
		break;
	case PROF_COLUMN_PACKED:
		prof_text_print(sql, ", size INTEGER NOT NULL, %s BLOB NOT NULL", column->name);
		break;
	case PROF_COLUMN_BLOB:
		prof_text_print(sql, ", %s BLOB NOT NULL", column->name);
		break;
	case PROF_COLUMN_ANY:
		prof_text_print(sql, ", %s %s NOT NULL", column->name, strict ? "ANY" : "BLOB");
		break;
	}
	print_reference(column, sql);
}

void prof_schema_print(const struct prof_schema *schema, bool strict, struct prof_text *sql)
{
	prof_text_print(sql, "CREATE TABLE %s (id INTEGER PRIMARY KEY", schema->name);
	for (const struct prof_column *column = schema->columns; column->name; column++)
		print_column(column, strict, sql);
	prof_text_print(sql, ")%s", strict ? " STRICT" : "");
}

void prof_schema_print_insert(const struct prof_schema *schema, struct prof_text *sql)
{
	prof_text_print(sql, "INSERT OR %s INTO %s VALUES (?",
		schema->changes ? "REPLACE" : "ABORT", schema->name);
	for (int i = 1; i < prof_schema_columns(schema); i++)
		prof_text_print(sql, ",?");
	prof_text_print(sql, ")");
}
