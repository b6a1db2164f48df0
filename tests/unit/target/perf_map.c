/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/perf_map.h"

#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGEST = 1 << 20 };

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static struct prof_perf_map *read_map(const char *text)
{
	char path[] = "/tmp/perf-map-XXXXXX";
	struct prof_perf_map *map = NULL;

	close(mkstemp(path));
	write_file(path, text);
	ck_assert_ptr_null(prof_perf_map_read(path, &map));
	unlink(path);
	return map;
}

static void check_at(
	const struct prof_perf_map *map, uint64_t address, const char *name, uint64_t expected)
{
	uint64_t low = 0;

	ck_assert_pstr_eq(prof_perf_map_find(map, address, &low), name);
	ck_assert_uint_eq(low, expected);
}

START_TEST(function_is_found_by_any_address_in_it)
{
	struct prof_perf_map *map = read_map("2000 10 second\n"
					     "0x1000 0x20 JS:*first /a b.js:1:13\n");

	check_at(map, 0x1000, "JS:*first /a b.js:1:13", 0x1000);
	check_at(map, 0x101f, "JS:*first /a b.js:1:13", 0x1000);
	check_at(map, 0x1020, NULL, 0);
	check_at(map, 0x0fff, NULL, 0);
	check_at(map, 0x200f, "second", 0x2000);
	check_at(map, 0x2010, NULL, 0);
	prof_perf_map_destroy(map);
}
END_TEST

/* The old function is still there where the new ones are not, and begins where it did. */
START_TEST(last_line_counts)
{
	struct prof_perf_map *map = read_map("1000 100 old\n"
					     "1020 10 new\n"
					     "1028 10 newest\n"
					     "1000 8 again\n"
					     "1000 8 once more\n");

	check_at(map, 0x1000, "once more", 0x1000);
	check_at(map, 0x1008, "old", 0x1000);
	check_at(map, 0x101f, "old", 0x1000);
	check_at(map, 0x1020, "new", 0x1020);
	check_at(map, 0x1028, "newest", 0x1028);
	check_at(map, 0x1037, "newest", 0x1028);
	check_at(map, 0x1038, "old", 0x1000);
	check_at(map, 0x10ff, "old", 0x1000);
	check_at(map, 0x1100, NULL, 0);
	prof_perf_map_destroy(map);
}
END_TEST

START_TEST(other_lines_are_passed_over)
{
	struct prof_perf_map *map = read_map("\n"
					     "no numbers\n"
					     "1000\n"
					     "1000 10\n"
					     "1000 10 \n"
					     "1000 0 empty\n"
					     "-1000 10 negative\n"
					     "ffffffffffffffff 10 too far\n"
					     "11111111111111111 10 too large\n"
					     "1000 10 good\r\n"
					     "1010 10 last");

	check_at(map, 0x1000, "good", 0x1000);
	/* The program is still writing it. */
	check_at(map, 0x1010, NULL, 0);
	check_at(map, UINT64_MAX, NULL, 0);
	prof_perf_map_destroy(map);
}
END_TEST

START_TEST(empty_map_has_nothing)
{
	struct prof_perf_map *map = read_map("");

	check_at(map, 0, NULL, 0);
	check_at(map, 0x1000, NULL, 0);
	prof_perf_map_destroy(map);
}
END_TEST

/* Each line overlaps all others: what they cost together must not be the square of their number. */
START_TEST(many_lines_at_one_place_are_read)
{
	enum { LINES = 200000 };
	size_t size;
	char *text;
	FILE *file = open_memstream(&text, &size);

	for (int i = 0; i < LINES; i++)
		fprintf(file, "%x %x f%d\n", 0x100000 + i, LINES, i);
	fclose(file);
	struct prof_perf_map *map = read_map(text);
	free(text);
	check_at(map, 0x100000, "f0", 0x100000);
	check_at(map, 0x100000 + LINES, "f199999", 0x100000 + LINES - 1);
	prof_perf_map_destroy(map);
}
END_TEST

/* The file that a process has written is found as long as it lives, and when it has gone. */
START_TEST(map_of_a_process_is_found)
{
	char path[64];
	int fds[2];
	struct prof_perf_map *map;

	ck_assert_int_eq(pipe(fds), 0);
	pid_t child = fork();
	if (!child) {
		char byte;
		close(fds[1]);
		_exit(read(fds[0], &byte, 1) != 0);
	}
	ck_assert_ptr_null(prof_perf_map_of(child, LARGEST, &map));
	ck_assert_ptr_null(map);
	snprintf(path, sizeof path, "/tmp/perf-%d.map", child);
	write_file(path, "1000 10 f\n");
	ck_assert_ptr_null(prof_perf_map_of(child, LARGEST, &map));
	check_at(map, 0x1000, "f", 0x1000);
	prof_perf_map_destroy(map);
	struct prof_error *error = prof_perf_map_of(child, 10, &map);
	ck_assert_ptr_nonnull(error);
	ck_assert_ptr_null(map);
	prof_error_destroy(error);

	close(fds[1]);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	ck_assert_ptr_null(prof_perf_map_of(child, LARGEST, &map));
	check_at(map, 0x1000, "f", 0x1000);
	prof_perf_map_destroy(map);

	/* Somebody else may name there what he wants. */
	unlink(path);
	ck_assert_int_eq(symlink("/etc/passwd", path), 0);
	ck_assert_ptr_null(prof_perf_map_of(child, LARGEST, &map));
	ck_assert_ptr_null(map);
	unlink(path);
	if (!geteuid()) {
		write_file(path, "1000 10 f\n");
		ck_assert_int_eq(chown(path, 65534, 65534), 0);
		ck_assert_ptr_null(prof_perf_map_of(child, LARGEST, &map));
		ck_assert_ptr_null(map);
		unlink(path);
	}
}
END_TEST

RUN_TESTS("perf map", function_is_found_by_any_address_in_it, last_line_counts,
	other_lines_are_passed_over, empty_map_has_nothing, many_lines_at_one_place_are_read,
	map_of_a_process_is_found)
