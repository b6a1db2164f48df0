/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Functions that are chosen when the program runs (STT_GNU_IFUNC), as memset() is for the CPU: an
 * object exports a resolver, which returns the function.
 */
#ifndef PROF_TARGET_INDIRECT_H
#define PROF_TARGET_INDIRECT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct prof_indirect {
	uint64_t resolver; /* where it is entered */
	uint64_t
		function; /* what it has returned, as far as slots show; 0: not yet, or not known */
};

/*
 * Finds the function NAME that the dynamic linker takes in the process PID.  False: it is not such
 * a function, or there is none.
 */
bool prof_indirect_find(pid_t pid, const char *name, struct prof_indirect *ret);

#endif
