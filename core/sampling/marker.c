/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/marker.h"

#include "base/clock.h"
#include "base/thread.h"
#include "model/usage.h"
#include "recording/queue.h"
#include "sampling/tally.h"
#include "sampling/watch.h"

#include <stdlib.h>
#include <string.h>

/* ns between two checks of whether processes still run: they may end without notice. */
static const int64_t LOOK = 100000000;

struct listener {
	void (*report)(void *context);                 /* before a mark, or NULL */
	void (*reported)(void *context, int64_t time); /* of it, or NULL */
	void *context;
};

struct prof_marker {
	struct prof_queue *queue;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake; /* signals a change of running or quit, or of what is due */

	/* All fields below are under the lock. */
	bool running, quit;
	int64_t ran,
		since; /* ns that the processes ran, without the time since SINCE, if they run */
	struct prof_tally tally;
	PROF_ARRAY(struct listener) listeners;
	int64_t period,
		due;   /* ns of running between two marks (0: none), and when the next is due */
	int64_t after; /* ns of running after which the next two are called; 0: never */
	void (*expired)(void *context);
	void *context;
};

/* How many ns the processes had run at TIME.  The caller holds the lock. */
static int64_t ran(const struct prof_marker *marker, int64_t time)
{
	return marker->ran + (marker->running ? time - marker->since : 0);
}

/* Makes a mark.  The caller holds the lock. */
static bool mark(struct prof_marker *marker, enum prof_mark_kind kind, const char *label)
{
	struct prof_message message = {.kind = PROF_MESSAGE_MARK};
	size_t length = strlen(label) + 1;
	AUTO_FREE char *data = malloc(sizeof(struct prof_usage) + length);
	struct prof_usage usage;

	if (!data)
		return false;
	for (size_t i = 0; i < marker->listeners.count; i++) {
		const struct listener *listener = &marker->listeners.items[i];
		if (listener->report)
			listener->report(listener->context);
	}
	prof_tally_read(&marker->tally, &usage);
	if (kind != PROF_MARK_PERIOD)
		prof_tally_forget(&marker->tally);
	message.mark.kind = kind;
	message.mark.time = prof_clock();
	for (size_t i = 0; i < marker->listeners.count; i++) {
		const struct listener *listener = &marker->listeners.items[i];
		if (listener->reported)
			listener->reported(listener->context, message.mark.time);
	}
	usage.figures[PROF_USAGE_RUNNING] = ran(marker, message.mark.time);
	message.size = (uint32_t)(sizeof usage + length);
	memcpy(data, &usage, sizeof usage);
	memcpy(data + sizeof usage, label, length);
	return prof_queue_put(marker->queue, &message, data);
}

/*
 * Reports that the time to run is over.  The caller holds the lock; it is released during the call.
 */
static void expire(struct prof_marker *marker)
{
	marker->after = 0;
	pthread_mutex_unlock(&marker->lock);
	marker->expired(marker->context);
	pthread_mutex_lock(&marker->lock);
}

/* When something is due next, while the processes run; LOOK is the next check. */
static int64_t next_time(const struct prof_marker *marker, int64_t now, int64_t look)
{
	int64_t begin = now - ran(marker, now);
	int64_t next = look;

	if (marker->period && begin + marker->due < next)
		next = begin + marker->due;
	return marker->after && begin + marker->after < next ? begin + marker->after : next;
}

/* Makes the mark of a period, due when the processes had run for PASSED ns. */
static void mark_period(struct prof_marker *marker, int64_t passed)
{
	mark(marker, PROF_MARK_PERIOD, "periodic");
	/* If the thread is late, marks that it has missed are not made later. */
	marker->due += marker->period;
	if (marker->due <= passed)
		marker->due = passed + marker->period;
}

static void *run(void *context)
{
	struct prof_marker *marker = context;

	pthread_mutex_lock(&marker->lock);
	int64_t look = 0;
	while (!marker->quit) {
		int64_t now = prof_clock();
		if (!marker->running) {
			while (!marker->running && !marker->quit)
				pthread_cond_wait(&marker->wake, &marker->lock);
		} else if (marker->period && ran(marker, now) >= marker->due) {
			mark_period(marker, ran(marker, now));
		} else if (marker->after && ran(marker, now) >= marker->after) {
			expire(marker);
		} else if (now >= look) {
			prof_tally_look(&marker->tally);
			look = now + LOOK;
		} else {
			prof_thread_wait(
				&marker->wake, &marker->lock, next_time(marker, now, look));
		}
	}
	pthread_mutex_unlock(&marker->lock);
	return NULL;
}

struct prof_error *prof_marker_create(struct prof_queue *queue, struct prof_marker **ret)
{
	struct prof_marker *marker = calloc(1, sizeof *marker);

