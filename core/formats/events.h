/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Lists of call and return events, a line an event:
 *
 *	thread ID [NAME]	what follows happened in this thread
 *	call NAME TICK [TIME]	what runs there calls NAME
 *	ret TICK [TIME]		what runs there ends
 *	left TICK [TIME]	what runs there ends: a jump or an exception leaves it
 *
 * A TICK is a whole number, a TIME is in seconds, a decimal; neither goes back within a thread, and
 * either all events have a time or none.  Without a line `thread` it is thread 0.  A NAME with
 * blanks in it, or a quote at its beginning, stands between quotes, where `\"` is a quote and `\\`
 * a backslash.  Blank lines, and lines that begin with '#', are skipped.
 *
 * Each call becomes a sample, in the order of the calls, thread by thread: its stack, as samples
 * the ticks that were spent in it without its sub-calls, as user time its time, and as the sample's
 * time when it was called.  Where events have times, it is a single call, too.  An end without a
 *call changes nothing, and a call without an end ends with the last event of its thread;
 *recording.extra_ends and recording.open_calls count them.
 */
#ifndef PROF_FORMATS_EVENTS_H
#define PROF_FORMATS_EVENTS_H

#include "base/progress.h"

#include <stdbool.h>
#include <stddef.h>

struct prof_experiment;

/* Rows of prof_imports[], see there. */
bool prof_events_probe(const char *bytes, size_t length);
struct prof_error *prof_events_read(const char *path, const struct prof_progress *progress,
	struct prof_experiment **ret) PROF_MUST_CHECK;

#endif
