/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recording/recorder.h"

#include "base/clock.h"
#include "base/thread.h"
#include "model/experiment.h"
#include "recording/experiment_builder.h"
#include "recording/queue.h"
#include "store/store.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	LOOK_MS = 200,         /* between two looks at the queue */
	WRITE_MS = 400,        /* between two writes, at least */
	FORGET_MS = 3000,      /* between two looks at which threads have ended */
	LAST_TRIES = 50,       /* of the last write, while other processes read the file */
	LAST_WAIT_US = 100000, /* between them */
};

struct prof_recorder {
	pthread_t thread;
	pthread_mutex_t mutex; /* of the experiment, and all fields below */
	pthread_cond_t wake;
	bool stopping;
	struct prof_queue *queue;
	struct prof_store *store; /* NULL: none, or given up */
	int64_t written, forgot;  /* ns of CLOCK_MONOTONIC */
	bool foreign;             /* ids of threads are not of this machine */
	struct prof_error *error; /* the first */
	struct prof_experiment_builder builder;
	bool given_up;               /* the store */
	uint64_t limit;              /* bytes, at which the next two are called; 0: none */
	void (*full)(void *context); /* NULL: it was called already, or is not wanted */
	void *context;
};

/* Takes ERROR, which may be NULL. */
static void note(struct prof_recorder *recorder, struct prof_error *error)
{
	if (!recorder->error)
		recorder->error = error;
	else
		prof_error_destroy(error);
}

/*
 * Records the messages that wait now, and no later ones: a fast sender would keep this busy for
 * ever.
 */
static void empty_queue(struct prof_recorder *recorder)
{
	struct prof_message taken;
	const void *data;

	for (size_t count = prof_queue_count(recorder->queue);
		count > 0 && prof_queue_take(recorder->queue, &taken, &data); count--)
		note(recorder, prof_experiment_builder_add(&recorder->builder, &taken, data));
}

/* If a file cannot be written, it is given up and stays as it is. */
static void write_file(struct prof_recorder *recorder)
{
	if (!recorder->store)
		return;
	recorder->written = prof_clock();
	struct prof_error *error =
		prof_store_write(recorder->store, recorder->builder.experiment, NULL);
	if (!error)
		prof_store_release(recorder->store, recorder->builder.experiment);
	if (error) {
		note(recorder, error);
		prof_store_close(recorder->store);
		recorder->store = NULL;
		recorder->given_up = true;
	}
}

static bool is_pending(const struct prof_recorder *recorder)
{
	return recorder->store && prof_store_pending(recorder->store, recorder->builder.experiment);
}

static void wait(struct prof_recorder *recorder)
{
	prof_thread_wait(
		&recorder->wake, &recorder->mutex, prof_clock() + LOOK_MS * PROF_NS_PER_MS);
}

/* Has the experiment reached its largest size? */
static bool is_full(const struct prof_recorder *recorder)
{
	if (recorder->given_up)
		return true;
	if (!recorder->limit)
		return false;
	uint64_t size = recorder->store ? prof_store_size(recorder->store)
					: prof_experiment_size(recorder->builder.experiment);
	return size >= recorder->limit;
}

/* Reports once that it has. */
static void look_at_size(struct prof_recorder *recorder)
{
	void (*full)(void *context) = recorder->full;

	if (!full || !is_full(recorder))
		return;
	recorder->full = NULL;
	full(recorder->context);
}

/* Is there a thread with the kernel's ID? */
static bool lives(int64_t id)
{
	return id <= 0 || id > INT32_MAX || !kill((pid_t)id, 0) || errno != ESRCH;
}

static void forget_threads(struct prof_recorder *recorder)
{
	int64_t now = prof_clock();

	if (recorder->foreign || now - recorder->forgot < FORGET_MS * PROF_NS_PER_MS)
		return;
	prof_experiment_builder_forget(&recorder->builder, lives);
	recorder->forgot = now;
}

