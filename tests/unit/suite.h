/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of a unit test program: one test case, every test in a process of its own, TAP out. */
#ifndef PROF_TESTS_SUITE_H
#define PROF_TESTS_SUITE_H

#include "base/error.h"

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* s that a test may take, on a machine that has hardly any time for it too. */
enum { PROF_TEST_SECONDS = 300 };

/* main() of a program that runs the tests named after NAME, e.g. RUN_TESTS("map", a, b). */
#define RUN_TESTS(name, ...)                                                   \
	int main(void)                                                         \
	{                                                                      \
		const TTest *tests[] = {__VA_ARGS__};                          \
		return run_tests((name), tests, sizeof tests / sizeof *tests); \
	}

/* Does the kernel let a process trace another?  A container in which packages are built may not. */
static bool may_trace(void)
{
	int status = 0;
	pid_t child = fork();

	if (!child)
		_exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) ? EXIT_FAILURE : EXIT_SUCCESS);
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
		WEXITSTATUS(status) == EXIT_SUCCESS;
}

static int run_tests(const char *name, const TTest **tests, size_t count)
{
	/* The Makefile defines it for the rooms that look at other processes. */
	if (PROF_TEST_TRACES && !may_trace()) {
		printf("1..0 # SKIP the kernel lets no process trace another\n");
		return EXIT_SUCCESS;
	}
	Suite *suite = suite_create(name);
	TCase *test_case = tcase_create(name);

	tcase_set_timeout(test_case, PROF_TEST_SECONDS);
	for (size_t i = 0; i < count; i++)
		tcase_add_test(test_case, tests[i]);
	suite_add_tcase(suite, test_case);
	SRunner *runner = srunner_create(suite);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Fails with the error's message if ERROR, of type struct prof_error *, is one. */
#define ck_assert_ok(error)                                                             \
	do {                                                                            \
		struct prof_error *error_ = (error);                                    \
		ck_assert_msg(!error_, "%s", error_ ? prof_error_message(error_) : ""); \
	} while (0)

/* Fails unless ERROR is one whose message has PART in it; destroys it. */
#define ck_assert_error(error, part)                                                  \
	do {                                                                          \
		struct prof_error *error_ = (error);                                  \
		ck_assert_msg(error_ != NULL, "there is no error");                   \
		ck_assert_msg(strstr(prof_error_message(error_), part) != NULL, "%s", \
			prof_error_message(error_));                                  \
		prof_error_destroy(error_);                                           \
	} while (0)

#endif
