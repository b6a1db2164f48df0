/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which threads have shadow stacks. */
#include "patching/shadow_stack.h"

#include "suite.h"

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

START_TEST(the_feature_is_found)
{
	ck_assert(prof_shadow_stack_is_listed("Name:\ta\nx86_Thread_features:\tshstk \n"));
	ck_assert(prof_shadow_stack_is_listed("Name:\ta\nx86_Thread_features:\tshstk"));
	ck_assert(prof_shadow_stack_is_listed("Name:\ta\nx86_Thread_features:\twrss shstk\nB:\n"));
}
END_TEST

START_TEST(other_lines_and_features_are_not)
{
	ck_assert(!prof_shadow_stack_is_listed(""));
	ck_assert(!prof_shadow_stack_is_listed("Name:\tshstk\nState:\tshstk\n"));
	ck_assert(!prof_shadow_stack_is_listed("Name:\ta\nx86_Thread_features:\t\nB:\tshstk\n"));
	ck_assert(!prof_shadow_stack_is_listed("Name:\ta\nx86_Thread_features:\twrss\n"));
	ck_assert(!prof_shadow_stack_is_listed("Name:\ta\nx86_Thread_features:\tshstk2 ashstk\n"));
	/* What is locked may be off. */
	ck_assert(!prof_shadow_stack_is_listed("Name:\ta\nx86_Thread_features_locked:\tshstk\n"));
}
END_TEST

START_TEST(a_thread_has_what_its_processor_says)
{
	uint64_t shadow = 0;

#ifdef __x86_64__
	/* The instruction leaves the register as it is where there is none. */
	__asm__ volatile(".byte 0xf3,0x48,0x0f,0x1e,0xc8" : "+a"(shadow)); /* rdsspq %rax */
#endif
	ck_assert_int_eq(
		prof_shadow_stack_is_on(getpid(), (pid_t)syscall(SYS_gettid)), shadow != 0);
	/* No process has so high an id. */
	ck_assert(!prof_shadow_stack_is_on(1 << 30, 1 << 30));
}
END_TEST

RUN_TESTS("shadow_stack", the_feature_is_found, other_lines_and_features_are_not,
	a_thread_has_what_its_processor_says)
