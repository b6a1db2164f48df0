/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/children.h"

#include "plugin/interpose/attention.h"
#include "plugin/interpose/slot.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int poll_function(struct pollfd *files, nfds_t count, int timeout);

/* GDB polls a handful of files; with more of them, GDB does so itself. */
enum { MOST_FILES = 63 };

/* How many children are met before GDB's files are looked at again. */
enum { MOST_MET = 32 };

/* GDB calls the function in its slot without a context, so there is only one of these. */
static struct {
	struct slot slot;    /* of poll() */
	poll_function *next; /* the function that ours replaces */
	children_meet *meet; /* NULL: the slot is unchanged */
	pthread_t host;
	sigset_t signal; /* only SIGCHLD */
	int file;        /* a signalfd for it */
} children;

bool children_may_meet(int count)
{
	return count < MOST_MET;
}

void children_remind(void)
{
	pthread_kill(pthread_self(), SIGCHLD);
}

/* Looks for an event of a child: meets it, or leaves it to GDB. */
enum event { EVENT_NONE, EVENT_MET, EVENT_GDBS };

/* Does not wait for the thread: the reason of its stop is gone once it is continued. */
static enum event look(void)
{
	siginfo_t info = {0};

	if (!children.meet)
		return EVENT_GDBS;
	if (waitid(P_ALL, 0, &info, WSTOPPED | WEXITED | WNOWAIT | WNOHANG | __WALL) ||
		!info.si_pid)
		return EVENT_NONE;
	if (info.si_code == CLD_TRAPPED && children.meet(info.si_pid, info.si_status))
		return EVENT_MET;
	return EVENT_GDBS;
}

/*
 * Has a process ended, according to a SIGCHLD of CODE?  waitid() does not report a main thread that
 * ends before others of its process: GDB looks for those whenever it deals with events.
 */
static bool is_end(int code)
{
	return code == CLD_EXITED || code == CLD_KILLED || code == CLD_DUMPED;
}

/* A SIGCHLD is pending, and blocked.  True: it was taken, and all that it stood for is done. */
static bool take(void)
{
	struct signalfd_siginfo info;
	enum event event;
	int met = 0;

	/*
	 * This comes first: a thread that was continued may end at once, and its signal must not be
	 * lost. If another thread of GDB's can take the signal, that may have handled it.
	 */
	if (read(children.file, &info, sizeof info) != sizeof info)
		return true;
	/* Others may have stopped, too, without a signal of their own because one was pending. */
	do
		event = look();
	while (event == EVENT_MET && children_may_meet(++met));
	if (is_end(info.ssi_code))
		event = EVENT_GDBS;
	if (event != EVENT_NONE)
		children_remind();
	return event != EVENT_GDBS;
}

/* poll() with SIGCHLD blocked, which ends it nevertheless. */
static int poll_blocked(struct pollfd *files, nfds_t count, int timeout)
{
	poll_function *original = children.next;
	struct pollfd all[MOST_FILES + 1];

	memcpy(all, files, count * sizeof *files);
	for (;;) {
		all[count] = (struct pollfd){.fd = children.file, .events = POLLIN};
		int result = original(all, count + 1, timeout);
		bool signal = result > 0 && all[count].revents;
		/* If the time is limited, GDB itself must see how much of it is left. */
		if (signal && take() && result == 1 && timeout < 0)
			continue;
		memcpy(files, all, count * sizeof *files);
		if (!signal || result > 1)
			return result - signal;
		errno = EINTR;
		return -1;
	}
}

/* poll() with a signalfd of SIGCHLD, which is blocked meanwhile. */
static int poll_blocking(struct pollfd *files, nfds_t count, int timeout)
{
	poll_function *original = children.next;
	sigset_t before;

	pthread_sigmask(SIG_BLOCK, &children.signal, &before);
	if (count > MOST_FILES || sigismember(&before, SIGCHLD)) {
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		return original(files, count, timeout);
	}
	int result = poll_blocked(files, count, timeout);
	int error = errno;
	/* Before GDB handles what is still pending, right here. */
	attention_end(0);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return result;
}

static int hooked_poll(struct pollfd *files, nfds_t count, int timeout)
{
	poll_function *original = children.next;

	if (!children.meet || !pthread_equal(pthread_self(), children.host))
		return original(files, count, timeout);
	if (timeout)
		attention_begin();
	int result =
		timeout ? poll_blocking(files, count, timeout) : original(files, count, timeout);
	int error = errno;
	/* GDB deals with what was found; if nothing was, and it did not wait, it polls again. */
	if (timeout || result > 0)
		attention_end(0);
	errno = error;
	return result;
}

static const struct hook hook = {"poll", (void *)hooked_poll};

struct prof_error *children_watch(children_meet *meet)
{
	children_leave();
	sigemptyset(&children.signal);
	sigaddset(&children.signal, SIGCHLD);
	children.file = signalfd(-1, &children.signal, SFD_CLOEXEC | SFD_NONBLOCK);
	if (children.file < 0)
		return prof_error_create(
			PROF_ERROR_SYSTEM, "gdbprof cannot make a signalfd: %s.", strerror(errno));
	struct prof_error *error = slots_open(&hook, &children.slot, 1);
	if (error) {
		close(children.file);
		return error;
	}
	children.next = (poll_function *)slot_next(&children.slot);
	children.host = pthread_self();
	children.meet = meet;
	return NULL;
}

void children_leave(void)
{
	if (!children.meet)
		return;
	slots_close(&children.slot, 1);
	children.meet = NULL;
	close(children.file);
}
