/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of the store share. */
#ifndef PROF_STORE_PRIVATE_H
#define PROF_STORE_PRIVATE_H

#include "store/database.h"
#include "store/entries.h"
#include "store/schema.h"
#include "store/store.h"

/* How much of an experiment is in its file. */
struct prof_store_done {
	size_t entries[PROF_TABLES]; /* of the experiment's tables */
	int64_t rows[PROF_TABLES];   /* of the file's */
	uint64_t changes;            /* of the experiment's rows that were there */
	uint64_t sampled;            /* changes of its samples */
	size_t calls;                /* single ones */
};

struct prof_store {
	char *file;
	char *name; /* what errors call it */
	sqlite3 *database;
	sqlite3_stmt *insert[PROF_TABLES];
	struct prof_store_done done;
	int version;               /* of the file; see schema.h */
	PROF_ARRAY(size_t) ranges; /* done, of each module */
};

/*
 * Makes in the file, of version BEFORE, the tables that VERSION has more, in the transaction that
 * is under way.
 */
struct prof_error *prof_store_tables(
	struct prof_store *store, int before, int version) PROF_MUST_CHECK;

/* How many ranges of MODULE are in the file. */
static inline size_t prof_store_ranges(const struct prof_store *store, size_t module)
{
	return module < store->ranges.count ? store->ranges.items[module] : 0;
}

/* The first entry of TABLE from NUMBER on that was changed after SINCE; END if none before it was.
 */
size_t prof_store_next_changed(const struct prof_experiment *experiment,
	enum prof_schema_table table, size_t number, size_t end, uint64_t since);

#endif
