/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of profiles that are read and added up. */
#include "formats/files.h"

#include "base/value.h"
#include "gmon_bytes.h"
#include "model/contents.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "scratch.h"

#define PROGRAM "/proc/self/exe"

static void put_gmon(const char *path)
{
	struct gmon_bytes file;

	put_header(&file, 8, false);
	FILE *to = fopen(path, "wb");
	ck_assert_ptr_nonnull(to);
	ck_assert_uint_eq(fwrite(file.bytes, 1, file.length, to), file.length);
	ck_assert_int_eq(fclose(to), 0);
}

static void setup(void)
{
	enter_scratch();
	put_file("one.folded", "main;work 3\n");
	put_file("two.folded", "main;rest 4\n");
	put_file("other", "nothing that is known\n\n\n");
	put_gmon("gmon.out");
}

/* Reads the files of the list, which ends with NULL, and finishes; what came is freed. */
static struct prof_error *read_files(const char *const *paths, struct prof_experiment **ret)
{
	PROF_AUTO(prof_files_deinit) struct prof_files files = {0};
	size_t count = 0;

	while (paths[count])
		count++;
	struct prof_error *error = prof_files_add(&files, paths, count, NULL);
	return error ? error : prof_files_finish(&files, NULL, ret);
}

static void refused(const char *one, const char *two, const char *message)
{
	struct prof_experiment *experiment = NULL;

	ck_assert_error(read_files((const char *const[]){one, two, NULL}, &experiment), message);
	ck_assert_ptr_null(experiment);
}

START_TEST(files_are_added_up)
{
	static const char *const paths[] = {"one.folded", "two.folded", "one.folded", NULL};
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;

	setup();
	ck_assert_ok(read_files(paths, &experiment));
	ck_assert(experiment->samples.totals[PROF_QUANTITY_SAMPLES] == prof_value_of(10));
	ck_assert_uint_eq(experiment->recording.experiments, 3);
}
END_TEST

START_TEST(a_gmon_needs_its_program)
{
	PROF_AUTO(prof_files_deinit) struct prof_files files = {0};
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;

	setup();
	ck_assert(!prof_files_lack_program(&files));
	ck_assert_ok(prof_files_add(&files, &(const char *){"gmon.out"}, 1, NULL));
	ck_assert(prof_files_lack_program(&files));
	ck_assert_error(prof_files_finish(&files, NULL, &experiment),
		"A gmon.out needs the program that wrote it: give it too.");
	ck_assert_ok(prof_files_add(&files, &(const char *){PROGRAM}, 1, NULL));
	ck_assert(!prof_files_lack_program(&files));
	ck_assert_ok(prof_files_finish(&files, NULL, &experiment));
	ck_assert_uint_gt(experiment->gmon.functions.count, 0);
	ck_assert_uint_ne(prof_experiment_has(experiment) & PROF_HAS_GMON, 0);
}
END_TEST

START_TEST(what_does_not_fit_is_refused)
{
	setup();
	refused(PROGRAM, NULL, "is a program, not a profile: give its gmon.out too.");
	refused("one.folded", PROGRAM, "is a program, which only a gmon.out needs: leave it out.");
	refused(PROGRAM, PROGRAM, "Only one program can be used: ");
	refused("one.folded", "other", "other");
	refused("nowhere", NULL, "nowhere");
}
END_TEST

RUN_TESTS("files", files_are_added_up, a_gmon_needs_its_program, what_does_not_fit_is_refused)
