/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A note behind each frame that `backtrace` prints, "#1 work () at work.c:17 [61 %]", by a frame
 * filter of GDB's Python.  It comes behind all other filters, and leaves what they do as it is.
 */
#ifndef PROF_PLUGIN_GDB_FRAME_FILTER_H
#define PROF_PLUGIN_GDB_FRAME_FILTER_H

#include "base/text.h"

#include <stdbool.h>

/* Adds the note on a frame of FUNCTION, as GDB calls it, to TEXT, or nothing. */
typedef void frame_filter_note(const char *function, struct prof_text *text);

/*
 * Has NOTE called for frames from now on.  Front ends that use MI or DAP get their frames as they
 * are, because they take the note for a part of the file's name.  False: an exception is pending.
 */
bool frame_filter_add(frame_filter_note *note);

/* Takes the filter out of GDB again.  False: an exception is pending. */
bool frame_filter_remove(void);

#endif
