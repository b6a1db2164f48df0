/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The program's code in an experiment's archive: put there, and given to the views of code. */
#ifndef PROF_VIEW_ARCHIVE_H
#define PROF_VIEW_ARCHIVE_H

#include "base/progress.h"

struct prof_code;
struct prof_code_block;
struct prof_code_extent;
struct prof_code_source;
struct prof_experiment;

/* What an archive holds, and what it lacks. */
struct prof_archive_figures {
	size_t sources, no_sources;     /* source files */
	size_t functions, no_functions; /* functions with instructions */
};

/*
 * Puts into EXPERIMENT's archive what CODE knows of all that is in its stacks and is not in the
 * archive.  After an error the archive has a part.
 */
struct prof_error *prof_archive_take(struct prof_experiment *experiment, struct prof_code *code,
	const struct prof_progress *progress, struct prof_archive_figures *ret) PROF_MUST_CHECK;

/* These answer as struct prof_code does, from the archive; *THERE says whether it has that. */
struct prof_error *prof_archive_read_source(const struct prof_experiment *experiment,
	const char *file, struct prof_code_source *ret, bool *there) PROF_MUST_CHECK;
struct prof_error *prof_archive_read_extent(const struct prof_experiment *experiment,
	uint32_t function, struct prof_code_extent *ret, bool *there) PROF_MUST_CHECK;
struct prof_error *prof_archive_read_block(const struct prof_experiment *experiment, uint32_t frame,
	struct prof_code_block *ret, bool *there) PROF_MUST_CHECK;

#endif
