/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A child is stepped while a tick, and other signals, are pending. */
#include "sampling/postpone.h"

#include "sample_attached.h"

#include <sys/user.h>

/* A child that runs FUNCTION, attached to once it is in STATE. */
static pid_t attach(void (*function)(void), char state)
{
	pid_t child = child_start(function);

	child_attach(child, state);
	return child;
}

static uint64_t pending(pid_t child)
{
	struct prof_signals signals;

	ck_assert(prof_procfs_signals(child, child, &signals));
	return signals.pending;
}

static uint64_t bit(int signal)
{
	return UINT64_C(1) << (signal - 1);
}

/* The signal that CHILD stops with next, when it goes on by REQUEST. */
static int resume(enum __ptrace_request request, pid_t child)
{
	ck_assert_int_eq(ptrace(request, child, NULL, NULL), 0);
	return next_stop(child);
}

START_TEST(tick_is_taken_before_anything_is_executed)
{
	pid_t child = attach(child_spin, 'R');
	struct user_regs_struct before, after;
	siginfo_t was, is;

	ck_assert_int_eq(ptrace(PTRACE_GETREGS, child, NULL, &before), 0);
	ck_assert_int_eq(ptrace(PTRACE_GETSIGINFO, child, NULL, &was), 0);
	for (int signal = SIGURG; signal <= SIGWINCH; signal += SIGWINCH - SIGURG) {
		child_tick(child, signal);
		ck_assert(prof_postpone(child, child, false));
		ck_assert_uint_eq(pending(child), 0);
	}
	ck_assert_int_eq(ptrace(PTRACE_GETREGS, child, NULL, &after), 0);
	ck_assert_int_eq(ptrace(PTRACE_GETSIGINFO, child, NULL, &is), 0);
	ck_assert_mem_eq(&before, &after, sizeof before);
	ck_assert_int_eq(is.si_signo, was.si_signo);
	ck_assert_int_eq(is.si_code, was.si_code);
	ck_assert_int_eq(resume(PTRACE_SINGLESTEP, child), SIGTRAP);
	children_end();
}
END_TEST

START_TEST(without_a_tick_nothing_is_done)
{
	pid_t child = attach(child_spin, 'R');

	ck_assert(!prof_postpone(child, child, false));
	child_send(child, SIGALRM);
	ck_assert(!prof_postpone(child, child, false));
	ck_assert_int_eq(resume(PTRACE_CONT, child), SIGALRM);
	children_end();
}
END_TEST

START_TEST(other_signals_stay)
{
	pid_t child = attach(child_spin, 'R');

	child_send(child, SIGALRM);
	child_tick(child, SIGURG);
	child_send(child, SIGCONT);
	ck_assert(prof_postpone(child, child, false));
	ck_assert_uint_eq(pending(child), bit(SIGALRM) | bit(SIGCONT));
	ck_assert_int_eq(resume(PTRACE_CONT, child), SIGALRM);
	ck_assert_int_eq(resume(PTRACE_CONT, child), SIGCONT);
	children_end();
}
END_TEST

START_TEST(stop_of_the_debugger_stays)
{
	pid_t child = attach(child_spin, 'R');
	siginfo_t info;

	child_send(child, SIGSTOP);
	child_tick(child, SIGURG);
	ck_assert(prof_postpone(child, child, false));
	ck_assert_uint_eq(pending(child), bit(SIGSTOP));
	ck_assert_int_eq(resume(PTRACE_CONT, child), SIGSTOP);
	ck_assert_int_eq(ptrace(PTRACE_GETSIGINFO, child, NULL, &info), 0);
	ck_assert_int_eq(info.si_code, SI_TKILL);
	ck_assert_int_eq(info.si_pid, getpid());
	children_end();
}
END_TEST

START_TEST(tick_by_sigstop_is_taken_unless_the_debugger_waits_for_it)
{
	pid_t child = attach(child_spin, 'R');

	child_tick(child, SIGSTOP);
	child_send(child, SIGALRM);
	ck_assert(prof_postpone(child, child, false));
	ck_assert_uint_eq(pending(child), bit(SIGALRM));

	child_tick(child, SIGSTOP);
	ck_assert(!prof_postpone(child, child, true));
	ck_assert_uint_eq(pending(child), bit(SIGALRM) | bit(SIGSTOP));
	children_end();
}
END_TEST

