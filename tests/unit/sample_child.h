/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of core/sampling share: children to look at. */
#ifndef PROF_TESTS_SAMPLE_CHILD_H
#define PROF_TESTS_SAMPLE_CHILD_H

#include "base/clock.h"
#include "sampling/watch.h"
#include "suite.h"
#include "target/procfs.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Those that were started. */
static struct {
	pid_t items[8];
	size_t count;
} children;

/*
 * A child that runs FUNCTION and ends, or is ended with the test.  It has left fork() on return:
 * within it, glibc 2.41 and later block all signals.
 */
static inline pid_t child_start(void (*function)(void))
{
	int ends[2];
	char byte;

	ck_assert_int_eq(pipe(ends), 0);
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	close(ends[child ? 1 : 0]);
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (int i = 1; i < NSIG; i++) /* Check catches some */
			signal(i, SIG_DFL);
		close(ends[1]);
		function();
		_exit(0);
	}
	/* Nothing is written: this is the end of the file, when the child has closed it. */
	ck_assert_int_eq(read(ends[0], &byte, 1), 0);
	close(ends[0]);
	ck_assert_uint_lt(children.count, PROF_COUNT(children.items));
	children.items[children.count++] = child;
	return child;
}

/* Ends all children. */
static inline void children_end(void)
{
	while (children.count > 0)
		kill(children.items[--children.count], SIGKILL);
	/* The leader of traced threads can only be had after them. */
	while (waitpid(-1, NULL, __WALL) > 0)
		;
}

static inline void child_spin(void)
{
	for (;;)
		__asm__ volatile("");
}

static inline void child_sleep(void)
{
	for (;;)
		pause();
}

static inline void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static inline char thread_state(pid_t process, pid_t thread)
{
	AUTO_CLOSE int fd = prof_procfs_open(process, thread, "stat");

	return fd < 0 ? 0 : prof_procfs_stat(fd, NULL);
}

/* Waits until CHILD is in STATE: for ever if need be, for there is a limit on every test. */
static inline void child_await(pid_t child, char state)
{
	while (thread_state(child, child) != state)
		pause_ms(1);
}

static inline struct prof_schedstat thread_schedstat(pid_t process, pid_t thread)
{
	struct prof_schedstat schedstat;
	AUTO_CLOSE int fd = prof_procfs_open(process, thread, "schedstat");

	ck_assert_int_ge(fd, 0);
	ck_assert(prof_procfs_schedstat(fd, &schedstat));
	return schedstat;
}

/* Waits until CHILD has used MS of a CPU. */
static inline void child_run(pid_t child, long ms)
{
	int64_t before = thread_schedstat(child, child).run;

	while (thread_schedstat(child, child).run - before < ms * 1000000)
		pause_ms(1);
}

/* Stops CHILD, which spins, after it was on a CPU for MS more: its figures are exact then. */
static inline void child_spend(pid_t child, long ms)
{
	child_run(child, ms);
	kill(child, SIGSTOP);
	child_await(child, 'T');
}

#endif
