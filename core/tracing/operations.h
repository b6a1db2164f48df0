/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Operations of MPI that were read from the ring, until they are reported.  Each belongs to the
 * total of its call, whose record follows it in the ring.
 */
#ifndef PROF_TRACING_OPERATIONS_H
#define PROF_TRACING_OPERATIONS_H

#include "base/map.h"
#include "base/memory.h"

struct prof_stream;
struct prof_stream_record;

/* Times are time stamps. */
struct prof_operation_record {
	uint32_t thread; /* its stream's number */
	uint32_t total;  /* PROF_NONE: the record of the call is still to come */
	uint64_t begin, end, posted, comm, bytes;
	uint64_t peer, word; /* see prof_ring_operation_peer(), prof_ring_operation_word() */
};

/* Records that wait; a ring that is damaged, or that nobody reads, could have any number. */
enum { PROF_OPERATIONS_WAITING = 1 << 18 };

/* All zeroes is none. */
struct prof_operations {
	/* Those that have a total come first. */
	PROF_ARRAY(struct prof_operation_record) list;
	size_t linked; /* how many have a total */
};

void prof_operations_deinit(struct prof_operations *operations);

/* Takes the next record of STREAM, which is one.  False: no memory, or too many wait. */
bool prof_operations_add(struct prof_operations *operations, const struct prof_stream *stream);

/*
 * Gives the operations of THREAD that have no total, and ended at the time stamp END, the total of
 * their call.  Drops all others of THREAD: the records of their calls were lost.  TOTAL may be
 * PROF_NONE: then drops all.
 */
void prof_operations_link(
	struct prof_operations *operations, uint32_t thread, uint64_t end, uint32_t total);

/* Drops the operations of THREAD, which has ended, that have no total. */
static inline void prof_operations_end(struct prof_operations *operations, uint32_t thread)
{
	prof_operations_link(operations, thread, 0, PROF_NONE);
}

/*
 * RECORD, of the kind PROF_RING_MESSAGE, becomes the record of its operation, and RET that of the
 * call.
 */
void prof_operations_split(struct prof_stream_record *record, struct prof_stream_record *ret);

/* The first COUNT, which have a total, were reported. */
void prof_operations_remove(struct prof_operations *operations, size_t count);

#endif
