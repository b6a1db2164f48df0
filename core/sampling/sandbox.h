/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * May a thread be made to call the kernel?  Programs that confine themselves by seccomp can be
 * killed for a system call that they do not make themselves.
 */
#ifndef PROF_SAMPLING_SANDBOX_H
#define PROF_SAMPLING_SANDBOX_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

struct prof_sandbox {
	pid_t process;
	bool looked;   /* at what follows */
	bool inherits; /* it has the filters of this process, where it has as many */
	long filters;  /* of this process; 0: none */
};

/* SANDBOX of PROCESS, at which nobody has looked yet. */
void prof_sandbox_init(struct prof_sandbox *sandbox, pid_t process);

/*
 * NULL: THREAD may be made to, and *OWN is its id as it knows it itself; else why not, a phrase.
 * It may where it has no filters, or those alone that this process has inherited as well.
 */
const char *prof_sandbox_look(struct prof_sandbox *sandbox, pid_t thread, pid_t *own);

/* Does the program ignore SIGTRAP?  The kernel would have it no more ignored after a single step.
 */
bool prof_sandbox_ignores_traps(const struct prof_sandbox *sandbox, pid_t thread);

/* NULL: this process may make, set and delete a CPU timer.  It is tried in a child of its own. */
struct prof_error *prof_sandbox_try(void) PROF_MUST_CHECK;

#endif
