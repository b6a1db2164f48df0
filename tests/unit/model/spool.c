/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A temporary file for samples. */
#include "model/spool.h"

#include "samples_program.h"

#include "model/merge.h"
#include "scratch.h"

#include <dirent.h>

/* Asserts that A and B have the same samples. */
static void assert_equal(const struct prof_experiment *a, const struct prof_experiment *b)
{
	AUTO_CURSOR struct prof_cursor one = {.experiment = a};
	AUTO_CURSOR struct prof_cursor other = {.experiment = b};

	while (prof_cursor_next(&one)) {
		ck_assert(prof_cursor_next(&other));
		ck_assert_int_eq(one.row.sample.time, other.row.sample.time);
		ck_assert_uint_eq(one.row.sample.path, other.row.sample.path);
		ck_assert_mem_eq(one.row.values, other.row.values, sizeof one.row.values);
	}
	ck_assert(!prof_cursor_next(&other));
	ck_assert_ok(prof_cursor_error(&one));
	ck_assert_ok(prof_cursor_error(&other));
}

START_TEST(a_sum_reads_its_samples_from_there)
{
	AUTO_EXPERIMENT struct prof_experiment *spooled = make_samples(MANY);
	AUTO_EXPERIMENT struct prof_experiment *held = make_samples(MANY);
	AUTO_EXPERIMENT struct prof_experiment *more = make_samples(MANY);

	for (int i = 0; i < 4; i++) {
		ck_assert_ok(prof_experiment_merge(spooled, more, NULL));
		ck_assert_ok(prof_experiment_merge(held, more, NULL));
		prof_spool_blocks(&spooled->samples, i < 2 ? 1000 : 0);
		ck_assert_uint_eq(spooled->samples.held, 0);
		ck_assert_uint_gt(held->samples.held, 0);
	}
	prof_experiment_check(spooled);
	assert_equal(spooled, held);
}
END_TEST

START_TEST(a_small_sum_stays_in_memory)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	size_t held = experiment->samples.held;

	prof_spool_blocks(&experiment->samples, held);
	ck_assert_uint_eq(experiment->samples.held, held);
	ck_assert_ptr_null(experiment->samples.source.read);
}
END_TEST

START_TEST(what_is_added_does_not_fill_memory)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	AUTO_EXPERIMENT struct prof_experiment *sum = NULL;

	add_large_samples(experiment, PROF_SPOOL_HELD);
	ck_assert_uint_gt(experiment->samples.held, PROF_SPOOL_HELD);
	ck_assert_ok(prof_experiment_create(&sum));
	ck_assert_ok(prof_experiment_merge(sum, experiment, NULL));
	ck_assert_uint_le(sum->samples.held, PROF_SPOOL_HELD);
	ck_assert_ptr_nonnull(sum->samples.source.read);
	prof_spool_added(&experiment->samples);
	ck_assert_uint_eq(experiment->samples.held, 0);
}
END_TEST

START_TEST(nothing_is_lost_where_there_is_no_room_for_it)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	AUTO_EXPERIMENT struct prof_experiment *same = make_samples(MANY);
	size_t held = experiment->samples.held;

	setenv("TMPDIR", "/nowhere", 1);
	prof_spool_blocks(&experiment->samples, 0);
	unsetenv("TMPDIR");
	ck_assert_uint_eq(experiment->samples.held, held);
	assert_equal(experiment, same);
}
END_TEST

/* Neither while it is used nor afterwards. */
START_TEST(the_file_has_no_name)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	int found = 0;

	enter_scratch();
	setenv("TMPDIR", ".", 1);
	prof_spool_blocks(&experiment->samples, 0);
	unsetenv("TMPDIR");
	ck_assert_uint_eq(experiment->samples.held, 0);
	DIR *here = opendir(".");
	while (readdir(here))
		found++;
	closedir(here);
	ck_assert_int_eq(found, 2); /* "." and ".." */
}
END_TEST

RUN_TESTS("spool", a_sum_reads_its_samples_from_there, a_small_sum_stays_in_memory,
	what_is_added_does_not_fill_memory, nothing_is_lost_where_there_is_no_room_for_it,
	the_file_has_no_name)
