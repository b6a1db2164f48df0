/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/type.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"

PyObject *type_create(const char *name, const char *base, PyMethodDef *methods, const char *doc)
{
	PyType_Slot slots[] = {
		{Py_tp_methods, methods},
		{Py_tp_doc, (void *)doc},
		{0, NULL},
	};
	/* A size of 0 is that of the base. */
	PyType_Spec spec = {.name = name, .flags = Py_TPFLAGS_DEFAULT, .slots = slots};
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *parent = gdb ? PyObject_GetAttrString(gdb, base) : NULL;
	AUTO_PY PyObject *bases = parent ? PyTuple_Pack(1, parent) : NULL;

	return bases ? PyType_FromSpecWithBases(&spec, bases) : NULL;
}

/* The attribute of types that holds their row. */
static const char ROW[] = "_row";

bool type_set_row(PyObject *type, const void *row)
{
	AUTO_PY PyObject *capsule = PyCapsule_New((void *)row, NULL, NULL);

	return capsule && !PyObject_SetAttrString(type, ROW, capsule);
}

const void *type_row(PyObject *object)
{
	AUTO_PY PyObject *capsule = PyObject_GetAttrString(object, ROW);

	return capsule ? PyCapsule_GetPointer(capsule, NULL) : NULL;
}

PyObject *type_constant(const char *name)
{
	PyObject *gdb = host_gdb();

	return gdb ? PyObject_GetAttrString(gdb, name) : NULL;
}

/* GDB keeps what it registers. */
static bool is_made(PyObject *object)
{
	Py_XDECREF(object);
	return object;
}

bool type_add_function(const char *called, const char *name, PyMethodDef *methods, const char *doc)
{
	AUTO_PY PyObject *type = type_create(called, "Function", methods, doc);

	return type && is_made(PyObject_CallFunction(type, "s", name));
}

bool type_add_command(
	PyObject *type, const char *name, const char *category, const char *completer, bool prefix)
{
	AUTO_PY PyObject *class = type_constant(category);
	AUTO_PY PyObject *completes = class && completer ? type_constant(completer) : NULL;

	if (!class || (completer && !completes))
		return false;
	return is_made(completes ? PyObject_CallFunction(type, "sOOO", name, class, completes,
					   prefix ? Py_True : Py_False)
				 : PyObject_CallFunction(type, "sO", name, class));
}

PyObject *type_add_parameter(PyObject *type, const char *name, PyObject *words)
{
	AUTO_PY PyObject *class = type_constant("COMMAND_DATA");
	AUTO_PY PyObject *kind =
		class ? type_constant(words ? "PARAM_ENUM" : "PARAM_STRING_NOESCAPE") : NULL;

	if (!kind)
		return NULL;
	return words ? PyObject_CallFunction(type, "sOOO", name, class, kind, words)
		     : PyObject_CallFunction(type, "sOO", name, class, kind);
}
