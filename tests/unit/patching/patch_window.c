/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that is written page by page. */
#include "suite.h"

#include "patching/patch_window.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 4, SIZE = PAGES * PROF_PATCH_WINDOW };

/* Pages that cannot be written, at the same address in a child, which waits. */
static unsigned char *pages;
static pid_t child;

static void begin(void)
{
	pages = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(pages, MAP_FAILED);
	for (size_t i = 0; i < SIZE; i++)
		pages[i] = (unsigned char)(i % 251);
	ck_assert_int_eq(mprotect(pages, SIZE, PROT_READ | PROT_EXEC), 0);
	child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
}

static void end(void)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static uint64_t at(size_t offset)
{
	return (uintptr_t)pages + offset;
}

/* What the child has there now. */
static unsigned look(size_t offset)
{
	struct prof_patch_window window;
	unsigned char byte;

	ck_assert_ok(prof_patch_window_open(&window, child));
	ck_assert(prof_patch_window_read(&window, at(offset), &byte, 1));
	ck_assert_ok(prof_patch_window_close(&window));
	return byte;
}

static unsigned original(size_t offset)
{
	return offset % 251;
}

START_TEST(what_is_near_is_written_at_the_end)
{
	struct prof_patch_window window;
	unsigned char bytes[4];

	begin();
	ck_assert_ok(prof_patch_window_open(&window, child));
	ck_assert(prof_patch_window_read(&window, at(100), bytes, 4));
	ck_assert_uint_eq(bytes[3], original(103));
	ck_assert_ok(prof_patch_window_write(&window, at(100), "abcd", 4));
	ck_assert_ok(prof_patch_window_write(&window, at(300), "efgh", 4));
	ck_assert_uint_eq(look(100), original(100));
	/* But it is read as it will be. */
	ck_assert(prof_patch_window_read(&window, at(101), bytes, 4));
	ck_assert(!memcmp(bytes, "bcd", 3));
	ck_assert_uint_eq(bytes[3], original(104));
	ck_assert_ok(prof_patch_window_close(&window));
	ck_assert_uint_eq(look(100), 'a');
	ck_assert_uint_eq(look(303), 'h');
	ck_assert_uint_eq(look(99), original(99));
	ck_assert_uint_eq(look(200), original(200));
	ck_assert_uint_eq(look(304), original(304));
	ck_assert_uint_eq(pages[100], original(100));
	end();
}
END_TEST

START_TEST(what_is_elsewhere_is_written_in_time)
{
	enum { EDGE = PROF_PATCH_WINDOW };
	struct prof_patch_window window;
	unsigned char bytes[4];

	begin();
	ck_assert_ok(prof_patch_window_open(&window, child));
	/* Nothing was read: at once. */
	ck_assert_ok(prof_patch_window_write(&window, at(2 * EDGE), "x", 1));
	ck_assert_uint_eq(look(2 * EDGE), 'x');
	/* Another page, which moves the window. */
	ck_assert(prof_patch_window_read(&window, at(10), bytes, 1));
	ck_assert_ok(prof_patch_window_write(&window, at(10), "y", 1));
	ck_assert_ok(prof_patch_window_write(&window, at(3 * EDGE), "z", 1));
	ck_assert_uint_eq(look(3 * EDGE), 'z');
	ck_assert_uint_eq(look(10), original(10));
	ck_assert(prof_patch_window_read(&window, at(2 * EDGE), bytes, 1));
	ck_assert_uint_eq(bytes[0], 'x');
	ck_assert_uint_eq(look(10), 'y');
	/* Two pages. */
	ck_assert(prof_patch_window_read(&window, at(EDGE - 1), bytes, 1));
	ck_assert_ok(prof_patch_window_write(&window, at(EDGE - 1), "a", 1));
	ck_assert(prof_patch_window_read(&window, at(EDGE - 2), bytes, 4));
	ck_assert_uint_eq(bytes[1], 'a');
	ck_assert_uint_eq(bytes[3], original(EDGE + 1));
	ck_assert(prof_patch_window_read(&window, at(EDGE), bytes, 1));
	ck_assert_ok(prof_patch_window_write(&window, at(EDGE), "c", 1));
	ck_assert_ok(prof_patch_window_write(&window, at(EDGE - 1), "de", 2));
	ck_assert(prof_patch_window_read(&window, at(EDGE - 1), bytes, 2));
	ck_assert(!memcmp(bytes, "de", 2));
	ck_assert_ok(prof_patch_window_close(&window));
	ck_assert_uint_eq(look(EDGE - 1), 'd');
	ck_assert_uint_eq(look(EDGE), 'e');
	end();
}
END_TEST

START_TEST(what_is_not_there_is_an_error)
{
	struct prof_patch_window window;
	unsigned char byte;

	begin();
	ck_assert_ok(prof_patch_window_open(&window, child));
	ck_assert(!prof_patch_window_read(&window, 8, &byte, 1));
	ck_assert_error(prof_patch_window_write(&window, 8, "a", 1), "cannot patch the code");
	ck_assert(prof_patch_window_read(&window, at(0), &byte, 1));
	ck_assert_ok(prof_patch_window_write(&window, at(0), "a", 1));
	end();
	/* Nobody could be told before. */
	ck_assert_error(prof_patch_window_close(&window), "cannot patch the code");
	ck_assert_error(prof_patch_window_open(&window, child), "cannot patch the code");
}
END_TEST

RUN_TESTS("patch_window", what_is_near_is_written_at_the_end, what_is_elsewhere_is_written_in_time,
	what_is_not_there_is_an_error)
