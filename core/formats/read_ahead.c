/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/read_ahead.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/thread.h"
#include "formats/import.h"
#include "model/experiment.h"

#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 16, WAIT = 50 /* ms between two reports */ };

/* A file that is being read, or was read. */
struct slot {
	struct prof_experiment *experiment;
	struct prof_error *error;
	bool ready;
};

struct prof_read_ahead {
	const char *const *paths;
	size_t count;
	size_t next;  /* of PATHS, the first that no thread has taken */
	size_t given; /* how many files the caller has taken */
	bool over;    /* the caller wants no more files */
	size_t window;
	struct slot *slots; /* file N is at N modulo WINDOW */
	pthread_t threads[THREADS];
	size_t started;
	pthread_mutex_t lock;
	pthread_cond_t changed;
};

/* The next file for a thread to read.  False: there is none.  The caller holds the lock. */
static bool take(struct prof_read_ahead *ahead, size_t *ret)
{
	while (!ahead->over && ahead->next < ahead->count &&
		ahead->next >= ahead->given + ahead->window)
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	if (ahead->over || ahead->next >= ahead->count)
		return false;
	*ret = ahead->next++;
	return true;
}

static void *read_files(void *context)
{
	struct prof_read_ahead *ahead = context;
	size_t number;

	pthread_mutex_lock(&ahead->lock);
	while (take(ahead, &number)) {
		struct slot slot = {.ready = true};
		pthread_mutex_unlock(&ahead->lock);
		slot.error = prof_import_read(ahead->paths[number], NULL, &slot.experiment);
		pthread_mutex_lock(&ahead->lock);
		ahead->slots[number % ahead->window] = slot;
		pthread_cond_broadcast(&ahead->changed);
	}
	pthread_mutex_unlock(&ahead->lock);
	return NULL;
}

/* One for each CPU, and at least one. */
static size_t count_threads(size_t files)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t threads = cpus > 1 ? (size_t)cpus : 1;

	threads = threads < THREADS ? threads : THREADS;
	return threads < files ? threads : files;
}

struct prof_error *prof_read_ahead_create(
	const char *const *paths, size_t count, struct prof_read_ahead **ret)
{
	AUTO_READ_AHEAD struct prof_read_ahead *ahead = calloc(1, sizeof *ahead);
	size_t threads = count_threads(count);
	struct prof_error *error = NULL;

	if (!ahead)
		return prof_error_nomem();
	pthread_mutex_init(&ahead->lock, NULL);
	prof_thread_condition(&ahead->changed);
	ahead->paths = paths;
	ahead->count = count;
	ahead->window = 2 * threads;
	ahead->slots = calloc(ahead->window + 1, sizeof *ahead->slots);
	if (!ahead->slots)
		return prof_error_nomem();
	for (; ahead->started < threads && !error; ahead->started += !error)
		error = prof_thread_start(read_files, ahead, "prof-load",
			"A thread that reads files", &ahead->threads[ahead->started]);
	/* One is enough. */
	if (error && !ahead->started)
		return error;
	prof_error_destroy(error);
	*ret = steal(&ahead);
	return NULL;
}

void prof_read_ahead_destroy(struct prof_read_ahead *ahead)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->over = true;
	pthread_cond_broadcast(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	for (size_t i = 0; i < ahead->started; i++)
		pthread_join(ahead->threads[i], NULL);
	for (size_t i = 0; ahead->slots && i < ahead->window; i++) {
		prof_experiment_destroy(ahead->slots[i].experiment);
		prof_error_destroy(ahead->slots[i].error);
	}
	free(ahead->slots);
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead);
}

void prof_read_ahead_auto(struct prof_read_ahead **ahead)
{
	prof_read_ahead_destroy(*ahead);
}

struct prof_error *prof_read_ahead_next(struct prof_read_ahead *ahead,
	const struct prof_progress *progress, struct prof_experiment **ret)
{
	struct slot *slot = &ahead->slots[ahead->given % ahead->window];
	struct prof_error *error =
		prof_progress_report(progress, "Loading files", ahead->given, ahead->count);

	if (error)
		return error;
	pthread_mutex_lock(&ahead->lock);
	while (!slot->ready && !error) {
		prof_thread_wait(
			&ahead->changed, &ahead->lock, prof_clock() + WAIT * PROF_NS_PER_MS);
		if (slot->ready)
			break;
		/* Reading may take long, and does not hold the lock. */
		pthread_mutex_unlock(&ahead->lock);
		error = prof_progress_report(progress, "Loading files", ahead->given, ahead->count);
		pthread_mutex_lock(&ahead->lock);
	}
	if (!error) {
		error = slot->error;
		*ret = slot->experiment;
		*slot = (struct slot){0};
		ahead->given++;
		pthread_cond_broadcast(&ahead->changed);
	}
	pthread_mutex_unlock(&ahead->lock);
	return error;
}
