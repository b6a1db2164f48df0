/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Sees that GDB lets go of a thread of a program, which GDB reports to nobody before.  GDB's calls
 * of ptrace() show it, in whose import slot this stands, above that of an engine's.
 */
#ifndef PROF_PLUGIN_INTERPOSE_DETACH_H
#define PROF_PLUGIN_INTERPOSE_DETACH_H

#include "base/error.h"

#include <sys/types.h>

/*
 * Calls LEAVING from now on before GDB detaches from THREAD; the other threads of its process stand
 * still then, or have been let go.  In the middle of GDB's work.
 */
struct prof_error *detach_watch(void (*leaving)(pid_t thread)) PROF_MUST_CHECK;

/* Before the engine stops; does nothing if nobody watches. */
void detach_unwatch(void);

#endif
