/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/cpu_timers.h"

#include "sample_child.h"

#include "sampling/tick.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

static const int64_t MS = 1000000;

/* The test is the debugger of a child with timers. */
static struct {
	pid_t child;
	struct prof_cpu_timers *timers;
} test;

/* Can there be timers here?  If so, a child runs FUNCTION. */
static bool start(void (*function)(void))
{
	struct prof_error *why = prof_cpu_timers_check();

	if (why) {
		prof_error_destroy(why);
		return false;
	}
	test.child = child_start(function);
	test.timers = prof_cpu_timers_create(test.child);
	ck_assert_ptr_nonnull(test.timers);
	ck_assert_int_eq(ptrace(PTRACE_SEIZE, test.child, NULL,
				 (void *)(PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE)),
		0);
	return true;
}

static void end(void)
{
	children_end();
	prof_cpu_timers_destroy(test.timers);
}

/* The next thread that stops, by whatever. */
static pid_t await(siginfo_t *info)
{
	int status;
	pid_t thread = waitpid(-1, &status, __WALL);

	ck_assert_int_gt(thread, 0);
	ck_assert_msg(WIFSTOPPED(status), "status %x", status);
	if (ptrace(PTRACE_GETSIGINFO, thread, NULL, info))
		*info = (siginfo_t){.si_signo = WSTOPSIG(status)};
	prof_cpu_timers_leave(test.timers, thread);
	return thread;
}

static void go_on(pid_t thread)
{
	ck_assert_int_eq(ptrace(PTRACE_CONT, thread, NULL, NULL), 0);
}

/* Stops THREAD, which runs, by SIGNAL, when it has come to the end of its detour. */
static void halt(pid_t thread, int signal)
{
	int64_t run = thread_schedstat(test.child, thread).run;
	siginfo_t info;

	while (thread_schedstat(test.child, thread).run == run)
		pause_ms(1);
	ck_assert_int_eq(syscall(SYS_tgkill, test.child, thread, signal), 0);
	ck_assert_int_eq(await(&info), thread);
}

/* Sets the timer of THREAD, which runs, as often as it takes; it goes on.  How long it had run by
 * then. */
static int64_t set(pid_t thread, int signal, int64_t ns)
{
	bool is_set = false;
	int64_t run = 0;

	for (int i = 0; i < 100 && !is_set; i++) {
		halt(thread, signal);
		is_set = prof_cpu_timers_set(test.timers, thread, signal, ns);
		run = thread_schedstat(test.child, thread).run;
		go_on(thread);
	}
	ck_assert_msg(is_set, "%s", prof_cpu_timers_lack(test.timers));
	return run;
}

/* The timers that the kernel knows of the child, and in *TEXT how they are described. */
static int count_timers(char text[4096])
{
	int count = 0;

	*text = '\0';
	prof_procfs_read(test.child, 0, "timers", text, 4096);
	for (const char *at = text; (at = strstr(at, "ID:")); at++)
		count += at == text || at[-1] == '\n';
	return count;
}

START_TEST(a_thread_is_ticked_once_when_it_has_run_for_a_period)
{
	char text[4096], expected[64];
	siginfo_t info;

	if (!start(child_spin))
		return;
	int64_t run = set(test.child, SIGURG, 20 * MS);
	for (int i = 0; i < 10; i++) {
		ck_assert_int_eq(await(&info), test.child);
		ck_assert(prof_tick_is_of_timer(&info) && prof_tick_is_ours(&info));
		int64_t did = thread_schedstat(test.child, test.child).run - run;
		ck_assert_int_ge(did, 19 * MS);
		run += did;
		if (i < 9)
			ck_assert(prof_cpu_timers_set(test.timers, test.child, SIGURG, 20 * MS));
		go_on(test.child);
	}
	/* Not set again, it does not ring. */
	while (thread_schedstat(test.child, test.child).run - run < 60 * MS) {
		ck_assert_int_eq(waitpid(-1, NULL, WNOHANG | __WALL), 0);
		pause_ms(1);
	}
	ck_assert_int_eq(count_timers(text), 1);
	snprintf(expected, sizeof expected, "signal/tid.%d", (int)test.child);
	ck_assert_ptr_nonnull(strstr(text, expected));
	end();
}
END_TEST

START_TEST(its_signal_can_be_another_one)
{
	char text[4096];
	siginfo_t info;

	if (!start(child_spin))
		return;
	set(test.child, SIGURG, 1000 * MS);
	set(test.child, SIGWINCH, 5 * MS);
	ck_assert_int_eq(await(&info), test.child);
	ck_assert(prof_tick_is_of_timer(&info));
	ck_assert_int_eq(info.si_signo, SIGWINCH);
	ck_assert_int_eq(count_timers(text), 1);
	end();
}
END_TEST

