/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment_support.h"
#include "same_experiment.h"
#include "recording/look.h"
#include "recording/queue.h"
#include "recording/recorder.h"
#include "store/store.h"

#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

/* A recording: everything that belongs to one. */
struct recording {
	struct prof_experiment *experiment;
	struct prof_queue *queue;
	struct prof_recorder *recorder;
};

static struct recording start(const char *file)
{
	struct recording recording;

	ck_assert_ok(prof_experiment_create(&recording.experiment));
	ck_assert_ok(prof_queue_create(1 << 20, &recording.queue));
	ck_assert_ok(prof_recorder_create(
		recording.experiment, recording.queue, file, &recording.recorder));
	return recording;
}

static void end(struct recording *recording)
{
	prof_recorder_destroy(recording->recorder);
	prof_experiment_check(recording->experiment);
	prof_queue_destroy(recording->queue);
}

/* Puts a look at TIME with a stack that depends on it. */
static bool put_look(struct prof_queue *queue, int64_t time)
{
	const uint64_t frames[] = {0x1000 + (uint64_t)time % 500, 0x2000};
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK, .size = sizeof frames};

	message.look = (struct prof_look){.time = time, .thread = 1, .samples = 1, .depth = 2};
	return prof_queue_put(queue, &message, frames);
}

