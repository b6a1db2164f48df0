/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * May gdbprof have a thread call the kernel?  The kernel can kill a program that confines itself by
 * seccomp for a system call that is not the program's own.
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
 * Returns NULL if gdbprof may have THREAD call the kernel, with the thread's own id in *OWN; else
 * why not, a phrase.  It may if the thread has no filters, or only those that this process has
 * inherited as well.
 */
const char *prof_sandbox_look(struct prof_sandbox *sandbox, pid_t thread, pid_t *own);

/* Does the program ignore SIGTRAP?  After a single step the kernel would not ignore it any more. */
bool prof_sandbox_ignores_traps(const struct prof_sandbox *sandbox, pid_t thread);

/* NULL: this process may make, set and delete a CPU timer.  A child of its own tries it. */
struct prof_error *prof_sandbox_try(void) PROF_MUST_CHECK;

#endif
