/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * SIGTERM to GDB, kept back for a moment.
 *
 * GDB 13.1 ends in an internal error if SIGTERM comes while libthread_db looks at a thread that has
 * stopped, as it does at each tick that GDB sees.  So it is passed on when no tick is under way.
 */
#ifndef PROF_PLUGIN_INTERPOSE_TERMINATION_H
#define PROF_PLUGIN_INTERPOSE_TERMINATION_H

#include <stdbool.h>

/*
 * From now on, when SIGTERM comes, calls CALM until it returns true or half a second is over, and
 * then passes the signal to GDB.  Another thread calls CALM, which must not call GDB or Python.
 */
void termination_defer(bool (*calm)(void));

/* GDB gets SIGTERM at once, as before; may be called twice. */
void termination_restore(void);

#endif
