/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The marks of a recording: made on GDB's own thread, for all that can ask for one. */
#ifndef PROF_PLUGIN_MARKS_MARKS_H
#define PROF_PLUGIN_MARKS_MARKS_H

#include "base/error.h"
#include "model/mark.h"

#include <stdbool.h>

/* Makes a mark now; the recording has begun. */
struct prof_error *marks_make(enum prof_mark_kind kind, const char *label) PROF_MUST_CHECK;

/*
 * The same for marks that nobody asked for in this moment: does nothing if nothing is recorded, or
 * the recording is paused.
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
 * From now on only marks are recorded, because there is no room for more; LABEL is that of the
 * first of these marks.
 */
struct prof_error *marks_fill(const char *label) PROF_MUST_CHECK;

/* Was marks_fill() called? */
bool marks_are_all(void);

#endif
