/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A yielding lock: between one thread that has it nearly always, its owner, and others that want it
 * at times and come first.
 *
 * To release a mutex for a moment is not enough: a thread that waits for it needs a CPU before it
 * can take it, and on a busy machine the owner has it again by then.
 */
#ifndef PROF_BASE_YIELDING_LOCK_H
#define PROF_BASE_YIELDING_LOCK_H

#include <pthread.h>
#include <stdatomic.h>

struct prof_yielding_lock {
	pthread_mutex_t mutex; /* the owner takes and leaves it as it is */

	/* Private part. */
	pthread_cond_t alone; /* nobody else wants the lock any more */
	atomic_int wanted;    /* how many others want or have it */
};

/* LOCK is the caller's memory.  None may have or want the lock when it is deinitialized. */
void prof_yielding_lock_init(struct prof_yielding_lock *lock);
void prof_yielding_lock_deinit(struct prof_yielding_lock *lock);

/* For others than the owner: waits until it has the lock, and gives it up. */
void prof_yielding_lock_acquire(struct prof_yielding_lock *lock);
void prof_yielding_lock_release(struct prof_yielding_lock *lock);

/* For the owner, which has the lock: lets all others have it who want it, and takes it again. */
void prof_yielding_lock_yield(struct prof_yielding_lock *lock);

#endif
