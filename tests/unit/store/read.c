/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment_hostile.h"
#include "same_experiment.h"
#include "store/database.h"
#include "store/schema.h"
#include "store/store.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

/* Loads what may be damaged: an error, or an experiment that is right.  Did it load? */
static bool try_load(const char *path)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	struct prof_error *error = prof_store_load(path, NULL, &experiment);

	if (error) {
		const char *message = prof_error_message(error);
		ck_assert_int_eq(message[strlen(message) - 1], '.');
		prof_error_destroy(error);
		return false;
	}
	prof_experiment_check(experiment);
	return true;
}

START_TEST(other_files_are_no_experiments)
{
	enter_scratch();
	assert_refused("none", PROF_ERROR_SYSTEM, "\"none\" cannot be read: No such file");
	assert_refused(".", PROF_ERROR_USAGE, "\".\" cannot be read: it is a directory");
	assert_refused("/dev/zero", PROF_ERROR_USAGE, "not a regular file");
	write_text("empty", "", 0);
	assert_refused("empty", PROF_ERROR_DAMAGED, "\"empty\" is not an experiment");
	tamper("other", "CREATE TABLE t (a)");
	assert_refused("other", PROF_ERROR_DAMAGED, "\"other\" is not an experiment");
}
END_TEST

START_TEST(new_file_is_an_empty_experiment)
{
	AUTO_EXPERIMENT struct prof_experiment *empty;
	AUTO_EXPERIMENT struct prof_experiment *loaded;
	struct prof_store *store;

	enter_scratch();
	ck_assert_ok(prof_store_create("x", &store));
	prof_store_close(store);
	ck_assert_ok(prof_experiment_create(&empty));
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	assert_same(empty, loaded);
}
END_TEST

START_TEST(other_version_is_named)
{
	enter_scratch();
	write_random("x", 10);
	tamper("x", "PRAGMA user_version=21");
	assert_refused("x", PROF_ERROR_UNSUPPORTED, "\"x\" has format 21, of a newer");
	tamper("x", "PRAGMA user_version=2");
	assert_refused("x", PROF_ERROR_UNSUPPORTED, "\"x\" has format 2, of an older");
	tamper("x", "PRAGMA user_version=0");
	assert_refused("x", PROF_ERROR_DAMAGED, "header");
}
END_TEST

/* The version of the file PATH, and in *INFOS how many rows `info` has. */
static int version_of(const char *path, int *infos)
{
	AUTO_DATABASE sqlite3 *database = NULL;
	AUTO_STATEMENT sqlite3_stmt *select = NULL;

	ck_assert_ok(prof_database_open(path, path, &database));
	ck_assert_int_eq(sqlite3_prepare_v2(database,
				 "SELECT user_version, (SELECT count(*) FROM info) FROM"
				 " pragma_user_version",
				 -1, &select, NULL),
		SQLITE_OK);
	ck_assert_int_eq(sqlite3_step(select), SQLITE_ROW);
	*infos = sqlite3_column_int(select, 1);
	return sqlite3_column_int(select, 0);
}

/* Writes EXPERIMENT, which needs VERSION and so many INFOS, and reads it. */
static void assert_version(struct prof_experiment *experiment, int version, int infos)
{
	AUTO_EXPERIMENT struct prof_experiment *loaded;
	int found;

	ck_assert_ok(prof_store_save("x", experiment, NULL));
	ck_assert_int_eq(version_of("x", &found), version);
	ck_assert_int_eq(found, infos);
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	prof_experiment_check(loaded);
	assert_same(experiment, loaded);
}

START_TEST(version_is_the_oldest_that_holds_all)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, 0);
	uint32_t function, frame, file;

	enter_scratch();
	ck_assert_ok(prof_experiment_function(experiment, "f", 1, 0, &function));
	ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
	assert_version(experiment, 6, 28);
	AUTO_EXPERIMENT struct prof_experiment *owned = random_experiment(1, 0);
	ck_assert_ok(prof_experiment_thread(owned, 5, "one", &function));
	ck_assert_ok(prof_experiment_own(owned, function, 4));
	assert_version(owned, 7, 31);
	owned->recording.bursts = 1;
	assert_version(owned, 11, 32);
	experiment->recording.families = experiment->recording.events = 0;
	experiment->recording.threshold = 0;
	assert_version(experiment, 5, 22);
	experiment->recording.counting = 0;
	assert_version(experiment, 4, 21);
	experiment->recording.open_calls = 0;
	assert_version(experiment, 4, 21);
	experiment->recording.extra_ends = 0;
	assert_version(experiment, 3, 19);
	ck_assert_ok(prof_experiment_string(experiment, "a.c", &file));
	ck_assert_ok(prof_experiment_frame_at(experiment, function, file, 7, &frame));
	assert_version(experiment, 4, 21);
	struct prof_arc counted = {0, frame, frame, 0, PROF_ARC_BEGIN};
	ck_assert_ok(prof_experiment_arc(experiment, &counted));
	assert_version(experiment, 5, 22);
	uint32_t object;
	ck_assert_ok(prof_experiment_object(experiment, 64, &object));
	assert_version(experiment, 6, 28);
}
END_TEST

