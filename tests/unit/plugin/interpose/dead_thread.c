/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is answered in place of ptrace() is what ptrace() has answered while the thread lived. */
#include "plugin/interpose/dead_thread.h"

#include "sample_attached.h"

#include <elf.h>
#include <errno.h>
#include <sys/uio.h>
#include <sys/user.h>

static struct dead_thread dead;

static pid_t attach(void)
{
	pid_t child = child_start(child_sleep);

	child_attach(child, 'S');
	return child;
}

START_TEST(a_set_of_registers_is_as_it_was)
{
	char were[sizeof dead.registers], are[sizeof dead.registers];
	struct iovec set = {were, sizeof were}, answer = {are, sizeof are};
	long result = -1;
	pid_t child = attach();

	ck_assert_int_eq(ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &set), 0);
	ck_assert(dead_thread_take(&dead, child));
	ck_assert_uint_eq(dead.size, set.iov_len);
	children_end();
	ck_assert(dead_thread_answer(
		&dead, PTRACE_GETREGSET, (void *)(uintptr_t)NT_PRSTATUS, &answer, &result));
	ck_assert_int_eq(result, 0);
	ck_assert_uint_eq(answer.iov_len, set.iov_len);
	ck_assert_mem_eq(are, were, set.iov_len);
}
END_TEST

START_TEST(there_may_be_room_for_a_part_of_it)
{
	char are[32];
	struct iovec answer = {are, sizeof are / 2};
	long result = -1;
	pid_t child = attach();

	memset(are, 0x55, sizeof are);
	ck_assert(dead_thread_take(&dead, child));
	children_end();
	ck_assert(dead_thread_answer(
		&dead, PTRACE_GETREGSET, (void *)(uintptr_t)NT_PRSTATUS, &answer, &result));
	ck_assert_uint_eq(answer.iov_len, sizeof are / 2);
	ck_assert_mem_eq(are, dead.registers, sizeof are / 2);
	for (size_t i = sizeof are / 2; i < sizeof are; i++)
		ck_assert_int_eq(are[i], 0x55);
}
END_TEST

#ifdef PT_GETREGS
START_TEST(older_requests_are_answered_as_well)
{
	struct user_regs_struct were, are;
	long result = -1, words[sizeof were / sizeof(long)];
	pid_t child = attach();

	ck_assert_int_eq(ptrace(PTRACE_GETREGS, child, NULL, &were), 0);
	memcpy(words, &were, sizeof were);
	ck_assert(dead_thread_take(&dead, child));
	children_end();
	ck_assert(dead_thread_answer(&dead, PTRACE_GETREGS, NULL, &are, &result));
	ck_assert_int_eq(result, 0);
	ck_assert_mem_eq(&are, &were, sizeof were);
	for (size_t i = 0; i < PROF_COUNT(words); i++) {
		ck_assert(dead_thread_answer(
			&dead, PTRACE_PEEKUSER, (void *)(i * sizeof(long)), NULL, &result));
		ck_assert_int_eq(result, words[i]);
	}
	/* Debug registers lie behind them; half a word is at no offset. */
	ck_assert(!dead_thread_answer(
		&dead, PTRACE_PEEKUSER, (void *)offsetof(struct user, u_debugreg), NULL, &result));
	ck_assert(!dead_thread_answer(&dead, PTRACE_PEEKUSER, (void *)dead.size, NULL, &result));
	ck_assert(!dead_thread_answer(&dead, PTRACE_PEEKUSER, (void *)4, NULL, &result));
	ck_assert(!dead_thread_answer(&dead, PTRACE_PEEKUSER, (void *)-8, NULL, &result));
}
END_TEST
#endif

START_TEST(other_requests_are_not_answered)
{
	char bytes[64];
	struct iovec set = {bytes, sizeof bytes};
	long result;
	pid_t child = attach();

	ck_assert(dead_thread_take(&dead, child));
	children_end();
	ck_assert(!dead_thread_answer(
		&dead, PTRACE_GETREGSET, (void *)(uintptr_t)NT_PRFPREG, &set, &result));
	ck_assert(!dead_thread_answer(
		&dead, PTRACE_SETREGSET, (void *)(uintptr_t)NT_PRSTATUS, &set, &result));
	ck_assert(!dead_thread_answer(&dead, PTRACE_CONT, NULL, NULL, &result));
	ck_assert(!dead_thread_answer(&dead, PTRACE_PEEKTEXT, NULL, NULL, &result));
}
END_TEST

START_TEST(the_registers_of_a_killed_thread_are_gone)
{
	pid_t child = attach();

	ck_assert_int_eq(kill(child, SIGKILL), 0);
	child_await(child, 'Z');
	ck_assert(!dead_thread_take(&dead, child));
	children_end();
}
END_TEST

RUN_TESTS("dead_thread", a_set_of_registers_is_as_it_was, there_may_be_room_for_a_part_of_it,
#ifdef PT_GETREGS
	older_requests_are_answered_as_well,
#endif
	other_requests_are_not_answered, the_registers_of_a_killed_thread_are_gone)
