/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A thread's CPU time, divided into user and system time as the kernel accounts them.
 *
 * The place where a tick meets a thread shows what the thread did in that moment, but not all that
 * it did: a page fault or an interrupt is over by then, and user code is met.  The kernel's account
 * has these as system time, see utime and stime in proc(5), but has no stacks, and counts in
 * jiffies.  So each stretch of CPU time counts as what its thread was met in, as long as the sums
 * stay within a jiffy of the account; beyond that it counts as the other kind.
 */
#ifndef PROF_SAMPLING_DIVISION_H
#define PROF_SAMPLING_DIVISION_H

#include "target/procfs.h"

#include <stdbool.h>
#include <stdint.h>

/* All in ns.  Zeroes: of a thread that has just been made. */
struct prof_division {
	struct prof_account left_out; /* what the account had, or was given, that is not divided */
	struct prof_account last;     /* the account when it was last used */
	int64_t divided;              /* CPU time */
	int64_t system;               /* of that */
};

struct prof_cpu {
	int64_t user, system; /* ns */
};

/* ACCOUNT is the current one: leaves out what was added to it since it was last used. */
void prof_division_skip(struct prof_division *division, const struct prof_account *account);

/*
 * Divides CPU ns more, after which the thread was met IN_CALL of the system or not.  ACCOUNT may be
 * older than their end.
 */
struct prof_cpu prof_division_add(struct prof_division *division,
	const struct prof_account *account, int64_t cpu, bool in_call);

#endif
