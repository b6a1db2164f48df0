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
