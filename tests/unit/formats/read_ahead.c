/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are read ahead. */
#include "formats/read_ahead.h"

#include "base/value.h"
#include "model/experiment.h"
#include "model/sample_row.h"
#include "scratch.h"

enum { FILES = 60 };

static char names[FILES][32];
static const char *paths[FILES];

/* The file N has the weight N + 1. */
static void setup(void)
{
	enter_scratch();
	for (int i = 0; i < FILES; i++) {
		char text[64];
		snprintf(names[i], sizeof names[i], "%d.folded", i);
		snprintf(text, sizeof text, "main;work %d\n", i + 1);
		put_file(names[i], text);
		paths[i] = names[i];
	}
}

START_TEST(experiments_come_in_the_order_of_the_files)
{
	AUTO_READ_AHEAD struct prof_read_ahead *ahead = NULL;

	setup();
	ck_assert_ok(prof_read_ahead_create(paths, FILES, &ahead));
	for (int i = 0; i < FILES; i++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
		ck_assert_ok(prof_read_ahead_next(ahead, NULL, &experiment));
		ck_assert(
			experiment->samples.totals[PROF_QUANTITY_SAMPLES] == prof_value_of(i + 1));
	}
}
END_TEST

START_TEST(the_error_is_that_of_its_file)
{
	AUTO_READ_AHEAD struct prof_read_ahead *ahead = NULL;

	setup();
	paths[2] = "nowhere";
	ck_assert_ok(prof_read_ahead_create(paths, FILES, &ahead));
	for (int i = 0; i < 4; i++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
		struct prof_error *error = prof_read_ahead_next(ahead, NULL, &experiment);
		if (i == 2)
			ck_assert_error(error, "nowhere");
		else
			ck_assert_ok(error);
	}
}
END_TEST

/* Those that nobody took are freed with it, whether they were read or not. */
START_TEST(it_may_end_before_its_files)
{
	setup();
	for (int i = 0; i < 20; i++) {
		AUTO_READ_AHEAD struct prof_read_ahead *ahead = NULL;
		AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
		ck_assert_ok(prof_read_ahead_create(paths, FILES, &ahead));
		if (i % 2)
			ck_assert_ok(prof_read_ahead_next(ahead, NULL, &experiment));
	}
}
END_TEST

static bool refuse(void *context, const char *what, uint64_t done, uint64_t total)
{
	uint64_t *files = context;

	ck_assert_str_eq(what, "Loading files");
	ck_assert_uint_eq(total, FILES);
	*files = done;
	return done < 3;
}

START_TEST(the_user_may_give_it_up)
{
	AUTO_READ_AHEAD struct prof_read_ahead *ahead = NULL;
	uint64_t done = 0;
	const struct prof_progress progress = {refuse, &done};
	struct prof_error *error = NULL;

	setup();
	ck_assert_ok(prof_read_ahead_create(paths, FILES, &ahead));
	for (int i = 0; i < FILES && !error; i++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
		error = prof_read_ahead_next(ahead, &progress, &experiment);
	}
	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_INTERRUPTED);
	ck_assert_uint_eq(done, 3);
	prof_error_destroy(error);
}
END_TEST

RUN_TESTS("read_ahead", experiments_come_in_the_order_of_the_files, the_error_is_that_of_its_file,
	it_may_end_before_its_files, the_user_may_give_it_up)