static void sleep_ms(long ms)
{
	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* The samples that the file PATH holds now. */
static size_t samples_in(const char *path)
{
	AUTO_EXPERIMENT struct prof_experiment *loaded;

	ck_assert_ok(prof_store_load(path, NULL, &loaded));
	prof_experiment_check(loaded);
	return loaded->samples.count;
}

START_TEST(lock_shows_all_that_was_queued)
{
	struct recording recording = start(NULL);

	for (int64_t i = 0; i < 100; i++) {
		ck_assert(put_look(recording.queue, i));
		prof_recorder_lock(recording.recorder);
		ck_assert_uint_eq(recording.experiment->samples.count, (size_t)i + 1);
		ck_assert_int_eq(sample_at(recording.experiment, i).time, i);
		ck_assert_ptr_null(prof_recorder_error(recording.recorder));
		prof_recorder_unlock(recording.recorder);
	}
	end(&recording);
	prof_experiment_destroy(recording.experiment);
}
END_TEST

/* The threads whose process the experiment knows, of one that has had a sample. */
static size_t owned_threads(bool told)
{
	struct prof_message message = {.kind = PROF_MESSAGE_LOOK,
		.look = {.time = 1, .thread = 1, .process = 7, .samples = 1}};
	struct recording recording = start(NULL);

	if (told)
		prof_recorder_report_processes(recording.recorder);
	ck_assert(prof_queue_put(recording.queue, &message, NULL));
	end(&recording);
	size_t owned = recording.experiment->owners.count;
	prof_experiment_destroy(recording.experiment);
	return owned;
}

START_TEST(process_of_a_thread_is_told_of_several_or_where_it_is_asked_for)
{
	ck_assert_uint_eq(owned_threads(false), 0);
	ck_assert_uint_eq(owned_threads(true), 1);
}
END_TEST

/* The number of the thread that a look at ID is of. */
static uint32_t look_at_thread(struct recording *recording, pid_t id)
{
	struct prof_message message = {
		.kind = PROF_MESSAGE_LOOK, .look = {.time = 1, .thread = id, .samples = 1}};

	ck_assert(prof_queue_put(recording->queue, &message, NULL));
	prof_recorder_lock(recording->recorder);
	size_t count = recording->experiment->samples.count;
	uint32_t thread = sample_at(recording->experiment, count - 1).thread;
	prof_recorder_unlock(recording->recorder);
	return thread;
}

START_TEST(thread_that_has_ended_is_forgotten_on_this_machine)
{
	enum { TRIES = 10, LONG_MS = 7000 };
	struct recording here = start(NULL), elsewhere = start(NULL);
	pid_t child = fork();

	if (!child)
		_exit(0);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	prof_recorder_foreign(elsewhere.recorder);
	ck_assert_uint_eq(look_at_thread(&here, child), 0);
	ck_assert_uint_eq(look_at_thread(&here, getpid()), 1);
	ck_assert_uint_eq(look_at_thread(&elsewhere, child), 0);
	uint32_t thread = 0;
	for (int i = 0; i < TRIES && !thread; i++) {
		sleep_ms(LONG_MS);
		thread = look_at_thread(&here, child);
	}
	ck_assert_uint_eq(thread, 2);
	ck_assert_uint_eq(look_at_thread(&here, getpid()), 1);
	ck_assert_uint_eq(look_at_thread(&elsewhere, child), 0);
	end(&here);
	end(&elsewhere);
	prof_experiment_destroy(here.experiment);
	prof_experiment_destroy(elsewhere.experiment);
}
END_TEST

START_TEST(queue_is_emptied_without_being_asked)
{
	struct recording recording = start(NULL);

	while (put_look(recording.queue, 1))
		;
	sleep_ms(600);
	ck_assert(put_look(recording.queue, 2));
	end(&recording);
	prof_experiment_destroy(recording.experiment);
}
END_TEST

START_TEST(destroy_records_what_is_queued)
{
	enter_scratch();
	struct recording recording = start("x");
	for (int64_t i = 0; i < 1000; i++)
		ck_assert(put_look(recording.queue, i));
	end(&recording);
	ck_assert_uint_eq(recording.experiment->samples.count, 1000);
	AUTO_EXPERIMENT struct prof_experiment *loaded;
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	assert_same(recording.experiment, loaded);
	prof_experiment_destroy(recording.experiment);
}
END_TEST

START_TEST(destroy_writes_what_is_known_of_the_recording)
{
	enter_scratch();
	struct recording recording = start("x");
	prof_recorder_lock(recording.recorder);
	prof_recorder_flush(recording.recorder);
	recording.experiment->recording.ticks = 9;
	prof_recorder_unlock(recording.recorder);
	end(&recording);
	AUTO_EXPERIMENT struct prof_experiment *loaded;
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	ck_assert_uint_eq(loaded->recording.ticks, 9);
	prof_experiment_destroy(recording.experiment);
}
END_TEST

START_TEST(file_is_less_than_a_second_behind)
{
	enter_scratch();
	struct recording recording = start("x");
	ck_assert(put_look(recording.queue, 1));
	sleep_ms(900);
	ck_assert_uint_eq(samples_in("x"), 1);
	ck_assert(put_look(recording.queue, 2));
	sleep_ms(900);
	ck_assert_uint_eq(samples_in("x"), 2);
	end(&recording);
	prof_experiment_destroy(recording.experiment);
}
END_TEST

START_TEST(flush_writes_at_once)
{
	enter_scratch();
	struct recording recording = start("x");
	sleep_ms(50);
	ck_assert(put_look(recording.queue, 1));
	prof_recorder_lock(recording.recorder);
	recording.experiment->recording.ticks = 5;
	prof_recorder_flush(recording.recorder);
	AUTO_EXPERIMENT struct prof_experiment *loaded;
	ck_assert_ok(prof_store_load("x", NULL, &loaded));
	assert_same(recording.experiment, loaded);
	prof_recorder_unlock(recording.recorder);
	end(&recording);
	prof_experiment_destroy(recording.experiment);
}
END_TEST

START_TEST(lock_does_not_wait_for_the_next_turn)
{
	struct rusage before, after;
	struct recording recording = start(NULL);

	sleep_ms(20);
	getrusage(RUSAGE_THREAD, &before);
	for (int i = 0; i < 40; i++) {
		prof_recorder_lock(recording.recorder);
		prof_recorder_unlock(recording.recorder);
	}
	getrusage(RUSAGE_THREAD, &after);
	/* Seldom the recorder works just then. */
	ck_assert_int_lt(after.ru_nvcsw - before.ru_nvcsw, 20);
	end(&recording);
	prof_experiment_destroy(recording.experiment);
}
END_TEST

/* The ns that a recorder takes to end in the middle of its wait for the next turn. */
static int64_t time_end(void)
{
	struct timespec before, after;
	struct recording recording = start(NULL);

	sleep_ms(20);
	clock_gettime(CLOCK_MONOTONIC, &before);
	end(&recording);
	clock_gettime(CLOCK_MONOTONIC, &after);
	prof_experiment_destroy(recording.experiment);
	return (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
}

START_TEST(recorder_does_not_wait_for_its_next_turn_to_end)
{
	/* Others may want the CPUs; but where it waits, it does so each time. */
	while (time_end() > 40000000)
		;
}
END_TEST

static void count_full(void *context)
{
	(*(_Atomic int *)context)++;
}

/* Records into FILE until it is full; the samples that it has then. */
static size_t fill(const char *file, uint64_t limit)
{
	_Atomic int full = 0;
	struct recording recording = start(file);

	prof_recorder_limit(recording.recorder, limit, count_full, &full);
	for (int64_t i = 0; !full; i++) {
		if (!put_look(recording.queue, i) || i % 100 == 0)
			sleep_ms(1);
	}
	prof_recorder_lock(recording.recorder);
	size_t samples = recording.experiment->samples.count;
	prof_recorder_unlock(recording.recorder);
	sleep_ms(500);
	ck_assert_int_eq(full, 1);
	end(&recording);
	prof_experiment_destroy(recording.experiment);
	return samples;
}

START_TEST(experiment_in_memory_is_full_once)
{
	ck_assert_uint_ge(fill(NULL, 400000), 400000 / 150);
}
END_TEST

START_TEST(file_is_full_once)
{
	struct stat status;

	enter_scratch();
	ck_assert_uint_ge(fill("x", 200000), 500);
	ck_assert_int_eq(stat("x", &status), 0);
	ck_assert_int_ge(status.st_size, 200000);
}
END_TEST

START_TEST(existing_file_is_refused)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	struct prof_queue *queue;
	struct prof_recorder *recorder = NULL;

	enter_scratch();
	write_text("x", "mine", 4);
	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_queue_create(1000, &queue));
	assert_error(prof_recorder_create(experiment, queue, "x", &recorder), PROF_ERROR_STATE,
		"\"x\" exists already");
	ck_assert_ptr_null(recorder);
	prof_queue_destroy(queue);
}
END_TEST

