/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/maps.h"

#include "suite.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static const char sample[] = "555555554000-555555558000 r--p 00000000 fe:01 247476    /usr/bin/xz\n"
			     "555555558000-555555560000 r-xp 00004000 fe:01 247476    /usr/bin/xz\n"
			     "555555580000-5555555a1000 rw-p 00000000 00:00 0         [heap]\n"
			     "7ffff0000000-7ffff0001000 rwxp 00000000 00:00 0 \n"
			     "7ffff1000000-7ffff1002000 rwxs 00002000 00:01 5 /a b (deleted)\n"
			     "7ffff7fc0000-7ffff7fc2000 r-xp 00000000 00:00 0         [vdso]\n"
			     "7ffff8fc0000-7ffff8fc2000 r-xp 00000000 00:00 0         [anon:jit]\n"
			     "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n";

static void check_invariants(const struct prof_maps *maps)
{
	uint64_t above = 0;

	for (size_t i = 0; i < maps->mappings.count; i++) {
		const struct prof_mapping *mapping = &maps->mappings.items[i];
		ck_assert_uint_ge(mapping->low, above);
		ck_assert_uint_lt(mapping->low, mapping->high);
		ck_assert_ptr_nonnull(mapping->path);
		above = mapping->high;
	}
}

START_TEST(keeps_what_can_be_executed)
{
	static const char *const paths[] = {"/usr/bin/xz", "", "/a b", "[vdso]", ""};
	struct prof_maps maps = {0};

	ck_assert_ok(prof_maps_parse(&maps, sample));
	check_invariants(&maps);
	ck_assert_uint_eq(maps.mappings.count, PROF_COUNT(paths));
	for (size_t i = 0; i < PROF_COUNT(paths); i++)
		ck_assert_str_eq(maps.mappings.items[i].path, paths[i]);
	prof_maps_deinit(&maps);
}
END_TEST

START_TEST(reads_every_field)
{
	struct prof_maps maps = {0};

	ck_assert_ok(prof_maps_parse(&maps, sample));
	const struct prof_mapping *xz = &maps.mappings.items[0];
	ck_assert_uint_eq(xz->low, 0x555555558000);
	ck_assert_uint_eq(xz->high, 0x555555560000);
	ck_assert_uint_eq(xz->offset, 0x4000);
	ck_assert_uint_eq(xz->device, makedev(0xfe, 1));
	ck_assert_uint_eq(xz->inode, 247476);
	prof_maps_deinit(&maps);
}
END_TEST

START_TEST(finds_the_mapping_of_an_address)
{
	struct prof_maps maps = {0};

	ck_assert_ptr_null(prof_maps_find(&maps, 0x555555558000));
	ck_assert_ok(prof_maps_parse(&maps, sample));
	ck_assert_ptr_null(prof_maps_find(&maps, 0));
	ck_assert_ptr_null(prof_maps_find(&maps, 0x555555557fff));
	ck_assert_ptr_eq(prof_maps_find(&maps, 0x555555558000), &maps.mappings.items[0]);
	ck_assert_ptr_eq(prof_maps_find(&maps, 0x55555555ffff), &maps.mappings.items[0]);
	ck_assert_ptr_null(prof_maps_find(&maps, 0x555555560000));
	ck_assert_ptr_eq(prof_maps_find(&maps, 0x7ffff8fc1000), &maps.mappings.items[4]);
	ck_assert_ptr_null(prof_maps_find(&maps, UINT64_MAX));
	prof_maps_deinit(&maps);
}
END_TEST

START_TEST(knows_which_code_is_of_no_file)
{
	struct prof_maps maps = {0};

	ck_assert_ok(prof_maps_parse(&maps, sample));
	const struct prof_mapping *all = maps.mappings.items;
	const uint64_t filed[] = {all[0].low, all[2].low, all[3].low};
	const uint64_t anonymous[] = {all[0].low, all[1].low};
	const uint64_t unmapped[] = {all[0].low, 0};
	ck_assert(!prof_maps_generated(&maps, filed, PROF_COUNT(filed)));
	ck_assert(prof_maps_generated(&maps, anonymous, PROF_COUNT(anonymous)));
	ck_assert(!prof_maps_generated(&maps, anonymous, 1));
	ck_assert(prof_maps_generated(&maps, unmapped, PROF_COUNT(unmapped)));
	prof_maps_deinit(&maps);
	ck_assert(!prof_maps_generated(&maps, NULL, 0));
	ck_assert(prof_maps_generated(&maps, filed, 1));
}
END_TEST

