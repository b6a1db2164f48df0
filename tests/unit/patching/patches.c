/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patches that are put into a traced child, and taken out. */
#include "patching/patches.h"

#include "decoder.h"

#ifdef __x86_64__

#include "patched_child.h"

#include <dlfcn.h>
#include <sys/auxv.h>

enum { CALLS = 1000, LOOKED = 16 };

KEPT uint64_t leaf(uint64_t number);
KEPT uint64_t fibonacci(uint64_t number);

uint64_t leaf(uint64_t number)
{
	return number * 3 + 1;
}

uint64_t fibonacci(uint64_t number)
{
	return number < 2 ? number : CALL(fibonacci)(number - 1) + CALL(fibonacci)(number - 2);
}

/* Calls, stops, and so on; the result is the exit code. */
static int call_and_stop(void)
{
	int wrong = 0;

	for (int turn = 0; turn < 4; turn++) {
		for (uint64_t i = 0; i < CALLS; i++)
			wrong += CALL(leaf)(i) != i * 3 + 1;
		wrong += CALL(fibonacci)(10) != 55;
		patched_child_stop();
	}
	return wrong != 0;
}

enum { FIBONACCI_CALLS = 177 };

START_TEST(functions_are_entered_by_stubs_while_patches_are_in)
{
	struct patched_child child;

	patched_child_start(&child, call_and_stop, 10);
	uint32_t one = patched_child_add(&child, leaf),
		 other = patched_child_add(&child, fibonacci);
	ck_assert_uint_eq(one, 1);
	ck_assert_uint_eq(other, 2);
	ck_assert_uint_eq(prof_patches_count(child.patches), 2);
	patched_child_map(&child);
	for (uint64_t turn = 1; turn <= 2; turn++) {
		ck_assert_ok(prof_patches_put_in(child.patches, NULL, 0));
		ck_assert_int_eq(prof_patches_state(child.patches, one), PROF_PATCHES_IN);
		ck_assert(!patched_child_same(&child, leaf, LOOKED));
		patched_child_turn(&child);
		ck_assert_ok(prof_patches_take_out(child.patches));
		ck_assert_int_eq(prof_patches_state(child.patches, one), PROF_PATCHES_OUT);
		ck_assert(patched_child_same(&child, leaf, LOOKED));
		ck_assert(patched_child_same(&child, fibonacci, LOOKED));
		ck_assert_uint_eq(patched_child_counted(&child, one), turn * CALLS);
		ck_assert_uint_eq(patched_child_counted(&child, other), turn * FIBONACCI_CALLS);
	}
	patched_child_turn(&child);
	ck_assert_uint_eq(patched_child_counted(&child, one), 2 * CALLS);
	/* Also at the end. */
	ck_assert_ok(prof_patches_put_in(child.patches, NULL, 0));
	patched_child_turn(&child);
	patched_child_finish(&child);
}
END_TEST

START_TEST(a_function_that_comes_later_gets_its_stub)
{
	struct patched_child child;

	patched_child_start(&child, call_and_stop, 10);
	uint32_t one = patched_child_add(&child, leaf);
	patched_child_map(&child);
	ck_assert_ok(prof_patches_put_in(child.patches, NULL, 0));
	patched_child_turn(&child);
	/* While the others are in. */
	uint32_t other = patched_child_add(&child, fibonacci);
	ck_assert_uint_eq(patched_child_add(&child, leaf), one);
	ck_assert_int_eq(prof_patches_state(child.patches, other), PROF_PATCHES_OUT);
	ck_assert_ok(prof_patches_put_in(child.patches, NULL, 0));
	ck_assert_int_eq(prof_patches_state(child.patches, other), PROF_PATCHES_IN);
	patched_child_turn(&child);
	ck_assert_uint_eq(patched_child_counted(&child, one), 2 * CALLS);
	ck_assert_uint_eq(patched_child_counted(&child, other), FIBONACCI_CALLS);
	patched_child_turn(&child);
	patched_child_turn(&child);
	patched_child_finish(&child);
}
END_TEST

