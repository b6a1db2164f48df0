/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Whole vector registers, for GDBs that know a part of them only.
 *
 * GDB up to 13 keeps the extended state of an x86 thread in 2,696 bytes.  Where a CPU has more of
 * it, as with AMX, the kernel takes it as a whole or not at all, so that GDB cannot put registers
 * back after it has called a function in the program: "Couldn't write extended state status: Bad
 * address".
 */
#ifndef PROF_PLUGIN_INTERPOSE_XSTATE_H
#define PROF_PLUGIN_INTERPOSE_XSTATE_H

#include "base/error.h"

/* From now on, until the other is called, what GDB writes of the extended state is completed. */
struct prof_error *xstate_complete(void) PROF_MUST_CHECK;
void xstate_leave(void);

#endif
