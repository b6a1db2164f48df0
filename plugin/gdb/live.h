/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A text that is shown on the whole terminal and drawn again and again while the program runs in
 * the background, until a key is typed or the program stops.
 *
 * GDB goes on as at its prompt: it must deal with the program's events, or no sample is taken.  So
 * what is typed is taken from it, and its prompt is shown again at the end.
 */
#ifndef PROF_PLUGIN_GDB_LIVE_H
#define PROF_PLUGIN_GDB_LIVE_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>

/* Can a text be drawn so: on a terminal that shows nothing else, while the program runs? */
bool live_can(void);

/*
 * Has GDB call DRAW twice a second, or less often if that takes long, which adds the text.  It is
 * called first when GDB has shown its prompt.  An error of DRAW ends it.
 */
struct prof_error *live_begin(struct prof_error *(*draw)(struct prof_text *text)) PROF_MUST_CHECK;

#endif