START_TEST(what_cannot_be_patched_has_a_reason)
{
	struct patched_child child;
	uint32_t number;
	void *anonymous = patched_child_memory(PATCHED_CHILD_PAGE, PROT_READ | PROT_EXEC);

	patched_child_start(&child, call_and_stop, 1);
	ck_assert_int_eq(
		patched_child_try(&child, (uintptr_t)leaf + 1, &number), PROF_OBSTACLE_BOUNDS);
	ck_assert_int_eq(
		patched_child_try(&child, (uintptr_t)anonymous, &number), PROF_OBSTACLE_FILE);
	ck_assert_int_eq(patched_child_try(&child, 8, &number), PROF_OBSTACLE_FILE);
	ck_assert_int_eq(
		patched_child_try(&child, getauxval(AT_ENTRY), &number), PROF_OBSTACLE_START);
	for (int i = 1; i < PROF_OBSTACLES; i++)
		ck_assert_uint_gt(strlen(prof_obstacle_reasons[i]), 10);
	patched_child_add(&child, leaf);
	enum prof_obstacle obstacle;
	ck_assert_error(prof_patches_add(child.patches, (uintptr_t)fibonacci, PROF_STUB_COUNT,
				&number, &obstacle),
		"at most 1 functions");
	for (int i = 0; i < 4; i++)
		patched_child_turn(&child);
	patched_child_finish(&child);
}
END_TEST

static void poke(const struct patched_child *child, uint64_t address, unsigned char byte)
{
	ck_assert_ok(prof_process_write(child->pid, address, &byte, 1));
}

START_TEST(functions_of_an_object_are_listed)
{
	struct patched_child child;
	PROF_AUTO(prof_patches_list_deinit) struct prof_patches_list list = {0}, none = {0};
	uint64_t last = 0;
	size_t found = 0, others = 0;

	patched_child_start(&child, call_and_stop, 10);
	ck_assert_ok(prof_patches_list(child.patches, (uintptr_t)leaf + 1, &list));
	for (size_t i = 0; i < list.items.count; i++) {
		const struct prof_patches_listed *item = &list.items.items[i];
		ck_assert_uint_gt(item->address, last);
		last = item->address;
		others += item->obstacle != PROF_OBSTACLE_NONE;
		if (item->address != (uintptr_t)leaf && item->address != (uintptr_t)fibonacci)
			continue;
		ck_assert_int_eq(item->obstacle, PROF_OBSTACLE_NONE);
		ck_assert_str_eq(
			item->name, item->address == (uintptr_t)leaf ? "leaf" : "fibonacci");
		found++;
	}
	ck_assert_uint_eq(found, 2);
	ck_assert_uint_gt(list.items.count, 100);
	ck_assert_uint_lt(others, list.items.count / 10);
	ck_assert_ok(prof_patches_list(child.patches, 8, &none));
	ck_assert_uint_eq(none.items.count, 0);
	for (int i = 0; i < 4; i++)
		patched_child_turn(&child);
	patched_child_finish(&child);
}
END_TEST

START_TEST(functions_that_return_twice_are_known_by_their_code)
{
	/* Sanitizers have functions of these names, too. */
	void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
	const void *const functions[] = {
		dlsym(library, "vfork"), dlsym(library, "fork"), dlsym(library, "qsort")};
	PROF_AUTO(prof_patches_list_deinit) struct prof_patches_list list = {0};
	struct patched_child child;
	size_t found = 0;

	patched_child_start(&child, call_and_stop, 10);
	ck_assert_ok(prof_patches_list(child.patches, (uintptr_t)functions[0], &list));
	for (size_t i = 0; i < list.items.count; i++) {
		for (size_t j = 0; j < PROF_COUNT(functions); j++) {
			if (list.items.items[i].address != (uintptr_t)functions[j])
				continue;
			ck_assert_int_eq(list.items.items[i].twice, j == 0);
			found++;
		}
	}
	ck_assert_uint_eq(found, PROF_COUNT(functions));
	for (int i = 0; i < 4; i++)
		patched_child_turn(&child);
	patched_child_finish(&child);
}
END_TEST

