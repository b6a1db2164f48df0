/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Operations of MPI that were read in the ring, until they are reported.  Each belongs to the total
 * of its call, whose record comes after it.
 */
#ifndef PROF_TRACING_OPERATIONS_H
#define PROF_TRACING_OPERATIONS_H

#include "base/memory.h"
#include "tracing/stream.h"

/* Times are time stamps. */
struct prof_operation_record {
	uint32_t thread; /* its stream's number */
	uint32_t total;  /* PROF_NONE: the record of the call is still to come */
	uint64_t begin, end, posted, comm, bytes;
	uint64_t peer, word; /* see prof_ring_operation_peer(), prof_ring_operation_word() */
};

/* All zeroes is none. */
struct prof_operations {
	PROF_ARRAY(struct prof_operation_record) list;
	size_t linked; /* so many of the first have a total */
};

void prof_operations_deinit(struct prof_operations *operations);

/* Takes the next record of STREAM, which is one.  False: no memory. */
bool prof_operations_add(struct prof_operations *operations, const struct prof_stream *stream);

/* The operations of THREAD that have no total are of the call in TOTAL; PROF_NONE: drops them. */
void prof_operations_link(struct prof_operations *operations, uint32_t thread, uint32_t total);

/* The first COUNT, which have a total, were reported. */
void prof_operations_remove(struct prof_operations *operations, size_t count);

#endif
