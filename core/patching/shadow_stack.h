/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Shadow stacks: a thread that has one ends when a function returns to where no call instruction
 * has been executed.  Moved calls and stubs that record returns do that.
 */
#ifndef PROF_PATCHING_SHADOW_STACK_H
#define PROF_PATCHING_SHADOW_STACK_H

#include <stdbool.h>
#include <sys/types.h>

/* Has THREAD of PROCESS one?  False, too, if it was killed. */
bool prof_shadow_stack_is_on(pid_t process, pid_t thread);

/* The same by STATUS, the text of /proc/PID/task/TID/status. */
bool prof_shadow_stack_is_listed(const char *status);

#endif
