/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the tests of the store's reading make files that are not to be trusted. */
#ifndef PROF_TESTS_EXPERIMENT_HOSTILE_H
#define PROF_TESTS_EXPERIMENT_HOSTILE_H

#include "experiment_support.h"
#include "random_experiment.h"
#include "store/store.h"

#include <sqlite3.h>

static inline void assert_refused(const char *path, enum prof_error_code code, const char *part)
{
	struct prof_experiment *experiment = NULL;

	assert_error(prof_store_load(path, NULL, &experiment), code, part);
	ck_assert_ptr_null(experiment);
}

/* Without the fsync() of prof_store_save(). */
static inline void write_random(const char *path, size_t count)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, count);
	struct prof_store *store;

	ck_assert_ok(prof_store_create(path, &store));
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	prof_store_close(store);
}

/* Runs SQL on PATH as a stranger would. */
static inline void tamper(const char *path, const char *sql)
{
	sqlite3 *database;
	char *message = NULL;

	ck_assert_int_eq(sqlite3_open(path, &database), SQLITE_OK);
	sqlite3_exec(database, "PRAGMA synchronous=OFF", NULL, NULL, NULL);
	sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	int code = sqlite3_exec(database, sql, NULL, NULL, &message);
	ck_assert_msg(code == SQLITE_OK, "%s: %s", sql, message);
	sqlite3_close(database);
}

#endif
