/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent_session.h"

#include <errno.h>
#include <stdint.h>

static struct event events[EVENTS];
static unsigned event_count;

/* Reads what was written; it has to be as many records as are EXPECTED. */
static void expect_count(unsigned expected)
{
	event_count = read_own(events);
	ck_assert_uint_eq(event_count, expected);
}

/* The record INDEX is of KIND, by the hook WHAT, with ADDRESS. */
static void expect(
	unsigned index, enum prof_ring_kind kind, enum prof_hook_number what, const void *address)
{
	ck_assert_uint_lt(index, event_count);
	ck_assert_uint_eq(events[index].kind, kind);
	ck_assert_uint_eq(events[index].what, what);
	ck_assert_ptr_eq((void *)events[index].values[1], address);
	if (index)
		ck_assert_uint_ge(events[index].values[0], events[index - 1].values[0]);
	ck_assert_uint_eq(find_slot((uint32_t)gettid())->busy, 0);
}

static void expect_made(unsigned index, enum prof_ring_kind kind, enum prof_hook_number what,
	const void *address, size_t size)
{
	expect(index, kind, what, address);
	ck_assert_uint_eq(events[index].count, 3);
	ck_assert_uint_eq(events[index].values[2], size);
}

START_TEST(takes_every_function_that_allocates_once)
{
	begin_heap();
	void *blocks[8];
	blocks[0] = CALL(malloc, 11);
	blocks[1] = CALL(calloc, 3, 5);
	blocks[2] = CALL(valloc, 13);
	blocks[3] = CALL(pvalloc, 17);
	blocks[4] = CALL(memalign, 64, 19);
	blocks[5] = CALL(aligned_alloc, 64, 128);
	ck_assert_int_eq(CALL(posix_memalign, &blocks[6], 64, 23), 0);
	blocks[7] = CALL(reallocarray, NULL, 7, 9);
	expect_count(8);
	static const struct {
		enum prof_hook_number what;
		size_t size;
	} made[] = {{PROF_HOOK_malloc, 11}, {PROF_HOOK_calloc, 15}, {PROF_HOOK_valloc, 13},
		{PROF_HOOK_pvalloc, 17}, {PROF_HOOK_memalign, 19}, {PROF_HOOK_aligned_alloc, 128},
		{PROF_HOOK_posix_memalign, 23}, {PROF_HOOK_reallocarray, 63}};
	for (unsigned i = 0; i < 8; i++) {
		expect_made(i, PROF_RING_ALLOC, made[i].what, blocks[i], made[i].size);
		CALL(free, blocks[i]);
	}
	expect_count(16);
	for (unsigned i = 0; i < 8; i++)
		expect(8 + i, PROF_RING_FREE, PROF_HOOK_free, blocks[i]);
	CALL(free, NULL);
	expect_count(16);
}
END_TEST

START_TEST(takes_a_change_of_size_as_a_release_and_an_allocation)
{
	begin_heap();
	void *block = CALL(realloc, NULL, 10);
	uintptr_t first = (uintptr_t)block;
	block = CALL(realloc, block, 100000);
	uintptr_t second = (uintptr_t)block;
	block = CALL(reallocarray, block, 10, 20);
	expect_count(5);
	expect_made(0, PROF_RING_ALLOC, PROF_HOOK_realloc, (void *)first, 10);
	expect(1, PROF_RING_FREE, PROF_HOOK_realloc, (void *)first);
	expect_made(2, PROF_RING_ALLOC, PROF_HOOK_realloc, (void *)second, 100000);
	expect(3, PROF_RING_FREE, PROF_HOOK_reallocarray, (void *)second);
	expect_made(4, PROF_RING_ALLOC, PROF_HOOK_reallocarray, block, 200);
	uintptr_t third = (uintptr_t)block;
	ck_assert_ptr_null(CALL(realloc, block, 0));
	expect_count(6);
	expect(5, PROF_RING_FREE, PROF_HOOK_realloc, (void *)third);
}
END_TEST

/* The compiler must not know that this is too much. */
static volatile size_t excess = SIZE_MAX / 2;