static void *run(void *context)
{
	struct prof_recorder *recorder = context;

	pthread_mutex_lock(&recorder->mutex);
	while (!recorder->stopping) {
		empty_queue(recorder);
		if (prof_clock() - recorder->written >= WRITE_MS * PROF_NS_PER_MS &&
			is_pending(recorder))
			write_file(recorder);
		look_at_size(recorder);
		forget_threads(recorder);
		if (!recorder->stopping)
			wait(recorder);
	}
	pthread_mutex_unlock(&recorder->mutex);
	return NULL;
}

static void stop_thread(struct prof_recorder *recorder)
{
	pthread_mutex_lock(&recorder->mutex);
	recorder->stopping = true;
	pthread_cond_signal(&recorder->wake);
	pthread_mutex_unlock(&recorder->mutex);
	pthread_join(recorder->thread, NULL);
}

static void deinit(struct prof_recorder *recorder)
{
	prof_store_close(recorder->store);
	prof_error_destroy(recorder->error);
	prof_experiment_builder_deinit(&recorder->builder);
	pthread_cond_destroy(&recorder->wake);
	pthread_mutex_destroy(&recorder->mutex);
	free(recorder);
}

struct prof_error *prof_recorder_create(struct prof_experiment *experiment,
	struct prof_queue *queue, const char *file, struct prof_recorder **ret)
{
	struct prof_recorder *recorder = calloc(1, sizeof *recorder);

	if (!recorder)
		return prof_error_nomem();
	recorder->builder.experiment = experiment;
	recorder->queue = queue;
	pthread_mutex_init(&recorder->mutex, NULL);
	prof_thread_condition(&recorder->wake);

	struct prof_error *error = file ? prof_store_create(file, &recorder->store) : NULL;
	if (!error) {
		error = prof_thread_start(run, recorder, "gdbprof-record", "The recorder's thread",
			&recorder->thread);
		if (error && file)
			unlink(file);
	}
	if (error) {
		deinit(recorder);
		return error;
	}
	*ret = recorder;
	return NULL;
}

void prof_recorder_destroy(struct prof_recorder *recorder)
{
	if (!recorder)
		return;
	stop_thread(recorder);
	empty_queue(recorder);
	write_file(recorder);
	for (int i = 0; i < LAST_TRIES && is_pending(recorder); i++) {
		usleep(LAST_WAIT_US);
		write_file(recorder);
	}
	deinit(recorder);
}

void prof_recorder_lock(struct prof_recorder *recorder)
{
	pthread_mutex_lock(&recorder->mutex);
	empty_queue(recorder);
}

void prof_recorder_unlock(struct prof_recorder *recorder)
{
	pthread_mutex_unlock(&recorder->mutex);
}

void prof_recorder_flush(struct prof_recorder *recorder)
{
	write_file(recorder);
	/* The recorder's thread may look too late: the program would run on and be recorded. */
	look_at_size(recorder);
}

void prof_recorder_report_processes(struct prof_recorder *recorder)
{
	pthread_mutex_lock(&recorder->mutex);
	recorder->builder.several = true;
	pthread_mutex_unlock(&recorder->mutex);
}

void prof_recorder_foreign(struct prof_recorder *recorder)
{
	pthread_mutex_lock(&recorder->mutex);
	recorder->foreign = true;
	pthread_mutex_unlock(&recorder->mutex);
}

void prof_recorder_limit(
	struct prof_recorder *recorder, uint64_t size, void (*full)(void *context), void *context)
{
	pthread_mutex_lock(&recorder->mutex);
	recorder->limit = size;
	recorder->full = full;
	recorder->context = context;
	pthread_mutex_unlock(&recorder->mutex);
}

const struct prof_error *prof_recorder_error(const struct prof_recorder *recorder)
{
	return recorder->error;
}

bool prof_recorder_gave_up(const struct prof_recorder *recorder)
{
	return recorder->given_up;
}