/* Has another process send SIGNAL to CHILD. */
static void send_from_elsewhere(pid_t child, int signal)
{
	pid_t other = fork();

	if (!other)
		_exit(syscall(SYS_tgkill, child, child, signal) != 0);
	int status;
	ck_assert_int_eq(waitpid(other, &status, 0), other);
	ck_assert_int_eq(status, 0);
}

START_TEST(signals_of_the_program_stay)
{
	pid_t child = attach(child_spin, 'R');

	send_from_elsewhere(child, SIGURG);
	ck_assert(!prof_postpone(child, child, false));
	ck_assert_uint_eq(pending(child), bit(SIGURG));
	child_tick(child, SIGWINCH);
	send_from_elsewhere(child, SIGSTOP);
	ck_assert(!prof_postpone(child, child, false));
	ck_assert_uint_eq(pending(child), bit(SIGURG) | bit(SIGWINCH) | bit(SIGSTOP));
	children_end();
}
END_TEST

static void block_and_spin(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGURG);
	sigprocmask(SIG_BLOCK, &set, NULL);
	child_spin();
}

START_TEST(blocked_tick_does_not_come)
{
	struct prof_signals signals = {0};
	pid_t child = attach(block_and_spin, 'R');

	ck_assert(prof_procfs_signals(child, child, &signals));
	while (!(signals.blocked & bit(SIGURG))) {
		ck_assert_int_eq(resume(PTRACE_SINGLESTEP, child), SIGTRAP);
		ck_assert(prof_procfs_signals(child, child, &signals));
	}
	child_tick(child, SIGURG);
	ck_assert(!prof_postpone(child, child, false));
	ck_assert_int_eq(resume(PTRACE_SINGLESTEP, child), SIGTRAP);
	children_end();
}
END_TEST

static void ask_for_signals(void)
{
	sigset_t none, alarm;

	sigemptyset(&none);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_BLOCK, &alarm, NULL);
	for (;;)
		sigsuspend(&none);
}

/* Its mask could not be put back as it was. */
START_TEST(thread_in_sigsuspend_is_left_alone_with_other_signals)
{
	pid_t child = attach(ask_for_signals, 'S');

	child_send(child, SIGALRM);
	child_tick(child, SIGURG);
	ck_assert(!prof_postpone(child, child, false));
	ck_assert_uint_eq(pending(child), bit(SIGALRM) | bit(SIGURG));
	children_end();
}
END_TEST

START_TEST(stop_that_a_tick_was_taken_for_is_taken_off)
{
	pid_t child = attach(child_spin, 'R');

	child_mistake(child);
	ck_assert_uint_eq(pending(child), bit(SIGSTOP));
	ck_assert(prof_postpone(child, child, false));
	ck_assert_uint_eq(pending(child), 0);
	ck_assert_int_eq(resume(PTRACE_SINGLESTEP, child), SIGTRAP);
	children_end();
}
END_TEST

static void call(void)
{
	for (;;)
		getppid();
}

START_TEST(call_of_the_system_is_not_gone_on_with)
{
	pid_t child = attach(call, 'R');

	ck_assert_int_eq(resume(PTRACE_SYSCALL, child), SIGTRAP);
	child_tick(child, SIGURG);
	ck_assert(!prof_postpone(child, child, false));
	ck_assert_uint_eq(pending(child), bit(SIGURG));
	children_end();
}
END_TEST

RUN_TESTS("postpone", tick_is_taken_before_anything_is_executed,
	tick_by_sigstop_is_taken_unless_the_debugger_waits_for_it, without_a_tick_nothing_is_done,
	other_signals_stay, stop_of_the_debugger_stays, signals_of_the_program_stay,
	blocked_tick_does_not_come, thread_in_sigsuspend_is_left_alone_with_other_signals,
	stop_that_a_tick_was_taken_for_is_taken_off, call_of_the_system_is_not_gone_on_with)
