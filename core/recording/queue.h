/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The queue between those who look at threads and the recorder: a bounded ring of records, each a
 * head and its data.  Several threads may put, one takes; a full queue refuses and counts.
 */
#ifndef PROF_RECORDING_QUEUE_H
#define PROF_RECORDING_QUEUE_H

#include "base/error.h"
#include "recording/look.h"
#include "recording/told.h"
#include "target/maps.h"

#include <stdbool.h>

struct prof_queue;

enum prof_record_kind {
	PROF_RECORD_LOOK,    /* head: look; data: its frames, uint64_t each */
	PROF_RECORD_MAPPING, /* head: mapping; data: path, NUL, build id in hex, NUL */
	PROF_RECORD_UNMAP,   /* head: mapping's process: all told of it so far are gone; those that
				are left follow */
	PROF_RECORD_THREAD,  /* head: thread; data: its name, NUL */
	PROF_RECORD_MUTE,    /* head: mute: the samples of a thread are left out, or taken again */
	PROF_RECORD_MARK,    /* head: mark; data: struct prof_usage, its label, NUL */
	PROF_RECORD_FIGURES, /* head: figures, to be added up */
	PROF_RECORD_COUNTED, /* head: counted; data: struct prof_counting, one or more */
	PROF_RECORD_TOTAL,   /* head: total; data: struct prof_told_total, frames, uint64_t each */
	PROF_RECORD_HELD,    /* head: held; data: struct prof_told_held, one or more */
	PROF_RECORD_HEAP,    /* head: heap; data: struct prof_heap */
	PROF_RECORD_TRACED,  /* head: traced, to be added up */
	PROF_RECORD_READER_END, /* head: reader_end: this reader tells nothing more */
	/* head: counter; data: its name, NUL.  Each counter once, in their order, before its looks
	 */
	PROF_RECORD_COUNTER,
	PROF_RECORD_OVERFLOWS, /* head: overflows, to be added up */
};

struct prof_record {
	uint32_t kind; /* enum prof_record_kind */
	uint32_t size; /* bytes of data */
	union {
		struct prof_look look;
		struct {
			int64_t process; /* see struct prof_look */
			uint64_t low, high, offset;
		} mapping;
		struct {
			int64_t id;   /* the kernel's thread id */
			bool renamed; /* it is the one that had this id before */
		} thread;
		struct {
			int64_t id; /* the kernel's thread id */
			bool muted;
		} mute;
		struct {
			int64_t time;  /* ns of CLOCK_MONOTONIC */
			uint32_t kind; /* enum prof_mark_kind */
		} mark;
		struct prof_figures figures;
		struct {
			int64_t process; /* see struct prof_look */
			int64_t time;    /* ns of CLOCK_MONOTONIC */
			int64_t cost;    /* ns that threads were stopped for, since it was last told
					  */
		} counted;
		struct {
			int64_t process; /* see struct prof_look */
			int64_t thread;  /* the kernel's id */
			int64_t time;    /* ns of CLOCK_MONOTONIC: of its first event */
			uint64_t reader; /* who tells it, of those that tell this queue */
		} total;
		struct {
			uint64_t reader; /* likewise */
			int64_t time;    /* ns of CLOCK_MONOTONIC: of the mark */
		} held;
		struct {
			uint64_t reader;
			int64_t process;
		} heap;
		struct prof_traced traced;
		struct {
			uint64_t reader;
		} reader_end;
		struct {
			uint32_t unit;    /* enum prof_counter_unit */
			bool apart;       /* see struct prof_counter */
			int64_t clock;    /* Hz: cycles a second; 0: not known, or no cycles */
			int64_t interval; /* events that a sample stands for */
		} counter;
		struct {
			uint32_t counter; /* its number, from 0 */
			uint64_t overflows;
			uint64_t lost; /* of them, those without room for their sample */
		} overflows;
	};
};

/* A queue of CAPACITY bytes. */
struct prof_error *prof_queue_create(size_t capacity, struct prof_queue **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_queue_destroy(struct prof_queue *queue);

/*
 * Appends RECORD with its `size` bytes of DATA.  False: the queue is full, the record is lost and
 * counted.
 */
bool prof_queue_put(struct prof_queue *queue, const struct prof_record *record, const void *data);

/* The same, but a record that is refused is not lost: its owner tries again. */
bool prof_queue_try(struct prof_queue *queue, const struct prof_record *record, const void *data);

/*
 * Takes the oldest record: copies it to *RECORD and gives its data in *DATA, valid until the next
 * take.  False: there is none.
 */
bool prof_queue_take(struct prof_queue *queue, struct prof_record *record, const void **data);

/* The number of records that wait to be taken. */
size_t prof_queue_count(struct prof_queue *queue);

/* The records lost so far, since the queue was full. */
uint64_t prof_queue_lost(struct prof_queue *queue);

#endif
