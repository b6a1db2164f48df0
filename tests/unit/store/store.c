/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment_support.h"
#include "random_experiment.h"
#include "same_experiment.h"
#include "store/store.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct prof_experiment *load(const char *path)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_store_load(path, NULL, &experiment));
	prof_experiment_check(experiment);
	return experiment;
}

static struct prof_store *create(const char *path)
{
	struct prof_store *store;

	ck_assert_ok(prof_store_create(path, &store));
	return store;
}

static void assert_create_fails(const char *path, enum prof_error_code code, const char *part)
{
	struct prof_store *store = NULL;

	assert_error(prof_store_create(path, &store), code, part);
	ck_assert_ptr_null(store);
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static bool holds_bytes(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && status.st_size > 0;
}

/* How many files the scratch directory holds. */
static int count_files(void)
{
	FILE *pipe = popen("ls -A | wc -l", "r");
	int count = -1;

	ck_assert_int_eq(fscanf(pipe, "%d", &count), 1);
	pclose(pipe);
	return count;
}

START_TEST(saved_experiment_is_loaded_as_it_was)
{
	enter_scratch();
	for (uint64_t seed = 0; seed < 20; seed++) {
		AUTO_EXPERIMENT struct prof_experiment *saved = random_experiment(seed, seed * 20);
		ck_assert_ok(prof_store_save("x", saved, NULL));
		AUTO_EXPERIMENT struct prof_experiment *loaded = load("x");
		assert_same(saved, loaded);
	}
	ck_assert_int_eq(count_files(), 1);
}
END_TEST

START_TEST(file_written_step_by_step_is_loaded_as_the_whole)
{
	struct prof_store *store;

	enter_scratch();
	for (uint64_t seed = 0; seed < 10; seed++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(seed, 3);
		uint64_t state = seed + 7;
		store = create("x");
		for (int step = 0; step < 20; step++) {
			ck_assert_ok(prof_store_write(store, experiment, NULL));
			ck_assert(!prof_store_pending(store, experiment));
			add_random(&state, experiment, chance(&state, 30));
			experiment->recording.ticks = chance(&state, 1000);
		}
		ck_assert_ok(prof_store_write(store, experiment, NULL));
		prof_store_close(store);
		AUTO_EXPERIMENT struct prof_experiment *loaded = load("x");
		assert_same(experiment, loaded);
		ck_assert_int_eq(count_files(), 1);
		unlink("x");
	}
}
END_TEST

START_TEST(frame_resolved_after_it_was_written_is_written)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	struct prof_location location = {.line = 3};
	uint32_t frame;

	enter_scratch();
	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_frame(experiment, 0, 0x1000, &frame));
	struct prof_store *store = create("x");
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	ck_assert_ok(prof_experiment_function(experiment, "f", 1, 0, &location.function));
	ck_assert_ok(prof_experiment_resolve(experiment, frame, &location, 1));
	ck_assert(prof_store_pending(store, experiment));
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	prof_store_close(store);
	AUTO_EXPERIMENT struct prof_experiment *loaded = load("x");
	assert_same(experiment, loaded);
	ck_assert_uint_eq(loaded->frames.items[frame].locations, 1);
}
END_TEST

START_TEST(thread_renamed_after_it_was_written_is_written)
{
	/* Some are packed by then, and some are not. */
	enum { THREADS = 3000, STEP = 700 };
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	uint32_t thread;

	enter_scratch();
	ck_assert_ok(prof_experiment_create(&experiment));
	for (int64_t i = 0; i < THREADS; i++) {
		ck_assert_ok(prof_experiment_thread(experiment, 7 + i, "program", &thread));
		if (i % 3 == 0)
			ck_assert_ok(prof_experiment_own(experiment, thread, 7 + i / 10));
	}
	struct prof_store *store = create("x");
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	for (thread = 0; thread < THREADS; thread += STEP) {
		ck_assert_ok(prof_experiment_rename(experiment, thread, "worker"));
		ck_assert(prof_store_pending(store, experiment));
		ck_assert_ok(prof_store_write(store, experiment, NULL));
		ck_assert(!prof_store_pending(store, experiment));
	}
	prof_store_close(store);
	AUTO_EXPERIMENT struct prof_experiment *loaded = load("x");
	assert_same(experiment, loaded);
	ck_assert_uint_eq(loaded->threads.count, THREADS);
}
END_TEST

