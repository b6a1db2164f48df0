/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/dynamic.h"

#include "target_forgery.h"

#include <dlfcn.h>
#include <limits.h>

START_TEST(finds_what_objects_export)
{
	const struct prof_target target = self();
	struct prof_linkmap map = {0};

	ck_assert_ok(prof_linkmap_of_process(&map, &target, getpid()));
	ck_assert_uint_eq(prof_dynamic_find_any(&target, &map, "getppid").address,
		(uintptr_t)dlsym(RTLD_DEFAULT, "getppid"));
	ck_assert_uint_eq(prof_dynamic_find_any(&target, &map, "srunner_create").address,
		(uintptr_t)dlsym(RTLD_DEFAULT, "srunner_create"));
	/* The kernel's own object has functions of that name, too. */
	ck_assert_uint_eq(prof_dynamic_find_any(&target, &map, "clock_gettime").address,
		(uintptr_t)dlsym(RTLD_DEFAULT, "clock_gettime"));
	ck_assert_uint_eq(prof_dynamic_find_any(&target, &map, "no_such_function").address, 0);
	prof_linkmap_deinit(&map);
}
END_TEST

START_TEST(finds_the_default_version)
{
	/* Older programs get another. */
	void *wanted = dlsym(RTLD_DEFAULT, "pthread_cond_wait");
	void *old = dlvsym(RTLD_DEFAULT, "pthread_cond_wait", "GLIBC_2.2.5");

	if (!old)
		return;
	ck_assert_ptr_ne(old, wanted);
	ck_assert_uint_eq(
		prof_dynamic_find_in(getpid(), "pthread_cond_wait").address, (uintptr_t)wanted);
}
END_TEST

/* glibc chooses among several strlen() by what the CPU can do. */
START_TEST(tells_functions_that_return_functions)
{
	/* One that no sanitizer stands in for. */
	struct prof_exported chosen = prof_dynamic_find_in(getpid(), "wmemchr");
	struct prof_exported plain = prof_dynamic_find_in(getpid(), "getppid");

	ck_assert(chosen.indirect);
	ck_assert(!plain.indirect);
	void *(*choose)(void);
	memcpy(&choose, &chosen.address, sizeof choose);
	ck_assert_ptr_eq(choose(), dlsym(RTLD_DEFAULT, "wmemchr"));
	ck_assert_uint_eq(prof_dynamic_find_in(INT_MAX, "getppid").address, 0);
}
END_TEST

START_TEST(damaged_hash_tables_have_no_names)
{
	static const uint32_t circles[] = {1, 0, 0, 0, 1, 0, 0, 0};
	const Elf64_Dyn hash = {DT_GNU_HASH, {FORGED + JUMPS}};

	forge();
	put(DYNAMIC, &hash, sizeof hash);
	ck_assert_uint_eq(prof_dynamic_find(&forgery, &object, "getppid").address, 0);
	put(JUMPS, circles, sizeof circles);
	ck_assert_uint_eq(prof_dynamic_find(&forgery, &object, "getppid").address, 0);
	memset(forged + JUMPS, 0xff, 64);
	ck_assert_uint_eq(prof_dynamic_find(&forgery, &object, "getppid").address, 0);
	forge_dynamic(UINT64_MAX, 0, 0);
	ck_assert_uint_eq(prof_dynamic_find(&forgery, &object, "getppid").address, 0);
}
END_TEST

RUN_TESTS("dynamic", finds_what_objects_export, finds_the_default_version,
	tells_functions_that_return_functions, damaged_hash_tables_have_no_names)
