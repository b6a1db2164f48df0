/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Records of OpenMP, on their way from the ring to totals: some are of another thread than the one
 * that has written them, or of the stack of an earlier record.
 */
#ifndef PROF_TRACING_OPENMP_EVENTS_H
#define PROF_TRACING_OPENMP_EVENTS_H

#include "base/map.h"

#include <stdint.h>

struct prof_stream;
struct prof_streams;
struct prof_totals;

/* Tasks whose creators are kept; those of a damaged ring could be any number. */
enum { PROF_OPENMP_TASKS = 1 << 20 };

/* All zeroes is none. */
struct prof_openmp_events {
	/* By the number of a task that was not executed yet: the stack that has created it. */
	struct prof_map tasks;
};

void prof_openmp_events_deinit(struct prof_openmp_events *events);

/*
 * Adds the next record of STREAM, one of STREAMS, which is of OpenMP, to TOTALS; STACK is the
 * number of its stack.  A record that is not as the agent writes it, or whose thread or task is not
 * known, counts as refused.
 */
void prof_openmp_events_add(struct prof_openmp_events *events, const struct prof_streams *streams,
	struct prof_totals *totals, const struct prof_stream *stream, uint32_t stack);

#endif
