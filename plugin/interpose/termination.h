/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * SIGTERM to GDB, kept back for a moment.
 *
 * GDB 13.1 ends in an internal error if SIGTERM comes while it deals with an event of the program:
 * a new thread, a breakpoint in the dynamic linker, a tick that GDB sees.  The profile would not be
 * finished.  So it is passed on where GDB deals with none, and no tick is under way.
 */
#ifndef PROF_PLUGIN_INTERPOSE_TERMINATION_H
#define PROF_PLUGIN_INTERPOSE_TERMINATION_H

#include <stdbool.h>

/*
 * From now on, when SIGTERM comes, another thread calls CALM until it returns true or half a second
 * is over, and then ASK, which asks GDB's own thread to call termination_look() when it deals with
 * no event.  If ASK returns false, or two seconds later, GDB gets the signal where it is.  CALM and
 * ASK must not call GDB or Python.
 */
void termination_defer(bool (*calm)(void), bool (*ask)(void));

/* On GDB's own thread, which deals with no event: passes the signal on, if it was asked for. */
void termination_look(void);

/*
 * GDB gets SIGTERM at once, as before; also one that has come and was kept back.  May be called
 * twice.
 */
void termination_restore(void);

#endif