	if (!marker)
		return prof_error_nomem();
	marker->queue = queue;
	pthread_mutex_init(&marker->lock, NULL);
	prof_thread_condition(&marker->wake);
	struct prof_error *error = prof_thread_start(
		run, marker, "gdbprof-marker", "The marking thread", &marker->thread);
	if (error) {
		free(marker);
		return error;
	}
	*ret = marker;
	return NULL;
}

void prof_marker_destroy(struct prof_marker *marker)
{
	if (!marker)
		return;
	pthread_mutex_lock(&marker->lock);
	marker->quit = true;
	pthread_cond_signal(&marker->wake);
	pthread_mutex_unlock(&marker->lock);
	pthread_join(marker->thread, NULL);
	prof_tally_deinit(&marker->tally);
	free(marker->listeners.items);
	pthread_cond_destroy(&marker->wake);
	pthread_mutex_destroy(&marker->lock);
	free(marker);
}

bool prof_marker_add(struct prof_marker *marker, pid_t process, bool readable)
{
	pthread_mutex_lock(&marker->lock);
	bool added = prof_tally_add(&marker->tally, process, readable);
	pthread_mutex_unlock(&marker->lock);
	return added;
}

void prof_marker_remove(struct prof_marker *marker, pid_t process)
{
	pthread_mutex_lock(&marker->lock);
	prof_tally_remove(&marker->tally, process);
	pthread_mutex_unlock(&marker->lock);
}

void prof_marker_end(struct prof_marker *marker, pid_t process, pid_t thread)
{
	pthread_mutex_lock(&marker->lock);
	prof_tally_end(&marker->tally, process, thread);
	pthread_mutex_unlock(&marker->lock);
}

bool prof_marker_report(struct prof_marker *marker, pid_t process, const struct prof_usage *usage,
	const struct prof_tally_thread *threads, size_t count)
{
	pthread_mutex_lock(&marker->lock);
	bool reported = prof_tally_report(&marker->tally, process, usage, threads, count);
	pthread_mutex_unlock(&marker->lock);
	return reported;
}

void prof_marker_begin(struct prof_marker *marker, pid_t process)
{
	pthread_mutex_lock(&marker->lock);
	prof_tally_begin(&marker->tally, process);
	pthread_mutex_unlock(&marker->lock);
}

static bool add_listener(struct prof_marker *marker, struct listener listener)
{
	pthread_mutex_lock(&marker->lock);
	struct listener *added = prof_array_push(&marker->listeners);
	if (added)
		*added = listener;
	pthread_mutex_unlock(&marker->lock);
	return added;
}

bool prof_marker_listen(struct prof_marker *marker, void (*report)(void *context), void *context)
{
	return add_listener(marker, (struct listener){.report = report, .context = context});
}

bool prof_marker_follow(
	struct prof_marker *marker, void (*reported)(void *context, int64_t time), void *context)
{
	return add_listener(marker, (struct listener){.reported = reported, .context = context});
}

void prof_marker_ignore(struct prof_marker *marker, const void *context)
{
	pthread_mutex_lock(&marker->lock);
	for (size_t i = 0; i < marker->listeners.count; i++) {
		if (marker->listeners.items[i].context != context)
			continue;
		marker->listeners.items[i] = marker->listeners.items[--marker->listeners.count];
		break;
	}
	pthread_mutex_unlock(&marker->lock);
}

void prof_marker_run(struct prof_marker *marker, bool running)
{
	pthread_mutex_lock(&marker->lock);
	int64_t now = prof_clock();
	if (marker->running)
		marker->ran += now - marker->since;
	marker->since = now;
	marker->running = running;
	pthread_cond_signal(&marker->wake);
	pthread_mutex_unlock(&marker->lock);
}

void prof_marker_expire(
	struct prof_marker *marker, int64_t after, void (*expired)(void *context), void *context)
{
	pthread_mutex_lock(&marker->lock);
	marker->after = after;
	marker->expired = expired;
	marker->context = context;
	pthread_cond_signal(&marker->wake);
	pthread_mutex_unlock(&marker->lock);
}

void prof_marker_repeat(struct prof_marker *marker, int64_t period)
{
	pthread_mutex_lock(&marker->lock);
	marker->period = period;
	marker->due = ran(marker, prof_clock()) + period;
	pthread_cond_signal(&marker->wake);
	pthread_mutex_unlock(&marker->lock);
}

bool prof_marker_mark(struct prof_marker *marker, enum prof_mark_kind kind, const char *label)
{
	pthread_mutex_lock(&marker->lock);
	bool made = mark(marker, kind, label);
	pthread_mutex_unlock(&marker->lock);
	return made;
}
