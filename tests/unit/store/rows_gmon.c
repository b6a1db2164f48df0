/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gmon_support.h"
#include "experiment_hostile.h"
#include "same_experiment.h"

static const struct call calls[] = {{'m', 'a', 2}, {'a', 'b', UINT32_MAX}, {0, 0, 0}};
static const unsigned samples[] = {1, 0, UINT32_MAX};

/* Counts, and functions and lines in a file. */
static struct prof_experiment *make(void)
{
	struct prof_experiment *experiment = make_gmon("mab", samples, calls);
	struct prof_image_symbol line = {
		.low = BASE + 4, .high = BASE + SIZE, .function = PROF_NONE, .line = 7};
	uint32_t file;

	ck_assert_ok(prof_experiment_string(experiment, "mab.c", &file));
	experiment->gmon.functions.items[1].file = file;
	experiment->gmon.functions.items[1].local = true;
	for (size_t i = 0; i < 2; i++) {
		struct prof_image_symbol *place = prof_array_push(&experiment->gmon.lines);
		*place = i ? line : experiment->gmon.functions.items[0];
		place->function = PROF_NONE;
		place->name = experiment->gmon.functions.items[0].name;
		place->file = i ? file : PROF_NONE;
	}
	experiment->gmon.big_endian = true;
	prof_experiment_check(experiment);
	return experiment;
}

/* Without the fsync() of prof_store_save(). */
static void write_new(const char *path, const struct prof_experiment *experiment)
{
	struct prof_store *store;

	ck_assert_ok(prof_store_create(path, &store));
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	prof_store_close(store);
}

static void assert_kept(const struct prof_experiment *experiment)
{
	AUTO_EXPERIMENT struct prof_experiment *loaded = NULL;

	ck_assert_ok(prof_store_save("x", experiment, NULL));
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	prof_experiment_check(loaded);
	assert_same(experiment, loaded);
}

START_TEST(counts_are_loaded_as_they_were)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make();
	AUTO_EXPERIMENT struct prof_experiment *empty = NULL;

	enter_scratch();
	assert_kept(experiment);
	forget_program(experiment);
	assert_kept(experiment);
	ck_assert_ok(prof_experiment_create(&empty));
	empty->gmon.word = 4;
	assert_kept(empty);
}
END_TEST

START_TEST(addresses_can_be_any)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make();

	enter_scratch();
	experiment->gmon.histograms.items[0].low = UINT64_MAX - 64;
	experiment->gmon.histograms.items[0].high = UINT64_MAX;
	experiment->gmon.arcs.items[0].from = 0;
	experiment->gmon.arcs.items[0].to = UINT64_MAX;
	experiment->gmon.functions.items[2].low = UINT64_MAX;
	assert_kept(experiment);
}
END_TEST

START_TEST(file_with_counts_has_its_own_version)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make();

	enter_scratch();
	write_new("x", experiment);
	tamper("x", "PRAGMA user_version = 12");
	assert_refused("x", PROF_ERROR_DAMAGED, "its tables are not those of an experiment");
}
END_TEST

