/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/perf_dump.h"

#include "suite.h"

#include <sys/mman.h>
#include <unistd.h>

/* COUNT stacks are walked, each of which needs NEEDED bytes of a copy of LENGTH. */
static void walk(struct prof_perf_dump *dump, int count, size_t needed, size_t length)
{
	const struct prof_copy stack = {.length = length,
		.needed = needed < length ? needed : length,
		.exceeded = needed > length};

	for (int i = 0; i < count; i++)
		prof_perf_dump_count(dump, &stack);
}

START_TEST(first_there_is_as_much_as_few_threads_may_have)
{
	const struct prof_perf_dump dump = {0};

	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 1), PROF_PERF_DUMP_MOST);
	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 100), PROF_PERF_DUMP_USUAL);
}
END_TEST

START_TEST(then_as_much_as_nearly_all_stacks_need)
{
	struct prof_perf_dump dump = {0};

	walk(&dump, 99, 1000, PROF_PERF_DUMP_MOST);
	walk(&dump, 1, 60000, PROF_PERF_DUMP_MOST);
	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 1), 1 << 11);
	/* If they were a little deeper, they would be cut there. */
	dump = (struct prof_perf_dump){0};
	walk(&dump, 100, 1100, PROF_PERF_DUMP_MOST);
	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 1), 1 << 13);
	dump = (struct prof_perf_dump){0};
	walk(&dump, 100, 5000, PROF_PERF_DUMP_MOST);
	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 1), 1 << 14);
	dump = (struct prof_perf_dump){0};
	walk(&dump, 98, 1000, PROF_PERF_DUMP_MOST);
	walk(&dump, 2, 20000, PROF_PERF_DUMP_MOST);
	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 1), 1 << 15);
	dump = (struct prof_perf_dump){0};
	walk(&dump, 100, 40000, PROF_PERF_DUMP_MOST);
	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 1), PROF_PERF_DUMP_MOST);
}
END_TEST

START_TEST(where_stacks_become_deeper_it_grows_at_once_and_stays)
{
	struct prof_perf_dump dump = {0};

	walk(&dump, 100, 1000, PROF_PERF_DUMP_MOST);
	walk(&dump, 2, 1100, 1 << 11);
	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 1), 1 << 13);
	walk(&dump, 1, 5000, 1 << 13);
	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 1), 1 << 13);
	walk(&dump, 1, 5000, 1 << 13);
	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 1), 1 << 14);
	walk(&dump, 2, 50000, 1 << 14);
	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 1), 1 << 15);
	/* Copies of before may still come. */
	walk(&dump, 10, 50000, 1 << 14);
	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 1), 1 << 15);
	walk(&dump, 2, 50000, 1 << 15);
	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 1), PROF_PERF_DUMP_MOST);
	walk(&dump, 100, 1000, PROF_PERF_DUMP_MOST);
	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 1), PROF_PERF_DUMP_MOST);
}
END_TEST

START_TEST(small_copies_that_are_cut_become_usual_ones)
{
	struct prof_perf_dump dump = {0};

	walk(&dump, 100, 1000, PROF_PERF_DUMP_MOST);
	walk(&dump, 2, 3000, 1 << 11);
	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 1), 1 << 14);
}
END_TEST

/* What is asked for beyond the end of a stack is not in a larger copy either. */
START_TEST(end_of_a_stack_is_no_cut)
{
	struct prof_perf_dump dump = {0};

	walk(&dump, 100, 3000, 2000);
	ck_assert_uint_eq(prof_perf_dump_bytes(&dump, 1), 1 << 13);
}
END_TEST

/* An array on a stack may have pages that were never used. */
START_TEST(pages_that_are_not_in_memory_are_read)
{
	enum { PAGES = 20, READ = 14 };
	unsigned char resident[PAGES];
	unsigned char *stack = mmap(NULL, PAGES * PROF_TARGET_PAGE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct prof_copy copy = {.address = (uint64_t)(uintptr_t)stack + PROF_TARGET_PAGE + 16,
		.length = PROF_TARGET_PAGE - 16};

	ck_assert_ptr_ne(stack, MAP_FAILED);
	madvise(stack, PAGES * PROF_TARGET_PAGE, MADV_NOHUGEPAGE);
	prof_perf_dump_complete(getpid(), &copy);
	ck_assert_int_eq(mincore(stack, PAGES * PROF_TARGET_PAGE, resident), 0);
	ck_assert_uint_eq(resident[2], 0); /* that copy had all that was asked for */
	copy.exceeded = true;
	prof_perf_dump_complete(getpid(), &copy);
	ck_assert_int_eq(mincore(stack, PAGES * PROF_TARGET_PAGE, resident), 0);
	for (int i = 0; i < PAGES; i++)
		ck_assert_uint_eq(resident[i], i > 1 && i < 2 + READ + 1);
	ck_assert_int_eq(munmap(stack + 3 * PROF_TARGET_PAGE, PROF_TARGET_PAGE), 0);
	prof_perf_dump_complete(getpid(), &copy);
	munmap(stack, PAGES * PROF_TARGET_PAGE);
}
END_TEST

RUN_TESTS("perf dump", first_there_is_as_much_as_few_threads_may_have,
	then_as_much_as_nearly_all_stacks_need,
	where_stacks_become_deeper_it_grows_at_once_and_stays,
	small_copies_that_are_cut_become_usual_ones, end_of_a_stack_is_no_cut,
	pages_that_are_not_in_memory_are_read)
