/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debugger, which is this program, has a child step, go on, stop, and lets go of it. */
#include "plugin/interpose/steps.h"

#include "sample_attached.h"

#include <errno.h>
#include <pthread.h>

/* What the watcher was called for last, and the state of the thread then. */
static enum { NOTHING, RESUMED, STEPPED, WANTED, LEFT, KILLED } told;
static pid_t thread_told;
static char state;
static int calls;
static int gift; /* the signal that a thread is to get that is let go */

static void note(pid_t thread, int what)
{
	calls++;
	told = what;
	thread_told = thread;
	state = thread_state(thread, thread);
	errno = ENOTTY;
}

static void resume(pid_t thread, bool stepped)
{
	note(thread, stepped ? STEPPED : RESUMED);
}

static void want(pid_t thread)
{
	note(thread, WANTED);
}

static int let_go(pid_t thread, bool killed)
{
	note(thread, killed ? KILLED : LEFT);
	return gift;
}

static const struct steps_watcher watcher = {resume, want, let_go};
static const struct steps_watcher deaf;

/* A child under the debugger, whose calls are watched by WHO, unless it is NULL. */
static pid_t attach(void (*function)(void), const struct steps_watcher *who)
{
	pid_t child = child_start(function);

	child_attach(child, function == child_sleep ? 'S' : 'R');
	if (who)
		ck_assert_ok(steps_watch(who));
	return child;
}

/* Has ptrace() do REQUEST with CHILD and SIGNAL: that is told before as WHAT. */
static void check(pid_t child, int request, int signal, int what)
{
	told = NOTHING;
	errno = 0;
	ck_assert_int_eq(ptrace(request, child, NULL, (void *)(intptr_t)signal), 0);
	ck_assert_int_eq(errno, 0);
	ck_assert_int_eq((int)told, what);
	if (what == NOTHING)
		return;
	ck_assert_int_eq(thread_told, child);
	ck_assert_int_eq(state, 't');
}

START_TEST(a_step_is_told_before_it)
{
	pid_t child = attach(child_spin, &watcher);

	check(child, PTRACE_SINGLESTEP, 0, STEPPED);
	ck_assert_int_eq(next_stop(child), SIGTRAP);
	ck_assert_int_eq(calls, 1);
	steps_unwatch();
	children_end();
}
END_TEST

START_TEST(going_on_is_told_before_it)
{
	static const int requests[] = {PTRACE_CONT, PTRACE_SYSCALL};
	pid_t child = attach(child_spin, &watcher);

	for (size_t i = 0; i < PROF_COUNT(requests); i++) {
		check(child, requests[i], 0, RESUMED);
		child_await(child, 'R');
		kill(child, SIGUSR1);
		ck_assert_int_eq(next_stop(child), SIGUSR1);
	}
	ck_assert_int_eq(calls, 2);
	steps_unwatch();
	children_end();
}
END_TEST

START_TEST(a_stop_is_told_before_it)
{
	pid_t child = attach(child_sleep, &watcher);

	ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	child_await(child, 'S');
	calls = 0;
	/* Other signals, and other calls, are nobody's business. */
	errno = 0;
	ck_assert_int_eq(syscall(SYS_tkill, child, 0), 0);
	ck_assert_int_eq(syscall(SYS_getppid), getppid());
	ck_assert_int_eq(calls, 0);
	ck_assert_int_eq(syscall(SYS_tkill, child, SIGSTOP), 0);
	ck_assert_int_eq(errno, 0);
	ck_assert_int_eq((int)told, WANTED);
	ck_assert_int_eq(thread_told, child);
	ck_assert_int_eq(state, 'S');
	ck_assert_int_eq(next_stop(child), SIGSTOP);
	steps_unwatch();
	children_end();
}
END_TEST

/* The signal that ends CHILD, which was let go. */
static int end_of(pid_t child)
{
	int status;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	return WTERMSIG(status);
}

START_TEST(who_is_let_go_gets_the_signal_that_is_given)
{
	pid_t child = attach(child_sleep, &watcher);

	gift = SIGUSR2;
	check(child, PTRACE_DETACH, 0, LEFT);
	ck_assert_int_eq(end_of(child), SIGUSR2);
	steps_unwatch();
}
END_TEST

START_TEST(the_debuggers_own_signal_comes_first)
{
	pid_t child = attach(child_sleep, &watcher);

	gift = SIGUSR2;
	check(child, PTRACE_DETACH, SIGUSR1, LEFT);
	ck_assert_int_eq(end_of(child), SIGUSR1);
	steps_unwatch();
}
END_TEST

START_TEST(who_is_let_go_without_a_signal_goes_on)
{
	pid_t child = attach(child_sleep, &watcher);

	check(child, PTRACE_DETACH, 0, LEFT);
	child_await(child, 'S');
	steps_unwatch();
	children_end();
}
END_TEST

START_TEST(a_kill_is_told_before_it)
{
	pid_t child = attach(child_sleep, &watcher);

	check(child, PTRACE_KILL, 0, KILLED);
	ck_assert_int_eq(end_of(child), SIGKILL);
	steps_unwatch();
}
END_TEST

/* Has all done that could be told of; nothing is. */
static void check_silence(pid_t child)
{
	check(child, PTRACE_SINGLESTEP, 0, NOTHING);
	ck_assert_int_eq(next_stop(child), SIGTRAP);
	check(child, PTRACE_CONT, 0, NOTHING);
	ck_assert_int_eq(syscall(SYS_tkill, child, SIGSTOP), 0);
	ck_assert_int_eq(next_stop(child), SIGSTOP);
	check(child, PTRACE_DETACH, SIGUSR1, NOTHING);
	ck_assert_int_eq(end_of(child), SIGUSR1);
	ck_assert_int_eq(calls, 0);
}

START_TEST(a_watcher_need_not_hear_everything)
{
	check_silence(attach(child_spin, &deaf));
	steps_unwatch();
}
END_TEST

START_TEST(nothing_is_told_after_the_end)
{
	steps_unwatch();
	ck_assert_ok(steps_watch(&watcher));
	ck_assert_ok(steps_watch(&watcher));
	steps_unwatch();
	steps_unwatch();
	check_silence(attach(child_spin, NULL));
}
END_TEST

static void *act_elsewhere(void *argument)
{
	pid_t child = *(pid_t *)argument;

	ck_assert_int_ne(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	ck_assert_int_eq(syscall(SYS_tkill, child, SIGSTOP), 0);
	return NULL;
}

START_TEST(only_the_debuggers_thread_is_heard)
{
	pthread_t thread;
	pid_t child = attach(child_sleep, &watcher);

	ck_assert_int_eq(pthread_create(&thread, NULL, act_elsewhere, &child), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_eq(calls, 0);
	steps_unwatch();
	children_end();
}
END_TEST

RUN_TESTS("steps", a_step_is_told_before_it, going_on_is_told_before_it, a_stop_is_told_before_it,
	who_is_let_go_gets_the_signal_that_is_given, the_debuggers_own_signal_comes_first,
	who_is_let_go_without_a_signal_goes_on, a_kill_is_told_before_it,
	a_watcher_need_not_hear_everything, nothing_is_told_after_the_end,
	only_the_debuggers_thread_is_heard)
