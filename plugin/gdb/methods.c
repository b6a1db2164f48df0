/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/methods.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"

#include <inttypes.h>
#include <stdio.h>

PyObject *methods_space_at(PyObject *space, const char *name, uint64_t address)
{
	PyObject *answer = PyObject_CallMethod(space, name, "K", (unsigned long long)address);

	if (!answer)
		host_drop();
	if (answer != Py_None)
		return answer;
	Py_DECREF(answer);
	return NULL;
}

PyObject *methods_breakpoint_set(PyObject *type, uint64_t address)
{
	char place[32];
	snprintf(place, sizeof place, "*0x%" PRIx64, address);
	AUTO_PY PyObject *arguments = Py_BuildValue("(s)", place);
	AUTO_PY PyObject *options = Py_BuildValue("{sO}", "internal", Py_True);
	PyObject *breakpoint =
		arguments && options ? PyObject_Call(type, arguments, options) : NULL;

	host_drop();
	return breakpoint;
}

PyObject *methods_breakpoint_place(PyObject *type, const char *location)
{
	return PyObject_CallFunction(type, "s", location);
}

void methods_breakpoint_delete(PyObject *breakpoint)
{
	AUTO_PY PyObject *done = PyObject_CallMethod(breakpoint, "delete", NULL);

	host_drop(); /* it may be gone */
}

bool methods_breakpoint_is_deleted(PyObject *breakpoint)
{
	AUTO_PY PyObject *valid = PyObject_CallMethod(breakpoint, "is_valid", NULL);
	bool deleted = valid && PyObject_IsTrue(valid) != 1;

	host_drop();
	return deleted;
}

bool methods_has_register(pid_t process, const char *name)
{
	AUTO_PY PyObject *inferior = host_inferior(process);
	AUTO_PY PyObject *machine =
		inferior ? PyObject_CallMethod(inferior, "architecture", NULL) : NULL;
	AUTO_PY PyObject *registers =
		machine ? PyObject_CallMethod(machine, "registers", NULL) : NULL;
	AUTO_PY PyObject *found =
		registers ? PyObject_CallMethod(registers, "find", "s", name) : NULL;

	host_drop();
	return found && found != Py_None;
}

bool methods_symbol_address(PyObject *symbol, uint64_t *ret)
{
	AUTO_PY PyObject *value = PyObject_CallMethod(symbol, "value", NULL);
	AUTO_PY PyObject *pointer = value ? host_attribute(value, "address") : NULL;
	AUTO_PY PyObject *number = pointer ? PyNumber_Long(pointer) : NULL;
	uint64_t address = number ? PyLong_AsUnsignedLongLong(number) : 0;
	bool known = number && !PyErr_Occurred();

	if (known)
		*ret = address;
	host_drop();
	return known;
}

PyObject *methods_value_text(PyObject *value)
{
	return PyObject_CallMethod(value, "string", NULL);
}

bool methods_command_once(PyObject *command)
{
	AUTO_PY PyObject *done = PyObject_CallMethod(command, "dont_repeat", NULL);

	return done;
}
