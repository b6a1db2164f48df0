/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/trap.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/type.h"

enum { TRAPS = 32 };

/* GDB calls a breakpoint's stop() without a context: these are all that are set. */
static struct trap *traps[TRAPS];

/* The trap whose breakpoint is being created. */
static struct trap *setting;

/* The load object whose symbols are being read. */
static PyObject *needed;

/* Implementation of _prof.Trap.stop (self) -> False. */
static PyObject *stop(PyObject *self, PyObject *arguments)
{
	(void)arguments;
	for (size_t i = 0; i < TRAPS; i++) {
		if (traps[i] && traps[i]->breakpoint == self)
			traps[i]->reached(traps[i]);
	}
	return PyBool_FromLong(0);
}

/* Implementation of _prof.Trap.set () -> None, which creates the breakpoint of SETTING. */
static PyObject *set(PyObject *type, PyObject *unused)
{
	AUTO_PY PyObject *arguments = setting ? Py_BuildValue("(s)", setting->location) : NULL;
	AUTO_PY PyObject *options = Py_BuildValue("{sO}", "internal", Py_True);

	(void)unused;
	if (arguments && options)
		setting->breakpoint = PyObject_Call(type, arguments, options);
	if (PyErr_Occurred())
		return NULL;
	Py_RETURN_NONE;
}

/* Implementation of _prof.Trap.read () -> None, which looks for a symbol in NEEDED. */
static PyObject *read_symbols(PyObject *type, PyObject *unused)
{
	AUTO_PY PyObject *found =
		needed ? PyObject_CallMethod(needed, "lookup_static_symbol", "s", "gdbprof") : NULL;

	(void)type;
	(void)unused;
	if (PyErr_Occurred())
		return NULL;
	Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
	{"stop", stop, METH_VARARGS, NULL},
	{"set", set, METH_NOARGS | METH_CLASS, NULL},
	{"read", read_symbols, METH_NOARGS | METH_CLASS, NULL},
	{NULL, NULL, 0, NULL},
};

bool trap_register(PyObject *module)
{
	AUTO_PY PyObject *type = type_create("_prof.Trap", "Breakpoint", methods,
		"A place in the program that gdbprof wants to know of.");

	return type && !PyObject_SetAttrString(module, "Trap", type);
}

/* Creates TRAP's breakpoint. */
static struct prof_error *place(struct trap *trap)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	setting = trap;
	/* A command hides the message of GDB if the place does not exist yet. */
	struct prof_error *error = host_execute("python __import__(\"_prof\").Trap.set()", &text);
	setting = NULL;
	return error;
}

/* Deletes TRAP's breakpoint. */
static void take_out(struct trap *trap)
{
	AUTO_PY PyObject *breakpoint = trap->breakpoint;
	AUTO_PY PyObject *done = breakpoint && !host_is_ending()
		? PyObject_CallMethod(breakpoint, "delete", NULL)
		: NULL;

	host_drop();
	trap->breakpoint = NULL;
}

struct prof_error *trap_set(struct trap *trap)
{
	size_t free = 0;

	trap_clear(trap);
	while (free < TRAPS && traps[free])
		free++;
	if (free == TRAPS)
		return prof_error_nomem();
	struct prof_error *error = place(trap);
	if (!error)
		traps[free] = trap;
	return error;
}

void traps_need(PyObject *objfile)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	if (host_is_single())
		return;
	needed = objfile;
	host_forget(host_execute("python __import__(\"_prof\").Trap.read()", &text));
	needed = NULL;
}

bool trap_is_pending(const struct trap *trap)
{
	AUTO_PY PyObject *pending =
		trap->breakpoint ? PyObject_GetAttrString(trap->breakpoint, "pending") : NULL;
	bool result = pending && PyObject_IsTrue(pending) == 1;

	host_drop();
	return result;
}

void trap_clear(struct trap *trap)
{
	take_out(trap);
	for (size_t i = 0; i < TRAPS; i++) {
		if (traps[i] == trap)
			traps[i] = NULL;
	}
}

bool trap_is_set(const struct trap *trap)
{
	for (size_t i = 0; i < TRAPS; i++) {
		if (traps[i] == trap)
			return true;
	}
	return false;
}

/* Clears the process of CONTEXT if PROCESS is another. */
static void look_for_other(void *context, pid_t process)
{
	pid_t *gone = context;

	if (process != *gone)
		*gone = 0;
}

void traps_rest(pid_t process)
{
	pid_t last = process;

	/* GDB still lists the one that is ending among its processes. */
	host_each_process(look_for_other, &last);
	if (!last)
		return;
	for (size_t i = 0; i < TRAPS; i++) {
		/* A pending one is in no library. */
		if (traps[i] && !trap_is_pending(traps[i]))
			take_out(traps[i]);
	}
}

struct prof_error *traps_return(void)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; i < TRAPS && !error; i++) {
		if (traps[i] && !traps[i]->breakpoint)
			error = place(traps[i]);
	}
	return error;
}
