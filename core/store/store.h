/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * An experiment's file: one SQLite database, with a schema that is versioned.
 *
 * A file from a stranger is checked, never trusted: what it holds is an experiment that
 * prof_experiment_check() accepts, or it is refused.
 */
#ifndef PROF_STORE_STORE_H
#define PROF_STORE_STORE_H

#include "base/progress.h"

#include <stdbool.h>

struct prof_experiment;

/* A file that is being written. */
struct prof_store;

/* The new file PATH, which must not exist. */
struct prof_error *prof_store_create(const char *path, struct prof_store **ret) PROF_MUST_CHECK;

/* Closes the file, and keeps it.  NULL is fine. */
void prof_store_close(struct prof_store *store);

/*
 * Writes, in one transaction, all of EXPERIMENT that STORE has not written yet.  Where another
 * process is reading the file just now, nothing is written; prof_store_pending() then says so.
 */
struct prof_error *prof_store_write(struct prof_store *store,
	const struct prof_experiment *experiment,
	const struct prof_progress *progress) PROF_MUST_CHECK;

/*
 * Has EXPERIMENT, which is written to STORE, not hold the samples that are there: it reads them
 * from the file when they are wanted, also after STORE was closed.  If the file cannot be opened
 * for that, they stay where they are.
 */
void prof_store_release(const struct prof_store *store, struct prof_experiment *experiment);

/* The bytes of the file. */
uint64_t prof_store_size(const struct prof_store *store);

/* Is there anything in EXPERIMENT's tables that STORE has not written? */
bool prof_store_pending(const struct prof_store *store, const struct prof_experiment *experiment);

/*
 * Writes EXPERIMENT to PATH as a whole: beside it first, and then moved there, so that PATH is
 * either as it was or complete.  A file that is there and is not an experiment is not replaced.
 */
struct prof_error *prof_store_save(const char *path, const struct prof_experiment *experiment,
	const struct prof_progress *progress) PROF_MUST_CHECK;

/* What is in the file PATH. */
struct prof_error *prof_store_load(const char *path, const struct prof_progress *progress,
	struct prof_experiment **ret) PROF_MUST_CHECK;

/*
 * Rows of prof_imports[], see there.  Where nothing has ended the recording, as its host was
 * killed, a mark behind the last sample ends the last interval.
 */
bool prof_store_probe(const char *bytes, size_t length);
struct prof_error *prof_store_import(const char *path, const struct prof_progress *progress,
	struct prof_experiment **ret) PROF_MUST_CHECK;

#endif
