/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/stale.h"

#include "suite.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int calls;

__attribute__((noinline)) static void called(void)
{
	calls++;
}

__attribute__((noinline)) static void kept(void)
{
	calls += 2;
}

/* Puts BYTE at the first instruction of FUNCTION here, and returns what was there. */
static unsigned char put(void (*function)(void), unsigned char byte)
{
	unsigned char *place = (unsigned char *)(uintptr_t)function;
	uintptr_t page = (uintptr_t)place & ~(uintptr_t)(sysconf(_SC_PAGESIZE) - 1);

	ck_assert_int_eq(mprotect((void *)page, 2 * (size_t)sysconf(_SC_PAGESIZE),
				 PROT_READ | PROT_WRITE | PROT_EXEC),
		0);
	unsigned char before = *place;
	*place = byte;
	return before;
}

/* A child that stands still, and will call FUNCTION. */
static pid_t start(void (*function)(void))
{
	void (*volatile opaque)(void) = function;
	pid_t child = fork();

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		opaque();
		_exit(calls);
	}
	int status;
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP);
	return child;
}

/* How CHILD ends, or the signal that it stops with, negative. */
static int end(pid_t child)
{
	int status;

	ck_assert_int_eq(ptrace(PTRACE_CONT, child, NULL, NULL), 0);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	if (!WIFSTOPPED(status))
		return WEXITSTATUS(status);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return -WSTOPSIG(status);
}

START_TEST(what_the_parent_has_no_more_goes)
{
	unsigned char before = put(called, 0xcc);
	pid_t child = start(called);
	pid_t other = start(called);

	put(called, before);
	prof_stale_clear(child, getpid());
	ck_assert_int_eq(end(child), 1);
	ck_assert_int_eq(end(other), -SIGTRAP);
}
END_TEST

START_TEST(what_the_parent_still_has_stays)
{
	unsigned char before = put(kept, 0xcc);
	pid_t child = start(kept);

	prof_stale_clear(child, getpid());
	put(kept, before);
	ck_assert_int_eq(end(child), -SIGTRAP);
}
END_TEST

START_TEST(one_that_is_gone_is_left_alone)
{
	pid_t child = start(called);

	prof_stale_clear(child, -1);
	ck_assert_int_eq(end(child), 1);
	prof_stale_clear(child, getpid());
}
END_TEST

RUN_TESTS("stale", what_the_parent_has_no_more_goes, what_the_parent_still_has_stays,
	one_that_is_gone_is_left_alone)
