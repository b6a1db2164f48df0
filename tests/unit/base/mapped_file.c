/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/mapped_file.h"

#include "base/compat.h"
#include "scratch.h"
#include "suite.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* One part and some more of a second, whose begin does not fit the end of the first. */
enum { SIZE = 100003, COUNT = PROF_MAPPED_FILE_PART / SIZE + 20 };

START_TEST(what_was_put_stays_where_it_is_and_takes_no_memory)
{
	static const unsigned char *places[COUNT];
	static unsigned char bytes[SIZE];

	enter_scratch();
	struct prof_mapped_file *file = prof_mapped_file_create(".");
	ck_assert_ptr_nonnull(file);
	const struct mallinfo2 before = mallinfo2();
	for (int i = 0; i < COUNT; i++) {
		memset(bytes, i, sizeof bytes);
		places[i] = prof_mapped_file_put(file, bytes, sizeof bytes);
		ck_assert_ptr_nonnull(places[i]);
	}
	ck_assert_uint_lt(
		mallinfo2().uordblks + mallinfo2().hblkhd, before.uordblks + before.hblkhd + 10000);
	for (int i = 0; i < COUNT; i++) {
		memset(bytes, i, sizeof bytes);
		ck_assert_mem_eq(places[i], bytes, sizeof bytes);
	}
	prof_mapped_file_destroy(file);
}
END_TEST

START_TEST(full_disk_is_told_and_leaves_the_rest)
{
	static const unsigned char bytes[3000] = {7, 8, 9};
	const struct rlimit limit = {5000, RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};

	enter_scratch();
	struct prof_mapped_file *file = prof_mapped_file_create(".");
	ck_assert_ptr_nonnull(file);
	/* Meanwhile Check cannot write either. */
	int limited = setrlimit(RLIMIT_FSIZE, &limit);
	const unsigned char *place = prof_mapped_file_put(file, bytes, sizeof bytes);
	const unsigned char *large = prof_mapped_file_put(file, bytes, sizeof bytes);
	const unsigned char *small = prof_mapped_file_put(file, bytes, 3);
	ck_assert_int_eq(limited | setrlimit(RLIMIT_FSIZE, &none), 0);
	ck_assert_ptr_nonnull(place);
	ck_assert_ptr_null(large);
	ck_assert_mem_eq(place, bytes, sizeof bytes);
	/* What was written in part is no hole. */
	ck_assert_ptr_eq(small, place + sizeof bytes);
	ck_assert_mem_eq(small, bytes, 3);
	prof_mapped_file_destroy(file);
}
END_TEST

START_TEST(folder_that_is_not_there_has_none)
{
	ck_assert_ptr_null(prof_mapped_file_create("/no/such/folder"));
	prof_mapped_file_destroy(NULL);
}
END_TEST

RUN_TESTS("mapped_file", what_was_put_stays_where_it_is_and_takes_no_memory,
	full_disk_is_told_and_leaves_the_rest, folder_that_is_not_there_has_none)
