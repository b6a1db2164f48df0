/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/yielding_lock.h"

void prof_yielding_lock_init(struct prof_yielding_lock *lock)
{
	pthread_mutex_init(&lock->mutex, NULL);
	pthread_cond_init(&lock->alone, NULL);
	atomic_init(&lock->wanted, 0);
}

void prof_yielding_lock_deinit(struct prof_yielding_lock *lock)
{
	pthread_cond_destroy(&lock->alone);
	pthread_mutex_destroy(&lock->mutex);
}

void prof_yielding_lock_acquire(struct prof_yielding_lock *lock)
{
	atomic_fetch_add(&lock->wanted, 1);
	pthread_mutex_lock(&lock->mutex);
}

void prof_yielding_lock_release(struct prof_yielding_lock *lock)
{
	if (atomic_fetch_sub(&lock->wanted, 1) == 1)
		pthread_cond_signal(&lock->alone);
	pthread_mutex_unlock(&lock->mutex);
}

void prof_yielding_lock_yield(struct prof_yielding_lock *lock)
{
	while (atomic_load(&lock->wanted) > 0)
		pthread_cond_wait(&lock->alone, &lock->mutex);
}
