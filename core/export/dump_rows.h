/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The rows of an experiment's tables as objects of JSON.
 *
 * They follow prof_schema: a column is written under its own name unless dump_rows.c says
 * otherwise.
 */
#ifndef PROF_EXPORT_DUMP_ROWS_H
#define PROF_EXPORT_DUMP_ROWS_H

#include "base/text.h"
#include "store/schema.h"

struct prof_dump {
	const struct prof_experiment *experiment; /* borrowed */
	struct prof_text *text;                   /* borrowed */
	const struct prof_sample *traced;         /* borrowed: the sample of each traced row */
};

/* Writes the object of the entry NUMBER of TABLE, one of those with a row in an array of JSON. */
struct prof_error *prof_dump_row(
	const struct prof_dump *dump, enum prof_schema_table table, size_t number) PROF_MUST_CHECK;

/* Writes the keys of ROW; those of other tables that its object may have are left out. */
struct prof_error *prof_dump_columns(const struct prof_dump *dump, enum prof_schema_table table,
	const void *row) PROF_MUST_CHECK;

/* Is the EVENT a counter? */
bool prof_dump_is_counter(const struct prof_dump *dump, size_t event);

#endif
