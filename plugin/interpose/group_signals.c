/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/group_signals.h"

#include "base/memory.h"
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* SIGCONT ends nothing, but must not be passed on twice either. */
static const int ending[] = {SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTERM, SIGALRM, SIGVTALRM,
	SIGPROF, SIGPWR, SIGXCPU, SIGCONT};

/* A signal handler has no context, so there is only one of these. */
static struct {
	bool ignored;
	int notes;
	pid_t own, parent;
	pthread_t host;
	struct sigaction before[PROF_COUNT(ending)];
} group;

bool group_signals_is_ignored(int signal, const siginfo_t *info)
{
	unsigned char note = (unsigned char)signal;
	int error = errno;

	if (!group.ignored || info->si_code != SI_USER || info->si_pid == group.own ||
		info->si_pid == group.parent)
		return false;
	/* The pipe is full only where nobody reads it. */
	ssize_t written = write(group.notes, &note, sizeof note);
	(void)written;
	errno = error;
	return true;
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
	size_t i = 0;

	(void)context;
	if (group_signals_is_ignored(signal, info))
		return;
	while (i + 1 < PROF_COUNT(ending) && ending[i] != signal)
		i++;
	/* What was set before deals with it, as soon as this handler returns. */
	sigaction(signal, &group.before[i], NULL);
	raise(signal);
}

/* Takes each SIGINT that the host blocks, and keeps for the host what it must not ignore. */
static void *take_interrupts(void *unused)
{
	sigset_t interrupt;
	siginfo_t info;
	int taken;

	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	do {
		taken = sigwaitinfo(&interrupt, &info);
		if (taken == SIGINT && !group_signals_is_ignored(SIGINT, &info))
			pthread_kill(group.host, SIGINT);
	} while (taken == SIGINT || errno == EINTR);
	return unused;
}

void group_signals_ignore(int notes)
{
	pthread_t thread;
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};

	group.notes = notes;
	group.own = getpid();
	group.parent = getppid();
	group.host = pthread_self();
	group.ignored = true;
	fcntl(notes, F_SETFD, FD_CLOEXEC);
	fcntl(notes, F_SETFL, O_NONBLOCK);
	for (size_t i = 0; i < PROF_COUNT(ending); i++)
		sigaction(ending[i], &action, &group.before[i]);
	struct prof_error *error = prof_thread_start(
		take_interrupts, NULL, "gdbprof-sigint", "The thread that takes SIGINT", &thread);
	if (!error)
		pthread_detach(thread);
	/* Without it the parent passes SIGINT on, and the program gets it twice. */
	prof_error_destroy(error);
}