START_TEST(code_with_breakpoints_stays_as_it_is)
{
	struct patched_child child;
	const unsigned char trap = 0xcc;
	const unsigned char *code = (const unsigned char *)(uintptr_t)leaf;

	patched_child_start(&child, call_and_stop, 10);
	uint32_t one = patched_child_add(&child, leaf),
		 other = patched_child_add(&child, fibonacci);
	patched_child_map(&child);
	for (uint64_t i = 0; i < 5; i++) {
		poke(&child, (uintptr_t)code + i, trap);
		ck_assert_ok(prof_patches_put_in(child.patches, NULL, 0));
		ck_assert_int_eq(prof_patches_state(child.patches, one), PROF_PATCHES_CHANGED);
		ck_assert_int_eq(prof_patches_state(child.patches, other), PROF_PATCHES_IN);
		poke(&child, (uintptr_t)code + i, code[i]);
		ck_assert(patched_child_same(&child, leaf, LOOKED));
		ck_assert_ok(prof_patches_take_out(child.patches));
	}
	/* Behind the patch one changes nothing. */
	poke(&child, (uintptr_t)code + LOOKED, trap);
	ck_assert_ok(prof_patches_put_in(child.patches, NULL, 0));
	ck_assert_int_eq(prof_patches_state(child.patches, one), PROF_PATCHES_IN);
	poke(&child, (uintptr_t)code + LOOKED, code[LOOKED]);
	/* One that was put into the patch stays. */
	poke(&child, (uintptr_t)code + 2, trap);
	ck_assert_ok(prof_patches_take_out(child.patches));
	ck_assert(!patched_child_same(&child, leaf, LOOKED));
	poke(&child, (uintptr_t)code + 2, code[2]);
	ck_assert(patched_child_same(&child, leaf, LOOKED));
	for (int i = 0; i < 4; i++)
		patched_child_turn(&child);
	patched_child_finish(&child);
}
END_TEST

START_TEST(code_that_will_be_resumed_stays_as_it_is)
{
	struct patched_child child;
	uint64_t resumed[] = {(uintptr_t)fibonacci + 64, 1, (uintptr_t)leaf + 1};

	patched_child_start(&child, call_and_stop, 10);
	uint32_t one = patched_child_add(&child, leaf),
		 other = patched_child_add(&child, fibonacci);
	patched_child_map(&child);
	ck_assert_ok(prof_patches_put_in(child.patches, resumed, PROF_COUNT(resumed)));
	ck_assert_int_eq(prof_patches_state(child.patches, one), PROF_PATCHES_RESUMED);
	ck_assert_int_eq(prof_patches_state(child.patches, other), PROF_PATCHES_IN);
	ck_assert(patched_child_same(&child, leaf, LOOKED));
	/* At the entry it makes a call. */
	resumed[2]--;
	ck_assert_ok(prof_patches_put_in(child.patches, resumed, PROF_COUNT(resumed)));
	ck_assert_int_eq(prof_patches_state(child.patches, one), PROF_PATCHES_IN);
	for (int i = 0; i < 4; i++)
		patched_child_turn(&child);
	patched_child_finish(&child);
}
END_TEST

START_TEST(without_its_memory_nothing_is_written)
{
	struct patched_child child;
	struct prof_patches_memory memory, again;

	patched_child_start(&child, call_and_stop, 10);
	ck_assert(prof_patches_lack(child.patches, &memory));
	ck_assert_uint_eq(memory.address, PATCHED_CHILD_CONTROL);
	ck_assert_uint_ge(memory.size, prof_stub_control_size(&child.settings));
	ck_assert(!memory.is_code);
	prof_patches_settle(child.patches, memory.address, true);
	ck_assert(!prof_patches_lack(child.patches, &memory));
	uint32_t number = patched_child_add(&child, leaf);
	ck_assert(prof_patches_lack(child.patches, &memory));
	ck_assert(prof_patches_lack(child.patches, &again));
	ck_assert_uint_eq(memory.address, again.address);
	ck_assert_uint_eq(memory.size % PROF_STUB_GRANULE, 0);
	ck_assert(memory.is_code);
	ck_assert_ok(prof_patches_put_in(child.patches, NULL, 0));
	ck_assert_int_eq(prof_patches_state(child.patches, number), PROF_PATCHES_UNMAPPED);
	prof_patches_settle(child.patches, memory.address, false);
	ck_assert(!prof_patches_lack(child.patches, &again));
	ck_assert_ok(prof_patches_put_in(child.patches, NULL, 0));
	ck_assert_int_eq(prof_patches_state(child.patches, number), PROF_PATCHES_UNMAPPED);
	ck_assert(patched_child_same(&child, leaf, LOOKED));
	for (int i = 0; i < 4; i++)
		patched_child_turn(&child);
	patched_child_finish(&child);
}
END_TEST

