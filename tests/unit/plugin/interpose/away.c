/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A CPU timer stops a child while its debugger, which is this program, does something else. */
#include "plugin/interpose/away.h"

#include "plugin/interpose/subject.h"
#include "plugin/interpose/attention.h"
#include "sample_attached.h"

#include <sys/ptrace.h>
#include <time.h>

/* What a debugger waits in, so that the program imports it. */
static __attribute__((used)) int (*const imported)(const sigset_t *) = sigsuspend;

static struct subjects none;

static bool meet_none(pid_t thread, int signal)
{
	(void)thread, (void)signal;
	return false;
}

/* Has the caller a debugger by now? */
static bool is_traced(void)
{
	char text[4096];

	return prof_procfs_read(getpid(), getpid(), "status", text, sizeof text) &&
		!strstr(text, "TracerPid:\t0\n");
}

/* Is stopped by its CPU timer, which is a tick, and then by nothing any more. */
static void spin_until_timer(void)
{
	const struct itimerspec soon = {.it_value = {.tv_nsec = 1000000}};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGURG};
	timer_t timer;

	event.sigev_value.sival_ptr = prof_tick_value();
	if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer))
		_exit(1);
	while (!is_traced())
		;
	timer_settime(timer, 0, &soon, NULL);
	child_spin();
}

/* A child that runs FUNCTION and has stopped by a signal, which nobody has waited for. */
static pid_t strand(void (*function)(void))
{
	pid_t child = child_start(function);

	ck_assert_int_eq(ptrace(PTRACE_SEIZE, child, NULL, (void *)(intptr_t)PTRACE_O_EXITKILL), 0);
	if (function == child_spin)
		child_send(child, SIGUSR1);
	child_await(child, 't');
	return child;
}

/* GDB is away: it does not listen. */
static void begin(void)
{
	ck_assert_ok(attention_watch(&none, meet_none));
	ck_assert(!attention_listens());
	away_watch();
}

static void end(void)
{
	away_unwatch();
	attention_unwatch();
	children_end();
}

static void check_stays(pid_t child)
{
	siginfo_t info = {0};

	ck_assert_int_eq(
		waitid(P_PID, (id_t)child, &info, WSTOPPED | WNOWAIT | WNOHANG | __WALL), 0);
	ck_assert_int_eq(info.si_pid, child);
}

START_TEST(who_stands_still_by_its_timer_goes_on)
{
	pid_t child = strand(spin_until_timer);

	begin();
	check_stays(child);
	away_release(child, PTRACE_CONT);
	child_await(child, 'R');
	end();
}
END_TEST

START_TEST(who_was_resumed_otherwise_stays)
{
	pid_t child = strand(spin_until_timer);

	begin();
	away_release(child, PTRACE_SINGLESTEP);
	check_stays(child);
	away_release(child, PTRACE_SYSCALL);
	check_stays(child);
	end();
}
END_TEST

START_TEST(who_stands_still_by_another_signal_stays)
{
	pid_t child = strand(child_spin);

	begin();
	away_release(child, PTRACE_CONT);
	check_stays(child);
	end();
}
END_TEST

START_TEST(who_is_met_is_not_resumed)
{
	pid_t child = strand(spin_until_timer);

	begin();
	away_enter();
	away_enter();
	away_release(child, PTRACE_CONT);
	check_stays(child);
	away_leave();
	away_release(child, PTRACE_CONT);
	check_stays(child);
	away_leave();
	away_release(child, PTRACE_CONT);
	child_await(child, 'R');
	end();
}
END_TEST

START_TEST(who_was_waited_for_is_the_debuggers)
{
	int status;
	pid_t child = strand(spin_until_timer);

	begin();
	ck_assert_int_eq(waitpid(child, &status, __WALL), child);
	away_release(child, PTRACE_CONT);
	ck_assert_int_eq(thread_state(child, child), 't');
	end();
}
END_TEST

START_TEST(a_debugger_that_listens_does_it_itself)
{
	pid_t child = strand(spin_until_timer);

	begin();
	attention_begin();
	away_release(child, PTRACE_CONT);
	check_stays(child);
	end();
}
END_TEST

START_TEST(nothing_happens_unless_it_is_watched)
{
	pid_t child = strand(spin_until_timer);

	away_unwatch();
	begin();
	away_unwatch();
	away_unwatch();
	away_release(child, PTRACE_CONT);
	check_stays(child);
	/* And again from here on. */
	away_watch();
	away_release(child, PTRACE_CONT);
	child_await(child, 'R');
	end();
}
END_TEST

static int handled;

static void on_signal(int signal)
{
	(void)signal;
	handled++;
}

START_TEST(somebody_elses_handler_stays)
{
	struct sigaction action = {.sa_handler = on_signal};
	pid_t child = strand(spin_until_timer);

	ck_assert_int_eq(sigaction(SIGURG, &action, NULL), 0);
	begin();
	away_release(child, PTRACE_CONT);
	check_stays(child);
	ck_assert_int_eq(handled, 0);
	raise(SIGURG);
	ck_assert_int_eq(handled, 1);
	end();
}
END_TEST

RUN_TESTS("away", who_stands_still_by_its_timer_goes_on, who_was_resumed_otherwise_stays,
	who_stands_still_by_another_signal_stays, who_is_met_is_not_resumed,
	who_was_waited_for_is_the_debuggers, a_debugger_that_listens_does_it_itself,
	nothing_happens_unless_it_is_watched, somebody_elses_handler_stays)
