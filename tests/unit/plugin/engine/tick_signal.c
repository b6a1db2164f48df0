/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/engine/tick_signal.h"

#include "suite.h"

#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that is traced, and sends itself each of SIGNALS, up to 0. */
static pid_t start(const int *signals)
{
	pid_t child = fork();

	if (child)
		return child;
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	for (; *signals; signals++)
		raise(*signals);
	_exit(0);
}

/* CHILD goes on after its last stop, and stops by SIGNAL. */
static void await(pid_t child, int signal)
{
	int status;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSTOPPED(status));
	ck_assert_int_eq(WSTOPSIG(status), signal);
}

START_TEST(names_are_those_that_gdb_catches)
{
	char names[64] = "";

	for (int i = 0; i < TICK_SIGNALS; i++) {
		ck_assert(tick_signal_is_one(tick_signals[i].number));
		strcat(strcat(names, i ? " " : ""), tick_signals[i].name);
		if (i == TICK_SIGNALS_MASKABLE - 1)
			ck_assert_str_eq(names, TICK_SIGNAL_NAMES_MASKABLE);
	}
	ck_assert_str_eq(names, TICK_SIGNAL_NAMES);
	ck_assert(!tick_signal_is_one(SIGINT));
	ck_assert(!tick_signal_is_one(0));
}
END_TEST

START_TEST(only_the_last_one_cannot_be_blocked)
{
	ck_assert_int_eq(tick_signals[TICK_SIGNALS - 1].number, SIGSTOP);
	ck_assert_int_eq(TICK_SIGNALS_MASKABLE, TICK_SIGNALS - 1);
}
END_TEST

START_TEST(signal_that_a_thread_stopped_by_is_found_with_its_sender)
{
	static const int signals[] = {SIGURG, SIGWINCH, SIGSTOP, SIGUSR1, 0};
	pid_t child = start(signals);
	siginfo_t info;

	for (int i = 0; i < TICK_SIGNALS; i++) {
		await(child, signals[i]);
		ck_assert_int_eq(tick_signal_of(child, &info), i);
		ck_assert_int_eq(info.si_signo, signals[i]);
		ck_assert_int_eq(info.si_pid, child);
		ptrace(PTRACE_CONT, child, NULL, NULL);
	}
	await(child, SIGUSR1);
	ck_assert_int_eq(tick_signal_of(child, &info), -1);
	ptrace(PTRACE_KILL, child, NULL, NULL);
	waitpid(child, NULL, 0);
	/* Nobody is there, or is traced. */
	ck_assert_int_eq(tick_signal_of(child, &info), -1);
}
END_TEST

RUN_TESTS("tick_signal", names_are_those_that_gdb_catches, only_the_last_one_cannot_be_blocked,
	signal_that_a_thread_stopped_by_is_found_with_its_sender)
