/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files of profiles that are read and added up, with the program that a gmon.out among them needs.
 */
#ifndef PROF_FORMATS_FILES_H
#define PROF_FORMATS_FILES_H

#include "base/progress.h"

#include <stdbool.h>

struct prof_experiment;

/* What was read so far; all zeroes is nothing. */
struct prof_files {
	struct prof_experiment *sum; /* owned; NULL: no profile yet */
	char *program; /* the path of the file that a gmon.out among them is of, owned; NULL: none
			*/
};

void prof_files_deinit(struct prof_files *files);

/*
 * Reads the COUNT files PATHS, profiles in any format that prof_imports[] has, and a program among
 * them at the most.  Several are read at the same time.  The samples of a large sum are in a
 * temporary file (model/spool.h): the memory that it takes goes by the different stacks.
 *
 * If they are the first ones, and are ranks of a job on several hosts whose messages show that the
 * clocks differ (model/mpi_clocks.h), gdbprof reads them a second time, and moves the clocks.
 */
struct prof_error *prof_files_add(struct prof_files *files, const char *const *paths, size_t count,
	const struct prof_progress *progress) PROF_MUST_CHECK;

/* Is there a gmon.out whose program was neither given nor saved with it? */
bool prof_files_lack_program(const struct prof_files *files);

/*
 * The sum of FILES, which the caller then owns.  It is an error if there is no profile, or a
 * program that no profile needs; a gmon.out that lacks its own is an error too.
 */
struct prof_error *prof_files_finish(struct prof_files *files, const struct prof_progress *progress,
	struct prof_experiment **ret) PROF_MUST_CHECK;

#endif
