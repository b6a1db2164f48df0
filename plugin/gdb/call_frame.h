/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One call of a function on the selected thread's stack, by GDB's own walk. */
#ifndef PROF_PLUGIN_GDB_CALL_FRAME_H
#define PROF_PLUGIN_GDB_CALL_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Of the newest frame, which is not the outermost: the stack pointer of its caller, which no other
 * call on this stack has.  False: GDB does not know it.
 */
bool call_frame_read(uint64_t *ret);

/*
 * Selects the frame of the function NAME, as GDB calls it, whose caller has the stack pointer SP.
 * False: there is none, and the selection stays.
 */
bool call_frame_select(const char *name, uint64_t sp);

#endif
