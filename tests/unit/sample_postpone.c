/* A child is stepped while a tick, and other signals, are pending. */
#include "sample/postpone.h"

#include "sample/tick.h"

#include "sample_child.h"

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>

static int next_stop(pid_t child)
{
	int status;

	ck_assert_int_eq(waitpid(child, &status, __WALL), child);
	ck_assert(WIFSTOPPED(status));
	return WSTOPSIG(status);
}

/* A child that runs FUNCTION, attached to once it is in STATE. */
static pid_t attach(void (*function)(void), char state)
{
	pid_t child = child_start(function);

	child_await(child, state);
	ck_assert_int_eq(ptrace(PTRACE_ATTACH, child, NULL, NULL), 0);
	ck_assert_int_eq(next_stop(child), SIGSTOP);
	return child;
}

static void send(pid_t child, int signal)
{
	ck_assert_int_eq(syscall(SYS_tgkill, child, child, signal), 0);
}

/* A tick by SIGNAL. */
static void tick(pid_t child, int signal)
{
	struct prof_watch watch;

	prof_watch_init(&watch, child, child, 0);
	prof_tick_send(&watch, signal);
	ck_assert_int_ne(watch.sent, 0);
	prof_watch_deinit(&watch);
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
		tick(child, signal);
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
	send(child, SIGALRM);
	ck_assert(!prof_postpone(child, child, false));
	ck_assert_int_eq(resume(PTRACE_CONT, child), SIGALRM);
	children_end();
}
END_TEST

START_TEST(other_signals_stay)
{
	pid_t child = attach(child_spin, 'R');

	send(child, SIGALRM);
	tick(child, SIGURG);
	send(child, SIGCONT);
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

	send(child, SIGSTOP);
	tick(child, SIGURG);
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

	tick(child, SIGSTOP);
	send(child, SIGALRM);
	ck_assert(prof_postpone(child, child, false));
	ck_assert_uint_eq(pending(child), bit(SIGALRM));

	tick(child, SIGSTOP);
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
	tick(child, SIGWINCH);
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
	tick(child, SIGURG);
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

	send(child, SIGALRM);
	tick(child, SIGURG);
	ck_assert(!prof_postpone(child, child, false));
	ck_assert_uint_eq(pending(child), bit(SIGALRM) | bit(SIGURG));
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
	tick(child, SIGURG);
	ck_assert(!prof_postpone(child, child, false));
	ck_assert_uint_eq(pending(child), bit(SIGURG));
	children_end();
}
END_TEST

RUN_TESTS("sample_postpone", tick_is_taken_before_anything_is_executed,
	tick_by_sigstop_is_taken_unless_the_debugger_waits_for_it, without_a_tick_nothing_is_done,
	other_signals_stay, stop_of_the_debugger_stays, signals_of_the_program_stay,
	blocked_tick_does_not_come, thread_in_sigsuspend_is_left_alone_with_other_signals,
	call_of_the_system_is_not_gone_on_with)
