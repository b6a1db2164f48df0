/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The files of speedscope, one JSON object: profiles of the type "sampled", stacks with weights,
 * and "evented", frames that open and close.  See src/lib/file-format-spec.ts in its repository,
 * jlfwong/speedscope.
 *
 * Each profile is a thread, whose id comes from a name such as "NAME (ID)" or "thread ID".  A
 * weight is a sample's value, in the unit of the file; if that is a time, it is user time too.  In
 * an evented profile each frame that opens is a sample, as calls are in a list of events (see
 * events.h).
 */
#ifndef PROF_FORMATS_SPEEDSCOPE_H
#define PROF_FORMATS_SPEEDSCOPE_H

#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>

struct prof_experiment;

/* Rows of prof_imports[], see there. */
bool prof_speedscope_probe(const char *bytes, size_t length);
struct prof_error *prof_speedscope_read(const char *path, const struct prof_progress *progress,
	struct prof_experiment **ret) PROF_MUST_CHECK;

#endif
