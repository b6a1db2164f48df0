/* Python's limited API, and scope guards for its objects. */
#ifndef PROF_PLUGIN_PYTHON_H
#define PROF_PLUGIN_PYTHON_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "base/memory.h"

/* A strong reference that is dropped at the end of the scope; steal() hands it over. */
#define AUTO_PY PROF_AUTO(python_drop)

static inline void python_drop(PyObject **object)
{
	Py_XDECREF(*object);
}

#endif
