/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples that are in an experiment's file and not in memory. */
#include "store/blocks.h"

#include "experiment_hostile.h"
#include "samples_program.h"
#include "same_experiment.h"

#include <unistd.h>

/* Does EXPERIMENT read COUNT samples as they were made? */
static void assert_made(const struct prof_experiment *experiment, size_t count)
{
	struct prof_cursor rows = {.experiment = experiment};
	size_t found = 0;

	for (; prof_cursor_next(&rows); found++) {
		if (!is_made(&rows.row, found))
			ck_abort_msg("sample %zu", found);
	}
	ck_assert_ok(prof_cursor_error(&rows));
	ck_assert_uint_eq(found, count);
	prof_cursor_deinit(&rows);
}

START_TEST(what_is_written_need_not_be_held)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(0);
	AUTO_EXPERIMENT struct prof_experiment *loaded;
	const struct prof_samples *samples = &experiment->samples;
	struct prof_store *store;

	enter_scratch();
	ck_assert_ok(prof_store_create("x", &store));
	for (size_t i = 0; i < 5 * MANY; i++) {
		const struct prof_sample_row row = made(i);
		ck_assert_ok(prof_experiment_sample(experiment, &row.sample, row.values));
		if (i % 800)
			continue;
		ck_assert_ok(prof_store_write(store, experiment, NULL));
		ck_assert(!prof_store_pending(store, experiment));
		prof_store_release(store, experiment);
		ck_assert_uint_eq(samples->held, 0);
		ck_assert_uint_eq(samples->released, samples->blocks.count);
	}
	ck_assert(prof_store_pending(store, experiment));
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	assert_made(experiment, 5 * MANY);
	prof_store_close(store);
	assert_made(experiment, 5 * MANY);
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	assert_same(experiment, loaded);
	ck_assert_uint_eq(loaded->samples.released, loaded->samples.blocks.count);
	/* Whoever has it open can read it without its name. */
	ck_assert_int_eq(unlink("x"), 0);
	assert_made(experiment, 5 * MANY);
	assert_made(loaded, 5 * MANY);
}
END_TEST

START_TEST(samples_that_are_extended_are_written_again)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	const prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(100)};
	struct prof_store *store;

	enter_scratch();
	ck_assert_ok(prof_store_create("x", &store));
	for (int i = 0; i < 3; i++) {
		AUTO_EXPERIMENT struct prof_experiment *loaded;
		ck_assert(prof_experiment_extend(experiment, MANY - 7, 1000 + i, values));
		ck_assert(prof_store_pending(store, experiment));
		ck_assert_ok(prof_store_write(store, experiment, NULL));
		ck_assert(!prof_store_pending(store, experiment));
		prof_store_release(store, experiment);
		ck_assert_ok(prof_store_load("x", NULL, &loaded));
		assert_same(experiment, loaded);
	}
	prof_store_close(store);
}
END_TEST

START_TEST(experiment_is_saved_without_being_held)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	AUTO_EXPERIMENT struct prof_experiment *loaded;
	AUTO_EXPERIMENT struct prof_experiment *again;

	enter_scratch();
	ck_assert_ok(prof_store_save("x", experiment, NULL));
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	/* In place of the file that it reads from, too. */
	ck_assert_ok(prof_store_save("x", loaded, NULL));
	ck_assert_ok(prof_store_load("x", NULL, &again));
	assert_same(experiment, again);
	assert_same(experiment, loaded);
}
END_TEST

START_TEST(reader_of_a_file_does_not_keep_its_writer_waiting)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
	AUTO_EXPERIMENT struct prof_experiment *loaded;
	struct prof_store *store;

	enter_scratch();
	ck_assert_ok(prof_store_create("x", &store));
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	struct prof_cursor rows = {.experiment = loaded};
	ck_assert(prof_cursor_next(&rows));
	for (size_t i = MANY; i < 3 * MANY; i++) {
		const struct prof_sample_row row = made(i);
		ck_assert_ok(prof_experiment_sample(experiment, &row.sample, row.values));
	}
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	ck_assert(!prof_store_pending(store, experiment));
	prof_store_close(store);
	/* And goes on with what was there. */
	assert_made(loaded, MANY);
	prof_cursor_deinit(&rows);
}
END_TEST

START_TEST(file_that_was_damaged_since_is_an_error)
{
	static const char *const changes[] = {"DELETE FROM sample_block",
		"UPDATE sample_block SET packed = zeroblob(7)",
		"UPDATE sample_block SET packed = zeroblob(length(packed))"};

	enter_scratch();
	for (size_t i = 0; i < PROF_COUNT(changes); i++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(3 * MANY);
		AUTO_EXPERIMENT struct prof_experiment *loaded;
		ck_assert_ok(prof_store_save("x", experiment, NULL));
		ck_assert_ok(prof_store_load("x", NULL, &loaded));
		tamper("x", changes[i]);
		AUTO_CURSOR struct prof_cursor rows = {.experiment = loaded};
		while (prof_cursor_next(&rows))
			ck_assert_uint_lt(rows.row.sample.thread, 3);
		struct prof_error *error = prof_cursor_error(&rows);
		/* Zeroes happen to be rows, of no time and no value. */
		if (i < 2)
			ck_assert_error(error, "has changed since it was opened");
		else
			prof_error_destroy(error);
	}
}
END_TEST

RUN_TESTS("store_blocks", what_is_written_need_not_be_held,
	samples_that_are_extended_are_written_again, experiment_is_saved_without_being_held,
	reader_of_a_file_does_not_keep_its_writer_waiting, file_that_was_damaged_since_is_an_error)
