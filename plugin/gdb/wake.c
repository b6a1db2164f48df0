/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/thread.h"
#include "plugin/gdb/wake.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "plugin/interpose/slot.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

typedef int poll_function(struct pollfd *files, nfds_t count, int timeout);

/* GDB polls a handful of files, and other hooks of gdbprof add some. */
enum { MOST_FILES = 127 };

/* GDB calls the function in its slot without a context, so there is only one of these. */
static struct {
	poll_function *next; /* NULL: the slot is unchanged */
	void (*act)(void);
	pthread_t host;
	int file; /* the eventfd, if OPENED */
	bool opened;
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

/* Posts what was asked for, and checks what GDB's own FILES have then. */
static int answer(struct pollfd *files, nfds_t count, int timeout)
{
	uint64_t asked;

	if (read(wake.file, &asked, sizeof asked) == sizeof asked)
		wake_post();
	int result = wake.next(files, count, 0);
	if (result || timeout < 0)
		return result;
	/* GDB itself must see how much of its time is left. */
	errno = EINTR;
	return -1;
}

static int hooked_poll(struct pollfd *files, nfds_t count, int timeout)
{
	struct pollfd all[MOST_FILES + 1];

	if (!timeout || count > MOST_FILES || !pthread_equal(pthread_self(), wake.host))
		return wake.next(files, count, timeout);
	for (;;) {
		memcpy(all, files, count * sizeof *files);
		all[count] = (struct pollfd){.fd = wake.file, .events = POLLIN};
		int result = wake.next(all, count + 1, timeout);
		bool asked = result > 0 && all[count].revents;
		memcpy(files, all, count * sizeof *files);
		if (!asked)
			return result;
		result = answer(files, count, timeout);
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
