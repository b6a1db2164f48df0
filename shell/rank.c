/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/rank.h"

#include "shell/gdbprof.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/time_unit.h"
#include "target/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	LISTED = 256, /* bytes of a list of processes: GDB has one child, or few */
	NOTING = 200, /* ms that GDB may need to note a signal while the machine is busy */
};

/* Signals that GDB has got, and with it all processes of the rank. */
struct notes {
	int file;
	bool noted[NSIG];
};

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
 * Has the program got SIGNAL with all processes of the rank?  They get it at about the same time as
 * this one.
 */
static bool is_known(struct notes *notes, int signal)
{
	struct pollfd ready = {.fd = notes->file, .events = POLLIN};
	int64_t now = prof_clock(), end = now + (int64_t)NOTING * PROF_NS_PER_MS;

	for (; notes->file >= 0 && !notes->noted[signal] && now < end; now = prof_clock()) {
		unsigned char note;
		if (poll(&ready, 1, (int)((end - now) / PROF_NS_PER_MS)) <= 0 ||
			read(notes->file, &note, sizeof note) != sizeof note)
			break;
		notes->noted[note % NSIG] = true;
	}
	bool noted = notes->noted[signal];
	notes->noted[signal] = false;
	return noted;
}

/* The children of GDB, one of which is the program, as text. */
static void read_children(pid_t gdb, char list[LISTED])
{
	if (!prof_procfs_read(gdb, gdb, "children", list, LISTED))
		*list = '\0';
}

/*
 * Sends SIGNAL to the program, one of the children of GDB in LIST.  Without one GDB ends by signals
 * that ask for that; any other would kill it while it writes the profile.
 */
static void pass_on(pid_t gdb, char *list, int signal)
{
	char *at = list;
	bool any = false;

	for (long child; (child = strtol(at, &at, 10)) > 0; any = true)
		kill((pid_t)child, signal);
	if (!any && (signal == SIGHUP || signal == SIGINT || signal == SIGTERM))
		kill(gdb, signal);
}

/* Waits until GDB has ended; returns its wait status. */
static int wait_for(pid_t gdb, const sigset_t *signals, struct notes *notes)
{
	int ended = 0;

	while (!waitpid(gdb, &ended, WNOHANG)) {
		char list[LISTED];
		int signal = sigwaitinfo(signals, NULL);
		if (signal <= 0 || signal == SIGCHLD)
			continue;
		/* The signal is not meant for a program that begins while GDB may note it. */
		read_children(gdb, list);
		if (!is_known(notes, signal))
			pass_on(gdb, list, signal);
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

/*
 * In the child: has RANK_NOTES name FILE, which GDB inherits.  Without it a signal to all processes
 * ends GDB, as it would without a launcher.
 */
static void offer_notes(int file)
{
	AUTO_TEXT struct prof_text number = {0};

	prof_text_print(&number, "%d", file);
	if (file >= 0 && !number.failed && !fcntl(file, F_SETFD, 0))
		setenv(RANK_NOTES, prof_text_get(&number), 1);
	else
		unsetenv(RANK_NOTES);
}

struct prof_error *rank_split(bool *is_child, int *status)
{
	pid_t parent = getpid();
	struct handling before;
	sigset_t signals;
	int notes[2] = {-1, -1};

	if (pipe2(notes, O_CLOEXEC))
		notes[0] = notes[1] = -1;
	hold(&signals, &before);
	pid_t gdb = fork();
	int failure = errno;
	if (notes[gdb ? 1 : 0] >= 0)
		close(notes[gdb ? 1 : 0]);
	int ended = gdb > 0 ? wait_for(gdb, &signals, &(struct notes){.file = notes[0]}) : 0;
	let_go(&before);
	if (gdb && notes[0] >= 0)
		close(notes[0]);
	if (gdb < 0)
		return prof_error_create(PROF_ERROR_SYSTEM,
			"gdbprof cannot record the rank, because it cannot create a process for GDB: %s.  End other processes.",
			strerror(failure));
	*is_child = !gdb;
	if (!gdb) {
		offer_notes(notes[1]);
		depend_on(parent);
	}
	if (WIFSIGNALED(ended))
		die(WTERMSIG(ended));
	*status = WEXITSTATUS(ended);
	return NULL;
}
