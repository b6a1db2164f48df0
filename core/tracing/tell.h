/* Tells the recorder what the events of a ring have added up to. */
#ifndef PROF_TRACING_TELL_H
#define PROF_TRACING_TELL_H

#include "base/map.h"
#include "recording/queue.h"
#include "tracing/cells.h"
#include "tracing/stacks.h"
#include "tracing/ticks.h"

/* All borrowed but what is private. */
struct prof_tell {
	struct prof_queue *queue;
	uint64_t number; /* of the drain */
	pid_t pid;
	struct prof_cells *cells;
	struct prof_stacks *stacks;
	struct prof_ticks *ticks;
	size_t depth;
	PROF_ARRAY(int64_t) marks; /* times: one ends each interval but the last */

	/* Private part. */
	uint64_t generation;     /* of the mappings that were told */
	size_t held;             /* of the cells' held, how many were told */
	struct prof_map holders; /* threads that had what others waited for, told by name: ids */
	unsigned char *data;     /* of a record: room for a cell with DEPTH frames, and arguments */
	struct prof_traced traced;
};

/* All but the private part is filled in. */
struct prof_error *prof_tell_init(struct prof_tell *tell) PROF_MUST_CHECK;
void prof_tell_deinit(struct prof_tell *tell);

/* Tells the name of the thread ID. */
void prof_tell_thread(struct prof_tell *tell, int64_t id);

/*
 * Tells all that is new of cells; WHOLE: and of the heap.  False: the queue is full, the rest is
 * still to be told.
 */
bool prof_tell_cells(struct prof_tell *tell, bool whole);

/* Tells cells as above, by the mappings that were told: there are others now. */
bool prof_tell_before(struct prof_tell *tell);

/* Tells what the tracing did: TRACED, all since the beginning. */
bool prof_tell_traced(struct prof_tell *tell, const struct prof_traced *traced);

#endif
