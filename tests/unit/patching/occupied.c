/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a process is taken, and what its heap and its stack will take. */
#include "patching/occupied.h"

#include "suite.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MB UINT64_C(0x100000)

static const char text[] = "00400000-00452000 r-xp 00000000 08:02 173521 /usr/bin/dbus-daemon\n"
			   "7f0000000000-7f0000001000 rw-p 00000000 00:00 0 \n"
			   "not a mapping\n"
			   "7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0          [stack]\n"
			   "7ffc00200000-7ffc00202000 r-xp 00000000 00:00 0          [vdso]";

/* Is ADDRESS in one of OCCUPIED? */
static bool has(const struct prof_occupied *occupied, uint64_t address)
{
	for (size_t i = 0; i < occupied->items.count; i++) {
		const struct prof_island_range *range = &occupied->items.items[i];
		if (range->low <= address && address < range->high)
			return true;
	}
	return false;
}

static void check_sorted(const struct prof_occupied *occupied)
{
	for (size_t i = 0; i < occupied->items.count; i++) {
		ck_assert_uint_lt(occupied->items.items[i].low, occupied->items.items[i].high);
		if (i)
			ck_assert_uint_le(
				occupied->items.items[i - 1].low, occupied->items.items[i].low);
	}
}

START_TEST(mappings_are_taken)
{
	PROF_AUTO(prof_occupied_deinit) struct prof_occupied occupied = {0};

	ck_assert_ok(prof_occupied_parse(&occupied, text, 0, 0));
	ck_assert_uint_eq(occupied.items.count, 4);
	check_sorted(&occupied);
	ck_assert(has(&occupied, 0x7ffc00000000) && !has(&occupied, 0x7ffbffffffff));
	ck_assert(has(&occupied, 0x400000) && has(&occupied, 0x451fff));
	ck_assert(!has(&occupied, 0x3fffff) && !has(&occupied, 0x452000));
	ck_assert(has(&occupied, 0x7f0000000000));
	ck_assert(has(&occupied, 0x7ffc00201fff));
	ck_assert_ok(prof_occupied_parse(&occupied, "", 0, 0));
	ck_assert_uint_eq(occupied.items.count, 0);
}
END_TEST

START_TEST(a_stack_grows_down)
{
	PROF_AUTO(prof_occupied_deinit) struct prof_occupied occupied = {0};
	const uint64_t top = 0x7ffc00021000;

	ck_assert_ok(prof_occupied_parse(&occupied, text, 0, 8 * MB));
	check_sorted(&occupied);
	ck_assert(has(&occupied, top - 1) && has(&occupied, top - 8 * MB));
	ck_assert(!has(&occupied, top - 8 * MB - 1));
	/* No further than to the lowest address. */
	ck_assert_ok(prof_occupied_parse(&occupied, "1000-2000 rw-p 0 0:0 0 [stack]", 0, MB));
	ck_assert(has(&occupied, 0) && has(&occupied, 0x1fff));
}
END_TEST

START_TEST(a_heap_grows_up)
{
	PROF_AUTO(prof_occupied_deinit) struct prof_occupied occupied = {0};

	ck_assert_ok(prof_occupied_parse(&occupied, text, 0x500000, 0));
	check_sorted(&occupied);
	ck_assert(!has(&occupied, 0x4fffff) && has(&occupied, 0x500000));
	ck_assert(has(&occupied, 0x500000 + 256 * MB));
	ck_assert(!has(&occupied, 0x500000 + 1024 * MB));
}
END_TEST

START_TEST(ranges_can_be_added)
{
	PROF_AUTO(prof_occupied_deinit) struct prof_occupied occupied = {0};

	ck_assert_ok(prof_occupied_parse(&occupied, text, 0, 0));
	ck_assert(prof_occupied_add(&occupied, 16 * MB, 16 * MB));
	check_sorted(&occupied);
	ck_assert(has(&occupied, 16 * MB) && has(&occupied, 32 * MB - 1));
	ck_assert(!has(&occupied, 32 * MB));
}
END_TEST

START_TEST(a_process_is_read)
{
	PROF_AUTO(prof_occupied_deinit) struct prof_occupied occupied = {0};
	void *mapped = mmap(NULL, MB, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char *heap = sbrk(0);
	int local;

	ck_assert_ptr_ne(mapped, MAP_FAILED);
	ck_assert_ok(prof_occupied_read(&occupied, getpid()));
	check_sorted(&occupied);
	ck_assert(has(&occupied, (uintptr_t)mapped));
	ck_assert(has(&occupied, (uintptr_t)&local));
	ck_assert(has(&occupied, (uintptr_t)&local - 4 * MB));
	ck_assert(has(&occupied, (uintptr_t)heap + 4 * MB));
	ck_assert(has(&occupied, (uintptr_t)has));
	ck_assert_int_eq(munmap(mapped, MB), 0);
}
END_TEST

START_TEST(a_process_that_is_gone_is_an_error)
{
	PROF_AUTO(prof_occupied_deinit) struct prof_occupied occupied = {0};
	pid_t child = fork();

	if (!child)
		_exit(0);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	ck_assert_error(prof_occupied_read(&occupied, child), "/maps");
}
END_TEST

RUN_TESTS("occupied", mappings_are_taken, a_stack_grows_down, a_heap_grows_up, ranges_can_be_added,
	a_process_is_read, a_process_that_is_gone_is_an_error)
