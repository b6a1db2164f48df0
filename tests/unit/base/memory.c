/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/memory.h"

#include "suite.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static char *pass_on(bool *was_null)
{
	AUTO_FREE char *text = strdup("kept");
	char *stolen = steal(&text);

	*was_null = !text;
	return stolen;
}

START_TEST(stolen_pointer_survives_its_guard)
{
	bool was_null = false;
	char *text = pass_on(&was_null);

	ck_assert(was_null);
	ck_assert_str_eq(text, "kept");
	free(text);
}
END_TEST

static int open_guarded(void)
{
	AUTO_CLOSE int fd = open("/dev/null", O_RDONLY);
	AUTO_CLOSE int none = -1;

	(void)none;
	ck_assert_int_ge(fd, 0);
	return fd;
}

START_TEST(guard_closes_files)
{
	int fd = open_guarded();

	ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
}
END_TEST

/* An address sanitizer finds it if it is freed twice or not at all. */
START_TEST(guard_frees)
{
	AUTO_FREE char *some = malloc(10);
	AUTO_FREE char *none = NULL;

	ck_assert_ptr_nonnull(some);
	ck_assert_ptr_null(none);
}
END_TEST

START_TEST(array_keeps_its_items_while_it_grows)
{
	PROF_ARRAY(uint64_t) numbers = {0};

	for (uint64_t i = 0; i < 10000; i++) {
		uint64_t *number = prof_array_push(&numbers);
		ck_assert_ptr_nonnull(number);
		*number = i;
	}
	ck_assert_uint_eq(numbers.count, 10000);
	ck_assert_uint_ge(numbers.capacity, 10000);
	for (uint64_t i = 0; i < 10000; i++)
		ck_assert_uint_eq(numbers.items[i], i);
	free(numbers.items);
}
END_TEST

START_TEST(array_moves_seldom)
{
	PROF_ARRAY(char) bytes = {0};
	size_t capacity = 0, grown = 0;

	for (int i = 0; i < 100000; i++) {
		ck_assert_ptr_nonnull(prof_array_push(&bytes));
		grown += bytes.capacity != capacity;
		capacity = bytes.capacity;
	}
	ck_assert_uint_lt(grown, 20);
	free(bytes.items);
}
END_TEST

START_TEST(reserved_room_is_there)
{
	PROF_ARRAY(uint32_t) numbers = {0};

	ck_assert(prof_array_reserve(&numbers, 1000));
	ck_assert_uint_eq(numbers.count, 0);
	ck_assert_uint_ge(numbers.capacity, 1000);
	uint32_t *before = numbers.items;
	for (int i = 0; i < 1000; i++)
		*prof_array_push(&numbers) = 1;
	ck_assert_ptr_eq(numbers.items, before);
	ck_assert(prof_array_reserve(&numbers, 0));
	free(numbers.items);
}
END_TEST

START_TEST(array_that_can_not_be_is_refused)
{
	PROF_ARRAY(uint64_t) numbers = {0};

	*prof_array_push(&numbers) = 5;
	uint64_t *before = numbers.items;
	size_t capacity = numbers.capacity;
	static const size_t sizes[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8, SIZE_MAX / 16};
	for (size_t i = 0; i < PROF_COUNT(sizes); i++)
		ck_assert(!prof_array_reserve(&numbers, sizes[i]));
	ck_assert_ptr_eq(numbers.items, before);
	ck_assert_uint_eq(numbers.capacity, capacity);
	ck_assert_uint_eq(numbers.items[0], 5);
	free(numbers.items);
}
END_TEST

START_TEST(memory_that_no_machine_has_is_not_there)
{
	ck_assert(prof_memory_is_there(1 << 20));
	ck_assert(!prof_memory_is_there(SIZE_MAX / 4));
}
END_TEST

RUN_TESTS("base_memory", memory_that_no_machine_has_is_not_there, stolen_pointer_survives_its_guard,
	guard_closes_files, guard_frees, array_keeps_its_items_while_it_grows, array_moves_seldom,
	reserved_room_is_there, array_that_can_not_be_is_refused)
