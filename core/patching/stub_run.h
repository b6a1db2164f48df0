/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A thread that is within a stub that records executes the rest of it: a record that is begun must
 * be written, and a return made.  It is for x86-64.
 */
#ifndef PROF_PATCHING_STUB_RUN_H
#define PROF_PATCHING_STUB_RUN_H

#include "patching/patches.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * Has THREAD, which has stopped under a ptrace() of the caller's thread, go on until it is where
 * prof_patches_undo() is not PROF_STUB_STUCK, or has ended; no signal is delivered meanwhile.  What
 * it has stopped for stays: a debugger can continue it with the same signal.  False: it cannot go
 * on.
 */
bool prof_stub_run(const struct prof_patches *patches, pid_t thread);

#endif