START_TEST(keeps_the_first_of_two_that_overlap)
{
	struct prof_maps maps = {0};

	ck_assert_ok(prof_maps_parse(&maps,
		"1000-3000 r-xp 00000000 fe:01 7 /a\n"
		"1000-2000 r-xp 00000000 fe:01 7 /a\n"
		"2000-5000 r-xp 00001000 fe:01 7 /b"));
	check_invariants(&maps);
	ck_assert_uint_eq(maps.mappings.count, 2);
	ck_assert_str_eq(prof_maps_find(&maps, 0x2fff)->path, "/a");
	ck_assert_uint_eq(prof_maps_find(&maps, 0x3000)->offset, 0x2000);
	prof_maps_deinit(&maps);
}
END_TEST

START_TEST(refuses_what_is_no_map_and_changes_nothing)
{
	static const char *const damaged[] = {
		"hello",
		"\n",
		"1000-",
		"1000-2000",
		"1000-2000 r-xp",
		"1000-2000 r-xp 0 fe:01 ",
		"1000-2000 r-xp 0 fe:01\n7 /a",
		"1000-2000 r-xp 0 fe-01 7 /a",
		"2000-1000 r-xp 0 fe:01 7 /a",
		"1000-1000 r-xp 0 fe:01 7 /a",
		"-1000-2000 r-xp 0 fe:01 7 /a",
		" 1000-2000 r-xp 0 fe:01 7 /a",
		"1000-2000 r-x 0 fe:01 7 /a",
		"1000-2000 r-xp 0 fe:01 99999999999999999999999 /a",
		"1000-2000fffffffffffffffff r-xp 0 fe:01 7 /a",
		"1000-2000 r-xp 0 fe:01 7 /a\nx",
	};
	struct prof_maps maps = {0};

	ck_assert_ok(prof_maps_parse(&maps, sample));
	for (size_t i = 0; i < PROF_COUNT(damaged); i++) {
		struct prof_error *error = prof_maps_parse(&maps, damaged[i]);
		ck_assert_msg(error, "accepted: %s", damaged[i]);
		ck_assert_int_eq(prof_error_code(error), PROF_ERROR_DAMAGED);
		prof_error_destroy(error);
	}
	ck_assert_uint_eq(maps.mappings.count, 5);
	prof_maps_deinit(&maps);
}
END_TEST

/* Whether a change of any byte is harmful, ASan tells. */
START_TEST(survives_any_damage)
{
	static const char bytes[] = "\n -0xf:]/(";
	struct prof_maps maps = {0};
	char text[sizeof sample];

	for (size_t i = 0; i < sizeof sample; i++) {
		for (size_t j = 0; j < sizeof bytes; j++) {
			memcpy(text, sample, sizeof sample);
			if (i < sizeof sample - 1)
				text[i] = bytes[j]; /* the last one is NUL: cuts the text short */
			prof_error_destroy(prof_maps_parse(&maps, text));
			check_invariants(&maps);
		}
	}
	prof_maps_deinit(&maps);
}
END_TEST

START_TEST(reads_the_maps_of_a_live_process)
{
	struct prof_maps maps = {0};
	void *page = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(page, MAP_FAILED);
	ck_assert_ok(prof_maps_read(&maps, getpid()));
	check_invariants(&maps);
	const struct prof_mapping *own = prof_maps_find(&maps, (uintptr_t)&check_invariants);
	ck_assert_ptr_nonnull(own);
	ck_assert_ptr_nonnull(strstr(own->path, "target/maps"));
	const struct prof_mapping *anonymous = prof_maps_find(&maps, (uintptr_t)page);
	ck_assert_ptr_nonnull(anonymous);
	ck_assert_str_eq(anonymous->path, "");
	ck_assert_ptr_null(prof_maps_find(&maps, (uintptr_t)&maps));
	prof_maps_deinit(&maps);
}
END_TEST

