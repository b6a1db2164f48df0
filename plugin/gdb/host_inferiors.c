/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GDB's inferiors, and their processes. */
#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"

static PyObject *inferior(void)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *function = gdb ? host_attribute(gdb, "selected_inferior") : NULL;

	return function ? PyObject_CallObject(function, NULL) : NULL;
}

/* All inferiors, a new tuple, or NULL with an exception. */
static PyObject *all_inferiors(void)
{
	PyObject *gdb = host_gdb();

	return gdb ? PyObject_CallMethod(gdb, "inferiors", NULL) : NULL;
}

/* The process of INFERIOR, borrowed; 0: it has none. */
static pid_t process_of(PyObject *inferior)
{
	AUTO_PY PyObject *pid = inferior ? host_attribute(inferior, "pid") : NULL;
	long number = pid ? PyLong_AsLong(pid) : 0;

	host_drop();
	return number > 0 ? (pid_t)number : 0;
}

pid_t host_process(void)
{
	AUTO_PY PyObject *selected = inferior();

	return process_of(selected);
}

void host_each_process(void (*visit)(void *context, pid_t process), void *context)
{
	AUTO_PY PyObject *all = all_inferiors();
	Py_ssize_t count = all ? PyTuple_Size(all) : 0;

	for (Py_ssize_t i = 0; i < count; i++) {
		pid_t process = process_of(PyTuple_GetItem(all, i));
		if (process)
			visit(context, process);
	}
	host_drop();
}

PyObject *host_inferior(pid_t process)
{
	AUTO_PY PyObject *all = all_inferiors();
	Py_ssize_t count = all ? PyTuple_Size(all) : 0;

	for (Py_ssize_t i = 0; i < count; i++) {
		PyObject *inferior = PyTuple_GetItem(all, i);
		if (process && process_of(inferior) == process) {
			Py_INCREF(inferior);
			return inferior;
		}
	}
	host_drop();
	return NULL;
}

bool host_has(pid_t process)
{
	AUTO_PY PyObject *owner = host_inferior(process);

	return owner != NULL;
}

/* Has GDB attached to the process of INFERIOR, borrowed, if it has one? */
static bool was_attached(PyObject *inferior)
{
	AUTO_PY PyObject *attached =
		process_of(inferior) ? PyObject_GetAttrString(inferior, "was_attached") : NULL;

	return attached && PyObject_IsTrue(attached) == 1;
}

bool host_was_attached(pid_t process)
{
	AUTO_PY PyObject *owner = host_inferior(process);
	bool attached = owner && was_attached(owner);

	host_drop();
	return attached;
}

bool host_has_attached(void)
{
	AUTO_PY PyObject *all = all_inferiors();
	Py_ssize_t count = all ? PyTuple_Size(all) : 0;
	bool found = false;

	for (Py_ssize_t i = 0; i < count && !found; i++)
		found = was_attached(PyTuple_GetItem(all, i));
	host_drop();
	return found;
}

/* Does the selected thread run? */
static bool selected_runs(void)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *thread = gdb ? PyObject_CallMethod(gdb, "selected_thread", NULL) : NULL;
	AUTO_PY PyObject *running = thread && thread != Py_None
		? PyObject_CallMethod(thread, "is_running", NULL)
		: NULL;
	bool result = running && PyObject_IsTrue(running) == 1;

	host_drop();
	return result;
}

bool host_runs(pid_t process)
{
	/* A remote target that runs cannot be asked for its threads. */
	if (process == host_process() && selected_runs())
		return true;
	AUTO_PY PyObject *owner = host_inferior(process);
	AUTO_PY PyObject *threads = owner ? PyObject_CallMethod(owner, "threads", NULL) : NULL;
	Py_ssize_t count = threads ? PyTuple_Size(threads) : 0;
	bool runs = false;

	for (Py_ssize_t i = 0; i < count && !runs; i++) {
		AUTO_PY PyObject *running =
			PyObject_CallMethod(PyTuple_GetItem(threads, i), "is_running", NULL);
		runs = running && PyObject_IsTrue(running) == 1;
		host_drop(); /* the thread may have ended */
	}
	host_drop();
	return runs;
}

static void look(void *context, pid_t process)
{
	bool *runs = context;

	*runs |= host_runs(process);
}

bool host_any_runs(void)
{
	bool runs = false;

	host_each_process(look, &runs);
	return runs;
}

PyObject *host_program_space(pid_t process)
{
	AUTO_PY PyObject *owner = host_inferior(process);
	PyObject *space = owner ? PyObject_GetAttrString(owner, "progspace") : NULL;

	host_drop();
	return space;
}

bool host_is_single(void)
{
	AUTO_PY PyObject *all = all_inferiors();
	bool single = all && PyTuple_Size(all) == 1;

	host_drop();
	return single;
}