START_TEST(each_table_that_grows_is_pending)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, 10);
	const struct prof_range range = {7, 8, 9};
	uint32_t id;

	enter_scratch();
	struct prof_store *store = create("x");
	ck_assert(prof_store_pending(store, experiment));
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	ck_assert(!prof_store_pending(store, experiment));
	ck_assert_ok(prof_experiment_range(experiment, 0, &range));
	ck_assert(prof_store_pending(store, experiment));
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	ck_assert_ok(prof_experiment_thread(experiment, 1, "", &id));
	ck_assert(prof_store_pending(store, experiment));
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	ck_assert(!prof_store_pending(store, experiment));
	prof_store_close(store);
}
END_TEST

START_TEST(existing_file_is_not_overwritten)
{
	size_t length;

	enter_scratch();
	write_text("x", "mine", 4);
	assert_create_fails("x", PROF_ERROR_STATE, "\"x\" exists already");
	AUTO_FREE char *bytes = read_bytes("x", &length);
	ck_assert_mem_eq(bytes, "mine", length);
}
END_TEST

START_TEST(name_that_means_something_to_sqlite_is_just_a_name)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, 10);
	const char *const names[] = {":memory:", "file:x?mode=memory", "-x", " "};

	enter_scratch();
	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		ck_assert_ok(prof_store_save(names[i], experiment, NULL));
		ck_assert(exists(names[i]));
		AUTO_EXPERIMENT struct prof_experiment *loaded = load(names[i]);
		assert_same(experiment, loaded);
	}
}
END_TEST

START_TEST(missing_directory_is_named)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, 10);

	enter_scratch();
	assert_create_fails("no/x", PROF_ERROR_SYSTEM, "\"no/x\" cannot be created: No such file");
	assert_create_fails("", PROF_ERROR_SYSTEM, "cannot be created");
	assert_error(prof_store_save("no/x", experiment, NULL), PROF_ERROR_SYSTEM,
		"\"no/x\" cannot be created: No such file");
}
END_TEST

/* Root may write anywhere but into /proc. */
START_TEST(forbidden_directory_is_named)
{
	assert_create_fails("/proc/x", PROF_ERROR_SYSTEM, "\"/proc/x\" cannot be created");
}
END_TEST

START_TEST(journal_of_another_file_is_not_touched)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, 10);
	size_t length;

	enter_scratch();
	write_text("lab-journal", "mine", 4);
	assert_create_fails("lab", PROF_ERROR_STATE, "\"lab-journal\" is in the way");
	assert_error(prof_store_save("lab", experiment, NULL), PROF_ERROR_STATE,
		"\"lab-journal\" is in the way");
	AUTO_FREE char *bytes = read_bytes("lab-journal", &length);
	ck_assert_mem_eq(bytes, "mine", length);
	ck_assert(!exists("lab"));
	write_text("lab-journal", "", 0);
	prof_store_close(create("lab"));
}
END_TEST

/*
 * The largest file from now on; a write beyond fails, as on a full disk.  Check's own file is meant
 * as well: nothing can be asserted until the limit is gone.
 */
static void limit_files(rlim_t bytes)
{
	struct rlimit limit = {bytes, RLIM_INFINITY};

	if (setrlimit(RLIMIT_FSIZE, &limit))
		abort();
}