START_TEST(says_which_file_it_could_not_read)
{
	struct prof_maps maps = {0};
	struct prof_error *error = prof_maps_read(&maps, 0x7fffffff);

	ck_assert_ptr_nonnull(error);
	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_SYSTEM);
	ck_assert_ptr_nonnull(strstr(prof_error_message(error), "/proc/2147483647/maps"));
	prof_error_destroy(error);
}
END_TEST

static void map(struct prof_maps *maps, uint64_t low, uint64_t high, const char *path)
{
	const struct prof_mapping mapping = {
		.low = low, .high = high, .offset = 0x100, .inode = 5, .path = (char *)path};

	ck_assert_ok(prof_maps_map(maps, &mapping));
	check_invariants(maps);
}

START_TEST(what_is_mapped_replaces_what_was_there)
{
	struct prof_maps maps = {0};

	map(&maps, 0x3000, 0x6000, "/b");
	map(&maps, 0x1000, 0x2000, "/a");
	/* In the middle of one. */
	map(&maps, 0x4000, 0x5000, "/c");
	ck_assert_uint_eq(maps.mappings.count, 4);
	ck_assert_str_eq(prof_maps_find(&maps, 0x3fff)->path, "/b");
	ck_assert_str_eq(prof_maps_find(&maps, 0x4000)->path, "/c");
	ck_assert_str_eq(prof_maps_find(&maps, 0x5000)->path, "/b");
	ck_assert_uint_eq(prof_maps_find(&maps, 0x5000)->offset, 0x2100);
	/* The end of one, others as a whole, and the beginning of one. */
	map(&maps, 0x1800, 0x5800, "/d");
	ck_assert_uint_eq(maps.mappings.count, 3);
	ck_assert_uint_eq(prof_maps_find(&maps, 0x17ff)->high, 0x1800);
	ck_assert_str_eq(prof_maps_find(&maps, 0x4000)->path, "/d");
	ck_assert_uint_eq(prof_maps_find(&maps, 0x5800)->offset, 0x2900);
	prof_maps_deinit(&maps);
}
END_TEST

START_TEST(paths_are_those_of_the_maps)
{
	struct prof_maps maps = {0};

	map(&maps, 0x1000, 0x2000, "//anon");
	map(&maps, 0x2000, 0x3000, "[vdso]");
	map(&maps, 0x3000, 0x4000, "/a (deleted)");
	map(&maps, 0x4000, 0x5000, "[vsyscall]");
	ck_assert_str_eq(prof_maps_find(&maps, 0x1000)->path, "");
	ck_assert_str_eq(prof_maps_find(&maps, 0x2000)->path, "[vdso]");
	ck_assert_str_eq(prof_maps_find(&maps, 0x3000)->path, "/a");
	ck_assert_str_eq(prof_maps_find(&maps, 0x4000)->path, "");
	prof_maps_deinit(&maps);
}
END_TEST

START_TEST(the_vdso_ends_somewhere)
{
	struct prof_maps maps = {0};

	ck_assert_uint_eq(prof_maps_vdso_end(&maps), 0);
	ck_assert_ok(prof_maps_parse(&maps, sample));
	ck_assert_uint_eq(prof_maps_vdso_end(&maps), 0x7ffff7fc2000);
	prof_maps_deinit(&maps);
}
END_TEST

START_TEST(a_copy_stands_alone)
{
	struct prof_maps maps = {0};
	struct prof_maps copy = {0};

	ck_assert_ok(prof_maps_parse(&maps, sample));
	ck_assert_ok(prof_maps_copy(&copy, &maps));
	ck_assert_uint_eq(copy.mappings.count, maps.mappings.count);
	prof_maps_deinit(&maps);
	check_invariants(&copy);
	ck_assert_str_eq(prof_maps_find(&copy, 0x555555558000)->path, "/usr/bin/xz");
	prof_maps_deinit(&copy);
}
END_TEST

RUN_TESTS("target/maps", what_is_mapped_replaces_what_was_there, paths_are_those_of_the_maps,
	a_copy_stands_alone, the_vdso_ends_somewhere, keeps_what_can_be_executed, reads_every_field,
	finds_the_mapping_of_an_address, knows_which_code_is_of_no_file,
	keeps_the_first_of_two_that_overlap, refuses_what_is_no_map_and_changes_nothing,
	survives_any_damage, reads_the_maps_of_a_live_process, says_which_file_it_could_not_read)
