/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/sandbox.h"

#include "sample_child.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

/* This process, and all that it makes, gets one more filter, by which CALL comes to VERDICT. */
static void confine(long call, uint32_t verdict)
{
	struct sock_filter lines[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, verdict),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {PROF_COUNT(lines), lines};

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

static void confine_and_sleep(void)
{
	confine(SYS_uname, SECCOMP_RET_ERRNO | 1);
	child_sleep();
}

/* Why CHILD must not be made to call the kernel; NULL: it may. */
static const char *look(pid_t child)
{
	struct prof_sandbox sandbox;
	pid_t own = 0;

	child_await(child, 'S');
	prof_sandbox_init(&sandbox, child);
	const char *reason = prof_sandbox_look(&sandbox, child, &own);
	ck_assert_int_eq(own, child);
	return reason;
}

START_TEST(who_has_no_filter_of_its_own_may)
{
	ck_assert_ptr_null(look(child_start(child_sleep)));
	/* As in a container. */
	confine(SYS_uname, SECCOMP_RET_ERRNO | 1);
	ck_assert_ptr_null(look(child_start(child_sleep)));
	children_end();
}
END_TEST

/* As a debugger that attaches, for which the program is a sister. */
static void look_at_sister(void)
{
	_exit(look(children.items[0]) ? 1 : 0);
}

START_TEST(filters_that_both_have_inherited_are_the_same)
{
	int status;

	confine(SYS_uname, SECCOMP_RET_ERRNO | 1);
	child_start(child_sleep);
	pid_t child = child_start(look_at_sister);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	children_end();
}
END_TEST

/* It confines itself as often, but not by the same. */
static void confine_and_look(void)
{
	confine(SYS_uname, SECCOMP_RET_ERRNO | 1);
	_exit(look(children.items[0]) ? 0 : 1);
}

START_TEST(filters_of_each_own_are_not)
{
	int status;

	child_start(confine_and_sleep);
	pid_t child = child_start(confine_and_look);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	children_end();
}
END_TEST

START_TEST(who_confines_itself_must_not)
{
	ck_assert_str_eq(look(child_start(confine_and_sleep)), "it filters system calls (seccomp)");
	confine(SYS_uname, SECCOMP_RET_ERRNO | 1);
	ck_assert_str_eq(look(child_start(confine_and_sleep)), "it filters system calls (seccomp)");
	children_end();
}
END_TEST

static void ignore_traps(void)
{
	signal(SIGTRAP, SIG_IGN);
	child_sleep();
}

START_TEST(who_ignores_traps_is_known)
{
	pid_t one = child_start(child_sleep), other = child_start(ignore_traps);
	struct prof_sandbox sandbox;

	child_await(one, 'S');
	child_await(other, 'S');
	prof_sandbox_init(&sandbox, one);
	ck_assert(!prof_sandbox_ignores_traps(&sandbox, one));
	prof_sandbox_init(&sandbox, other);
	ck_assert(prof_sandbox_ignores_traps(&sandbox, other));
	children_end();
}
END_TEST

START_TEST(timers_are_tried)
{
	struct prof_error *error = prof_sandbox_try();

	ck_assert_msg(!error, "%s", error ? prof_error_message(error) : "");
	/* Nobody has a child that is not waited for. */
	ck_assert_int_eq(waitpid(-1, NULL, __WALL | WNOHANG), -1);
	confine(SYS_timer_settime, SECCOMP_RET_ERRNO | 1);
	error = prof_sandbox_try();
	ck_assert_ptr_nonnull(error);
	ck_assert_ptr_nonnull(strstr(prof_error_message(error), "timer_create"));
	prof_error_destroy(error);
}
END_TEST

static void try_and_die(void)
{
	confine(SYS_timer_create, SECCOMP_RET_KILL_PROCESS);
	struct prof_error *error = prof_sandbox_try();
	_exit(error ? 7 : 0);
}

/* Who asks survives.  (Check makes timers itself.) */
START_TEST(a_deadly_filter_kills_nobody)
{
	pid_t child = child_start(try_and_die);
	int status;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_msg(WIFEXITED(status), "status %x", status);
	ck_assert_int_eq(WEXITSTATUS(status), 7);
}
END_TEST

RUN_TESTS("sandbox", who_has_no_filter_of_its_own_may,
	filters_that_both_have_inherited_are_the_same, filters_of_each_own_are_not,
	who_confines_itself_must_not, who_ignores_traps_is_known, timers_are_tried,
	a_deadly_filter_kills_nobody)
