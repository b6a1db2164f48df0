/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples as files of each version have them. */
#include "experiment_old.h"
#include "samples_program.h"
#include "same_experiment.h"
#include "store/schema.h"

START_TEST(old_files_are_read)
{
	enter_scratch();
	for (uint64_t seed = 0; seed < 5; seed++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(seed, 300);
		AUTO_EXPERIMENT struct prof_experiment *loaded;
		experiment->data.count = experiment->call_targets.count = 0;
		ck_assert_ok(prof_store_save("x", experiment, NULL));
		make_old("x", experiment);
		ck_assert_ok(prof_store_load("x", NULL, &loaded));
		prof_experiment_check(loaded);
		assert_same(experiment, loaded);
		/* It becomes a new one. */
		ck_assert_ok(prof_store_save("x", loaded, NULL));
		prof_experiment_destroy(steal(&loaded));
		ck_assert_ok(prof_store_load("x", NULL, &loaded));
		assert_same(experiment, loaded);
	}
}
END_TEST

START_TEST(files_older_than_tables_beside_samples_are_read)
{
	static const char older[] =
		"DROP TABLE owner; DROP TABLE cpu; DROP TABLE text_fault; DROP TABLE traced_last;"
		"DROP TABLE event; DROP TABLE event_sample; DROP TABLE archived_source;"
		"DROP TABLE archived_extent; DROP TABLE archived_block; DROP TABLE counter;"
		"DELETE FROM info WHERE key IN ('unread', 'delayed', 'kept', 'bursts',"
		"'events_dropped', 'operations_lost', 'clock_correction');"
		"PRAGMA user_version=6";
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, 300);
	AUTO_EXPERIMENT struct prof_experiment *loaded;

	enter_scratch();
	ck_assert_ok(prof_store_save("x", experiment, NULL));
	make_old("x", experiment);
	tamper("x", older);
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	prof_experiment_check(loaded);
	ck_assert_uint_eq(loaded->samples.count, experiment->samples.count);
	for (size_t i = 0; i < loaded->samples.count; i++) {
		const struct prof_sample_row a = row_at(experiment, i), b = row_at(loaded, i);
		ck_assert_int_eq(a.sample.time, b.sample.time);
		for (int j = 0; j < PROF_QUANTITY_SPENT + PROF_STATE_TEXT; j++)
			ck_assert(a.values[j] == b.values[j]);
	}
	struct prof_traced_rows_place place = {0};
	for (size_t i = 0; i < loaded->traced.count; i++) {
		const struct prof_traced_row *traced =
			prof_traced_rows_get(&loaded->traced, &place, i);
		ck_assert_int_eq(traced->last, sample_at(loaded, traced->sample).time);
	}
}
END_TEST

START_TEST(blocks_that_are_damaged_are_refused)
{
	static const char *const changes[] = {
		"UPDATE sample_block SET samples = 0 WHERE id = 1",
		"UPDATE sample_block SET samples = 2049 WHERE id = 0",
		"UPDATE sample_block SET samples = 2047 WHERE id = 0",
		"UPDATE sample_block SET samples = samples + 1 WHERE id = 2",
		"UPDATE sample_block SET samples = samples - 1 WHERE id = 2",
		"UPDATE sample_block SET packed = substr(packed, 2) WHERE id = 1",
		"UPDATE sample_block SET packed = CAST(packed || x'00' AS BLOB) WHERE id = 2",
		"UPDATE sample_block SET packed = zeroblob(20) WHERE id = 1",
		"UPDATE sample_block SET packed = zeroblob(2000000) WHERE id = 1",
		"UPDATE sample_block SET packed = x'' WHERE id = 2",
		/* Thread 3, and path 1, of which there are none. */
		"UPDATE sample_block SET samples = 1, packed = x'30000300' WHERE id = 2",
		"UPDATE sample_block SET samples = 1, packed = x'28000100' WHERE id = 2",
		/* A value of what is traced, which has a table of its own. */
		"UPDATE sample_block SET samples = 1, packed = x'380080800402' WHERE id = 2",
		"DELETE FROM sample_block WHERE id = 1",
	};

	enter_scratch();
	for (size_t i = 0; i < PROF_COUNT(changes); i++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(MANY);
		ck_assert_ok(prof_store_save("x", experiment, NULL));
		tamper("x", changes[i]);
		assert_refused("x", PROF_ERROR_DAMAGED, "damaged: table \"sample_block\"");
	}
	/* A value of an event that there is not. */
	AUTO_EXPERIMENT struct prof_experiment *experiment = make_samples(1);
	ck_assert_ok(prof_store_save("x", experiment, NULL));
	tamper("x", "UPDATE sample_block SET packed = x'3800800202'");
	assert_refused("x", PROF_ERROR_DAMAGED, "damaged: table \"event\"");
}
END_TEST

RUN_TESTS("store_rows_sample", old_files_are_read, files_older_than_tables_beside_samples_are_read,
	blocks_that_are_damaged_are_refused)
