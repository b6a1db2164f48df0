/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/process.h"

#include "suite.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* A traced process that has stopped, or ended, without the tracer having waited for that. */
static pid_t begin(bool ends)
{
	siginfo_t info;
	pid_t child = fork();

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		if (ends)
			_exit(3);
		raise(SIGSTOP);
		_exit(0);
	}
	ck_assert_int_eq(waitid(P_PID, (id_t)child, &info, WSTOPPED | WEXITED | WNOWAIT), 0);
	return child;
}

START_TEST(a_stop_that_is_not_taken_yet_is_no_end)
{
	pid_t child = begin(false);
	int status;

	ck_assert(!prof_process_has_ended(child, child));
	ck_assert_int_eq(waitpid(child, &status, WNOHANG), child);
	ck_assert(WIFSTOPPED(status));
	ck_assert(!prof_process_has_ended(child, child));
	ptrace(PTRACE_CONT, child, NULL, NULL);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(prof_process_has_ended(child, child));
}
END_TEST

START_TEST(an_end_is_left_to_the_debugger)
{
	pid_t child = begin(true);
	int status;

	ck_assert(prof_process_has_ended(child, child));
	ck_assert_int_eq(waitpid(child, &status, WNOHANG), child);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 3);
}
END_TEST

RUN_TESTS("process end", a_stop_that_is_not_taken_yet_is_no_end, an_end_is_left_to_the_debugger)
