/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Stale breakpoints: a process that was made while its parent had breakpoints has them in its own
 * copy of the code.  GDB takes them out when it learns of the process, unless it has taken them out
 * of the parent first, as it does before it detaches: then the child would die of SIGTRAP.
 */
#ifndef PROF_TARGET_STALE_H
#define PROF_TARGET_STALE_H

#include <sys/types.h>

/*
 * Takes out of the code of CHILD, which this process traces and which stands still, the breakpoints
 * that its PARENT does not have, or not any more.  If it cannot be read, CHILD stays as it is.
 */
void prof_stale_clear(pid_t child, pid_t parent);

#endif
