/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The reader: takes the agent's events out of the ring while the program runs, adds them up, and
 * reports them to the recorder.
 *
 * It has a thread of its own, which blocks all signals and never stops the program.  All functions
 * may be called from any other thread, but not while that thread has the recorder locked: the
 * recorder takes from the queue what the reader puts there.
 */
#ifndef PROF_TRACING_RING_READER_H
#define PROF_TRACING_RING_READER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct prof_queue;
struct prof_traced_hook;

struct prof_ring_reader;

struct prof_ring_reader_options {
	void *ring;               /* mapped, readable and writable, until the reader is destroyed */
	size_t size;              /* bytes */
	pid_t pid;                /* the process that writes to it */
	struct prof_queue *queue; /* borrowed */
	uint64_t number;          /* of the reader, of all that ever use this queue */
	size_t depth;             /* at most so many frames of a stack are reported */
	bool counter;             /* as in struct prof_agent */
	int64_t slice;            /* ns: the shortest slices of time that events are added up in */
	/* By the number of the hook: the function whose calls it takes is the innermost frame of
	   the stacks.  Copied. */
	const struct prof_traced_hook *hooks;
	size_t hook_count; /* of HOOKS */
};

/* Starts to read.  Memory that is not a ring is an error.  OPTIONS is copied. */
struct prof_error *prof_ring_reader_create(const struct prof_ring_reader_options *options,
	struct prof_ring_reader **ret) PROF_MUST_CHECK;

/* Ends the thread; what was not taken is left.  NULL is fine. */
void prof_ring_reader_destroy(struct prof_ring_reader *reader);

/*
 * The program stands still, or has ended: takes all that is there, and reports it.  Waits for the
 * recorder where the queue is full, but not for ever.
 */
void prof_ring_reader_flush(struct prof_ring_reader *reader);

/*
 * There is a mark at TIME, in ns of CLOCK_MONOTONIC: events before it and after it are not added
 * up.  Marks come in the order of their times, and soon: a millisecond late, events may have
 * passed.
 */
void prof_ring_reader_mark(struct prof_ring_reader *reader, int64_t time);

/* Load objects have come or gone, and the program stands still.  Flushes, too. */
void prof_ring_reader_objects(struct prof_ring_reader *reader);

/* There are more hooks now: as in the options. */
struct prof_error *prof_ring_reader_hooks(struct prof_ring_reader *reader,
	const struct prof_traced_hook *hooks, size_t count) PROF_MUST_CHECK;

/* How it goes, since the beginning. */
struct prof_ring_reader_status {
	uint64_t events, bytes; /* taken */
	uint64_t lost;          /* that there was no room for, in the ring or here */
	uint64_t totals;        /* what they were added up to */
	int64_t working;        /* ns of CPU time that its thread has taken */
	const char *damage; /* what is wrong in the ring, as "a chunk is outside the ring", or NULL:
			       a thread's events are then taken no further; static */
};

/* Fills in *RET: it is of now. */
void prof_ring_reader_look(struct prof_ring_reader *reader, struct prof_ring_reader_status *ret);

#endif