START_TEST(full_disk_leaves_what_was_written)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, 200);
	AUTO_EXPERIMENT struct prof_experiment *before = random_experiment(1, 200);
	uint64_t state = 5;
	struct stat status;

	enter_scratch();
	struct prof_store *store = create("x");
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	ck_assert_int_eq(stat("x", &status), 0);
	add_random(&state, experiment, 5000);
	limit_files((rlim_t)status.st_size + 8192);
	struct prof_error *error = prof_store_write(store, experiment, NULL);
	prof_store_close(store);
	limit_files(RLIM_INFINITY);
	assert_error(error, PROF_ERROR_SYSTEM, "\"x\" cannot be written: File too large");
	AUTO_EXPERIMENT struct prof_experiment *loaded = load("x");
	assert_same(before, loaded);
}
END_TEST

START_TEST(full_disk_fails_a_save_and_keeps_the_old_file)
{
	AUTO_EXPERIMENT struct prof_experiment *old = random_experiment(1, 50);
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(2, 9000);
	struct prof_store *store;

	enter_scratch();
	ck_assert_ok(prof_store_save("x", old, NULL));
	limit_files(100000);
	struct prof_error *error = prof_store_save("x", experiment, NULL);
	limit_files(0);
	struct prof_error *at_once = prof_store_save("x", experiment, NULL);
	struct prof_error *new = prof_store_create("y", &store);
	limit_files(RLIM_INFINITY);
	assert_error(error, PROF_ERROR_SYSTEM, "\"x\" cannot be written: File too large");
	assert_error(at_once, PROF_ERROR_SYSTEM, "\"x\" cannot be written: File too large");
	assert_error(new, PROF_ERROR_SYSTEM, "\"y\" cannot be written: File too large");
	AUTO_EXPERIMENT struct prof_experiment *loaded = load("x");
	assert_same(old, loaded);
	ck_assert_int_eq(count_files(), 1);
}
END_TEST

START_TEST(save_replaces_an_experiment_only)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, 10);
	size_t length;

	enter_scratch();
	write_text("thesis", "mine", 4);
	assert_error(prof_store_save("thesis", experiment, NULL), PROF_ERROR_STATE,
		"\"thesis\" exists and is not an experiment");
	AUTO_FREE char *bytes = read_bytes("thesis", &length);
	ck_assert_mem_eq(bytes, "mine", length);
	ck_assert_int_eq(mkdir("directory", 0700), 0);
	assert_error(prof_store_save("directory", experiment, NULL), PROF_ERROR_STATE,
		"not an experiment");
	ck_assert_int_eq(mkfifo("fifo", 0700), 0);
	assert_error(
		prof_store_save("fifo", experiment, NULL), PROF_ERROR_STATE, "not an experiment");
	ck_assert_int_eq(count_files(), 3);
}
END_TEST

START_TEST(saved_file_has_the_mode_of_a_new_file)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, 10);
	struct stat status;

	enter_scratch();
	umask(027);
	ck_assert_ok(prof_store_save("x", experiment, NULL));
	ck_assert_int_eq(stat("x", &status), 0);
	ck_assert_uint_eq(status.st_mode & 0777, 0640);
}
END_TEST

static bool refuse(void *context, const char *what, uint64_t done, uint64_t total)
{
	(void)what;
	ck_assert_uint_le(done, total);
	++*(int *)context;
	return false;
}

START_TEST(interrupted_save_leaves_nothing)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, 70000);
	int calls = 0;
	const struct prof_progress progress = {refuse, &calls};

	enter_scratch();
	assert_error(
		prof_store_save("x", experiment, &progress), PROF_ERROR_INTERRUPTED, "Interrupted");
	ck_assert_int_eq(calls, 1);
	ck_assert_int_eq(count_files(), 0);
}
END_TEST

START_TEST(interrupted_write_can_be_repeated)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, 70000);
	int calls = 0;
	const struct prof_progress progress = {refuse, &calls};

	enter_scratch();
	struct prof_store *store = create("x");
	assert_error(prof_store_write(store, experiment, &progress), PROF_ERROR_INTERRUPTED,
		"Interrupted");
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	prof_store_close(store);
	AUTO_EXPERIMENT struct prof_experiment *loaded = load("x");
	assert_same(experiment, loaded);
}
END_TEST