START_TEST(operations_of_mpi_are_kept)
{
	static const struct prof_mpi_operation operation = {.sample = 2,
		.number = UINT32_MAX,
		.kind = PROF_OPERATION_RECEIVE,
		.rank = -1,
		.peer = 3,
		.tag = -5,
		.comm = UINT64_MAX,
		.bytes = INT64_MAX,
		.posted = -9,
		.begin = -7,
		.end = 6};
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, 9);
	AUTO_EXPERIMENT struct prof_experiment *loaded;
	int infos;

	enter_scratch();
	ck_assert_ok(prof_mpi_operation_add(experiment, &operation));
	ck_assert_ok(prof_store_save("x", experiment, NULL));
	ck_assert_int_eq(version_of("x", &infos), 15);
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	assert_same(experiment, loaded);
	experiment->recording.operations_lost = 7;
	ck_assert_ok(prof_store_save("x", experiment, NULL));
	ck_assert_int_eq(version_of("x", &infos), 16);
	experiment->recording.clock_correction = 9;
	ck_assert_ok(prof_store_save("x", experiment, NULL));
	ck_assert_int_eq(version_of("x", &infos), 17);
	prof_experiment_destroy(steal(&loaded));
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	ck_assert_uint_eq(loaded->recording.operations_lost, 7);
	ck_assert_int_eq(loaded->recording.clock_correction, 9);
	tamper("x", "UPDATE operation SET begin = 7");
	assert_refused("x", PROF_ERROR_DAMAGED, "operation");
}
END_TEST

START_TEST(version_is_raised_while_a_file_is_written)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, 0);
	AUTO_EXPERIMENT struct prof_experiment *loaded;
	struct prof_store *store;
	int infos;

	enter_scratch();
	experiment->recording.open_calls = experiment->recording.extra_ends = 0;
	experiment->recording.counting = 0;
	experiment->recording.families = experiment->recording.events = 0;
	experiment->recording.threshold = 0;
	ck_assert_ok(prof_store_create("x", &store));
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	ck_assert_int_eq(version_of("x", &infos), 3);
	experiment->recording.open_calls = 1;
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	ck_assert_int_eq(version_of("x", &infos), 4);
	uint64_t state = 1;
	add_random_counted(&state, experiment);
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	ck_assert_int_eq(version_of("x", &infos), 5);
	for (int i = 0; i < 3; i++) {
		add_random(&state, experiment, 30);
		ck_assert(prof_store_pending(store, experiment));
		ck_assert_ok(prof_store_write(store, experiment, NULL));
		ck_assert(!prof_store_pending(store, experiment));
	}
	ck_assert_int_eq(version_of("x", &infos), 14);
	/* A leak that goes away is written where it was. */
	const int64_t values[PROF_TRACED_VALUES] = {0};
	prof_experiment_traced_values(experiment, 0, values, 0);
	ck_assert(prof_store_pending(store, experiment));
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	prof_store_close(store);
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	assert_same(experiment, loaded);
}
END_TEST

START_TEST(wal_and_other_encodings_are_refused)
{
	enter_scratch();
	write_random("x", 10);
	tamper("x", "PRAGMA journal_mode=WAL");
	assert_refused("x", PROF_ERROR_DAMAGED, "header");
	write_random("y", 10);
	size_t length;
	AUTO_FREE char *bytes = read_bytes("y", &length);
	bytes[59] = 2;
	write_text("y", bytes, length);
	assert_refused("y", PROF_ERROR_DAMAGED, "header");
}
END_TEST

