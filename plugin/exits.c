#include "plugin/exits.h"

#include "plugin/host.h"
#include "plugin/type.h"

/* exit(), quick_exit() and _Exit() come to the first, execl() and its kin to the second. */
static const char *const functions[] = {"_exit", "execve", "execveat", "fexecve"};

/* GDB calls a breakpoint's stop() without a context: there is one of these. */
static struct {
	PyObject *breakpoints[PROF_COUNT(functions)];
	void (*leave)(pid_t thread);
} exits;

/* Implementation of _prof.Exit.stop (self) -> False. */
static PyObject *stop(PyObject *self, PyObject *arguments)
{
	(void)self;
	(void)arguments;
	if (exits.leave)
		exits.leave(host_thread());
	return PyBool_FromLong(0);
}

/* An internal breakpoint at FUNCTION, of C, even if there is none yet; NULL with an exception. */
static PyObject *create(PyObject *type, const char *function)
{
	AUTO_PY PyObject *arguments =
		Py_BuildValue("(N)", PyUnicode_FromFormat("-qualified -function %s", function));
	AUTO_PY PyObject *options = Py_BuildValue("{sO}", "internal", Py_True);

	return arguments && options ? PyObject_Call(type, arguments, options) : NULL;
}

/* Implementation of _prof.Exit.watch () -> None, which makes the breakpoints. */
static PyObject *watch(PyObject *type, PyObject *arguments)
{
	(void)arguments;
	for (size_t i = 0; i < PROF_COUNT(functions); i++) {
		exits.breakpoints[i] = create(type, functions[i]);
		if (!exits.breakpoints[i])
			return NULL;
	}
	Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
	{"stop", stop, METH_VARARGS, NULL},
	{"watch", watch, METH_NOARGS | METH_CLASS, NULL},
	{NULL, NULL, 0, NULL},
};

bool exits_register(PyObject *module)
{
	AUTO_PY PyObject *type = type_create("_prof.Exit", "Breakpoint", methods,
		"Where a thread leaves; for gdbprof's engine catch.");

	return type && !PyObject_SetAttrString(module, "Exit", type);
}

struct prof_error *exits_watch(void (*leave)(pid_t thread))
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	exits_unwatch();
	exits.leave = leave;
	/* As a command, since GDB prints that there is no such function yet. */
	return host_execute("python __import__(\"_prof\").Exit.watch()", &text);
}

bool exits_are_unknown(void)
{
	AUTO_PY PyObject *pending = exits.breakpoints[0]
		? PyObject_GetAttrString(exits.breakpoints[0], "pending")
		: NULL;
	bool unknown = pending && PyObject_IsTrue(pending) == 1;

	host_drop();
	return unknown;
}

void exits_unwatch(void)
{
	for (size_t i = 0; i < PROF_COUNT(functions); i++) {
		AUTO_PY PyObject *breakpoint = exits.breakpoints[i];
		AUTO_PY PyObject *done =
			breakpoint ? PyObject_CallMethod(breakpoint, "delete", NULL) : NULL;
		exits.breakpoints[i] = NULL;
	}
	host_drop();
	exits.leave = NULL;
}
