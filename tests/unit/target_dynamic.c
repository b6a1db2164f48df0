#include "target/dynamic.h"

#include "target_forgery.h"

#include <dlfcn.h>

START_TEST(finds_what_objects_export)
{
	const struct prof_target target = self();
	struct prof_linkmap map = {0};

	ck_assert_ok(prof_linkmap_of_process(&map, &target, getpid()));
	ck_assert_uint_eq(prof_dynamic_find_any(&target, &map, "getppid"),
		(uintptr_t)dlsym(RTLD_DEFAULT, "getppid"));
	ck_assert_uint_eq(prof_dynamic_find_any(&target, &map, "srunner_create"),
		(uintptr_t)dlsym(RTLD_DEFAULT, "srunner_create"));
	ck_assert_uint_eq(prof_dynamic_find_any(&target, &map, "no_such_function"), 0);
	prof_linkmap_deinit(&map);
}
END_TEST

START_TEST(damaged_hash_tables_have_no_names)
{
	static const uint32_t circles[] = {1, 0, 0, 0, 1, 0, 0, 0};
	const Elf64_Dyn hash = {DT_GNU_HASH, {FORGED + JUMPS}};

	forge();
	put(DYNAMIC, &hash, sizeof hash);
	ck_assert_uint_eq(prof_dynamic_find(&forgery, &object, "getppid"), 0);
	put(JUMPS, circles, sizeof circles);
	ck_assert_uint_eq(prof_dynamic_find(&forgery, &object, "getppid"), 0);
	memset(forged + JUMPS, 0xff, 64);
	ck_assert_uint_eq(prof_dynamic_find(&forgery, &object, "getppid"), 0);
	forge_dynamic(UINT64_MAX, 0, 0);
	ck_assert_uint_eq(prof_dynamic_find(&forgery, &object, "getppid"), 0);
}
END_TEST

RUN_TESTS("dynamic", finds_what_objects_export, damaged_hash_tables_have_no_names)
