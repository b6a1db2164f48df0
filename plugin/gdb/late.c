/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/late.h"

#include "base/memory.h"
#include "plugin/gdb/events.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"

#include <stdlib.h>
#include <string.h>

/* There is one GDB, which calls posted functions without a context. */
static struct {
	void (*act)(void); /* NULL: nothing is pending */
	bool posted;
	bool calling;            /* GDB makes the program call something for the user */
	bool missed;             /* ACT could not be called meanwhile */
	PROF_ARRAY(pid_t) known; /* processes whose stop GDB has reported */
} late;

static void add_known(void *context, pid_t process)
{
	pid_t *place = prof_array_push(&late.known);

	(void)context;
	if (place)
		*place = process;
}

/*
 * While the program calls something, GDB executes posted functions, but must not make it call more.
 */
static void on_call(const struct event *event)
{
	late.calling = events_begins_call(event);
	if (late.calling || !late.missed)
		return;
	late.missed = false;
	host_forget(late_post());
}

static const struct event_handler handlers[] = {
	{"inferior_call", on_call, false},
	{NULL, NULL, false},
};

struct prof_error *late_begin(void (*act)(void))
{
	late_end();
	late.act = act;
	host_each_process(add_known, NULL);
	return events_connect(handlers);
}

void late_end(void)
{
	events_disconnect(handlers);
	free(late.known.items);
	bool posted = late.posted;
	memset(&late, 0, sizeof late);
	late.posted = posted;
}

static pid_t *find(pid_t process)
{
	for (size_t i = 0; i < late.known.count; i++) {
		if (late.known.items[i] == process)
			return &late.known.items[i];
	}
	return NULL;
}

bool late_is_attaching(pid_t process)
{
	/* GDB does not always report a call that fails. */
	late.calling = false;
	if (!late.act || find(process))
		return false;
	add_known(NULL, process);
	return host_was_attached(process);
}

void late_forget(pid_t process)
{
	pid_t *known = find(process);

	if (known)
		*known = late.known.items[--late.known.count];
}

/* The name of the outermost function of FRAME, whose reference it takes over; NULL: no frame. */
static PyObject *name_outermost(PyObject *frame)
{
	PyObject *back;

	while (frame && (back = host_attribute(frame, "f_back"))) {
		Py_DECREF(frame);
		frame = back;
	}
	AUTO_PY PyObject *outermost = frame;
	AUTO_PY PyObject *code = outermost ? host_attribute(outermost, "f_code") : NULL;
	return code ? host_attribute(code, "co_name") : NULL;
}

bool late_is_in_handler(void)
{
	/* `python ...` and `source FILE`, and commands written in Python. */
	static const char *const fine[] = {"<module>", "invoke"};
	PyObject *frame = (PyObject *)PyEval_GetFrame();
	AUTO_PY PyObject *name = name_outermost(python_hold(frame));
	bool found = !name;

	for (size_t i = 0; name && i < PROF_COUNT(fine); i++)
		found |= PyUnicode_CompareWithASCIIString(name, fine[i]) == 0;
	return !found;
}

static PyObject *call(PyObject *self, PyObject *unused)
{
	(void)self;
	(void)unused;
	late.posted = false;
	late.missed = late.calling;
	if (late.act && !late.calling)
		late.act();
	Py_RETURN_NONE;
}

static PyMethodDef call_method = {"gdbprof", call, METH_NOARGS, NULL};

struct prof_error *late_post(void)
{
	if (late.posted)
		return NULL;
	struct prof_error *error = host_post(&call_method);
	late.posted = !error;
	return error;
}