START_TEST(schemas_that_are_not_ours_are_refused)
{
	static const char *const changes[] = {
		"DROP TABLE mark; CREATE VIEW mark AS WITH RECURSIVE c(id, time, label) AS"
		" (SELECT 0, 0, 0 UNION ALL SELECT id + 1, 0, 0 FROM c) SELECT * FROM c",
		"CREATE TRIGGER t AFTER INSERT ON sample BEGIN DELETE FROM sample; END",
		"CREATE INDEX i ON sample (time)",
		"CREATE TABLE more (id INTEGER PRIMARY KEY)",
		"DROP TABLE mark",
		"DROP TABLE mark; CREATE TABLE mark (id INTEGER PRIMARY KEY, time INTEGER NOT NULL,"
		" label INTEGER AS (id * 2))",
		"ANALYZE",
		"DROP TABLE mark; CREATE VIRTUAL TABLE mark USING fts5(id, time, label)",
		"ALTER TABLE sample ADD COLUMN more INTEGER",
		"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = NULL WHERE name = "
		"'mark'",
		"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE mark (a, "
		"a)'"
		" WHERE name = 'mark'",
		"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql ="
		" 'CREATE TABLE mark (a' || hex(zeroblob(9000)) || ')' WHERE name = 'mark'",
	};

	enter_scratch();
	for (size_t i = 0; i < PROF_COUNT(changes); i++) {
		write_random("x", 10);
		tamper("x", changes[i]);
		assert_refused("x", PROF_ERROR_DAMAGED, "\"x\" is damaged");
		unlink("x");
	}
}
END_TEST

START_TEST(tables_of_an_sqlite_without_strict_ones_are_read)
{
	AUTO_EXPERIMENT struct prof_experiment *before;
	AUTO_EXPERIMENT struct prof_experiment *after;

	enter_scratch();
	write_random("x", 10);
	ck_assert_ok(prof_store_load("x", NULL, &before));
	tamper("x",
		"PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql ="
		" replace(replace(sql, ' STRICT', ''), ' ANY ', ' BLOB ')");
	ck_assert_ok(prof_store_load("x", NULL, &after));
	assert_same(before, after);
}
END_TEST

START_TEST(a_changed_byte_is_harmless)
{
	size_t length;
	int loaded = 0;

	enter_scratch();
	write_random("x", 6);
	tamper("x", "PRAGMA page_size=512; VACUUM");
	AUTO_FREE char *bytes = read_bytes("x", &length);
	ck_assert_uint_lt(length, 28000);
	/* Each fourth: all of them take a minute where the disk is busy. */
	for (size_t i = 0; i < length; i += 4) {
		static const char flips[] = {'\x01', '\x80', '\xff'};
		char was = bytes[i];
		bytes[i] ^= flips[i % 3];
		write_text("y", bytes, length);
		loaded += try_load("y");
		bytes[i] = was;
	}
	ck_assert_int_gt(loaded, 0);
}
END_TEST

START_TEST(random_damage_is_harmless)
{
	size_t length;
	uint64_t state = 11;

	enter_scratch();
	write_random("x", 12);
	tamper("x", "PRAGMA page_size=512; VACUUM");
	AUTO_FREE char *bytes = read_bytes("x", &length);
	AUTO_FREE char *copy = malloc(length);
	for (int i = 0; i < 4000; i++) {
		memcpy(copy, bytes, length);
		for (uint32_t j = 1 + chance(&state, 8); j > 0; j--)
			copy[100 + chance(&state, (uint32_t)length - 100)] =
				(char)chance(&state, 256);
		write_text("y", copy, length);
		try_load("y");
	}
}
END_TEST

START_TEST(each_length_of_a_cut_file_is_harmless)
{
	size_t length;

	enter_scratch();
	write_random("x", 12);
	AUTO_FREE char *bytes = read_bytes("x", &length);
	for (size_t cut = 0; cut < length; cut += 61) {
		write_text("y", bytes, cut);
		ck_assert(!try_load("y"));
	}
}
END_TEST

START_TEST(huge_text_is_loaded)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	enum { HUGE_NAME = 3000000 };
	AUTO_FREE char *name = malloc(HUGE_NAME);
	uint32_t function;

	enter_scratch();
	memset(name, 'n', HUGE_NAME);
	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_function(experiment, name, HUGE_NAME, 0, &function));
	ck_assert_ok(prof_store_save("x", experiment, NULL));
	AUTO_EXPERIMENT struct prof_experiment *loaded;
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	assert_same(experiment, loaded);
}
END_TEST

START_TEST(journal_that_leads_to_another_file_is_refused)
{
	static const char journal[] = "journal"
				      "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";

	enter_scratch();
	write_random("x", 10);
	write_text("x-journal", journal, sizeof journal - 1);
	assert_refused("x", PROF_ERROR_DAMAGED, "\"x-journal\" is the journal of another file");
	unlink("x-journal");
	ck_assert_int_eq(mkfifo("x-journal", 0700), 0);
	assert_refused("x", PROF_ERROR_SYSTEM, "cannot be read without its journal, \"x-journal\"");
}
END_TEST

