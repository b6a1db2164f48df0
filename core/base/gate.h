/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A gate: a lock between one thread that has it nearly always, its owner, and others that want it
 * at times and come first.
 *
 * To give a mutex up for a moment is not enough: who waits for it must get on a CPU to take it, and
 * on a busy machine finds it taken again.
 */
#ifndef PROF_BASE_GATE_H
#define PROF_BASE_GATE_H

#include <pthread.h>
#include <stdatomic.h>

struct prof_gate {
	pthread_mutex_t lock; /* the owner takes and leaves it as it is */

	/* Private part. */
	pthread_cond_t alone; /* nobody else wants the lock any more */
	atomic_int wanted;    /* how many others want or have it */
};

void prof_gate_init(struct prof_gate *gate);
void prof_gate_deinit(struct prof_gate *gate);

/* For others than the owner. */
void prof_gate_enter(struct prof_gate *gate);
void prof_gate_leave(struct prof_gate *gate);

/* For the owner, which has the lock: lets all others pass who want to. */
void prof_gate_give_way(struct prof_gate *gate);

#endif
