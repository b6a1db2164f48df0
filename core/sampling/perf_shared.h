/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Perf events that share a ring: those of several threads on one CPU.
 */
#ifndef PROF_SAMPLING_PERF_SHARED_H
#define PROF_SAMPLING_PERF_SHARED_H

#include "base/compiler.h"
#include "base/memory.h"
#include "sampling/perf_ring.h"

#include <stdbool.h>
#include <stddef.h>

/* All zeroes has no event, and no ring. */
struct prof_perf_shared {
	struct prof_perf_ring ring; /* that of the first event */
	PROF_ARRAY(int) files;      /* an event each */
};

/*
 * Adds the event FD, which SHARED owns then.  The first event gets a ring of BYTES, a power of 2,
 * or of half as many, and so on, but of LEAST at the least.  False: FD is closed, and errno says
 * why.
 */
bool prof_perf_shared_add(
	struct prof_perf_shared *shared, int fd, size_t bytes, size_t least) PROF_MUST_CHECK;

/* Closes all events, and makes SHARED all zeroes. */
void prof_perf_shared_close(struct prof_perf_shared *shared);

#endif