START_TEST(a_thread_deletes_its_own_when_it_goes_on)
{
	char text[4096];

	if (!start(child_spin))
		return;
	halt(test.child, SIGWINCH);
	ck_assert(!prof_cpu_timers_drop(test.timers, test.child));
	go_on(test.child);
	set(test.child, SIGURG, 1000000 * MS);
	halt(test.child, SIGWINCH);
	ck_assert_int_eq(count_timers(text), 1);
	ck_assert(prof_cpu_timers_drop(test.timers, test.child));
	go_on(test.child);
	while (count_timers(text))
		pause_ms(1);
	halt(test.child, SIGWINCH);
	ck_assert(!prof_cpu_timers_any(test.timers));
	go_on(test.child);
	set(test.child, SIGURG, 1000000 * MS);
	halt(test.child, SIGWINCH);
	ck_assert_int_eq(count_timers(text), 1);
	end();
}
END_TEST

START_TEST(they_are_deleted_at_once)
{
	char text[4096];
	siginfo_t info;

	if (!start(child_spin))
		return;
	ck_assert(prof_cpu_timers_clear(test.timers, test.child));
	set(test.child, SIGURG, 1000 * MS);
	ck_assert(prof_cpu_timers_any(test.timers));
	/* A thread that does not stand still cannot. */
	ck_assert(!prof_cpu_timers_clear(test.timers, test.child));
	syscall(SYS_tgkill, test.child, test.child, SIGWINCH);
	ck_assert_int_eq(await(&info), test.child);
	ck_assert(prof_cpu_timers_clear(test.timers, test.child));
	ck_assert(!prof_cpu_timers_any(test.timers));
	ck_assert_int_eq(count_timers(text), 0);
	/* The same memory serves again. */
	prof_cpu_timers_destroy(test.timers);
	test.timers = prof_cpu_timers_create(test.child);
	ck_assert(prof_cpu_timers_set(test.timers, test.child, SIGURG, 5 * MS) ||
		prof_cpu_timers_set(test.timers, test.child, SIGURG, 5 * MS));
	go_on(test.child);
	ck_assert_int_eq(await(&info), test.child);
	ck_assert(prof_tick_is_of_timer(&info));
	end();
}
END_TEST

static void *spin(void *unused)
{
	child_spin();
	return unused;
}

static void *be_brief(void *unused)
{
	int64_t begin = prof_clock();

	while (prof_clock() - begin < 30 * MS)
		;
	return unused;
}

/* One thread after the other. */
static void make_threads(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, spin, NULL);
	for (;;) {
		pthread_create(&thread, NULL, be_brief, NULL);
		pthread_join(thread, NULL);
	}
}

/* Each thread has its own, and what is left over is deleted by the others. */
START_TEST(threads_that_end_leave_none)
{
	char text[4096];
	siginfo_t info;
	int status, ended = 0, most = 0;

	if (!start(make_threads))
		return;
	syscall(SYS_tgkill, test.child, test.child, SIGURG);
	while (ended < 20) {
		pid_t thread = waitpid(-1, &status, __WALL);
		ck_assert_int_gt(thread, 0);
		if (!WIFSTOPPED(status)) {
			prof_cpu_timers_forget(test.timers, thread);
			ended++;
			continue;
		}
		prof_cpu_timers_leave(test.timers, thread);
		bool event = status >> 16;
		if (!event && ptrace(PTRACE_GETSIGINFO, thread, NULL, &info))
			event = true;
		if (!event && info.si_signo == SIGURG)
			prof_cpu_timers_set(test.timers, thread, SIGURG, 2 * MS);
		else if (event)
			/* One that was just made is to get a timer, and so is the one that did. */
			syscall(SYS_tgkill, test.child, thread, SIGURG);
		go_on(thread);
		int count = count_timers(text);
		most = count > most ? count : most;
	}
	ck_assert_int_ge(most, 2);
	ck_assert_int_le(most, 6);
	ck_assert_ptr_null(prof_cpu_timers_lack(test.timers));
	end();
}
END_TEST

/* Timers of the program's own are as they were. */
static void have_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGURG};
	struct itimerspec value = {.it_value = {.tv_sec = 100}};
	timer_t timer;

	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &value, NULL);
	child_spin();
}

START_TEST(timers_of_the_program_stay)
{
	char text[4096];
	siginfo_t info;

	if (!start(have_timer))
		return;
	while (!count_timers(text))
		pause_ms(1);
	set(test.child, SIGURG, 5 * MS);
	ck_assert_int_eq(await(&info), test.child);
	ck_assert(prof_tick_is_of_timer(&info));
	ck_assert_int_eq(count_timers(text), 2);
	ck_assert(prof_cpu_timers_clear(test.timers, test.child));
	ck_assert_int_eq(count_timers(text), 1);
	end();
}
END_TEST

RUN_TESTS("cpu timers", a_thread_is_ticked_once_when_it_has_run_for_a_period,
	its_signal_can_be_another_one, a_thread_deletes_its_own_when_it_goes_on,
	they_are_deleted_at_once, threads_that_end_leave_none, timers_of_the_program_stay)