/* Nothing can be asserted while files are limited: Check's own is one. */
START_TEST(full_disk_stops_the_file_and_not_the_recording)
{
	const struct rlimit little = {150000, RLIM_INFINITY}, all = {RLIM_INFINITY, RLIM_INFINITY};
	AUTO_FREE char *message = NULL;
	size_t written = 0;
	_Atomic int full = 0;
	int late = 0;

	enter_scratch();
	struct recording recording = start("x");
	prof_recorder_limit(recording.recorder, 0, count_full, &full);
	setrlimit(RLIMIT_FSIZE, &little);
	for (int64_t i = 0; i < 10000; i++) {
		put_look(recording.queue, i);
		if (i % 500)
			continue;
		prof_recorder_lock(recording.recorder);
		prof_recorder_flush(recording.recorder);
		if (!prof_recorder_error(recording.recorder))
			written = recording.experiment->samples.count;
		else
			late += !full;
		prof_recorder_unlock(recording.recorder);
	}
	prof_recorder_lock(recording.recorder);
	const struct prof_error *error = prof_recorder_error(recording.recorder);
	if (error)
		message = strdup(prof_error_message(error));
	prof_recorder_unlock(recording.recorder);
	end(&recording);
	setrlimit(RLIMIT_FSIZE, &all);

	ck_assert_int_eq(full, 1);
	ck_assert_int_eq(late, 0);
	ck_assert_str_eq(message, "The file \"x\" cannot be written: File too large.");
	ck_assert_uint_eq(recording.experiment->samples.count, 10000);
	ck_assert_uint_gt(written, 0);
	ck_assert_uint_lt(written, 10000);
	ck_assert_uint_eq(samples_in("x"), written);
	prof_experiment_destroy(recording.experiment);
}
END_TEST

