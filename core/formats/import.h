/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What can be read: one table of formats, each known by its content. */
#ifndef PROF_FORMATS_IMPORT_H
#define PROF_FORMATS_IMPORT_H

#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>

struct prof_experiment;

struct prof_import {
	const char *name;     /* one word, e.g. "folded" */
	const char *describe; /* one sentence */
	/* Does a file that begins with these LENGTH bytes look like it? */
	bool (*probe)(const char *bytes, size_t length);
	/* Reads the file PATH into a new experiment, which the caller destroys. */
	struct prof_error *(*read)(const char *path, const struct prof_progress *progress,
		struct prof_experiment **ret);
};

/* The table, tried in its order; ends with a row without a name. */
extern const struct prof_import prof_imports[];

/* Fills BYTES with what the file PATH has from its start, up to SIZE; *LENGTH is how much. */
struct prof_error *prof_import_fill(
	const char *path, char *bytes, size_t size, size_t *length) PROF_MUST_CHECK;

/* Is the file PATH a program, as gmon.out needs it beside it?  *RET says. */
struct prof_error *prof_import_is_program(const char *path, bool *ret) PROF_MUST_CHECK;

/* An empty experiment, for the readers, that says that it came from the file PATH. */
struct prof_error *prof_import_create(
	const char *path, struct prof_experiment **ret) PROF_MUST_CHECK;

/*
 * For the readers: makes the times of EXPERIMENT's samples relative to the earliest, its start.  It
 * ends at END ns, or with the last of them if that is later.
 */
struct prof_error *prof_import_begin_at_zero(
	struct prof_experiment *experiment, int64_t end) PROF_MUST_CHECK;

/*
 * Reads the file PATH in the format that its content shows.  An unreadable, empty, foreign or
 * damaged one gives an error that names the file, and the line or place where there is one.
 */
struct prof_error *prof_import_read(const char *path, const struct prof_progress *progress,
	struct prof_experiment **ret) PROF_MUST_CHECK;

#endif
