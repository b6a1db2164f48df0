/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/hit_variables.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"

enum { NUMBER, LOCATION, VARIABLES };

static const char *const names[VARIABLES] = {"_hit_bpnum", "_hit_locno"};

/* Their values at the last stop; NULL: unknown. */
static PyObject *kept[VARIABLES];

static PyObject *get(const char *name)
{
	PyObject *gdb = host_gdb();
	PyObject *value = gdb ? PyObject_CallMethod(gdb, "convenience_variable", "s", name) : NULL;

	host_drop();
	return value;
}

static void put(const char *name, PyObject *value)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *done = gdb && value
		? PyObject_CallMethod(gdb, "set_convenience_variable", "sO", name, value)
		: NULL;

	host_drop();
}

void hit_variables_end(void)
{
	for (int i = 0; i < VARIABLES; i++)
		Py_CLEAR(kept[i]);
}

void hit_variables_begin(void)
{
	hit_variables_end();
	for (int i = 0; i < VARIABLES; i++)
		kept[i] = get(names[i]);
}

/* Is VALUE the number of an internal breakpoint? */
static bool is_internal(PyObject *value)
{
	AUTO_PY PyObject *number = value && value != Py_None ? PyNumber_Long(value) : NULL;
	bool internal = number && PyLong_AsLong(number) < 0;

	host_drop();
	return internal;
}

/* The number of the last one of EVENT's breakpoints, which is the user's, or NULL. */
static PyObject *number_of(PyObject *event)
{
	AUTO_PY PyObject *breakpoints = host_attribute(event, "breakpoints");
	Py_ssize_t count = breakpoints ? PySequence_Size(breakpoints) : 0;
	AUTO_PY PyObject *last = count > 0 ? PySequence_GetItem(breakpoints, count - 1) : NULL;
	PyObject *number = last ? host_attribute(last, "number") : NULL;

	host_drop();
	return number;
}

void hit_variables_mend(PyObject *event)
{
	AUTO_PY PyObject *value = get(names[NUMBER]);

	if (is_internal(value)) {
		AUTO_PY PyObject *number = number_of(event);
		put(names[NUMBER], number ? number : kept[NUMBER]);
		if (!number)
			put(names[LOCATION], kept[LOCATION]);
	}
	hit_variables_begin();
}
