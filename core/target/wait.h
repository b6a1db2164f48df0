/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a sleeping thread waits for, and where its stack is: /proc/PID/task/TID/syscall. */
#ifndef PROF_TARGET_WAIT_H
#define PROF_TARGET_WAIT_H

#include "model/state.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_arch;

/* A sleeping thread, untouched. */
struct prof_wait {
	enum prof_state state; /* PROF_STATE_LOCK, _FAULT, _TEXT or _OTHER */
	bool restarted;        /* the kernel goes on with a call after a stop: STATE is a guess */
	bool for_signals;      /* as in sigwait() */
	uint64_t sp, pc;       /* of the user's code */
};

/*
 * Reads TEXT, the contents of such a file on a machine like ARCH.  False: the thread runs, or it is
 * no such text.  (A thread that sleeps outside of a system call waits for a page.)
 */
bool prof_wait_parse(const char *text, const struct prof_arch *arch, struct prof_wait *ret);

/* The same of the file opened as FD; of a page it also finds out whether that is one of code. */
bool prof_wait_read(int fd, const struct prof_arch *arch, struct prof_wait *ret);

/* Are both at one place of one stack? */
bool prof_wait_same_place(const struct prof_wait *one, const struct prof_wait *other);

#endif
