/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/option/version.h"

#include "base/version.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/type.h"

/* Implementation of gdb.Command.invoke (self, argument, from_tty) -> None. */
static PyObject *invoke(PyObject *self, PyObject *arguments)
{
	(void)self;
	(void)arguments;
	struct prof_error *error = host_write("This is gdbprof " PROF_VERSION ".\n");
	if (error)
		return host_raise(error);
	Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
	{"invoke", invoke, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

bool version_register(void)
{
	AUTO_PY PyObject *type =
		type_create("_prof.Version", "Command", methods, "Show the version of gdbprof.");

	return type &&
		type_add_command(
			type, "show prof version", "COMMAND_STATUS", "COMPLETE_NONE", false);
}