static bool refuse(void *context, const char *what, uint64_t done, uint64_t total)
{
	(void)what, (void)done, (void)total;
	++*(int *)context;
	return false;
}

START_TEST(loading_can_be_interrupted)
{
	struct prof_experiment *experiment = NULL;
	int calls = 0;
	const struct prof_progress progress = {refuse, &calls};

	enter_scratch();
	write_random("x", 30000);
	assert_error(prof_store_load("x", &progress, &experiment), PROF_ERROR_INTERRUPTED,
		"Interrupted");
	ck_assert_int_eq(calls, 1);
	ck_assert_ptr_null(experiment);
}
END_TEST

START_TEST(file_that_another_writes_is_waited_for_and_then_refused)
{
	sqlite3 *writer;

	enter_scratch();
	write_random("x", 10);
	ck_assert_int_eq(sqlite3_open("x", &writer), SQLITE_OK);
	sqlite3_exec(writer, "BEGIN EXCLUSIVE", NULL, NULL, NULL);
	assert_refused("x", PROF_ERROR_SYSTEM, "another process is using it");
	sqlite3_close(writer);
	ck_assert(try_load("x"));
}
END_TEST

START_TEST(loading_does_not_change_the_file)
{
	struct stat before, after;

	enter_scratch();
	write_random("x", 10);
	ck_assert_int_eq(stat("x", &before), 0);
	ck_assert(try_load("x"));
	ck_assert_int_eq(stat("x", &after), 0);
	ck_assert_int_eq(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
	ck_assert_int_eq(before.st_ino, after.st_ino);
}
END_TEST

/* A file left in the middle of a write, as a kill leaves it: copied from under the writer. */
static void leave_unfinished(const char *path)
{
	sqlite3 *writer;
	size_t length;

	write_random("source", 100);
	ck_assert_int_eq(sqlite3_open("source", &writer), SQLITE_OK);
	sqlite3_exec(writer,
		"PRAGMA cache_size=1; BEGIN; UPDATE path SET parent = -1;"
		" UPDATE sample SET path = -1",
		NULL, NULL, NULL);
	char journal[64];
	snprintf(journal, sizeof journal, "%s-journal", path);
	AUTO_FREE char *bytes = read_bytes("source", &length);
	write_text(path, bytes, length);
	AUTO_FREE char *undo = read_bytes("source-journal", &length);
	write_text(journal, undo, length);
	sqlite3_close(writer);
}

START_TEST(unfinished_write_is_undone)
{
	AUTO_EXPERIMENT struct prof_experiment *before = random_experiment(1, 100);
	AUTO_EXPERIMENT struct prof_experiment *loaded;

	enter_scratch();
	leave_unfinished("x");
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	assert_same(before, loaded);
}
END_TEST

/* Root may do all: another user has to try. */
START_TEST(unfinished_write_that_cannot_be_undone_is_named)
{
	struct prof_experiment *experiment = NULL;

	enter_scratch();
	leave_unfinished("x");
	ck_assert_int_eq(chmod("x", 0444) | chmod("x-journal", 0444) | chmod(".", 0555), 0);
	if (!geteuid())
		ck_assert_int_eq(seteuid(65534), 0);
	struct prof_error *error = prof_store_load("x", NULL, &experiment);
	if (!getuid())
		ck_assert_int_eq(seteuid(0), 0);
	chmod(".", 0755);
	assert_error(error, PROF_ERROR_SYSTEM, "\"x\" cannot be");
}
END_TEST

RUN_TESTS("store read", other_files_are_no_experiments, new_file_is_an_empty_experiment,
	other_version_is_named, version_is_the_oldest_that_holds_all, operations_of_mpi_are_kept,
	version_is_raised_while_a_file_is_written, wal_and_other_encodings_are_refused,
	schemas_that_are_not_ours_are_refused,

	a_changed_byte_is_harmless, random_damage_is_harmless,
	tables_of_an_sqlite_without_strict_ones_are_read, each_length_of_a_cut_file_is_harmless,
	huge_text_is_loaded, journal_that_leads_to_another_file_is_refused,
	loading_can_be_interrupted, file_that_another_writes_is_waited_for_and_then_refused,
	loading_does_not_change_the_file, unfinished_write_is_undone,
	unfinished_write_that_cannot_be_undone_is_named)
