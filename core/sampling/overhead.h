/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The overhead of counting calls: how long threads are stopped for it, and which functions are
 * called too often to go on counting them.
 *
 * The counter sees a thread in the middle of its stop: GDB has found out where it is, and has it go
 * on afterwards.  What a call costs its thread is the time since the thread was there last in which
 * it neither ran nor waited for a CPU.  It may have slept as well, so this is taken for no less
 * than the CPU time that GDB has used meanwhile, and for no more than twice that.
 */
#ifndef PROF_SAMPLING_OVERHEAD_H
#define PROF_SAMPLING_OVERHEAD_H

#include "base/map.h"
#include "base/memory.h"

#include <stdint.h>
#include <sys/types.h>

/* A thread that was stopped there before. */
struct prof_overhead_thread {
	pid_t thread;
	int schedstat;      /* file; negative: there is none */
	int64_t time, used; /* when that was, and ns that it ran or waited for a CPU until then */
};

/* What a function has cost since the window began. */
struct prof_overhead_function {
	uint32_t function; /* the caller's number of it */
	int64_t cost;      /* ns */
};

struct prof_overhead {
	double limit; /* share of the time that counting may take; 1 or more: any */

	/* Private part. */
	int64_t host;  /* ns of CPU time of the host's thread at the last call */
	int64_t begin; /* ns: of the window */
	PROF_ARRAY(struct prof_overhead_thread) threads;
	size_t next; /* of them, to be replaced */
	PROF_ARRAY(struct prof_overhead_function) functions;
};

/* All zeroes but the limit is fine.  Frees what OVERHEAD holds. */
void prof_overhead_deinit(struct prof_overhead *overhead);

/* Counting goes on at NOW: the time before does not matter. */
void prof_overhead_begin(struct prof_overhead *overhead, int64_t now);

/*
 * A call of FUNCTION, a number, was counted at NOW, ns of CLOCK_MONOTONIC, in THREAD of PROCESS,
 * which stands still; 0: they are not of this machine.  To be called by the host's thread.  Returns
 * what it cost, in ns.
 */
int64_t prof_overhead_pay(struct prof_overhead *overhead, uint32_t function, pid_t process,
	pid_t thread, int64_t now);

/*
 * A function that is called too often, up to NOW, or PROF_NONE; to be called until it is that.  The
 * one that costs most comes first.
 */
uint32_t prof_overhead_refuse(struct prof_overhead *overhead, int64_t now);

#endif
