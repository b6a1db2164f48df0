/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/linkmap.h"

#include "target_forgery.h"

START_TEST(lists_the_objects_of_a_process)
{
	const struct prof_target target = self();
	struct prof_linkmap map = {0};
	bool libc = false, linker = false;

	ck_assert_ok(prof_linkmap_of_process(&map, &target, getpid()));
	ck_assert_str_eq(map.items.items[0].path, "");
	ck_assert_ptr_nonnull(strstr(map.interpreter, "ld-linux"));
	for (size_t i = 0; i < map.items.count; i++) {
		libc |= strstr(map.items.items[i].path, "libc.so") != NULL;
		linker |= map.items.items[i].bias == map.linker;
	}
	ck_assert(libc);
	ck_assert(linker);
	prof_linkmap_deinit(&map);
}
END_TEST

START_TEST(a_static_program_has_no_linker)
{
	struct prof_linkmap map = {0};

	forge();
	forge_headers(true);
	ck_assert_error(prof_linkmap_read(&map, &forgery, FORGED, 3), "linked statically");
}
END_TEST

START_TEST(a_program_that_has_not_begun_has_no_list)
{
	struct prof_linkmap map = {0};

	forge();
	forge_dynamic(0, 0, 0);
	ck_assert_error(prof_linkmap_read(&map, &forgery, FORGED, 3), "not begun");
}
END_TEST

START_TEST(a_list_in_a_circle_ends)
{
	struct prof_linkmap map = {0};

	forge();
	forge_list(FORGED + LIST);
	ck_assert_error(prof_linkmap_read(&map, &forgery, FORGED, 3), "damaged");
	forge_list(0x42);
	ck_assert_error(prof_linkmap_read(&map, &forgery, FORGED, 3), "damaged");
	ck_assert_uint_eq(map.items.count, 0);
}
END_TEST

RUN_TESTS("linkmap", lists_the_objects_of_a_process, a_static_program_has_no_linker,
	a_program_that_has_not_begun_has_no_list, a_list_in_a_circle_ends)
