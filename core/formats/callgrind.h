/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The files of callgrind, as KCachegrind and callgrind_annotate read them: costs of lines, and of
 * the calls in them.
 *
 * Each cost of a line becomes a sample with the one frame that the line is; each call stays what it
 * is (model/arcs.h), since it tells of no stack.  What a sample counts is the event
 * "samples", or else the first; events with the names of times (types.h) are those, in ns.  Calls
 * of a function "<Total>" are those of outermost functions; each function that nobody calls is
 * called like these once, for all that it and its calls cost.  Addresses and jumps are not read.
 */
#ifndef PROF_FORMATS_CALLGRIND_H
#define PROF_FORMATS_CALLGRIND_H

#include "base/progress.h"
#include "model/experiment.h"

#include <stdbool.h>
#include <stddef.h>

/* Rows of prof_imports[], see there. */
bool prof_callgrind_probe(const char *bytes, size_t length);
struct prof_error *prof_callgrind_read(const char *path, const struct prof_progress *progress,
	struct prof_experiment **ret) PROF_MUST_CHECK;

#endif
