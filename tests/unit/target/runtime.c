/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/runtime.h"

#include "suite.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* What makes this test a program of Go. */
__attribute__((section(".go.buildinfo"), used)) static const char build[] = "go1.19";

START_TEST(a_program_with_the_section_is_gos)
{
	ck_assert(prof_runtime_is_go(getpid()));
}
END_TEST

START_TEST(others_are_not)
{
	int status;
	pid_t child = fork();

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execl("/bin/sh", "sh", (char *)NULL);
		_exit(1);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSTOPPED(status));
	ck_assert(!prof_runtime_is_go(child));
	kill(child, SIGKILL);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	/* And one that is gone. */
	ck_assert(!prof_runtime_is_go(child));
}
END_TEST

RUN_TESTS("runtime", a_program_with_the_section_is_gos, others_are_not)
