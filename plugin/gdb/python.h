/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Python's limited API as 3.9 has it, which is the lowest, so that one module serves that and all
 * later ones; and scope guards for its objects.
 */
#ifndef PROF_PLUGIN_GDB_PYTHON_H
#define PROF_PLUGIN_GDB_PYTHON_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "base/memory.h"

/* Any Python 3 exports it; the limited API of 3.9 lacks the declaration. */
PyAPI_FUNC(const char *) PyUnicode_AsUTF8AndSize(PyObject *unicode, Py_ssize_t *size);

/* A strong reference that is dropped at the end of the scope; steal() hands it over. */
#define AUTO_PY PROF_AUTO(python_drop)

/* Drops the reference *OBJECT, for the guard; NULL is fine. */
static inline void python_drop(PyObject **object)
{
	Py_XDECREF(*object);
}

/* A new reference to OBJECT, which may be NULL: what Py_XNewRef() of Python 3.10 does. */
static inline PyObject *python_hold(PyObject *object)
{
	Py_XINCREF(object);
	return object;
}

#endif
