/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The agent in a program at fixed addresses, which has functions of its own for those of libraries.
 */
#include "agent_session.h"

#include "agent/traced_functions.h"

#include <dlfcn.h>
#include <errno.h>

/* Their addresses are constants in code here, and so those of jumps in this program. */
static __attribute__((noinline)) void *take_address(void)
{
	return (void *)malloc;
}

static __attribute__((noinline)) void *give_address(void)
{
	return (void *)free;
}

static struct event events[EVENTS];

/* Before glibc 2.34 that of threads is one of its own; also that of a sanitizer, which is for all.
 */
static bool is_in_library(const void *function)
{
	Dl_info info;

	return dladdr(function, &info) &&
		(strstr(info.dli_fname, "libc.so") || strstr(info.dli_fname, "libpthread.so") ||
			strstr(info.dli_fname, "san.so"));
}

START_TEST(real_functions_are_not_the_jumps_to_them)
{
	begin_heap();
	ck_assert_ptr_eq(dlsym(RTLD_DEFAULT, "malloc"), take_address());
	ck_assert_ptr_eq(dlsym(RTLD_DEFAULT, "free"), give_address());
	ck_assert(!is_in_library(take_address()));
	ck_assert(prof_agent_hooks_is_jump(take_address()));
	ck_assert(!prof_agent_hooks_is_jump(prof_agent_hooks[PROF_HOOK_malloc].real));
	for (unsigned i = 0; i < PROF_HOOK_MPI; i++)
		ck_assert_msg(
			is_in_library(prof_agent_hooks[i].real), "%s", prof_agent_hooks[i].name);
	void *block = CALL(malloc, 10);
	ck_assert_ptr_nonnull(block);
	CALL(free, block);
	ck_assert_uint_eq(read_own(events), 2);
}
END_TEST

START_TEST(what_is_traced_is_not_the_jump_to_it)
{
	struct prof_traced_function *traced = prof_agent_traced_functions;

	prof_agent_hooks_find(0);
	void *real = prof_agent_hooks[PROF_HOOK_malloc].real;
	for (unsigned i = 0; i < 2; i++) {
		strcpy(traced[i].name, "malloc");
		strcpy(traced[i].signature, "p(L)");
	}
	traced[0].real = (uintptr_t)real;
	prof_agent.traced_count = 2;
	prof_agent_traced_functions_build();
	ck_assert_uint_eq(traced[0].failed, 0);
	ck_assert_ptr_eq(prof_agent_hooks[PROF_HOOK_COUNT].real, real);
	ck_assert_uint_ne(traced[1].failed, 0);
}
END_TEST

RUN_TESTS("agent fixed", what_is_traced_is_not_the_jump_to_it,
	real_functions_are_not_the_jumps_to_them)
