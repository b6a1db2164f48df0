/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/thread.h"

#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>

/* Bytes.  SQLite and libdw need the most, some ten thousand. */
enum { STACK = 1 << 20 };

struct prof_error *prof_thread_start(void *(*function)(void *context), void *context,
	const char *name, const char *what, pthread_t *ret)
{
	pthread_attr_t attributes;
	sigset_t all, before;

	int failure = pthread_attr_init(&attributes);
	if (!failure) {
		/* The usual 8 MB would be a lot where address space is limited. */
		pthread_attr_setstacksize(&attributes, STACK);
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		failure = pthread_create(ret, &attributes, function, context);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		pthread_attr_destroy(&attributes);
	}
	if (failure)
		return prof_error_create(
			PROF_ERROR_SYSTEM, "%s cannot be started: %s.", what, strerror(failure));
	pthread_setname_np(*ret, name);
	return NULL;
}

void prof_thread_condition(pthread_cond_t *condition)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

void prof_thread_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until)
{
	struct timespec time = prof_clock_timespec(until);

	pthread_cond_timedwait(condition, mutex, &time);
}

struct prof_error *prof_thread_eventfd(int *ret)
{
	int file = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	if (file < 0)
		return prof_error_create(
			PROF_ERROR_SYSTEM, "gdbprof cannot make an eventfd: %s.", strerror(errno));
	*ret = file;
	return NULL;
}
