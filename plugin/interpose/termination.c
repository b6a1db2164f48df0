/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/termination.h"

#include "base/time_unit.h"
#include "plugin/interpose/group_signals.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

/* ms for the last tick, and for GDB's event */
enum { CALMING = 500, PATIENCE = 2000 };

/* A signal handler has no context, so there is only one of these. */
static struct {
	bool deferred;
	struct sigaction before;
	pthread_t host, thread;
	sem_t wake; /* the signal has come, or it is over */
	volatile sig_atomic_t come;
	atomic_bool over, due, passed;
	bool (*calm)(void);
	bool (*ask)(void);
} termination;

static void on_signal(int signal, siginfo_t *info, void *context)
{
	int error = errno;

	(void)context;
	if (group_signals_is_ignored(signal, info))
		return;
	termination.come = true;
	sem_post(&termination.wake);
	errno = error;
}

static void wait_ms(long ms)
{
	struct timespec time = {.tv_nsec = ms * PROF_NS_PER_MS};

	nanosleep(&time, NULL);
}

/* Only the first call does anything. */
static void pass_on(void)
{
	if (atomic_exchange(&termination.passed, true))
		return;
	sigaction(SIGTERM, &termination.before, NULL);
	pthread_kill(termination.host, SIGTERM);
}

static bool is_settled(void)
{
	return atomic_load(&termination.over) || atomic_load(&termination.passed);
}

static void *run(void *argument)
{
	while (sem_wait(&termination.wake))
		;
	if (!termination.come)
		return argument;
	for (int i = 0; i < CALMING && !is_settled() && !termination.calm(); i++)
		wait_ms(1);
	wait_ms(1); /* GDB continues the thread that was met last */
	atomic_store(&termination.due, true);
	bool asked = !is_settled() && termination.ask();
	for (int i = 0; asked && i < PATIENCE && !is_settled(); i++)
		wait_ms(1);
	pass_on();
	return argument;
}

void termination_look(void)
{
	if (termination.deferred && atomic_load(&termination.due))
		pass_on();
}

void termination_defer(bool (*calm)(void), bool (*ask)(void))
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
	sigset_t all, before;

	termination_restore();
	termination.host = pthread_self();
	termination.come = false;
	atomic_store(&termination.over, false);
	atomic_store(&termination.due, false);
	atomic_store(&termination.passed, false);
	termination.calm = calm;
	termination.ask = ask;
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
	atomic_store(&termination.over, true);
	sem_post(&termination.wake);
	pthread_join(termination.thread, NULL);
	sem_destroy(&termination.wake);
}
