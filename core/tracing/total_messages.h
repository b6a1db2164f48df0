/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reports to the recorder what the events of a ring have added up to. */
#ifndef PROF_TRACING_TOTAL_MESSAGES_H
#define PROF_TRACING_TOTAL_MESSAGES_H

#include "base/recent.h"
#include "base/map.h"
#include "recording/traced_message.h"

#include <sys/types.h>

struct prof_error;
struct prof_operations;
struct prof_queue;
struct prof_ring_clock;
struct prof_stacks;
struct prof_totals;

/* All borrowed but what is private. */
struct prof_total_messages {
	struct prof_queue *queue;
	uint64_t number; /* of the reader */
	pid_t pid;       /* of the process that is traced */
	struct prof_totals *totals;
	struct prof_operations *operations;
	struct prof_stacks *stacks;
	struct prof_ring_clock *clock;
	size_t depth;              /* frames of a stack, at most */
	PROF_ARRAY(int64_t) marks; /* times: one ends each interval but the last */

	/* Private part. */
	uint64_t generation; /* of the mappings that were reported */
	size_t held;         /* how many of the totals' held were reported */
	/* Ids of threads that had what others waited for, and whose names were reported. */
	struct prof_recent holders;
	unsigned char *data; /* of a message: room for a total with DEPTH frames, and arguments */
	struct prof_tracing_figures traced;
};

/* All but the private part is filled in. */
struct prof_error *prof_total_messages_init(struct prof_total_messages *messages) PROF_MUST_CHECK;
void prof_total_messages_deinit(struct prof_total_messages *messages);

/* Reports the name of the thread ID. */
void prof_total_messages_thread(struct prof_total_messages *messages, int64_t id);

/*
 * Puts all that is new of totals into the queue; WHOLE: and of the heap.  False: the queue is full,
 * and the rest is still to come.
 */
bool prof_total_messages_totals(struct prof_total_messages *messages, bool whole);

/*
 * Puts operations whose totals were reported into the queue; false likewise.  All totals must have
 * been reported.
 */
bool prof_total_messages_operations(struct prof_total_messages *messages);

/* Reports totals as above, by the mappings that were reported before: there are others now. */
bool prof_total_messages_before(struct prof_total_messages *messages);

/* Reports what the tracing did: TRACED, all since the beginning. */
bool prof_total_messages_traced(
	struct prof_total_messages *messages, const struct prof_tracing_figures *traced);

#endif
