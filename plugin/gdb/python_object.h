/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The names of Python's objects, for headers and files that only pass them on.  Python.h takes the
 * compiler longer than most files of the plugin: what looks into an object includes
 * plugin/gdb/python.h.
 */
#ifndef PROF_PLUGIN_GDB_PYTHON_OBJECT_H
#define PROF_PLUGIN_GDB_PYTHON_OBJECT_H

/* As Python.h has them; C11 permits the same typedef twice. */
typedef struct _object PyObject;
typedef struct PyMethodDef PyMethodDef;

#endif
