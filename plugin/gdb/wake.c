/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/thread.h"
#include "plugin/gdb/wake.h"

#include "base/clock.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "plugin/interpose/slot.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

typedef int poll_function(struct pollfd *files, nfds_t count, int timeout);

/* GDB polls a handful of files, and other hooks of gdbprof add some. */
enum { MOST_FILES = 127 };

/* What is due takes at most one part of GDB's time, of so many. */
enum { PARTS = 4 };

/* GDB calls the function in its slot without a context, so there is only one of these. */
static struct {
	poll_function *next; /* NULL: the slot is unchanged */
	void (*act)(void);
	pthread_t host;
	int file; /* the eventfd, if OPENED */
	bool opened;

	void (*due)(void);   /* NULL: nothing is due at any time */
	int64_t period, at;  /* ns; INT64_MAX: GDB has been asked to call it */
	void (*typed)(void); /* NULL: GDB reads what is typed */
	bool held;           /* TYPED was called: the rest stays unread */
} wake;

static PyObject *call(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	wake.act();
	Py_RETURN_NONE;
}

static PyMethodDef call_method = {"gdbprof", call, METH_NOARGS, NULL};

/* GDB's own thread may hold Python's lock here (if a script makes it wait), or not. */
void wake_post(void)
{
	PyGILState_STATE state = PyGILState_Ensure();

	host_forget(host_post(&call_method));
	PyGILState_Release(state);
}

static PyObject *call_due(PyObject *self, PyObject *unused)
{
	int64_t begin = prof_clock();

	(void)self;
	(void)unused;
	if (wake.due)
		wake.due();
	int64_t end = prof_clock();
	int64_t rest = (PARTS - 1) * (end - begin);
	wake.at = end + (rest > wake.period ? rest : wake.period);
	Py_RETURN_NONE;
}

static PyMethodDef due_method = {"gdbprof", call_due, METH_NOARGS, NULL};

void wake_soon(void)
{
	PyGILState_STATE state = PyGILState_Ensure();
	struct prof_error *error = host_post(&due_method);

	wake.at = error ? prof_clock() + wake.period : INT64_MAX;
	host_forget(error);
	PyGILState_Release(state);
}

bool wake_every(int64_t period, void (*due)(void))
{
	wake.period = period;
	wake.at = prof_clock() + period;
	wake.due = wake.next ? due : NULL;
	return wake.due;
}

void wake_typed(void (*typed)(void))
{
	wake.typed = typed;
	wake.held = false;
}

/* How many ms of TIMEOUT, which may be negative for none, GDB can wait before something is due. */
static int wait_of(int timeout)
{
	if (!wake.due || wake.at == INT64_MAX)
		return timeout;
	int64_t left = (wake.at - prof_clock()) / 1000000 + 1;
	left = left < 0 ? 0 : left > INT_MAX ? INT_MAX : left;
	return timeout >= 0 && timeout < left ? timeout : (int)left;
}

/* Posts what is due now.  False: nothing is. */
static bool post_due(void)
{
	if (!wake.due || prof_clock() < wake.at)
		return false;
	wake_soon();
	return true;
}

/*
 * Reads a key from the terminal, which has one: a byte, or an escape sequence, as those of arrows
 * are, which comes as one piece.  False: the terminal is gone.
 */
static bool read_key(void)
{
	char key, rest[32];
	struct pollfd terminal = {.fd = STDIN_FILENO, .events = POLLIN};

	if (read(STDIN_FILENO, &key, 1) != 1)
		return false;
	if (key == '\033' && wake.next(&terminal, 1, 0) == 1)
		return read(STDIN_FILENO, rest, sizeof rest) > 0;
	return true;
}

/* Takes what was typed out of RESULT of FILES, as poll() has them, if it is not for GDB. */
static int take_typed(struct pollfd *files, nfds_t count, int result)
{
	for (nfds_t i = 0; i < count && wake.typed && result > 0; i++) {
		if (files[i].fd != STDIN_FILENO || !(files[i].revents & POLLIN))
			continue;
		if (!wake.held) {
			if (!read_key())
				continue;
			wake.held = true;
			wake.typed();
		}
		files[i].revents = 0;
		result--;
	}
	return result;
}

/* Reads the eventfd, if LAST has events, and posts what was asked for.  False: nothing was. */
static bool post_asked(const struct pollfd *last)
{
	uint64_t asked;

	if (!last->revents)
		return false;
	if (read(wake.file, &asked, sizeof asked) == sizeof asked)
		wake_post();
	return true;
}

/* What GDB's own FILES have now, after something was posted; GDB waits for TIMEOUT. */
static int look_again(struct pollfd *files, nfds_t count, int timeout)
{
	int result = take_typed(files, count, wake.next(files, count, 0));

	if (result || timeout < 0)
		return result;
	/* GDB itself must see how much of its time is left. */
	errno = EINTR;
	return -1;
}

static int hooked_poll(struct pollfd *files, nfds_t count, int timeout)
{
	struct pollfd all[MOST_FILES + 1];

	if (count > MOST_FILES || !pthread_equal(pthread_self(), wake.host))
		return wake.next(files, count, timeout);
	if (!timeout)
		return take_typed(files, count, wake.next(files, count, 0));
	for (;;) {
		memcpy(all, files, count * sizeof *files);
		all[count] = (struct pollfd){.fd = wake.file, .events = POLLIN};
		int wait = wait_of(timeout);
		int result = wake.next(all, count + 1, wait);
		memcpy(files, all, count * sizeof *files);
		if (result < 0)
			return result;
		bool asked = post_asked(&all[count]);
		int found = take_typed(files, count, result - asked);
		bool due = post_due();
		if (found || (!result && !due && wait == timeout))
			return found;
		result = look_again(files, count, timeout);
		if (result)
			return result;
	}
}

static const struct hook hook = {"poll", (void *)hooked_poll};

struct prof_error *wake_begin(void (*act)(void))
{
	struct slot slot;

	wake.act = act;
	wake.host = pthread_self();
	if (!wake.opened) {
		struct prof_error *error = prof_thread_eventfd(&wake.file);
		if (error)
			return error;
		wake.opened = true;
	}
	if (wake.next)
		return NULL;
	/* Only GDB's own thread polls, and it is here. */
	struct prof_error *error = slots_open(&hook, &slot, 1);
	if (!error)
		wake.next = (poll_function *)slot_next(&slot);
	return error;
}

bool wake_ask(void)
{
	static const uint64_t one = 1;

	if (!wake.next)
		return false;
	/* This only fails if as many requests are waiting as a number can count. */
	return write(wake.file, &one, sizeof one) == sizeof one || errno == EAGAIN;
}
