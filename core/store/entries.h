/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows that an experiment has of each table of the schema, one after the other. */
#ifndef PROF_STORE_ENTRIES_H
#define PROF_STORE_ENTRIES_H

#include "store/schema.h"

/*
 * The number of entries of TABLE in EXPERIMENT; ranges are known by their module, and of single
 * calls these are the whole blocks.
 */
size_t prof_store_entries(const struct prof_experiment *experiment, enum prof_schema_table table);

/*
 * A caller that asks for rows one after the other has one, all zeroes at first: what the last one
 * needed.
 */
struct prof_store_place {
	struct prof_traced_rows_place traced;
	union prof_row row;
};

/*
 * The row of TABLE that the entry NUMBER has, valid until PLACE is used again.  The table is one in
 * which each entry has one row, which no code of its own writes.
 */
const void *prof_store_row(const struct prof_experiment *experiment, enum prof_schema_table table,
	size_t number, struct prof_store_place *place);

/* The row of `traced_mpi` that TRACED has. */
struct prof_traced_mpi_row prof_store_traced_mpi(const struct prof_traced_row *traced);

/* And that of `traced_omp` and of `traced_loop`. */
struct prof_traced_omp_row prof_store_traced_omp(const struct prof_traced_row *traced);

#endif
