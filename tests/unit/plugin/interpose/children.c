/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Children that are met while their debugger, which is this program, waits in poll(). */
#include "plugin/interpose/children.h"

#include "sample_child.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

/* More than are met in one go. */
enum { MANY = 100 };

static int ends[2];         /* of a pipe that children write to */
static int met, last;       /* how many stops were, and the signal of the last one */
static int handled;         /* the SIGCHLDs that came to the debugger's handler */
static void (*to_do)(void); /* what meeting one does besides, or NULL */

static void on_child(int signal)
{
	(void)signal;
	handled++;
}

static bool meet_all(pid_t thread, int signal)
{
	met++;
	last = signal;
	if (to_do)
		to_do();
	ck_assert_int_eq(ptrace(PTRACE_CONT, thread, NULL, NULL), 0);
	return true;
}

static bool meet_none(pid_t thread, int signal)
{
	(void)thread;
	met++;
	last = signal;
	return false;
}

static void report(void)
{
	ck_assert_int_eq(write(ends[1], "x", 1), 1);
}

/* Starts a traced child that runs FUNCTION, once it is let go. */
static pid_t trace(void (*function)(void))
{
	ck_assert_int_eq(pipe(ends), 0);
	pid_t child = child_start(function);
	ck_assert_int_eq(waitpid(child, NULL, __WALL), child);
	ck_assert_int_eq(
		ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)(intptr_t)PTRACE_O_EXITKILL), 0);
	/* That of this stop came to nobody. */
	struct sigaction action = {.sa_handler = on_child, .sa_flags = SA_RESTART};
	ck_assert_int_eq(sigaction(SIGCHLD, &action, NULL), 0);
	return child;
}

static void let_go(pid_t child)
{
	ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
}

/*
 * For a child: stops to be let go, and waits until its debugger waits for events.  Before that its
 * SIGCHLDs come to the debugger's handler, as ever.
 */
static void be_traced(void)
{
	struct prof_signals host = {0};
	pid_t parent = getppid();

	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	while (!(host.blocked >> (SIGCHLD - 1) & 1) || thread_state(parent, parent) != 'S')
		prof_procfs_signals(parent, parent, &host);
}

/* Waits without end, as GDB does, until the child writes or something else comes. */
static int wait_for_child(short *events)
{
	struct pollfd file = {.fd = ends[0], .events = POLLIN};
	int result = poll(&file, 1, -1);

	*events = file.revents;
	return result;
}

/* Checks that poll() ends as by a SIGCHLD, which was handled. */
static void check_interrupted(void)
{
	short events;
	int before = handled;

	errno = 0;
	ck_assert_int_eq(wait_for_child(&events), -1);
	ck_assert_int_eq(errno, EINTR);
	ck_assert_int_gt(handled, before);
}

static void stop_often(void)
{
	be_traced();
	for (int i = 0; i < MANY; i++)
		raise(SIGUSR1);
	report();
	child_sleep();
}

START_TEST(the_host_sleeps_while_stops_are_met)
{
	short events;
	pid_t child = trace(stop_often);

	ck_assert_ok(children_watch(meet_all));
	let_go(child);
	ck_assert_int_eq(wait_for_child(&events), 1);
	ck_assert_int_eq(events, POLLIN);
	ck_assert_int_eq(met, MANY);
	ck_assert_int_eq(last, SIGUSR1);
	ck_assert_int_eq(handled, 0);
	children_leave();
	children_end();
}
END_TEST

START_TEST(what_is_not_met_is_the_hosts)
{
	int status;
	pid_t child = trace(stop_often);

	ck_assert_ok(children_watch(meet_none));
	let_go(child);
	check_interrupted();
	ck_assert_int_eq(met, 1);
	ck_assert_int_eq(last, SIGUSR1);
	ck_assert_int_eq(waitpid(child, &status, WNOHANG | __WALL), child);
	ck_assert(WIFSTOPPED(status));
	ck_assert_int_eq(WSTOPSIG(status), SIGUSR1);
	children_leave();
	children_end();
}
END_TEST

static void end(void)
{
	be_traced();
	_exit(3);
}

START_TEST(events_of_ptrace_are_told_by_their_number)
{
	pid_t child = trace(end);

	ck_assert_int_eq(ptrace(PTRACE_SETOPTIONS, child, NULL,
				 (void *)(intptr_t)(PTRACE_O_EXITKILL | PTRACE_O_TRACEEXIT)),
		0);
	ck_assert_ok(children_watch(meet_none));
	let_go(child);
	check_interrupted();
	ck_assert_int_eq(met, 1);
	ck_assert_int_eq(last, SIGTRAP | PTRACE_EVENT_EXIT << 8);
	children_leave();
	let_go(child);
	children_end();
}
END_TEST

START_TEST(the_end_of_a_process_is_the_hosts)
{
	int status;
	pid_t child = trace(end);

	ck_assert_ok(children_watch(meet_all));
	let_go(child);
	check_interrupted();
	ck_assert_int_eq(met, 0);
	ck_assert_int_eq(waitpid(child, &status, WNOHANG | __WALL), child);
	ck_assert_int_eq(WEXITSTATUS(status), 3);
	children_leave();
}
END_TEST

