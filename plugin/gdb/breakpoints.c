/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/breakpoints.h"

#include "plugin/gdb/catchpoint.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"

#include <string.h>

/* There is one GDB, so one list. */
static struct {
	PyObject *before; /* GDB's own function, once it was needed; kept for callers that hold ours
			   */
	PyObject *ours;
} breakpoints;

/* Is BREAKPOINT internal and of a type of the plugin, or a catchpoint of an engine or of marks? */
static bool is_ours(PyObject *breakpoint)
{
	AUTO_FREE char *module = host_string((PyObject *)Py_TYPE(breakpoint), "__module__");
	AUTO_PY PyObject *attribute = host_attribute(breakpoint, "number");
	long number = attribute ? PyLong_AsLong(attribute) : 0;

	host_drop();
	return (number < 0 && module && !strcmp(module, "_prof")) || catchpoint_owns(number);
}

/* Replaces gdb.breakpoints () -> tuple. */
static PyObject *list(PyObject *self, PyObject *unused)
{
	AUTO_PY PyObject *all = PyObject_CallNoArgs(breakpoints.before);
	Py_ssize_t count = all ? PySequence_Size(all) : 0;
	AUTO_PY PyObject *shown = all ? PyList_New(0) : NULL;

	(void)self;
	(void)unused;
	for (Py_ssize_t i = 0; shown && i < count; i++) {
		AUTO_PY PyObject *breakpoint = PySequence_GetItem(all, i);
		if (!breakpoint || (!is_ours(breakpoint) && PyList_Append(shown, breakpoint)))
			return NULL;
	}
	return shown ? PyList_AsTuple(shown) : NULL;
}

static PyMethodDef list_method = {"breakpoints", list, METH_NOARGS,
	"breakpoints () -> tuple of Breakpoint.\nReturn a tuple containing all breakpoints known to GDB."};

struct prof_error *breakpoints_hide(void)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *now = gdb ? PyObject_GetAttrString(gdb, "breakpoints") : NULL;

	if (!now)
		return host_error();
	/* A function that a script has put there since may call ours, so ours must not call it. */
	if (breakpoints.before && now != breakpoints.before)
		return NULL;
	if (!breakpoints.ours)
		breakpoints.ours = PyCFunction_New(&list_method, NULL);
	if (!breakpoints.ours || PyObject_SetAttrString(gdb, "breakpoints", breakpoints.ours))
		return host_error();
	if (!breakpoints.before)
		breakpoints.before = steal(&now);
	return NULL;
}

void breakpoints_show(void)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *now = gdb ? PyObject_GetAttrString(gdb, "breakpoints") : NULL;

	if (now && now == breakpoints.ours)
		PyObject_SetAttrString(gdb, "breakpoints", breakpoints.before);
	host_drop();
}
