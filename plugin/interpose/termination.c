/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/termination.h"

#include "base/time_unit.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 500 }; /* ms */

/* A signal handler has no context, so there is only one of these. */
static struct {
	bool deferred;
	struct sigaction before;
	pthread_t host, thread;
	sem_t wake; /* the signal has come, or it is over */
	volatile bool over;
	bool (*calm)(void);
} termination;

static void on_signal(int signal)
{
	int error = errno;

	(void)signal;
	sem_post(&termination.wake);
	errno = error;
}

static void wait_ms(long ms)
{
	struct timespec time = {.tv_nsec = ms * PROF_NS_PER_MS};

	nanosleep(&time, NULL);
}

static void *run(void *argument)
{
	while (sem_wait(&termination.wake))
		;
	if (termination.over)
		return argument;
	for (int i = 0; i < PATIENCE && !termination.over && !termination.calm(); i++)
		wait_ms(1);
	wait_ms(1); /* GDB continues the thread that was met last */
	sigaction(SIGTERM, &termination.before, NULL);
	pthread_kill(termination.host, SIGTERM);
	return argument;
}

void termination_defer(bool (*calm)(void))
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	sigset_t all, before;

	termination_restore();
	termination.host = pthread_self();
	termination.over = false;
	termination.calm = calm;
	if (sem_init(&termination.wake, 0, 0))
		return;
	/* Signals to the host must reach the host's own thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	termination.deferred = !pthread_create(&termination.thread, NULL, run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!termination.deferred)
		return;
	pthread_setname_np(termination.thread, "gdbprof-sigterm");
	sigaction(SIGTERM, &action, &termination.before);
}

void termination_restore(void)
{
	if (!termination.deferred)
		return;
	termination.deferred = false;
	sigaction(SIGTERM, &termination.before, NULL);
	termination.over = true;
	sem_post(&termination.wake);
	pthread_join(termination.thread, NULL);
	sem_destroy(&termination.wake);
}
