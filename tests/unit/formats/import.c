/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment_support.h"
#include "random_experiment.h"
#include "same_experiment.h"
#include "formats/import.h"
#include "store/store.h"

#include <sys/stat.h>

static void assert_refused(const char *path, enum prof_error_code code, const char *part)
{
	struct prof_experiment *experiment = NULL;

	assert_error(prof_import_read(path, NULL, &experiment), code, part);
	ck_assert_ptr_null(experiment);
}

START_TEST(experiment_is_known_by_its_content)
{
	AUTO_EXPERIMENT struct prof_experiment *saved = random_experiment(1, 20);
	AUTO_EXPERIMENT struct prof_experiment *loaded;
	struct prof_mark end = {.time = INT64_MAX / 4};

	/* As in each that was stopped. */
	prof_usage_clear(&end.usage);
	ck_assert_ok(prof_experiment_mark(saved, &end, "stop"));
	enter_scratch();
	ck_assert_ok(prof_store_save("x.folded", saved, NULL));
	ck_assert_ok(prof_import_read("x.folded", NULL, &loaded));
	assert_same(saved, loaded);
}
END_TEST

START_TEST(folded_stacks_are_known_by_their_content)
{
	AUTO_EXPERIMENT struct prof_experiment *loaded;

	enter_scratch();
	write_text("x.db", "main;f 2\n", 9);
	ck_assert_ok(prof_import_read("x.db", NULL, &loaded));
	ck_assert_uint_eq(loaded->samples.count, 1);
}
END_TEST

START_TEST(events_are_known_before_folded_stacks)
{
	AUTO_EXPERIMENT struct prof_experiment *loaded;

	enter_scratch();
	write_text("x", "call f 0\nret 5\n", 15);
	ck_assert_ok(prof_import_read("x", NULL, &loaded));
	ck_assert_str_eq(prof_experiment_function_name(loaded, 0), "f");
}
END_TEST

START_TEST(unknown_format_is_told_with_those_that_are_known)
{
	enter_scratch();
	write_text("x",
		"\x7f"
		"ELF\2\1\1\0\0\0",
		10);
	assert_refused("x", PROF_ERROR_DAMAGED,
		"\"x\" is not in a format that prof-load reads (experiment, "
		"pprof, speedscope, callgrind, callgrind-calls, gmon, events, perf, folded)");
	write_text("y", "Dear all\n", 9);
	assert_refused("y", PROF_ERROR_DAMAGED, "\"y\" is not in a format");
}
END_TEST

START_TEST(empty_file_holds_no_stacks)
{
	enter_scratch();
	write_text("x", "", 0);
	assert_refused("x", PROF_ERROR_DAMAGED, "\"x\" has no stacks");
}
END_TEST

START_TEST(what_is_no_file_is_refused_at_once)
{
	enter_scratch();
	ck_assert_int_eq(mkfifo("fifo", 0700), 0);
	assert_refused(
		"fifo", PROF_ERROR_USAGE, "\"fifo\" cannot be read: it is not a regular file");
	assert_refused(".", PROF_ERROR_USAGE, "\".\" cannot be read: it is a directory");
	assert_refused("/dev/zero", PROF_ERROR_USAGE,
		"\"/dev/zero\" cannot be read: it is not a regular file");
	assert_refused("none", PROF_ERROR_SYSTEM, "\"none\" cannot be read: No such file");
	assert_refused("", PROF_ERROR_SYSTEM, "cannot be read: No such file");
}
END_TEST

/* Root may read all: another user has to try. */
START_TEST(unreadable_file_is_named)
{
	struct prof_experiment *experiment = NULL;

	enter_scratch();
	write_text("x", "a 1\n", 4);
	ck_assert_int_eq(chmod("x", 0) | chmod(".", 0755), 0);
	if (!geteuid())
		ck_assert_int_eq(seteuid(65534), 0);
	struct prof_error *error = prof_import_read("x", NULL, &experiment);
	if (!getuid())
		ck_assert_int_eq(seteuid(0), 0);
	assert_error(error, PROF_ERROR_SYSTEM, "\"x\" cannot be read: Permission denied");
}
END_TEST

START_TEST(rows_of_the_table_are_complete)
{
	size_t count = 0;

	for (const struct prof_import *import = prof_imports; import->name; import++, count++) {
		ck_assert_ptr_null(strchr(import->name, ' '));
		ck_assert_int_eq(import->describe[strlen(import->describe) - 1], '.');
		ck_assert(import->probe && import->read);
	}
	ck_assert_uint_ge(count, 2);
}
END_TEST

RUN_TESTS("import", experiment_is_known_by_its_content, folded_stacks_are_known_by_their_content,
	events_are_known_before_folded_stacks, unknown_format_is_told_with_those_that_are_known,
	empty_file_holds_no_stacks, what_is_no_file_is_refused_at_once, unreadable_file_is_named,
	rows_of_the_table_are_complete)