START_TEST(reader_of_the_file_does_not_stop_the_recording)
{
	sqlite3 *reader;

	enter_scratch();
	struct recording recording = start("x");
	ck_assert_int_eq(sqlite3_open("x", &reader), SQLITE_OK);
	sqlite3_exec(reader, "BEGIN; SELECT * FROM sample", NULL, NULL, NULL);
	ck_assert(put_look(recording.queue, 1));
	prof_recorder_lock(recording.recorder);
	prof_recorder_flush(recording.recorder);
	ck_assert_ptr_null(prof_recorder_error(recording.recorder));
	prof_recorder_unlock(recording.recorder);
	sqlite3_close(reader);
	end(&recording);
	ck_assert_uint_eq(samples_in("x"), 1);
	prof_experiment_destroy(recording.experiment);
}
END_TEST

static atomic_bool stop;
static atomic_uint_least64_t produced;

static void *produce(void *context)
{
	struct recording *recording = context;
	int64_t put = 0;

	while (!stop) {
		if (put_look(recording->queue, put))
			put++;
		else
			sleep_ms(1);
	}
	produced = (uint64_t)put;
	return NULL;
}

START_TEST(lock_holds_the_experiment_still_while_others_record)
{
	pthread_t producer;

	enter_scratch();
	struct recording recording = start("x");
	stop = false;
	ck_assert_int_eq(pthread_create(&producer, NULL, produce, &recording), 0);
	for (int i = 0; i < 50; i++) {
		prof_recorder_lock(recording.recorder);
		size_t count = recording.experiment->samples.count;
		sleep_ms(5);
		ck_assert_uint_eq(recording.experiment->samples.count, count);
		prof_recorder_unlock(recording.recorder);
		sleep_ms(5);
	}
	stop = true;
	pthread_join(producer, NULL);
	end(&recording);
	ck_assert_uint_gt(recording.experiment->samples.count, 0);
	ck_assert_uint_eq(recording.experiment->samples.count, produced);
	struct prof_cursor rows = {.experiment = recording.experiment};
	while (prof_cursor_next(&rows)) {
		if (rows.row.sample.time != (int64_t)rows.row.number)
			ck_abort_msg("sample %u is out of order", rows.row.number);
	}
	ck_assert_ok(prof_cursor_error(&rows));
	prof_cursor_deinit(&rows);
	ck_assert_uint_eq(samples_in("x"), recording.experiment->samples.count);
	prof_experiment_destroy(recording.experiment);
}
END_TEST

/* A signal of the process must find no thread but the caller's: here it is blocked there. */
START_TEST(thread_takes_no_signals)
{
	sigset_t set, pending;
	struct recording recording = start(NULL);

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	kill(getpid(), SIGUSR1);
	sleep_ms(50);
	sigpending(&pending);
	ck_assert(sigismember(&pending, SIGUSR1));
	end(&recording);
	prof_experiment_destroy(recording.experiment);
}
END_TEST

START_TEST(killed_host_leaves_what_it_recorded)
{
	enter_scratch();
	pid_t child = fork();
	if (!child) {
		struct recording recording = start("x");
		for (int64_t i = 0;; i++) {
			put_look(recording.queue, i);
			sleep_ms(1);
		}
	}
	sleep_ms(1500);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	ck_assert_uint_gt(samples_in("x"), 100);
}
END_TEST

START_TEST(destroys_none)
{
	prof_recorder_destroy(NULL);
}
END_TEST

RUN_TESTS("recorder", lock_shows_all_that_was_queued,
	process_of_a_thread_is_told_of_several_or_where_it_is_asked_for,
	thread_that_has_ended_is_forgotten_on_this_machine, queue_is_emptied_without_being_asked,
	destroy_records_what_is_queued, destroy_writes_what_is_known_of_the_recording,
	file_is_less_than_a_second_behind, flush_writes_at_once,
	lock_does_not_wait_for_the_next_turn, recorder_does_not_wait_for_its_next_turn_to_end,
	existing_file_is_refused, experiment_in_memory_is_full_once, file_is_full_once,
	full_disk_stops_the_file_and_not_the_recording,
	reader_of_the_file_does_not_stop_the_recording,
	lock_holds_the_experiment_still_while_others_record, thread_takes_no_signals,
	killed_host_leaves_what_it_recorded, destroys_none)