START_TEST(write_waits_for_a_reader_until_the_next_time)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, 50);
	sqlite3 *reader;

	enter_scratch();
	struct prof_store *store = create("x");
	ck_assert_int_eq(sqlite3_open("x", &reader), SQLITE_OK);
	sqlite3_exec(reader, "BEGIN; SELECT * FROM sample", NULL, NULL, NULL);
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	ck_assert(prof_store_pending(store, experiment));
	sqlite3_close(reader);
	ck_assert_ok(prof_store_write(store, experiment, NULL));
	ck_assert(!prof_store_pending(store, experiment));
	prof_store_close(store);
	AUTO_EXPERIMENT struct prof_experiment *loaded = load("x");
	assert_same(experiment, loaded);
}
END_TEST

/* Writes and writes, until it is killed; tells BEGUN, a pipe, when the file is one. */
static void write_forever(uint64_t seed, int begun)
{
	struct prof_experiment *experiment = random_experiment(seed, 10);
	struct prof_store *store = create("x");

	for (;;) {
		ck_assert_ok(prof_store_write(store, experiment, NULL));
		ck_assert_int_eq(write(begun, "", 1), 1);
		add_random(&seed, experiment, 1 + chance(&seed, 400));
	}
}

/* Starts a process that does so, and returns when it has begun. */
static pid_t start_writer(uint64_t seed)
{
	int begun[2];
	char byte;

	ck_assert_int_eq(pipe(begun), 0);
	pid_t child = fork();
	if (!child)
		write_forever(seed, begun[1]);
	ck_assert_int_eq(read(begun[0], &byte, 1), 1);
	return child;
}

START_TEST(killed_writer_leaves_a_file_that_is_whole)
{
	uint64_t state = 3;
	int unfinished = 0;

	enter_scratch();
	for (int i = 0; i < 30; i++) {
		pid_t child = start_writer((uint64_t)i + 1);
		usleep(chance(&state, 30000));
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		unfinished += holds_bytes("x-journal");
		prof_experiment_destroy(load("x"));
		ck_assert(!holds_bytes("x-journal"));
		unlink("x");
	}
	ck_assert_int_gt(unfinished, 0);
}
END_TEST

START_TEST(save_over_what_a_killed_writer_left_is_whole)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(1, 100);

	enter_scratch();
	for (int i = 0; i < 10; i++) {
		pid_t child = start_writer((uint64_t)i + 1);
		usleep(10000);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		ck_assert_ok(prof_store_save("x", experiment, NULL));
		AUTO_EXPERIMENT struct prof_experiment *loaded = load("x");
		assert_same(experiment, loaded);
		unlink("x");
	}
}
END_TEST

START_TEST(closes_none)
{
	prof_store_close(NULL);
}
END_TEST

RUN_TESTS("store", saved_experiment_is_loaded_as_it_was,
	file_written_step_by_step_is_loaded_as_the_whole,
	frame_resolved_after_it_was_written_is_written,
	thread_renamed_after_it_was_written_is_written, each_table_that_grows_is_pending,
	existing_file_is_not_overwritten, name_that_means_something_to_sqlite_is_just_a_name,
	missing_directory_is_named, forbidden_directory_is_named,
	journal_of_another_file_is_not_touched, full_disk_leaves_what_was_written,
	full_disk_fails_a_save_and_keeps_the_old_file, save_replaces_an_experiment_only,
	saved_file_has_the_mode_of_a_new_file, interrupted_save_leaves_nothing,
	interrupted_write_can_be_repeated, write_waits_for_a_reader_until_the_next_time,
	killed_writer_leaves_a_file_that_is_whole, save_over_what_a_killed_writer_left_is_whole,
	closes_none)
