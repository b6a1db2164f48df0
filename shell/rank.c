/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/rank.h"

#include "shell/gdbprof.h"
#include "base/memory.h"
#include "target/procfs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LISTED = 256 }; /* bytes of a list of processes: GDB has one child, or few */

/* These stop this process: GDB would continue a program that they stop. */
static const int stopping[] = {SIGTSTP, SIGTTIN, SIGTTOU};

/* How this process handled signals before. */
struct handling {
	sigset_t mask;
	struct sigaction child;
};

/*
 * Blocks all signals but those that stop a process; *SIGNALS has them, and *BEFORE what was set
 * before.  SIGCHLD must not be ignored, or sigwaitinfo() would not return it.
 */
static void hold(sigset_t *signals, struct handling *before)
{
	const struct sigaction action = {.sa_handler = SIG_DFL};

	sigfillset(signals);
	for (size_t i = 0; i < PROF_COUNT(stopping); i++)
		sigdelset(signals, stopping[i]);
	sigprocmask(SIG_BLOCK, signals, &before->mask);
	sigaction(SIGCHLD, &action, &before->child);
}

static void let_go(const struct handling *before)
{
	sigaction(SIGCHLD, &before->child, NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

/* In the child: asks for SIGTERM when PARENT ends, which may have ended already. */
static void depend_on(pid_t parent)
{
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		raise(SIGTERM);
}

/*
 * Sends SIGNAL to the program, a child of GDB.  While there is none, GDB ends by signals that ask
 * for that; any other would kill it while it writes the profile.
 */
static void pass_on(pid_t gdb, int signal)
{
	char list[LISTED], *at = list;
	bool any = false;

	if (!prof_procfs_read(gdb, gdb, "children", list, sizeof list))
		*list = '\0';
	for (long child; (child = strtol(at, &at, 10)) > 0; any = true)
		kill((pid_t)child, signal);
	if (!any && (signal == SIGHUP || signal == SIGINT || signal == SIGTERM))
		kill(gdb, signal);
}

/* Waits until GDB has ended; returns its wait status. */
static int wait_for(pid_t gdb, const sigset_t *signals)
{
	int ended = 0;

	while (!waitpid(gdb, &ended, WNOHANG)) {
		int signal = sigwaitinfo(signals, NULL);
		if (signal > 0 && signal != SIGCHLD)
			pass_on(gdb, signal);
	}
	return ended;
}

/* Ends by SIGNAL as GDB has, without a core file of this process. */
static void die(int signal)
{
	const struct rlimit none = {0};
	const struct sigaction action = {.sa_handler = SIG_DFL};
	sigset_t own;

	setrlimit(RLIMIT_CORE, &none);
	sigemptyset(&own);
	sigaddset(&own, signal);
	sigaction(signal, &action, NULL);
	raise(signal);
	sigprocmask(SIG_UNBLOCK, &own, NULL);
}

struct prof_error *rank_split(bool *is_child, int *status)
{
	pid_t parent = getpid();
	struct handling before;
	sigset_t signals;

	hold(&signals, &before);
	pid_t gdb = fork();
	int failure = errno;
	int ended = gdb > 0 ? wait_for(gdb, &signals) : 0;
	let_go(&before);
	if (gdb < 0)
		return prof_error_create(PROF_ERROR_SYSTEM,
			"gdbprof cannot record the rank, because it cannot create a process for GDB: %s.  End other processes.",
			strerror(failure));
	*is_child = !gdb;
	if (!gdb)
		depend_on(parent);
	if (WIFSIGNALED(ended))
		die(WTERMSIG(ended));
	*status = WEXITSTATUS(ended);
	return NULL;
}
