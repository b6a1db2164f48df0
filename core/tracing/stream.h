/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Streams: the records that the threads of a program write to the ring, each thread's in the order
 * in which it wrote them, and all of them merged by their times.
 *
 * Nothing that is read in the ring is trusted: it is read once, checked and copied.  A stream that
 * is damaged is read no further.
 */
#ifndef PROF_TRACING_STREAM_H
#define PROF_TRACING_STREAM_H

#include "base/error.h"
#include "tracing/ring.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The values of a record that are taken: what is behind them is left out. */
enum { PROF_STREAM_VALUES = 12 };

/* A stack as it was in memory. */
struct prof_stream_raw {
	uint64_t pc, sp, fp;
	size_t length;        /* bytes, 0: there is none */
	unsigned char *bytes; /* room for PROF_RING_RAW_MOST of them; NULL as long as none came */
};

struct prof_stream_record {
	enum prof_ring_kind kind;
	uint16_t what;  /* the hook */
	uint16_t cpu;   /* the number of the CPU plus 1; 0: not known */
	uint32_t node;  /* see tracing/rows.h */
	uint64_t time;  /* time stamp */
	unsigned count; /* of the values */
	uint64_t values[PROF_STREAM_VALUES];
};

/* A thread that writes. */
struct prof_stream {
	uint32_t number; /* that no other thread has */
	uint32_t slot;   /* in the ring */
	int64_t id;      /* the kernel's */
	bool waiting;    /* NEXT is there */
	bool named;      /* for whoever reads: the thread's name was reported */
	struct prof_stream_record next;
	struct prof_stream_raw raw; /* the stack of NEXT */

	/* Private part. */
	uint32_t chunk; /* that is read, plus 1; 0: it has none yet */
	uint32_t at;    /* bytes of it that were read */
	uint32_t used;  /* bytes of it that can be, as last looked at */
	uint64_t lost;  /* as last read */
	bool damaged;
	bool ended;      /* the thread is known to be gone */
	int64_t checked; /* ns of CLOCK_MONOTONIC: when it was last looked whether it lives */
};

struct prof_streams {
	struct prof_ring *ring; /* borrowed */
	uint32_t chunks;
	PROF_ARRAY(struct prof_stream *) list;
	uint64_t records, bytes; /* that were read */
	uint64_t lost;           /* that there was no room for */
	const char *damage;      /* what is wrong in the ring, as "a chunk is ..."; or NULL */
	/* Numbers of threads that are gone, which are given again once they were released. */
	PROF_ARRAY(uint32_t) gone;

	/* Private part. */
	PROF_ARRAY(uint32_t) unused;           /* numbers */
	PROF_ARRAY(struct prof_stream *) heap; /* those with a record, the earliest first */
	unsigned char *held;                   /* by chunk: a stream is at it */
	struct prof_stream **slots;            /* by slot */
	uint32_t threads;                      /* numbers that were given */
	uint64_t claimed;                      /* the ring's, when all slots were looked at */
	uint64_t homeless;                     /* as last read */
};

/*
 * For the ring at MEMORY, SIZE bytes, mapped as long as STREAMS is used.  Memory that is not a ring
 * is an error.
 */
struct prof_error *prof_streams_init(
	struct prof_streams *streams, void *memory, size_t size) PROF_MUST_CHECK;
void prof_streams_deinit(struct prof_streams *streams);

/*
 * Looks for new threads and new records.  Returns the time stamp up to which all records are there:
 * none earlier will come, if records reach the ring within the time that NOW, a time stamp, is
 * late.
 */
uint64_t prof_streams_look(struct prof_streams *streams, uint64_t now);

/* The stream with the earliest record, if that is not later than LIMIT, or NULL. */
struct prof_stream *prof_streams_first(struct prof_streams *streams, uint64_t limit);

/* Goes to the next record of the stream that was given last. */
void prof_streams_advance(struct prof_streams *streams);

/*
 * Frees the slots of threads of process PID that have ended, all of whose records were taken; looks
 * at each at most every INTERVAL ns.
 */
void prof_streams_reap(struct prof_streams *streams, pid_t pid, int64_t interval);

/*
 * Nobody uses the thread number INDEX of those that are gone any more: another thread may get it.
 */
void prof_streams_release(struct prof_streams *streams, size_t index);

#endif
