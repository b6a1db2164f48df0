/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Time off CPU: how long a thread waited, for what, and where.  The kernel samples the thread while
 * it has a CPU; looks at /proc now and then show the rest of its life.
 *
 * From one look to the next the kernel accounts how long the thread ran and waited for a CPU.  It
 * slept for the rest, which counts for the wait in which the later look finds the thread: the
 * chance to be found in a wait is the share of time spent there.
 */
#ifndef PROF_SAMPLING_OFF_CPU_H
#define PROF_SAMPLING_OFF_CPU_H

#include "target/procfs.h"
#include "target/wait.h"

struct prof_off_cpu {
	int64_t until; /* ns of CLOCK_MONOTONIC: its time is accounted for until then */
	struct prof_schedstat read; /* then */
	int64_t looked;             /* when that was read; 0: it was not yet */
	bool known;                 /* it was seen asleep, and the program is the same since */
	bool asleep;                /* it was when it was last looked at */
	struct prof_wait wait;      /* in which it was seen last */
};

/* What a look found, in ns since the look before. */
struct prof_off_cpu_stretch {
	int64_t delay; /* it waited for a CPU */
	int64_t slept; /* in WAIT, if that is known */
	bool moved;    /* it is asleep in another wait than before, or in the same one anew */
};

/* A thread that was made at BORN, ns of CLOCK_MONOTONIC; all of its life counts. */
void prof_off_cpu_newborn(struct prof_off_cpu *off_cpu, int64_t born);

/* Accounts for THREAD of PROCESS from NOW on. */
void prof_off_cpu_restart(struct prof_off_cpu *off_cpu, pid_t process, pid_t thread, int64_t now);

/* The process executes another program: what its threads waited for is gone. */
void prof_off_cpu_forget(struct prof_off_cpu *off_cpu);

/*
 * Looks at THREAD of PROCESS, on this machine of ARCH.  False: it has ended.  If the thread
 * has moved, the wait has where the stack is; its sp is 0 if this process must not know.
 */
bool prof_off_cpu_look(struct prof_off_cpu *off_cpu, pid_t process, pid_t thread,
	const struct prof_arch *arch, struct prof_off_cpu_stretch *ret);

/* Has THREAD of PROCESS slept ever since that look? */
bool prof_off_cpu_stays(const struct prof_off_cpu *off_cpu, pid_t process, pid_t thread);

#endif
