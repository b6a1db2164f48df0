/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Where the threads of a process stand, for calls of the dynamic linker in it: are they in the
 * middle of functions that hold, or change, what the linker and the heap hold?
 */
#ifndef PROF_PLUGIN_TRACING_SAFEPOINT_H
#define PROF_PLUGIN_TRACING_SAFEPOINT_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum safepoint_kind {
	SAFEPOINT_OUTSIDE, /* no function of the C library or the linker is on the stack */
	SAFEPOINT_ASLEEP,  /* in a system call of a function that only waits */
	SAFEPOINT_INSIDE,  /* in such a function, and on its way out to BACK */
	SAFEPOINT_LOST,    /* it will not come out, or that is not known */
};

struct safepoint {
	enum safepoint_kind kind;
	uint64_t back; /* where it returns to outside */
	uint64_t sp;   /* the thread's stack pointer */
	bool whole;    /* the whole stack is known */
	bool handles;  /* in a handler of a signal */
};

struct safepoints;

/* For PROCESS, all of whose threads stand still. */
struct prof_error *safepoints_create(pid_t process, struct safepoints **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void safepoints_destroy(struct safepoints *safepoints);

/* Looks at THREAD, which stands still. */
struct safepoint safepoints_look(struct safepoints *safepoints, pid_t thread);

#endif
