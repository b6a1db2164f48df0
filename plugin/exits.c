#include "plugin/exits.h"

#include "plugin/host.h"
#include "plugin/type.h"

/* exit(), quick_exit() and _Exit() come to the first, execl() and its kin to the second. */
static const char *const functions[] = {"_exit", "execve", "execveat", "fexecve"};

/* GDB calls a breakpoint's stop() without a context: there is one of these. */
static struct {
	PyObject *type;
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
	Py_RETURN_FALSE;
}

static PyMethodDef methods[] = {
	{"stop", stop, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

/* An internal breakpoint at FUNCTION, of C, even if there is none yet; NULL with an exception. */
static PyObject *create(const char *function)
{
	AUTO_PY PyObject *arguments =
		Py_BuildValue("(N)", PyUnicode_FromFormat("-qualified -function %s", function));
	AUTO_PY PyObject *options = Py_BuildValue("{sO}", "internal", Py_True);

	return arguments && options ? PyObject_Call(exits.type, arguments, options) : NULL;
}

struct prof_error *exits_watch(void (*leave)(pid_t thread))
{
	exits_unwatch();
	if (!exits.type)
		exits.type = type_create("_prof.Exit", "Breakpoint", methods,
			"Where a thread leaves; for gdbprof's engine catch.");
	exits.leave = leave;
	for (size_t i = 0; i < PROF_COUNT(functions) && exits.type; i++) {
		exits.breakpoints[i] = create(functions[i]);
		if (!exits.breakpoints[i])
			break;
	}
	return PyErr_Occurred() ? host_error() : NULL;
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
