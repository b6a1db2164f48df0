/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The marks of a recording: made on GDB's own thread, by all that can ask for one. */
#ifndef PROF_PLUGIN_COLLECT_MARKS_H
#define PROF_PLUGIN_COLLECT_MARKS_H

#include "base/error.h"
#include "plugin/gdb/python.h"
#include "recording/recorder.h"
#include "sampling/marker.h"

#include <stdbool.h>

/*
 * Begins, with a marker that puts its marks into QUEUE, from which RECORDER takes them; both are
 * borrowed until marks_end().  The program's own probes and forks are
 * watched from now on.  PERIOD is in ns,
 * see prof_marker_create().
 */
struct prof_error *marks_begin(
	struct prof_queue *queue, struct prof_recorder *recorder, int64_t period) PROF_MUST_CHECK;

/* Ends; nothing happens if it had not begun. */
void marks_end(void);

/* The marker, for those who look at the processes; borrowed. */
struct prof_marker *marks_marker(void);

/* Makes a mark now; it has begun. */
struct prof_error *marks_make(enum prof_mark_kind kind, const char *label) PROF_MUST_CHECK;

/*
 * The same for marks that nobody asked for in this moment: where nothing is recorded, or that was
 * paused, nothing happens.
 */
struct prof_error *marks_automatic(enum prof_mark_kind kind, const char *label) PROF_MUST_CHECK;

/* Has the user or the program paused? */
bool marks_are_paused(void);

/*
 * Pauses sampling, or has it go on, unless it does, and leaves a mark LABEL: just before, or just
 * after.
 */
struct prof_error *marks_pause(bool paused, const char *label) PROF_MUST_CHECK;

/*
 * From now on nothing but marks is recorded, since there is no room for more; LABEL is that of the
 * first of these marks.
 */
struct prof_error *marks_fill(const char *label) PROF_MUST_CHECK;

/* Was marks_fill() called? */
bool marks_are_all(void);

/* A program is about to go on: what tells of marks stands in it. */
struct prof_error *marks_go_on(void) PROF_MUST_CHECK;

/* The program has stopped for its user, as EVENT, a gdb.StopEvent, tells; it may be no mark. */
struct prof_error *marks_stop(PyObject *event) PROF_MUST_CHECK;

#endif
