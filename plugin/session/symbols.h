/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names for addresses: through GDB while it knows the program, and once per address. */
#ifndef PROF_PLUGIN_SESSION_SYMBOLS_H
#define PROF_PLUGIN_SESSION_SYMBOLS_H

#include "base/progress.h"

#include <stdbool.h>

struct engine;
struct going;
struct prof_experiment;
struct symbols_lines;

/*
 * Resolves the frames of EXPERIMENT from the one numbered FIRST on that are not resolved yet.
 * GDB is asked about the processes that ENGINE, NULL for none, samples; where it does not know one
 * any more, the files that it was made of are asked, if they are still the same, and so they are
 * for a load object that GDB has let go of, or is letting go of now: GOING, "" for one that is not
 * known.  If it is EARLY, generated code without a name stays unresolved: its program may write the
 * name to a file later.  LINES has files that are open already; the caller closes them.
 */
struct prof_error *symbols_resolve(struct prof_experiment *experiment, size_t first,
	struct symbols_lines *lines, const struct engine *engine, const struct going *going,
	bool early, const struct prof_progress *progress) PROF_MUST_CHECK;

/*
 * Names the objects of EXPERIMENT, locks and the like, from the one numbered FIRST on, as far as
 * GDB knows a symbol for them, and while it knows the program that ENGINE samples.
 */
struct prof_error *symbols_name_objects(struct prof_experiment *experiment, size_t first,
	const struct engine *engine, const struct going *going) PROF_MUST_CHECK;

#endif
