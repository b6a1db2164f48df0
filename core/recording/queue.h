/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The queue between those who look at threads and the recorder: a bounded ring of messages, each a
 * head and its data.  Several threads may put, one takes; a full queue refuses and counts.
 */
#ifndef PROF_RECORDING_QUEUE_H
#define PROF_RECORDING_QUEUE_H

#include "base/error.h"
#include "base/memory.h"
#include "recording/call_message.h"
#include "recording/look.h"
#include "recording/traced_message.h"

#include <stdbool.h>

struct prof_queue;

enum prof_message_kind {
	PROF_MESSAGE_LOOK,    /* head: look; data: its frames, uint64_t each */
	PROF_MESSAGE_MAPPING, /* head: mapping; data: path, NUL, build id in hex, NUL */
	PROF_MESSAGE_UNMAP,   /* head: mapping's process: forget all mappings of it; those that are
				 left follow */
	PROF_MESSAGE_THREAD,  /* head: thread; data: its name, NUL */
	PROF_MESSAGE_MUTE,    /* head: mute: the samples of a thread are left out, or taken again */
	PROF_MESSAGE_MARK,    /* head: mark; data: struct prof_usage, its label, NUL */
	PROF_MESSAGE_FIGURES, /* head: figures, to be added up */
	PROF_MESSAGE_COUNTED, /* head: counted; data: struct prof_counted_arc, one or more */
	PROF_MESSAGE_CALLS,   /* head: calls; data: struct prof_call_message, one or more */
	PROF_MESSAGE_TOTAL,   /* head: total; data: struct prof_total_message, frames, uint64_t each
			       */
	PROF_MESSAGE_HELD,    /* head: held; data: struct prof_held_message, one or more */
	PROF_MESSAGE_OPERATIONS, /* head: operations; data: struct prof_operation_message, one or
				    more */
	PROF_MESSAGE_HEAP,       /* head: heap; data: struct prof_heap */
	PROF_MESSAGE_TRACED,     /* head: traced, to be added up */
	PROF_MESSAGE_READER_END, /* head: reader_end: this reader sends nothing more */
	/* head: counter; data: its name, NUL.  Each counter once, in their order, before its looks
	 */
	PROF_MESSAGE_COUNTER,
	PROF_MESSAGE_OVERFLOWS, /* head: overflows, to be added up */
};

struct prof_message {
	uint32_t kind; /* enum prof_message_kind */
	uint32_t size; /* bytes of data */
	union {
		struct prof_look look;
		struct {
			int64_t process;    /* see struct prof_look */
			uint64_t low, high; /* as in struct prof_mapping */
			uint64_t offset;    /* likewise */
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
			int64_t cost; /* ns that threads were stopped for, since the last message */
		} counted;
		struct {
			int64_t process; /* see struct prof_look */
			int64_t thread;  /* the kernel's id */
		} calls;
		struct {
			int64_t process; /* see struct prof_look */
			int64_t thread;  /* the kernel's id */
			int64_t time;    /* ns of CLOCK_MONOTONIC: of its first event */
			uint64_t reader; /* which of the readers that use this queue reports it */
		} total;
		struct {
			uint64_t reader; /* likewise */
			int64_t time;    /* ns of CLOCK_MONOTONIC: of the mark */
		} held;
		struct {
			uint64_t reader; /* likewise */
		} operations;
		struct {
			uint64_t reader; /* likewise */
			int64_t process; /* see struct prof_look */
		} heap;
		struct prof_tracing_figures traced;
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

/* Messages that are put together.  All zeroes is none. */
struct prof_batch {
	PROF_ARRAY(char) bytes; /* each message, and its data, aligned as in the queue */
	uint64_t lost;          /* messages for which there was no memory */
};

/* A queue of CAPACITY bytes. */
struct prof_error *prof_queue_create(size_t capacity, struct prof_queue **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_queue_destroy(struct prof_queue *queue);

/*
 * Appends MESSAGE with its `size` bytes of DATA.  False: the queue is full, the message is lost and
 * counted.
 */
bool prof_queue_put(struct prof_queue *queue, const struct prof_message *message, const void *data);

/* The same, but a message that is refused is not lost: its owner tries again. */
bool prof_queue_try(struct prof_queue *queue, const struct prof_message *message, const void *data);

/* Adds MESSAGE with its `size` bytes of DATA to BATCH. */
void prof_batch_add(struct prof_batch *batch, const struct prof_message *message, const void *data);

/* Appends all of BATCH, so that no other message comes in between; what does not fit is lost. */
void prof_queue_put_batch(struct prof_queue *queue, const struct prof_batch *batch);

void prof_batch_deinit(struct prof_batch *batch);

/*
 * Takes the oldest message: copies it to *MESSAGE and gives its data in *DATA, valid until the next
 * take.  False: there is none.
 */
bool prof_queue_take(struct prof_queue *queue, struct prof_message *message, const void **data);

/* The number of messages that wait to be taken. */
size_t prof_queue_count(struct prof_queue *queue);

/* The messages lost so far, since the queue was full. */
uint64_t prof_queue_lost(struct prof_queue *queue);

#endif