static void *sleep_on(void *argument)
{
	child_sleep();
	return argument;
}

/* Its main thread stops once, and ends before the other. */
static void end_main_thread(void)
{
	pthread_t thread;

	be_traced();
	pthread_create(&thread, NULL, sleep_on, NULL);
	raise(SIGUSR1);
	syscall(SYS_exit, 0);
}

START_TEST(the_end_of_a_main_thread_before_others_is_the_hosts)
{
	pid_t child = trace(end_main_thread);

	ck_assert_ok(children_watch(meet_all));
	let_go(child);
	check_interrupted();
	ck_assert_int_eq(met, 1);
	ck_assert_int_eq(thread_state(child, child), 'Z');
	ck_assert_int_eq(waitpid(child, NULL, WNOHANG | __WALL), 0);
	children_leave();
	children_end();
}
END_TEST

START_TEST(meeting_may_leave)
{
	pid_t child = trace(stop_often);

	to_do = children_leave;
	ck_assert_ok(children_watch(meet_all));
	let_go(child);
	/* By a stop that nobody meets any more. */
	check_interrupted();
	ck_assert_int_eq(met, 1);
	while (waitpid(child, NULL, __WALL) < 0)
		;
	struct pollfd file = {.fd = ends[0], .events = POLLIN};
	let_go(child);
	child_await(child, 't');
	ck_assert_int_le(poll(&file, 1, 1), 0);
	ck_assert_int_eq(met, 1);
	children_leave();
	children_end();
}
END_TEST

START_TEST(not_too_many_are_met_in_one_go)
{
	int count = 0;

	ck_assert(children_may_meet(1));
	while (children_may_meet(count))
		count++;
	ck_assert_int_lt(count, MANY);
	ck_assert(!children_may_meet(count + 1));
}
END_TEST

START_TEST(a_reminder_is_a_sigchld)
{
	struct sigaction action = {.sa_handler = on_child};

	ck_assert_int_eq(sigaction(SIGCHLD, &action, NULL), 0);
	children_remind();
	ck_assert_int_eq(handled, 1);
}
END_TEST

START_TEST(files_are_waited_for_as_ever)
{
	struct pollfd files[MANY] = {0};

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_ok(children_watch(meet_all));
	for (int i = 0; i < MANY; i++)
		files[i] = (struct pollfd){.fd = ends[0], .events = POLLIN};
	/* More of them than GDB ever has, too, and without waiting. */
	for (nfds_t count = 1; count <= MANY; count += MANY - 1) {
		ck_assert_int_eq(poll(files, count, 0), 0);
		ck_assert_int_eq(poll(files, count, 1), 0);
	}
	report();
	for (nfds_t count = 1; count <= MANY; count += MANY - 1) {
		for (int timeout = -1; timeout <= 1; timeout++) {
			files[count - 1].revents = 0;
			ck_assert_int_eq(poll(files, count, timeout), (int)count);
			ck_assert_int_eq(files[count - 1].revents, POLLIN);
		}
	}
	children_leave();
}
END_TEST

START_TEST(the_hosts_signals_are_as_they_were)
{
	sigset_t before, after;
	struct pollfd file;

	ck_assert_int_eq(pipe(ends), 0);
	report();
	file = (struct pollfd){.fd = ends[0], .events = POLLIN};
	ck_assert_ok(children_watch(meet_all));
	for (int i = 0; i < 2; i++) {
		pthread_sigmask(SIG_SETMASK, NULL, &before);
		ck_assert_int_eq(poll(&file, 1, -1), 1);
		pthread_sigmask(SIG_SETMASK, NULL, &after);
		ck_assert_int_eq(sigismember(&before, SIGCHLD), i);
		ck_assert_int_eq(sigismember(&after, SIGCHLD), i);
		sigaddset(&after, SIGCHLD);
		pthread_sigmask(SIG_SETMASK, &after, NULL);
	}
	children_leave();
}
END_TEST

static void *poll_elsewhere(void *argument)
{
	short events;

	ck_assert_int_eq(wait_for_child(&events), 1);
	return argument;
}

/* A child that stops before it can tell that it has done what was asked. */
static void stop_and_report(void)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	report();
	raise(SIGUSR1);
}

START_TEST(other_threads_of_the_host_meet_nothing)
{
	pthread_t thread;
	pid_t child = trace(stop_and_report);

	ck_assert_ok(children_watch(meet_all));
	let_go(child);
	child_await(child, 't');
	ck_assert_int_eq(pthread_create(&thread, NULL, poll_elsewhere, NULL), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_eq(met, 0);
	children_leave();
	children_end();
}
END_TEST

RUN_TESTS("children", the_host_sleeps_while_stops_are_met, what_is_not_met_is_the_hosts,
	events_of_ptrace_are_told_by_their_number, the_end_of_a_process_is_the_hosts,
	the_end_of_a_main_thread_before_others_is_the_hosts, meeting_may_leave,
	not_too_many_are_met_in_one_go, a_reminder_is_a_sigchld, files_are_waited_for_as_ever,
	the_hosts_signals_are_as_they_were, other_threads_of_the_host_meet_nothing)
