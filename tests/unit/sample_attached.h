/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of ticks share: children that are attached to, and stopped. */
#ifndef PROF_TESTS_SAMPLE_ATTACHED_H
#define PROF_TESTS_SAMPLE_ATTACHED_H

#include "sample_child.h"
#include "sampling/tick.h"

#include <sys/ptrace.h>
#include <sys/syscall.h>

/* Waits until CHILD stops.  Returns the signal by which. */
static inline int next_stop(pid_t child)
{
	int status;

	ck_assert_int_eq(waitpid(child, &status, __WALL), child);
	ck_assert(WIFSTOPPED(status));
	return WSTOPSIG(status);
}

/* CHILD is attached to, as GDB does it, once it is in STATE. */
static inline void child_attach(pid_t child, char state)
{
	child_await(child, state);
	ck_assert_int_eq(ptrace(PTRACE_ATTACH, child, NULL, NULL), 0);
	ck_assert_int_eq(next_stop(child), SIGSTOP);
}

/* A tick by SIGNAL. */
static inline void child_tick(pid_t child, int signal)
{
	struct prof_watch watch;

	prof_watch_init(&watch, child, child, 0);
	prof_tick_send(&watch, signal);
	ck_assert_int_ne(watch.sent, 0);
	prof_watch_deinit(&watch);
}

static inline void child_send(pid_t child, int signal)
{
	ck_assert_int_eq(syscall(SYS_tgkill, child, child, signal), 0);
}

/* CHILD has taken a tick for the SIGSTOP that its debugger has sent, which is still pending. */
static inline void child_mistake(pid_t child)
{
	child_tick(child, SIGSTOP);
	ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	ck_assert_int_eq(next_stop(child), SIGSTOP);
	ck_assert_int_eq(syscall(SYS_tkill, child, SIGSTOP), 0);
}

#endif
