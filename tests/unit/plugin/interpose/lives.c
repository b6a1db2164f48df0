/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lives of threads, as waitpid() tells them.  The test plays GDB, with children of its own. */
#include "plugin/interpose/lives.h"

#include "sample_child.h"

#include <errno.h>
#include <pthread.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

/* What was told last of each kind, and how often. */
static struct {
	pid_t stopped, ended, executed, forked, signalled;
	int stops, ends, execs, forks, signals, signal;
} told;

static void stop(pid_t thread)
{
	told.stopped = thread;
	told.stops++;
	errno = EDOM;
}

static void end(pid_t thread)
{
	told.ended = thread;
	told.ends++;
	errno = EDOM;
}

static void exec(pid_t thread)
{
	told.executed = thread;
	told.execs++;
}

static void make(pid_t thread)
{
	told.forked = thread;
	told.forks++;
}

static void get_signal(pid_t thread, int signal)
{
	told.signalled = thread;
	told.signals++;
	told.signal = signal;
}

static const struct lives_watcher watcher = {stop, end, exec, make, get_signal};

static void forget(void)
{
	memset(&told, 0, sizeof told);
}

/* So much must have been told since the last look. */
static void check_told(int stops, int ends, int execs, int forks, int signals)
{
	ck_assert_int_eq(told.stops, stops);
	ck_assert_int_eq(told.ends, ends);
	ck_assert_int_eq(told.execs, execs);
	ck_assert_int_eq(told.forks, forks);
	ck_assert_int_eq(told.signals, signals);
	forget();
}

static void end_at_once(void)
{
}

static void end_by_signal(void)
{
	raise(SIGTERM);
}

/* A child that has ended, and was not waited for. */
static pid_t ended_child(void (*function)(void))
{
	pid_t child = child_start(function);

	child_await(child, 'Z');
	return child;
}

/* GDB is about to wait for PROCESS: EXPECTED, or 0 for none, must have ended. */
static void check_look(pid_t process, int options, pid_t expected)
{
	forget();
	lives_look(process, options, end);
	ck_assert_int_eq(told.ended, expected);
	ck_assert_int_eq(told.ends, expected != 0);
}

START_TEST(ended_thread_is_found_before_it_is_waited_for)
{
	pid_t child = ended_child(end_at_once);
	int status;

	check_look(child, 0, child);
	check_look(-1, WNOHANG, child);
	check_look(child, __WALL, child);
	/* The kernel still tells what it did. */
	ck_assert_int_gt(thread_schedstat(child, child).slices, 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	check_look(child, 0, 0);
	check_look(-1, 0, 0);

	child = ended_child(end_by_signal);
	check_look(child, 0, child);
	children_end();
}
END_TEST

START_TEST(thread_that_has_not_ended_is_none)
{
	pid_t child = child_start(child_sleep);

	check_look(child, 0, 0);
	check_look(-1, 0, 0);
	ck_assert_int_eq(ptrace(PTRACE_ATTACH, child, NULL, NULL), 0);
	child_await(child, 't');
	/* Its stop stays to be found. */
	check_look(child, __WALL, 0);
	check_look(-1, __WALL, 0);
	ck_assert_int_eq(waitpid(child, NULL, WNOHANG), child);
	children_end();
}
END_TEST

START_TEST(process_groups_are_not_looked_at)
{
	ended_child(end_at_once);
	check_look(0, 0, 0);
	check_look(-getpgrp(), 0, 0);
	check_look(-2, 0, 0);
	children_end();
}
END_TEST

START_TEST(child_that_sends_no_sigchld_is_looked_for_as_gdb_does)
{
	pid_t child = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);

	if (!child)
		syscall(SYS_exit, 0);
	ck_assert_int_gt(child, 0);
	child_await(child, 'Z');
	check_look(child, 0, 0);
	check_look(-1, 0, 0);
	check_look(child, __WALL, child);
	check_look(-1, __WALL, child);
	ck_assert_int_eq(waitpid(child, NULL, __WALL), child);
}
END_TEST

static int stopped_by(int signal)
{
	return signal << 8 | 0x7f;
}

static int event(int number)
{
	return number << 16 | stopped_by(SIGTRAP);
}

START_TEST(status_says_what_has_happened)
{
	lives_report(&watcher, 7, 3 << 8); /* it has exited */
	ck_assert_int_eq(told.ended, 7);
	check_told(0, 1, 0, 0, 0);
	lives_report(&watcher, 7, SIGKILL);
	check_told(0, 1, 0, 0, 0);
	lives_report(&watcher, 7, SIGSEGV | 0x80); /* and dumped its core */
	check_told(0, 1, 0, 0, 0);
	lives_report(&watcher, 8, event(PTRACE_EVENT_EXEC));
	ck_assert_int_eq(told.executed, 8);
	check_told(0, 0, 1, 0, 0);
	lives_report(&watcher, 9, event(PTRACE_EVENT_FORK));
	ck_assert_int_eq(told.forked, 9);
	check_told(0, 0, 0, 1, 0);
	lives_report(&watcher, 9, event(PTRACE_EVENT_VFORK));
	check_told(0, 0, 0, 1, 0);
	lives_report(&watcher, 10, stopped_by(SIGUSR1));
	ck_assert_int_eq(told.signalled, 10);
	ck_assert_int_eq(told.signal, SIGUSR1);
	check_told(0, 0, 0, 0, 1);
}
END_TEST

