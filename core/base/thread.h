/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Threads of the core's own: they block all signals, which other threads of the process receive. */
#ifndef PROF_BASE_THREAD_H
#define PROF_BASE_THREAD_H

#include "base/error.h"

#include <pthread.h>
#include <stdint.h>

/*
 * Starts a thread that runs FUNCTION with CONTEXT and blocks all signals.  NAME, at most 15 bytes,
 * is what the system calls it; WHAT is what the error calls it, as "The sampling thread".
 */
struct prof_error *prof_thread_start(void *(*function)(void *context), void *context,
	const char *name, const char *what, pthread_t *ret) PROF_MUST_CHECK;

/* A condition variable whose waits end by CLOCK_MONOTONIC. */
void prof_thread_condition(pthread_cond_t *condition);

/* Waits for CONDITION with MUTEX, until UNTIL ns of CLOCK_MONOTONIC at the latest. */
void prof_thread_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until);

/* A new eventfd in *RET, by which one thread wakes another that polls; it does not block. */
struct prof_error *prof_thread_eventfd(int *ret) PROF_MUST_CHECK;

#endif
