/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debugger, which is this program, lets go of a child. */
#include "plugin/interpose/detach.h"

#include "sample_attached.h"

#include <errno.h>
#include <pthread.h>

static pid_t left;
static char state; /* of the child then */
static int calls;

static void leaving(pid_t thread)
{
	calls++;
	left = thread;
	state = thread_state(thread, thread);
	errno = ENOTTY;
}

START_TEST(a_detach_is_told_before)
{
	pid_t child = child_start(child_sleep);

	child_attach(child, 'S');
	ck_assert_ok(detach_watch(leaving));
	errno = 0;
	ck_assert_int_eq(ptrace(PTRACE_DETACH, child, NULL, NULL), 0);
	ck_assert_int_eq(errno, 0);
	ck_assert_int_eq(calls, 1);
	ck_assert_int_eq(left, child);
	ck_assert_int_eq(state, 't');
	/* It has let go indeed. */
	child_await(child, 'S');
	ck_assert_int_ne(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	detach_unwatch();
	children_end();
}
END_TEST

START_TEST(other_requests_are_not_told)
{
	siginfo_t info;
	pid_t child = child_start(child_sleep);

	child_attach(child, 'S');
	ck_assert_ok(detach_watch(leaving));
	ck_assert_int_eq(ptrace(PTRACE_GETSIGINFO, child, NULL, &info), 0);
	ck_assert_int_eq(info.si_signo, SIGSTOP);
	ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	ck_assert_int_eq(calls, 0);
	detach_unwatch();
	children_end();
}
END_TEST

START_TEST(nothing_is_told_after_the_end)
{
	pid_t child = child_start(child_sleep);

	detach_unwatch();
	child_attach(child, 'S');
	/* A second watch takes the place of the first. */
	ck_assert_ok(detach_watch(leaving));
	ck_assert_ok(detach_watch(leaving));
	detach_unwatch();
	detach_unwatch();
	ck_assert_int_eq(ptrace(PTRACE_DETACH, child, NULL, NULL), 0);
	ck_assert_int_eq(calls, 0);
	children_end();
}
END_TEST

static void *detach_elsewhere(void *child)
{
	ck_assert_int_ne(ptrace(PTRACE_DETACH, *(pid_t *)child, NULL, NULL), 0);
	return NULL;
}

START_TEST(only_the_debuggers_thread_is_heard)
{
	pthread_t thread;
	pid_t child = child_start(child_sleep);

	child_attach(child, 'S');
	ck_assert_ok(detach_watch(leaving));
	ck_assert_int_eq(pthread_create(&thread, NULL, detach_elsewhere, &child), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_eq(calls, 0);
	detach_unwatch();
	children_end();
}
END_TEST

RUN_TESTS("detach", a_detach_is_told_before, other_requests_are_not_told,
	nothing_is_told_after_the_end, only_the_debuggers_thread_is_heard)