START_TEST(other_stops_are_no_signals_of_the_program)
{
	static const int numbers[] = {PTRACE_EVENT_CLONE, PTRACE_EVENT_VFORK_DONE,
		PTRACE_EVENT_EXIT, PTRACE_EVENT_SECCOMP, PTRACE_EVENT_STOP};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		lives_report(&watcher, 7, event(numbers[i]));
	lives_report(&watcher, 7, PTRACE_EVENT_STOP << 16 | stopped_by(SIGTSTP));
	lives_report(&watcher, 7, stopped_by(SIGTRAP));        /* a breakpoint */
	lives_report(&watcher, 7, stopped_by(SIGTRAP | 0x80)); /* a system call */
	lives_report(&watcher, 7, 0xffff);                     /* it goes on */
	check_told(0, 0, 0, 0, 0);
}
END_TEST

/* Waits for CHILD as GDB does.  Returns the status. */
static int gdb_waits(pid_t child)
{
	int status = -1;

	ck_assert_int_eq(waitpid(child, &status, __WALL), child);
	return status;
}

START_TEST(end_is_told_before_gdb_learns_of_it)
{
	pid_t child = ended_child(end_at_once);

	ck_assert_ok(lives_check());
	ck_assert_ok(lives_watch(&watcher));
	errno = ERANGE;
	ck_assert(WIFEXITED(gdb_waits(child)));
	/* What GDB sees of the call is what it would see. */
	ck_assert_int_eq(errno, ERANGE);
	ck_assert_int_eq(told.ended, child);
	ck_assert_int_ge(told.ends, 1);
	forget();
	ck_assert_int_eq(waitpid(child, NULL, 0), -1);
	ck_assert_int_eq(errno, ECHILD);
	check_told(0, 0, 0, 0, 0);
	lives_unwatch();
}
END_TEST

static void stop_and_exec(void)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGUSR1);
	execl("/bin/true", "true", NULL);
	_exit(1);
}

START_TEST(traced_child_is_told_of_from_stop_to_end)
{
	ck_assert_ok(lives_watch(&watcher));
	pid_t child = child_start(stop_and_exec);
	ck_assert_int_eq(WSTOPSIG(gdb_waits(child)), SIGUSR1);
	ck_assert_int_eq(told.stopped, child);
	ck_assert_int_eq(told.signalled, child);
	ck_assert_int_eq(told.signal, SIGUSR1);
	check_told(1, 0, 0, 0, 1);

	ck_assert_int_eq(
		ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)(intptr_t)PTRACE_O_TRACEEXEC), 0);
	ptrace(PTRACE_CONT, child, NULL, NULL);
	gdb_waits(child);
	ck_assert_int_eq(told.executed, child);
	check_told(0, 0, 1, 0, 0);

	ptrace(PTRACE_CONT, child, NULL, NULL);
	/* Nobody needs the status. */
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	ck_assert_int_eq(told.ended, child);
	ck_assert_int_ge(told.ends, 1);
	lives_unwatch();
}
END_TEST

static void *wait_elsewhere(void *child)
{
	gdb_waits(*(pid_t *)child);
	return NULL;
}

START_TEST(other_threads_of_gdb_are_passed_on)
{
	pid_t child = ended_child(end_at_once);
	pthread_t thread;

	ck_assert_ok(lives_watch(&watcher));
	ck_assert_int_eq(pthread_create(&thread, NULL, wait_elsewhere, &child), 0);
	pthread_join(thread, NULL);
	check_told(0, 0, 0, 0, 0);
	ck_assert_int_eq(waitpid(child, NULL, 0), -1);
	lives_unwatch();
}
END_TEST

static void must_not(pid_t thread)
{
	ck_abort_msg("the first is told of %ld", (long)thread);
}

START_TEST(one_watcher_takes_the_place_of_another)
{
	static const struct lives_watcher first = {
		must_not, must_not, must_not, must_not, get_signal};

	ck_assert_ok(lives_watch(&first));
	ck_assert_ok(lives_watch(&watcher));
	gdb_waits(ended_child(end_at_once));
	ck_assert_int_ge(told.ends, 1);
	lives_unwatch();
}
END_TEST

START_TEST(nothing_is_told_any_more)
{
	lives_unwatch();
	ck_assert_ok(lives_watch(&watcher));
	lives_unwatch();
	lives_unwatch();
	gdb_waits(ended_child(end_at_once));
	check_told(0, 0, 0, 0, 0);
}
END_TEST

RUN_TESTS("lives", ended_thread_is_found_before_it_is_waited_for, thread_that_has_not_ended_is_none,
	process_groups_are_not_looked_at, child_that_sends_no_sigchld_is_looked_for_as_gdb_does,
	status_says_what_has_happened, other_stops_are_no_signals_of_the_program,
	end_is_told_before_gdb_learns_of_it, traced_child_is_told_of_from_stop_to_end,
	other_threads_of_gdb_are_passed_on, one_watcher_takes_the_place_of_another,
	nothing_is_told_any_more)
