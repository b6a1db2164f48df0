/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A debugger is killed while a tick by SIGSTOP is pending to a child that it has attached to. */
#include "sampling/watchdog.h"

#include "sample_child.h"
#include "sampling/tick.h"
#include "sampling/watchdog_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

/* Told by the one who plays the debugger. */
static volatile struct {
	bool ready;
	int caught; /* SIGCONTs that the child has got */
} * shared;

static void on_continue(int signal)
{
	(void)signal;
	shared->caught++;
}

static void spin_and_catch(void)
{
	signal(SIGCONT, on_continue);
	child_spin();
}

static const char *program(void)
{
	static char path[4096];
	const char *build = getenv("GDBPROF_BUILD");

	snprintf(path, sizeof path, "%s/%s", build ? build : "build", PROF_WATCHDOG_FILE);
	return path;
}

static pid_t start_child(void)
{
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne((void *)shared, MAP_FAILED);
	pid_t child = child_start(spin_and_catch);
	struct prof_signals signals = {0};
	while (!(signals.caught >> (SIGCONT - 1) & 1))
		ck_assert(prof_procfs_signals(child, child, &signals));
	return child;
}

/* What the debugger does with CHILD, which is running and traced, until it is killed. */
typedef void deed(pid_t child, struct prof_watch *watch);

/* Starts a debugger that attaches to CHILD, and does ACT. */
static pid_t start_debugger(pid_t child, deed *act)
{
	pid_t debugger = fork();
	struct prof_watchdog *watchdog;
	struct prof_watch watch;

	if (debugger)
		return debugger;
	ck_assert_ok(prof_watchdog_create(program(), &watchdog));
	ck_assert(prof_watchdog_start(watchdog));
	ck_assert_int_eq(ptrace(PTRACE_ATTACH, child, NULL, NULL), 0);
	ck_assert_int_eq(waitpid(child, NULL, __WALL), child);
	prof_watch_init(&watch, child, child, 0);
	watch.watchdog = prof_watchdog_add(watchdog, child);
	act(child, &watch);
	shared->ready = true;
	for (;;)
		pause();
}

static void end_debugger(pid_t debugger)
{
	while (!shared->ready)
		pause_ms(1);
	kill(debugger, SIGKILL);
	waitpid(debugger, NULL, 0);
}

static void await_release(pid_t child)
{
	while (prof_procfs_tracer(child))
		pause_ms(1);
}

static void leave_pending(pid_t child, struct prof_watch *watch)
{
	(void)child;
	prof_tick_send(watch, SIGSTOP);
}

static void leave_stopped(pid_t child, struct prof_watch *watch)
{
	siginfo_t info;

	ptrace(PTRACE_CONT, child, NULL, NULL);
	prof_tick_send(watch, SIGSTOP);
	ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WSTOPPED | WNOWAIT | __WALL), 0);
}

static void leave_running(pid_t child, struct prof_watch *watch)
{
	leave_stopped(child, watch);
	ck_assert_int_eq(waitpid(child, NULL, __WALL), child);
	ptrace(PTRACE_CONT, child, NULL, NULL);
	prof_watch_end_tick(watch);
}

/* Waits until CHILD runs on, and has used so many ms of a CPU. */
static void assert_goes_on(pid_t child)
{
	child_run(child, 20);
	ck_assert_int_ne(thread_state(child, child), 'T');
}

START_TEST(program_with_a_tick_pending_goes_on)
{
	pid_t child = start_child();

	end_debugger(start_debugger(child, leave_pending));
	await_release(child);
	while (!shared->caught)
		pause_ms(1);
	assert_goes_on(child);
	children_end();
}
END_TEST

START_TEST(program_in_the_stop_of_a_tick_goes_on)
{
	pid_t child = start_child();

	end_debugger(start_debugger(child, leave_stopped));
	await_release(child);
	while (!shared->caught)
		pause_ms(1);
	assert_goes_on(child);
	children_end();
}
END_TEST

/* The program would see a SIGCONT; and it may be stopped for good reasons. */
START_TEST(without_a_tick_nothing_is_sent)
{
	pid_t child = start_child();

	end_debugger(start_debugger(child, leave_running));
	await_release(child);
	assert_goes_on(child);
	kill(child, SIGSTOP);
	child_await(child, 'T');
	pause_ms(100); /* many looks of the watchdog */
	ck_assert_int_eq(thread_state(child, child), 'T');
	ck_assert_int_eq(shared->caught, 0);
	children_end();
}
END_TEST

START_TEST(ends_with_its_owner_and_leaves_no_child)
{
	struct prof_watchdog *watchdog;

	ck_assert_ok(prof_watchdog_create(program(), &watchdog));
	ck_assert(prof_watchdog_start(watchdog));
	ck_assert(prof_watchdog_start(watchdog));
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG | __WALL), -1);
	prof_watchdog_destroy(watchdog);
	prof_watchdog_destroy(NULL);
}
END_TEST

START_TEST(entries_are_given_back)
{
	struct prof_watchdog_entry *entries[PROF_WATCHDOG_PROCESSES];
	struct prof_watchdog *watchdog;

	ck_assert_ok(prof_watchdog_create(program(), &watchdog));
	for (int i = 0; i < PROF_WATCHDOG_PROCESSES; i++) {
		entries[i] = prof_watchdog_add(watchdog, i + 1);
		ck_assert_ptr_nonnull(entries[i]);
	}
	ck_assert_ptr_null(prof_watchdog_add(watchdog, 1000));
	prof_watchdog_remove(entries[7]);
	prof_watchdog_remove(NULL);
	ck_assert_ptr_eq(prof_watchdog_add(watchdog, 1000), entries[7]);
	prof_watchdog_destroy(watchdog);
}
END_TEST

START_TEST(program_that_is_not_there_is_no_watchdog)
{
	struct prof_watchdog *watchdog;

	ck_assert_ok(prof_watchdog_create("/nowhere/gdbprof-watchdog", &watchdog));
	AUTO_TEXT struct prof_text text = {0};
	prof_watchdog_say(watchdog, &text);
	ck_assert_uint_eq(text.length, 0);
	ck_assert(!prof_watchdog_start(watchdog));
	ck_assert(!prof_watchdog_start(watchdog));
	prof_watchdog_say(watchdog, &text);
	ck_assert_ptr_nonnull(
		strstr(prof_text_get(&text), "cannot start /nowhere/gdbprof-watchdog"));
	prof_watchdog_destroy(watchdog);
}
END_TEST

RUN_TESTS("watchdog", program_with_a_tick_pending_goes_on, program_in_the_stop_of_a_tick_goes_on,
	without_a_tick_nothing_is_sent, ends_with_its_owner_and_leaves_no_child,
	entries_are_given_back, program_that_is_not_there_is_no_watchdog)
