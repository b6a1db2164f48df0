/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/call_frame.h"

#include "base/memory.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"

#include <stdlib.h>
#include <string.h>

/* So many frames are looked at, from the newest on. */
enum { DEEPEST = 10000 };

/* The newest frame, a new reference; NULL: none. */
static PyObject *newest(void)
{
	PyObject *gdb = host_gdb();

	return gdb ? PyObject_CallMethod(gdb, "newest_frame", NULL) : NULL;
}

/* The caller of FRAME, a new reference; NULL: there is none. */
static PyObject *caller_of(PyObject *frame)
{
	AUTO_PY PyObject *older = PyObject_CallMethod(frame, "older", NULL);

	return older && older != Py_None ? steal(&older) : NULL;
}

static bool read_sp(PyObject *frame, uint64_t *ret)
{
	AUTO_PY PyObject *value = PyObject_CallMethod(frame, "read_register", "s", "sp");
	AUTO_PY PyObject *number = value ? PyNumber_Long(value) : NULL;
	uint64_t sp = number ? PyLong_AsUnsignedLongLong(number) : 0;
	bool known = number && !PyErr_Occurred();

	if (known)
		*ret = sp;
	return known;
}

bool call_frame_read(uint64_t *ret)
{
	AUTO_PY PyObject *frame = newest();
	AUTO_PY PyObject *caller = frame ? caller_of(frame) : NULL;
	bool known = caller && read_sp(caller, ret);

	host_drop();
	return known;
}

/* Is FRAME, whose caller is CALLER, that of the call? */
static bool is_call(PyObject *frame, PyObject *caller, const char *name, uint64_t sp)
{
	uint64_t found;

	if (!read_sp(caller, &found) || found != sp)
		return false;
	AUTO_PY PyObject *called = PyObject_CallMethod(frame, "name", NULL);
	const char *text =
		called && called != Py_None ? PyUnicode_AsUTF8AndSize(called, NULL) : NULL;
	return text && !strcmp(text, name);
}

bool call_frame_select(const char *name, uint64_t sp)
{
	AUTO_PY PyObject *frame = newest();
	bool found = false;

	for (int i = 0; frame && i < DEEPEST && !found; i++) {
		AUTO_PY PyObject *caller = caller_of(frame);
		found = caller && is_call(frame, caller, name, sp);
		if (found || !caller)
			break;
		Py_DECREF(frame);
		frame = steal(&caller);
	}
	AUTO_PY PyObject *done = found ? PyObject_CallMethod(frame, "select", NULL) : NULL;
	host_drop();
	return done;
}
