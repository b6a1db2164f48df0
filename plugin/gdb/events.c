/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/events.h"

#include "base/thread.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_target.h"
#include "plugin/gdb/python.h"
#include "plugin/interpose/attention.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS = 16 };

/* GDB calls handlers by their index here. */
static struct {
	const struct event_handler *table; /* the table that it is from; NULL: free */
	const struct event_handler *handler;
	PyObject *function;
} connected[EVENTS];

/* The process that was current in GDB when GDB last had nothing to do. */
static pid_t at_hand;

/* The process of the thread of EVENT, in non-stop mode; 0: it is not about one thread. */
static pid_t process_of_thread(PyObject *event)
{
	AUTO_PY PyObject *thread = host_attribute(event, "inferior_thread");
	AUTO_PY PyObject *ids = thread ? host_attribute(thread, "ptid") : NULL;
	PyObject *pid = ids ? PyTuple_GetItem(ids, 0) : NULL;
	long number = pid ? PyLong_AsLong(pid) : 0;

	host_drop();
	return number > 0 ? (pid_t)number : 0;
}

/* The process of the event's inferior, or of the selected one. */
static pid_t process_of(PyObject *event)
{
	AUTO_PY PyObject *inferior = host_attribute(event, "inferior");
	AUTO_PY PyObject *pid = inferior ? host_attribute(inferior, "pid") : NULL;
	long number = pid ? PyLong_AsLong(pid) : 0;

	host_drop();
	return number > 0 ? (pid_t)number : host_process();
}

/* The name of EVENT's load object, of the stripped file if it only has the symbols; or NULL. */
static PyObject *object_name(PyObject *event)
{
	AUTO_PY PyObject *object = host_attribute(event, "objfile"); /* most events have none */
	AUTO_PY PyObject *owner = object ? host_attribute(object, "owner") : NULL;
	PyObject *stripped = owner ? owner : object;

	return stripped ? host_attribute(stripped, "filename") : NULL;
}

/* The program space of EVENT's load object, or NULL. */
static PyObject *object_space(PyObject *event)
{
	AUTO_PY PyObject *object = host_attribute(event, "objfile");

	return object ? host_attribute(object, "progspace") : NULL;
}

/* How often at most, and after how many ns, to check whether GDB has left a handler. */
enum { LOOKS = 5000, PAUSE = 200000 };

static void *interrupt_again(void *unused)
{
	static const struct timespec pause = {0, PAUSE};

	/* While GDB waits for events, it is in no handler. */
	for (int i = 0; i < LOOKS && !attention_seen(); i++)
		nanosleep(&pause, NULL);
	kill(getpid(), SIGINT);
	return unused;
}

/*
 * A Ctrl-C that came while it was blocked, or EARLIER, is sent again when GDB waits for events: GDB
 * 13 gives one that comes within a handler to Python, where nobody looks for it.
 */
static void send_interrupt_again(bool earlier)
{
	static const struct timespec none = {0, 0};
	pthread_t thread;
	sigset_t interrupt;

	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	if (sigtimedwait(&interrupt, NULL, &none) != SIGINT && !earlier)
		return;
	struct prof_error *error = prof_thread_start(
		interrupt_again, NULL, "prof-interrupt", "The thread that repeats Ctrl-C", &thread);
	if (error)
		raise(SIGINT);
	else
		pthread_detach(thread);
	prof_error_destroy(error);
}

void events_disturb(void)
{
	sigset_t interrupt;

	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	pthread_sigmask(SIG_UNBLOCK, &interrupt, NULL);
}

/*
 * Is PROCESS, on another machine, not attached yet?  GDB reports that it runs, and no thread is
 * selected then: any command that is executed now makes GDB 13.1 fail an assertion.
 */
static bool is_being_attached(pid_t process)
{
	AUTO_FREE char *connection = NULL;

	if (!process || process == at_hand || !host_was_attached(process))
		return false;
	struct prof_error *error = host_connection(&connection);
	bool native = error || host_is_native(connection);
	host_forget(error);
	return !native;
}

bool events_begins_call(const struct event *event)
{
	AUTO_FREE char *name = host_string((PyObject *)Py_TYPE(event->python), "__name__");

	return name && !strcmp(name, "InferiorCallPreEvent");
}