START_TEST(counts_that_can_not_be_are_refused)
{
	static const struct {
		const char *change, *table;
	} changes[] = {
		{"UPDATE gmon SET word = 0", "gmon"},
		{"UPDATE gmon SET word = 5", "gmon"},
		{"UPDATE gmon SET big_endian = 2", "gmon"},
		{"UPDATE gmon SET rate = 0", "gmon"},
		{"UPDATE gmon SET rate = -1", "gmon"},
		{"UPDATE gmon SET dimension = ''", "gmon"},
		{"UPDATE gmon SET dimension = 'sixteen  letters'", "gmon"},
		{"UPDATE gmon SET dimension = char(27)", "gmon"},
		{"UPDATE gmon SET unit = 'ms'", "gmon"},
		{"UPDATE gmon SET unit = ''", "gmon"},
		{"UPDATE gmon SET unit = char(10)", "gmon"},
		{"UPDATE gmon SET rate = 0, dimension = '', unit = ''", "gmon_histogram"},
		{"DELETE FROM gmon", "gmon_histogram"},
		{"DELETE FROM gmon; DELETE FROM gmon_histogram", "gmon_bin"},
		{"DELETE FROM gmon; DELETE FROM gmon_histogram; DELETE FROM gmon_bin", "gmon_arc"},
		{"DELETE FROM gmon; DELETE FROM gmon_histogram; DELETE FROM gmon_bin; DELETE FROM gmon_arc",
			"gmon_symbol"},
		{"DELETE FROM gmon; DELETE FROM gmon_histogram; DELETE FROM gmon_bin; DELETE FROM gmon_arc; DELETE FROM gmon_symbol",
			"gmon_line"},
		{"INSERT INTO gmon SELECT 1, word, big_endian, rate, dimension, unit FROM gmon",
			"gmon"},
		{"INSERT INTO thread VALUES (0, 1, 0); INSERT INTO sample_block VALUES (0, 1, x'00')",
			"sample_block"},
		{"INSERT INTO mark SELECT 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0",
			"gmon"},
		{"UPDATE gmon_histogram SET high = low", "gmon_histogram"},
		{"UPDATE gmon_histogram SET parts = 0", "gmon_histogram"},
		{"UPDATE gmon_histogram SET parts = 4294967296", "gmon_histogram"},
		{"INSERT INTO gmon_histogram SELECT 1, low, high, parts FROM gmon_histogram",
			"gmon_histogram"},
		{"INSERT INTO gmon_histogram SELECT 1, low + 2, high + 2, parts FROM gmon_histogram",
			"gmon_histogram"},
		{"INSERT INTO gmon_histogram SELECT 1, high, high + 100, 1 FROM gmon_histogram",
			"gmon_histogram"},
		{"UPDATE gmon_bin SET histogram = 1", "gmon_bin"},
		{"UPDATE gmon_bin SET part = 0", "gmon_bin"},
		{"UPDATE gmon_bin SET part = -1", "gmon_bin"},
		{"UPDATE gmon_bin SET part = 12 WHERE id = 1", "gmon_bin"},
		{"UPDATE gmon_bin SET part = 10 - part", "gmon_bin"},
		{"UPDATE gmon_bin SET ticks = 0", "gmon_bin"},
		{"UPDATE gmon_bin SET ticks = 4294967296", "gmon_bin"},
		{"UPDATE gmon_arc SET calls = -1", "gmon_arc"},
		{"UPDATE gmon_arc SET calls = 4294967296", "gmon_arc"},
		{"UPDATE gmon_symbol SET low = low - 16 WHERE id = 2", "gmon_symbol"},
		{"UPDATE gmon_symbol SET low = -low", "gmon_symbol"},
		{"UPDATE gmon_symbol SET name = 99", "gmon_symbol"},
		{"UPDATE gmon_symbol SET file = -1", "gmon_symbol"},
		{"UPDATE gmon_symbol SET line = 4294967296", "gmon_symbol"},
		{"UPDATE gmon_symbol SET function = 3", "gmon_symbol"},
		{"UPDATE gmon_symbol SET local = 2", "gmon_symbol"},
		{"UPDATE gmon_symbol SET marked = -1", "gmon_symbol"},
		{"UPDATE gmon_line SET low = 1", "gmon_line"},
		{"UPDATE gmon_line SET name = -1", "gmon_line"},
		{"UPDATE gmon_line SET file = 99", "gmon_line"},
	};
	AUTO_EXPERIMENT struct prof_experiment *experiment = make();

	enter_scratch();
	for (size_t i = 0; i < PROF_COUNT(changes); i++) {
		char part[64];
		snprintf(part, sizeof part, "table \"%s\"", changes[i].table);
		write_new("x", experiment);
		tamper("x", changes[i].change);
		assert_refused("x", PROF_ERROR_DAMAGED, part);
		unlink("x");
	}
}
END_TEST

START_TEST(a_changed_byte_is_harmless)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = make();
	size_t size;

	enter_scratch();
	write_new("x", experiment);
	tamper("x", "PRAGMA page_size=512; VACUUM");
	AUTO_FREE char *bytes = read_bytes("x", &size);
	/* Not each: all of them take a minute. */
	for (size_t i = 0; i < size; i += 23) {
		static const char flips[] = {'\x01', '\x80', '\xff'};
		AUTO_EXPERIMENT struct prof_experiment *loaded = NULL;
		char was = bytes[i];
		bytes[i] ^= flips[i % 3];
		write_text("y", bytes, size);
		bytes[i] = was;
		prof_error_destroy(prof_store_load("y", NULL, &loaded));
		if (loaded)
			prof_experiment_check(loaded);
	}
}
END_TEST

RUN_TESTS("rows_gmon", counts_are_loaded_as_they_were, addresses_can_be_any,
	file_with_counts_has_its_own_version, counts_that_can_not_be_are_refused,
	a_changed_byte_is_harmless)
