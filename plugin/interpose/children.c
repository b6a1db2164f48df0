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

/* GDB polls a handful of files; where it has more, it does so itself. */
enum { MOST_FILES = 63 };

/* So many children are met before GDB's files are looked at again. */
enum { MOST_MET = 32 };

/* GDB calls the function in its slot without a context: there is one of these. */
static struct {
	struct slot slot;    /* of poll() */
	poll_function *next; /* in place of which ours stands */
	children_meet *meet; /* NULL: the slot is as it was */
	pthread_t host;
	sigset_t signal; /* SIGCHLD alone */
	int file;        /* a signalfd of it */
} children;

bool children_may_meet(int count)
{
	return count < MOST_MET;
}

void children_remind(void)
{
	pthread_kill(pthread_self(), SIGCHLD);
}

/* Looks for an event of a child: one that is there is met, or it is GDB's. */
enum event { EVENT_NONE, EVENT_MET, EVENT_GDBS };

/* A thread is not waited for here: what it stopped with is gone as it is resumed. */
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
 * Did a process end, for a SIGCHLD of CODE?  waitid() says nothing of a main thread that ends
 * before others of its process: GDB looks for such a one whenever it deals with events.
 */
static bool tells_end(int code)
{
	return code == CLD_EXITED || code == CLD_KILLED || code == CLD_DUMPED;
}

/* A SIGCHLD is pending, and blocked.  True: it is taken, and nothing is left of what it told. */
static bool take(void)
{
	struct signalfd_siginfo info;
	enum event event;
	int met = 0;

	/* First of all: a thread that goes on may end at once, and its signal must not be lost.
	 * Where GDB has another thread for it, this may have handled it. */
	if (read(children.file, &info, sizeof info) != sizeof info)
		return true;
	/* Others may have stopped too, without a signal of their own as one was pending. */
	do
		event = look();
	while (event == EVENT_MET && children_may_meet(++met));
	if (tells_end(info.ssi_code))
		event = EVENT_GDBS;
	if (event != EVENT_NONE)
		children_remind();
	return event != EVENT_GDBS;
}

/* poll() with SIGCHLD blocked, which ends it all the same. */
static int poll_blocked(struct pollfd *files, nfds_t count, int timeout)
{
	poll_function *original = children.next;
	struct pollfd all[MOST_FILES + 1];

	memcpy(all, files, count * sizeof *files);
	for (;;) {
		all[count] = (struct pollfd){.fd = children.file, .events = POLLIN};
		int result = original(all, count + 1, timeout);
		bool signal = result > 0 && all[count].revents;
		/* With a limited time GDB is to see itself how much of it is left. */
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
	/* Before what is still pending is handled by GDB, right here. */
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
	/* GDB deals with what was found; if nothing was, and it has not waited, it polls again. */
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
