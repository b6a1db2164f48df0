/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/slots.h"

#include "target_forgery.h"

#include <dlfcn.h>

static const char *const names[] = {"getppid", "strtold", "no_such_function"};
enum { GETPPID, STRTOLD };

/* The slots of object INDEX of this process for the functions above. */
static void find_own(struct prof_slots *slots, size_t index)
{
	const struct prof_target target = self();
	struct prof_linkmap map = {0};

	ck_assert_ok(prof_linkmap_of_process(&map, &target, getpid()));
	ck_assert_uint_lt(index, map.items.count);
	ck_assert_ok(
		prof_slots_find(slots, &target, &map.items.items[index], names, PROF_COUNT(names)));
	prof_linkmap_deinit(&map);
}

START_TEST(finds_the_slot_of_a_function_before_and_after_it_is_bound)
{
	struct prof_slots before = {0}, after = {0};

	find_own(&before, 0);
	ck_assert_int_ne(getppid(), 0);
	find_own(&after, 0);
	ck_assert_uint_eq(before.items.count, after.items.count);
	bool found = false;
	for (size_t i = 0; i < after.items.count; i++) {
		const struct prof_slot *slot = &after.items.items[i];
		if (slot->name != GETPPID)
			continue;
		found = true;
		ck_assert(!slot->unbound);
		ck_assert_uint_eq(slot->value, (uintptr_t)dlsym(RTLD_DEFAULT, "getppid"));
		ck_assert_uint_eq(slot->value, *(uint64_t *)(uintptr_t)slot->address);
		/* Bound when it was called, unless all are when the program begins. */
		const struct prof_slot *earlier = &before.items.items[i];
		ck_assert_uint_eq(earlier->address, slot->address);
		ck_assert(earlier->unbound || earlier->value == slot->value);
	}
	ck_assert(found);
	prof_slots_deinit(&before);
	prof_slots_deinit(&after);
}
END_TEST

START_TEST(finds_none_of_functions_that_are_not_called)
{
	struct prof_slots slots = {0};

	find_own(&slots, 0);
	for (size_t i = 0; i < slots.items.count; i++)
		ck_assert_uint_eq(slots.items.items[i].name, GETPPID);
	prof_slots_deinit(&slots);
}
END_TEST

static size_t count_forged(struct prof_slots *slots)
{
	ck_assert_ok(prof_slots_find(slots, &forgery, &object, names, PROF_COUNT(names)));
	return slots->items.count;
}

START_TEST(knows_the_stub_of_a_slot_that_is_not_bound)
{
	struct prof_slots slots = {0};

	forge();
	ck_assert_uint_eq(count_forged(&slots), 1);
	ck_assert_uint_eq(slots.items.items[0].address, FORGED + SLOT);
	ck_assert_uint_eq(slots.items.items[0].value, FORGED + STUB);
	ck_assert(slots.items.items[0].unbound);
	forge_slot(1, 1, true);
	ck_assert_uint_eq(count_forged(&slots), 2);
	ck_assert(slots.items.items[1].unbound);
	prof_slots_deinit(&slots);
}
END_TEST

START_TEST(what_is_no_stub_is_bound)
{
	struct prof_slots slots = {0};

	forge();
	memset(forged + STUB, 0x90, 16);
	ck_assert_uint_eq(count_forged(&slots), 1);
	ck_assert(!slots.items.items[0].unbound);
	prof_slots_deinit(&slots);
}
END_TEST

START_TEST(damaged_tables_have_no_slots)
{
	struct prof_slots slots = {0};

	forge();
	forge_slot(0x00ffffff, 1, false); /* a symbol that is nowhere */
	ck_assert_uint_eq(count_forged(&slots), 0);
	forge_slot(1, 0x7fffffff, false); /* a name that is nowhere */
	ck_assert_uint_eq(count_forged(&slots), 0);
	forge();
	forge_dynamic(FORGED + DEBUG, UINT64_MAX, UINT64_MAX); /* tables without end */
	count_forged(&slots);
	prof_slots_deinit(&slots);
}
END_TEST

RUN_TESTS("slots", finds_the_slot_of_a_function_before_and_after_it_is_bound,
	finds_none_of_functions_that_are_not_called, knows_the_stub_of_a_slot_that_is_not_bound,
	what_is_no_stub_is_bound, damaged_tables_have_no_slots)
