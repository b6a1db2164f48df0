/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/indirect.h"

#include "base/memory.h"
#include "suite.h"

#include <dlfcn.h>
#include <limits.h>
#include <unistd.h>
#include <wchar.h>

/* glibc chooses these by what the CPU can do, and calls some of them itself; sanitizers have none
 * of their own. */
START_TEST(finds_what_was_chosen)
{
	static const char *const names[] = {"wmemchr", "wmemcmp", "stpncpy"};
	struct prof_indirect indirect;

	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		void *function = dlsym(RTLD_DEFAULT, names[i]);
		ck_assert(prof_indirect_find(getpid(), names[i], &indirect));
		ck_assert_uint_ne(indirect.resolver, (uintptr_t)function);
		ck_assert_uint_eq(indirect.function, (uintptr_t)function);
	}
}
END_TEST

/* This program calls it, through a slot of its own. */
START_TEST(finds_what_only_others_call)
{
	static const wchar_t text[] = L"abcb";
	struct prof_indirect indirect;

	ck_assert_ptr_eq(wcsrchr(text, L'b'), text + 3);
	ck_assert(prof_indirect_find(getpid(), "wcsrchr", &indirect));
	ck_assert_uint_eq(indirect.function, (uintptr_t)dlsym(RTLD_DEFAULT, "wcsrchr"));
}
END_TEST

START_TEST(others_are_not_chosen)
{
	struct prof_indirect indirect;

	ck_assert(!prof_indirect_find(getpid(), "getppid", &indirect));
	ck_assert(!prof_indirect_find(getpid(), "no_such_function", &indirect));
	ck_assert(!prof_indirect_find(INT_MAX, "memset", &indirect));
}
END_TEST

RUN_TESTS("indirect", finds_what_was_chosen, finds_what_only_others_call, others_are_not_chosen)
