/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How long the reader sleeps before it looks at the ring again.  To wake up takes CPU time and room
 * in the caches, which the program may need; the ring has room for what a fast program writes in
 * PROF_RING_PACE_MOST.
 */
#ifndef PROF_TRACING_RING_PACE_H
#define PROF_TRACING_RING_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* ns */
#define PROF_RING_PACE_LEAST INT64_C(1000000)
#define PROF_RING_PACE_MOST (16 * PROF_RING_PACE_LEAST)

/*
 * How long to sleep, in ns, after BYTES of records came, to a ring with ROOM for so many, while the
 * reader slept for SLEEP.  LEARNS: a stack came raw, and others may until the agent has their rows.
 */
int64_t prof_ring_pace_next(int64_t sleep, uint64_t bytes, uint64_t room, bool learns);

#endif
