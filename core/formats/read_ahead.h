/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Files that are read ahead: several at the same time on threads, each as its experiment, while the
 * caller deals with those that are ready, in their order.
 */
#ifndef PROF_FORMATS_READ_AHEAD_H
#define PROF_FORMATS_READ_AHEAD_H

#include "base/progress.h"

struct prof_experiment;

struct prof_read_ahead;

/*
 * Begins to read the COUNT files PATHS, borrowed until the end, one on each CPU at a time.  No more
 * than twice as many experiments are held as there are CPUs.
 */
struct prof_error *prof_read_ahead_create(
	const char *const *paths, size_t count, struct prof_read_ahead **ret) PROF_MUST_CHECK;

/* Waits for the threads, whose files are read to their end.  NULL is fine. */
void prof_read_ahead_destroy(struct prof_read_ahead *ahead);

/* Destroys *AHEAD, for the guard. */
void prof_read_ahead_auto(struct prof_read_ahead **ahead);
#define AUTO_READ_AHEAD PROF_AUTO(prof_read_ahead_auto)

/*
 * The experiment of the next file, which the caller then owns, or why it cannot be read.  While it
 * is not ready PROGRESS learns of the files that are done.
 */
struct prof_error *prof_read_ahead_next(struct prof_read_ahead *ahead,
	const struct prof_progress *progress, struct prof_experiment **ret) PROF_MUST_CHECK;

#endif
