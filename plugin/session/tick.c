/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/session/tick.h"

#include "plugin/collect/collector.h"
#include "plugin/engine/engine.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/type.h"

/* Implementation of $_prof_tick () -> 0, so that a catchpoint with this condition does not stop. */
static PyObject *invoke(PyObject *self, PyObject *arguments)
{
	(void)self;
	(void)arguments;
	COLLECTORS_CALL(ticked);
	return PyLong_FromLong(engines_ticked());
}

static PyMethodDef methods[] = {
	{"invoke", invoke, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

bool tick_register(void)
{
	return type_add_function("_prof.Tick", "_prof_tick", methods,
		"Take a sample for gdbprof's engines.\n"
		"Usage: $_prof_tick ()\n\n"
		"This is the condition of the catchpoint that prof-start makes.  The value is 0 for a\n"
		"tick, so that the program does not stop.  Do not call it yourself.");
}
