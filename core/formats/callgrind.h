/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Reads callgrind's files, as KCachegrind and callgrind_annotate do: costs of lines, and of the
 * calls in them.  See "Callgrind Format Specification" in Valgrind's technical documentation.
 *
 * The cost of a line becomes a sample whose stack is one frame, the line.  A call becomes an arc
 * with its costs (model/arcs.h), because the file has no stacks.  A sample counts the event
 * "samples", or else the first one; events that are named as times (types.h) are times in ns.
 * Calls from a function "<Total>" have no caller.  A function that no other calls gets one such
 * call, with the cost of the function and of all its calls.  Addresses and jumps are not read.
 */
#ifndef PROF_FORMATS_CALLGRIND_H
#define PROF_FORMATS_CALLGRIND_H

#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>

struct prof_experiment;

/* Rows of prof_imports[], see there. */
bool prof_callgrind_probe(const char *bytes, size_t length);
struct prof_error *prof_callgrind_read(const char *path, const struct prof_progress *progress,
	struct prof_experiment **ret) PROF_MUST_CHECK;

#endif
