/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Answers what GDB may still ask of a thread that it knows to be stopped, when the thread was
 * killed since: by exit_group() or execve() of another one.  GDB 13 loses its way if it cannot read
 * the registers of a thread whose stop it handles.
 */
#ifndef PROF_PLUGIN_INTERPOSE_DEAD_THREAD_H
#define PROF_PLUGIN_INTERPOSE_DEAD_THREAD_H

#include "target/arch.h"

#include <stdbool.h>
#include <sys/types.h>

/* The general registers of a thread as they were. */
struct dead_thread {
	/* By words, as the kernel gives them. */
	long registers[PROF_ARCH_USER / sizeof(long)];
	size_t size; /* bytes */
};

/* Takes the registers of THREAD, which is stopped.  False: it was killed already. */
bool dead_thread_take(struct dead_thread *dead, pid_t thread);

/*
 * Does what ptrace() would have done for REQUEST with its ADDRESS and DATA, if it asks for the
 * registers: true, and the caller returns *RESULT from ptrace().
 */
bool dead_thread_answer(
	const struct dead_thread *dead, long request, void *address, void *data, long *result);

#endif
