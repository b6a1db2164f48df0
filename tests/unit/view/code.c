/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/code.h"

#include "suite.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads a file that holds LENGTH BYTES. */
static void read_bytes(struct prof_code_source *source, const char *bytes, size_t length)
{
	char path[] = "/tmp/view_code.XXXXXX";
	int fd = mkstemp(path);
	int reason;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, length), (ssize_t)length);
	close(fd);
	*source = (struct prof_code_source){0};
	ck_assert_ok(prof_code_source_read(source, path, &reason));
	ck_assert_int_eq(reason, 0);
	unlink(path);
}

static void expect(const char *bytes, size_t length, const char *const *lines)
{
	struct prof_code_source source;
	size_t count = 0;

	read_bytes(&source, bytes, length);
	for (; lines[count]; count++) {
		ck_assert_uint_lt(count, source.lines.count);
		ck_assert_str_eq(source.lines.items[count].text, lines[count]);
		ck_assert(!source.lines.items[count].styled && !source.lines.items[count].code);
	}
	ck_assert_uint_eq(source.lines.count, count);
	prof_code_source_deinit(&source);
}

#define EXPECT(bytes, ...) \
	expect(bytes, sizeof(bytes) - 1, (const char *const[]){__VA_ARGS__, NULL})

START_TEST(reads_lines)
{
	EXPECT("", NULL);
	EXPECT("a\n", "a");
	EXPECT("\n\nb", "", "", "b");
	EXPECT("dos\r\nmac\rx\n", "dos", "mac\\x0dx");
}
END_TEST

START_TEST(expands_tabs)
{
	EXPECT("\ta\n1234567\tb\n12345678\tc\n\xc3\xa9\t\td\n", "        a", "1234567 b",
		"12345678        c", "\xc3\xa9               d");
}
END_TEST

START_TEST(spells_out_what_a_terminal_obeys)
{
	EXPECT("\033[2Jx\n\xff\n\xe2\x80\xae\n", "\\x1b[2Jx", "\\xff", "\\u202e");
	EXPECT("cut\0here\n", "cut");
}
END_TEST

START_TEST(reads_nothing_but_files)
{
	char path[] = "/tmp/view_code.XXXXXX";
	struct prof_code_source source = {0};
	int reason;

	ck_assert_ptr_nonnull(mkdtemp(path));
	ck_assert_ok(prof_code_source_read(&source, path, &reason));
	ck_assert_int_eq(reason, EISDIR);
	rmdir(path);
	ck_assert_ok(prof_code_source_read(&source, path, &reason));
	ck_assert_int_eq(reason, ENOENT);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_ok(prof_code_source_read(&source, path, &reason));
	ck_assert_int_eq(reason, ENOTSUP);
	unlink(path);
	ck_assert_uint_eq(source.lines.count, 0);
}
END_TEST

RUN_TESTS("code", reads_lines, expands_tabs, spells_out_what_a_terminal_obeys,
	reads_nothing_but_files)
