/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The SQLite database that is an experiment's file: opened with care, its errors in sentences. */
#ifndef PROF_STORE_DATABASE_H
#define PROF_STORE_DATABASE_H

#include "base/error.h"

#include <sqlite3.h>
#include <stdbool.h>

/* Does this SQLite know strict tables? */
bool prof_database_is_strict(void);

/*
 * Opens the experiment FILE, that exists, with a connection that trusts nothing in it and is used
 * by one thread at a time.  What a writer left unfinished is undone at the first access.  NAME is
 * what errors call it.
 */
struct prof_error *prof_database_open(
	const char *file, const char *name, sqlite3 **ret) PROF_MUST_CHECK;

/*
 * Is the file FD, known as NAME, an experiment, of a version that can be read?  The error says why
 * not.
 */
struct prof_error *prof_database_check(int fd, const char *name) PROF_MUST_CHECK;

/* The error that DATABASE has run into: "The file NAME cannot be ACTION, since...". */
struct prof_error *prof_database_error(
	sqlite3 *database, const char *name, const char *action) PROF_MUST_CHECK;

/* Closes *DATABASE, for the guard. */
void prof_database_auto(sqlite3 **database);
#define AUTO_DATABASE PROF_AUTO(prof_database_auto)

/* Finalizes *STATEMENT, for the guard. */
void prof_database_statement_auto(sqlite3_stmt **statement);
#define AUTO_STATEMENT PROF_AUTO(prof_database_statement_auto)

#endif