/*
 * Does the program execute a function that GDB calls?  GDB 18 raises `cont` for such a call, too,
 * but no `stop` after it: gdbprof would go on sampling a stopped program.
 */
static bool calling;

static void on_call(const struct event *event)
{
	calling = events_begins_call(event);
}

static const struct event_handler calls[] = {
	{"inferior_call", on_call, false},
	{NULL, NULL, false},
};

/* Is EVENT, of the kind NAME, one for the handlers? */
static bool is_heard(const char *name, const struct event *event)
{
	if (!strcmp(name, "cont"))
		return !calling && !is_being_attached(event->process);
	if (!strcmp(name, "stop") || !strcmp(name, "before_prompt")) {
		at_hand = event->process;
		/* GDB does not report the end of every call that fails. */
		calling = false;
	}
	return true;
}

/* SELF is the index of the handler; ARGUMENTS are the event, or empty (before_prompt). */
static PyObject *call(PyObject *self, PyObject *arguments)
{
	size_t index = PyLong_AsSize_t(self);
	const struct event_handler *handler = index < EVENTS ? connected[index].handler : NULL;
	sigset_t interrupt, before;
	bool earlier = false;

	sigemptyset(&interrupt);
	if (handler && handler->undisturbed)
		sigaddset(&interrupt, SIGINT);
	pthread_sigmask(SIG_BLOCK, &interrupt, &before);
	/* GDB would pass an earlier Ctrl-C to Python, which ends what the handler asks for. */
	if (handler && handler->undisturbed)
		earlier = PyOS_InterruptOccurred();
	PyObject *event = PyTuple_Size(arguments) ? PyTuple_GetItem(arguments, 0) : Py_None;
	AUTO_PY PyObject *name = object_name(event);
	AUTO_PY PyObject *space = name ? object_space(event) : NULL;
	pid_t process = process_of_thread(event);
	const struct event about = {
		.process = process ? process : process_of(event),
		.single = process,
		.object = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL,
		.space = space,
		.python = event,
	};

	host_drop();
	if (handler && is_heard(handler->name, &about))
		handler->handle(&about);
	if (handler && handler->undisturbed)
		send_interrupt_again(earlier);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	Py_RETURN_NONE;
}

static PyMethodDef call_method = {"gdbprof", call, METH_VARARGS, NULL};

static struct prof_error *connect(
	const struct event_handler *table, const struct event_handler *handler)
{
	size_t i = 0;

	while (i < EVENTS && connected[i].table)
		i++;
	if (i == EVENTS)
		return prof_error_nomem();
	AUTO_PY PyObject *index = PyLong_FromSize_t(i);
	AUTO_PY PyObject *function = index ? PyCFunction_New(&call_method, index) : NULL;
	struct prof_error *error = function ? host_connect(handler->name, function) : host_error();
	if (!error) {
		connected[i].table = table;
		connected[i].handler = handler;
		connected[i].function = python_hold(function);
	}
	return error;
}

static bool is_connected(const struct event_handler *handlers)
{
	for (size_t i = 0; i < EVENTS; i++) {
		if (connected[i].table == handlers)
			return true;
	}
	return false;
}

struct prof_error *events_connect(const struct event_handler *handlers)
{
	struct prof_error *error = is_connected(calls) ? NULL : connect(calls, calls);

	at_hand = host_process();
	for (size_t i = 0; handlers[i].name && !error; i++)
		error = connect(handlers, &handlers[i]);
	return error;
}

static bool is_any_connected(void)
{
	for (size_t i = 0; i < EVENTS; i++) {
		if (connected[i].table && connected[i].table != calls)
			return true;
	}
	return false;
}

static void disconnect(const struct event_handler *handlers)
{
	for (size_t i = 0; i < EVENTS; i++) {
		if (connected[i].table != handlers)
			continue;
		prof_error_destroy(
			host_disconnect(connected[i].handler->name, connected[i].function));
		Py_CLEAR(connected[i].function);
		connected[i].handler = NULL;
		connected[i].table = NULL;
	}
}

void events_disconnect(const struct event_handler *handlers)
{
	disconnect(handlers);
	if (!is_any_connected())
		disconnect(calls);
}
