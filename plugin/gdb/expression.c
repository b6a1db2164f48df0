/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/expression.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"

#include <string.h>

size_t expression_span(const char *text, const char *separators)
{
	char quote = 0;
	int depth = 0;
	size_t length = 0;

	for (; text[length]; length++) {
		char byte = text[length];
		if (!quote && depth <= 0 && strchr(separators, byte))
			break;
		if (quote)
			quote = byte == quote ? 0 : quote;
		else if (byte == '"' || byte == '\'')
			quote = byte;
		else if (strchr("([<{", byte))
			depth++;
		else if (strchr(")]>}", byte))
			depth--;
	}
	return length;
}

int expression_holds(const char *expression)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *value =
		gdb ? PyObject_CallMethod(gdb, "parse_and_eval", "s", expression) : NULL;
	int truth = value ? PyObject_IsTrue(value) : -1;

	host_drop();
	return truth;
}

struct prof_error *expression_check(const char *location, const char *expression)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *plain = gdb ? PyObject_GetAttrString(gdb, "Breakpoint") : NULL;
	AUTO_PY PyObject *arguments = Py_BuildValue("(s)", location);
	AUTO_PY PyObject *options = Py_BuildValue("{sO}", "internal", Py_True);
	AUTO_PY PyObject *breakpoint =
		plain && arguments && options ? PyObject_Call(plain, arguments, options) : NULL;
	AUTO_PY PyObject *condition = PyUnicode_FromString(expression);
	struct prof_error *refused = NULL;

	host_drop();
	if (!breakpoint || !condition)
		return NULL;
	if (PyObject_SetAttrString(breakpoint, "condition", condition))
		refused = host_error();
	AUTO_PY PyObject *done = PyObject_CallMethod(breakpoint, "delete", NULL);
	host_drop();
	return refused;
}