START_TEST(what_is_mapped_already_is_spared)
{
	struct patched_child child;
	char *there = mmap((void *)PATCHED_CHILD_CONTROL, PATCHED_CHILD_PAGE,
		PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	char byte;

	ck_assert_ptr_eq(there, (void *)PATCHED_CHILD_CONTROL);
	*there = 7;
	patched_child_start(&child, call_and_stop, 10);
	uint32_t number = patched_child_add(&child, leaf);
	patched_child_map(&child);
	ck_assert_ok(prof_patches_put_in(child.patches, NULL, 0));
	ck_assert_int_eq(prof_patches_state(child.patches, number), PROF_PATCHES_UNMAPPED);
	ck_assert(patched_child_same(&child, leaf, LOOKED));
	ck_assert(prof_process_read(child.pid, PATCHED_CHILD_CONTROL, &byte, 1));
	ck_assert_int_eq(byte, 7);
	for (int i = 0; i < 4; i++)
		patched_child_turn(&child);
	patched_child_finish(&child);
}
END_TEST

START_TEST(a_thread_that_cannot_make_calls_maps_nothing)
{
	struct patched_child child;

	patched_child_start(&child, call_and_stop, 10);
	uint32_t number = patched_child_add(&child, leaf);
	/* The kernel would unblock the signal of a single step. */
	ck_assert(prof_process_block(child.pid, UINT64_C(1) << (SIGTRAP - 1)));
	ck_assert(!prof_patches_map(child.patches, &child.detour, child.pid));
	ck_assert_ok(prof_patches_put_in(child.patches, NULL, 0));
	ck_assert_int_eq(prof_patches_state(child.patches, number), PROF_PATCHES_UNMAPPED);
	ck_assert(prof_process_block(child.pid, 0));
	patched_child_map(&child);
	ck_assert_ok(prof_patches_put_in(child.patches, NULL, 0));
	ck_assert_int_eq(prof_patches_state(child.patches, number), PROF_PATCHES_IN);
	for (int i = 0; i < 4; i++)
		patched_child_turn(&child);
	patched_child_finish(&child);
}
END_TEST

START_TEST(objects_that_are_unmapped_are_forgotten)
{
	struct patched_child child;
	struct prof_patches_memory memory;

	patched_child_start(&child, call_and_stop, 10);
	patched_child_map(&child);
	uint32_t number = patched_child_add(&child, leaf);
	ck_assert(prof_patches_lack(child.patches, &memory));
	prof_patches_forget(child.patches, (struct prof_island_range){8, 16});
	ck_assert_int_eq(prof_patches_state(child.patches, number), PROF_PATCHES_OUT);
	prof_patches_forget(
		child.patches, (struct prof_island_range){(uintptr_t)leaf, (uintptr_t)leaf + 1});
	ck_assert_int_eq(prof_patches_state(child.patches, number), PROF_PATCHES_GONE);
	ck_assert(!prof_patches_lack(child.patches, &memory));
	/* The same place may be mapped again. */
	uint32_t again = patched_child_add(&child, leaf);
	ck_assert_uint_eq(again, number + 1);
	patched_child_map(&child);
	ck_assert_ok(prof_patches_put_in(child.patches, NULL, 0));
	ck_assert_int_eq(prof_patches_state(child.patches, number), PROF_PATCHES_GONE);
	ck_assert_int_eq(prof_patches_state(child.patches, again), PROF_PATCHES_IN);
	patched_child_turn(&child);
	ck_assert_uint_eq(patched_child_counted(&child, number), 0);
	ck_assert_uint_eq(patched_child_counted(&child, again), CALLS);
	for (int i = 0; i < 3; i++)
		patched_child_turn(&child);
	patched_child_finish(&child);
}
END_TEST

START_TEST(a_process_that_is_gone_is_an_error)
{
	struct patched_child child;
	uint32_t number;
	enum prof_obstacle obstacle;

	patched_child_start(&child, call_and_stop, 10);
	patched_child_add(&child, leaf);
	patched_child_map(&child);
	ck_assert_ok(prof_patches_put_in(child.patches, NULL, 0));
	kill(child.pid, SIGKILL);
	ck_assert_int_eq(waitpid(child.pid, NULL, 0), child.pid);
	ck_assert_error(prof_patches_take_out(child.patches), "cannot patch");
	ck_assert_error(prof_patches_put_in(child.patches, NULL, 0), "cannot patch");
	uint64_t elsewhere = (uintptr_t)child.patches;
	ck_assert_error(
		prof_patches_add(child.patches, elsewhere, PROF_STUB_COUNT, &number, &obstacle),
		"/maps");
	prof_patches_destroy(child.patches);
}
END_TEST

static int compare_numbers(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

/* Uses the C library, and stops. */
static int use_library(void)
{
	enum { TURNS = 20, NUMBERS = 500, SIZE = 64 };
	int numbers[NUMBERS], wrong = 0;
	char text[SIZE];

	for (int turn = 0; turn < TURNS; turn++) {
		for (int i = 0; i < NUMBERS; i++)
			numbers[i] = (i * 7919 + turn) % NUMBERS;
		qsort(numbers, NUMBERS, sizeof *numbers, compare_numbers);
		for (int i = 1; i < NUMBERS; i++)
			wrong += numbers[i - 1] > numbers[i];
		snprintf(text, sizeof text, "%d %s %g", turn, "text", turn / 4.0);
		char *copy = strdup(text);
		wrong += atoi(copy) != turn || !strstr(copy, "text");
		free(copy);
		patched_child_stop();
	}
	return wrong != 0;
}

START_TEST(a_whole_library_is_patched_again_and_again)
{
	struct patched_child child;
	struct patched *library = patched_open((const void *)(uintptr_t)qsort, 0);
	size_t patched = 0, count = library->entries.items.count;
	uint32_t number, sorting = 0;

	patched_child_start(&child, use_library, PATCHED_CHILD_MOST - 1);
	for (size_t i = 0; i < count; i++) {
		uint64_t address = library->entries.items.items[i].low + library->bias;
		patched += patched_child_try(&child, address, &number) == PROF_OBSTACLE_NONE;
		if (address == (uintptr_t)qsort)
			sorting = number;
	}
	ck_assert_uint_gt(patched, count * 9 / 10);
	patched_child_map(&child);
	for (uint64_t turn = 1; turn <= 20; turn++) {
		ck_assert_ok(prof_patches_put_in(child.patches, NULL, 0));
		patched_child_turn(&child);
		ck_assert_ok(prof_patches_take_out(child.patches));
		for (size_t i = 0; i < count; i++) {
			uint64_t address = library->entries.items.items[i].low + library->bias;
			ck_assert(patched_child_same(&child, (const void *)(uintptr_t)address, 5));
		}
		ck_assert_uint_gt(sorting, 0);
		ck_assert_uint_eq(patched_child_counted(&child, sorting), turn);
	}
	patched_child_finish(&child);
	library->size = PATCHED_CHILD_PAGE;
	patched_close(library);
}
END_TEST

RUN_DECODER_TESTS("patches", functions_are_entered_by_stubs_while_patches_are_in,
	a_function_that_comes_later_gets_its_stub, what_cannot_be_patched_has_a_reason,
	functions_of_an_object_are_listed, functions_that_return_twice_are_known_by_their_code,
	code_with_breakpoints_stays_as_it_is, code_that_will_be_resumed_stays_as_it_is,
	without_its_memory_nothing_is_written, what_is_mapped_already_is_spared,
	a_thread_that_cannot_make_calls_maps_nothing, objects_that_are_unmapped_are_forgotten,
	a_process_that_is_gone_is_an_error, a_whole_library_is_patched_again_and_again)

#else

int main(void)
{
	puts("1..0 # SKIP stubs are for x86-64");
	return 0;
}

#endif