START_TEST(takes_nothing_of_calls_that_fail)
{
	begin_heap();
	void *block = CALL(malloc, 1), *other = block;
	expect_count(1);
	errno = 0;
	ck_assert_ptr_null(CALL(malloc, excess));
	ck_assert_int_eq(errno, ENOMEM);
	ck_assert_ptr_null(CALL(calloc, excess, 4));
	ck_assert_ptr_null(CALL(memalign, 64, excess));
	errno = 0;
	ck_assert_ptr_null(CALL(realloc, block, excess));
	ck_assert_int_eq(errno, ENOMEM);
	errno = 0;
	ck_assert_ptr_null(CALL(reallocarray, block, excess, 4));
	ck_assert_int_eq(errno, ENOMEM);
	errno = 0;
	ck_assert_int_eq(CALL(posix_memalign, &other, 3, 1), EINVAL);
	ck_assert_int_eq(errno, 0);
	ck_assert_ptr_eq(other, block);
	ck_assert_ptr_eq(
		CALL(mmap, NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), MAP_FAILED);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(CALL(munmap, (void *)1, 4096), -1);
	ck_assert_ptr_eq(CALL(mremap, (void *)1, 1, 1, 0), MAP_FAILED);
	expect_count(1);
	CALL(free, block);
}
END_TEST

START_TEST(keeps_errno)
{
	begin_heap();
	errno = 4711;
	void *block = CALL(malloc, 10);
	ck_assert_int_eq(errno, 4711);
	block = CALL(realloc, block, 20);
	CALL(free, block);
	ck_assert_int_eq(errno, 4711);
}
END_TEST

START_TEST(takes_mappings)
{
	size_t page = 4096;

	begin_heap();
	char *one = CALL(mmap, NULL, 3 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *two = CALL(mmap64, NULL, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_int_eq(CALL(munmap, one, page), 0);
	char *moved = CALL(mremap, one + page, page, 64 * page, MREMAP_MAYMOVE);
	char *place = CALL(mmap, NULL, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *fixed = CALL(mremap, two, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, place);
	ck_assert_ptr_eq(fixed, place);
	expect_count(8);
	expect_made(0, PROF_RING_MAP, PROF_HOOK_mmap, one, 3 * page);
	expect_made(1, PROF_RING_MAP, PROF_HOOK_mmap64, two, page);
	expect_made(2, PROF_RING_UNMAP, PROF_HOOK_munmap, one, page);
	expect_made(3, PROF_RING_UNMAP, PROF_HOOK_mremap, one + page, page);
	expect_made(4, PROF_RING_MAP, PROF_HOOK_mremap, moved, 64 * page);
	expect_made(5, PROF_RING_MAP, PROF_HOOK_mmap, place, page);
	expect_made(6, PROF_RING_UNMAP, PROF_HOOK_mremap, two, page);
	expect_made(7, PROF_RING_MAP, PROF_HOOK_mremap, fixed, page);
}
END_TEST

START_TEST(records_have_the_cpu_that_they_are_of)
{
	cpu_set_t all;

	ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
	for (int last = 0; last < 2; last++) {
		unsigned cpu = move_to(&all, last);
		begin_heap();
		CALL(free, CALL(realloc, CALL(malloc, 1), 2));
		CALL(munmap, CALL(mmap, NULL, 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1);
		expect_count(6);
		ck_assert_uint_eq(events[0].cpu, cpu);
		/* The release in realloc() is written with its allocation, which alone has it. */
		for (unsigned i = 2; i < event_count; i++)
			ck_assert_uint_eq(events[i].cpu, cpu);
	}
}
END_TEST

/* As where the program has a heap of its own, which gets its memory through the same table. */
static void *malloc_by_mapping(size_t size)
{
	return CALL(mmap, NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void *reallocarray_by_realloc(void *block, size_t count, size_t size)
{
	return CALL(realloc, block, count * size);
}

START_TEST(takes_what_a_function_calls_itself_as_part_of_it)
{
	begin_heap();
	prof_agent_hooks[PROF_HOOK_malloc].real = (void *)malloc_by_mapping;
	prof_agent_hooks[PROF_HOOK_reallocarray].real = (void *)reallocarray_by_realloc;
	void *block = CALL(malloc, 100);
	expect_count(1);
	expect_made(0, PROF_RING_ALLOC, PROF_HOOK_malloc, block, 100);
	block = CALL(reallocarray, NULL, 4, 5);
	expect_count(2);
	expect_made(1, PROF_RING_ALLOC, PROF_HOOK_reallocarray, block, 20);
	ck_assert_uint_eq(find_slot((uint32_t)gettid())->lost, 0);
}
END_TEST

RUN_TESTS("agent heap", takes_every_function_that_allocates_once,
	takes_a_change_of_size_as_a_release_and_an_allocation, takes_nothing_of_calls_that_fail,
	keeps_errno, takes_mappings, records_have_the_cpu_that_they_are_of,
	takes_what_a_function_calls_itself_as_part_of_it)
