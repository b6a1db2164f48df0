/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The threads of a file of calls and returns: each has a builder of its own. */
#ifndef PROF_FORMATS_EVENT_THREADS_H
#define PROF_FORMATS_EVENT_THREADS_H

#include "base/progress.h"
#include "model/call_builder.h"

struct prof_experiment;

struct prof_event_thread {
	uint32_t number; /* in the experiment */
	struct prof_builder builder;
};

/* To begin, all members are zero, except the experiment, and PROF_NONE for the current thread. */
struct prof_event_threads {
	struct prof_experiment *experiment; /* borrowed */
	PROF_ARRAY(struct prof_event_thread) threads;
	struct prof_map index; /* id -> thread */
	uint32_t current;      /* thread; PROF_NONE: there is none yet */
	bool timed;            /* events have times */
};

void prof_event_threads_deinit(struct prof_event_threads *threads);

/* Makes the thread of ID the current one; if it is new, its name has LENGTH bytes of NAME. */
struct prof_error *prof_event_threads_enter(struct prof_event_threads *threads, int64_t id,
	const char *name, size_t length) PROF_MUST_CHECK;

/* The current thread's builder, whose names are frames; borrowed until the next enter. */
struct prof_builder *prof_event_threads_builder(struct prof_event_threads *threads);

/*
 * Ends the file: adds all calls to the experiment, which starts at BEGIN ns; see prof_calls_add().
 * If there are none, returns an error that names the file PATH.
 */
struct prof_error *prof_event_threads_finish(struct prof_event_threads *threads, const char *path,
	int64_t begin, const struct prof_progress *progress) PROF_MUST_CHECK;

#endif
