/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/variable.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/naming.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/type.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Members of members: more than these are no lock that somebody wrote down. */
enum { DEEPEST = 32 };

/* Is the constant of the module gdb NAME the code of TYPE? */
static bool is_code(PyObject *type, const char *name)
{
	AUTO_PY PyObject *constant = type_constant(name);
	uint64_t code = host_number(type, "code");

	host_drop();
	return constant && code == PyLong_AsUnsignedLongLong(constant);
}

/* Is TYPE one of libraries for locks, whose members nobody wants to see? */
static bool is_lock(PyObject *type)
{
	AUTO_FREE char *name = host_string(type, "name");

	return name &&
		(!strncmp(name, "pthread_", strlen("pthread_")) || !strcmp(name, "sem_t") ||
			!strncmp(name, "std::", strlen("std::")));
}

/* What METHOD of OBJECT returns: a new reference, or NULL. */
static PyObject *call(PyObject *object, const char *method)
{
	PyObject *result = object ? PyObject_CallMethod(object, method, NULL) : NULL;

	host_drop();
	return result;
}

/*
 * The type of the element at *OFFSET of TYPE, an array, a new reference or NULL; *OFFSET is then
 * that within the element.
 */
static PyObject *enter_array(PyObject *type, uint64_t *offset, struct prof_text *text)
{
	PyObject *target = call(type, "target");
	uint64_t size = target ? host_number(target, "sizeof") : 0;

	if (!size) {
		Py_XDECREF(target);
		return NULL;
	}
	prof_text_print(text, "[%" PRIu64 "]", *offset / size);
	*offset %= size;
	return target;
}

/* The same of the member at *OFFSET of TYPE, a structure. */
static PyObject *enter_structure(PyObject *type, uint64_t *offset, struct prof_text *text)
{
	AUTO_PY PyObject *fields = call(type, "fields");
	Py_ssize_t count = fields ? PyList_Size(fields) : 0;

	for (Py_ssize_t i = 0; i < count; i++) {
		PyObject *field = PyList_GetItem(fields, i);
		AUTO_PY PyObject *position = host_attribute(field, "bitpos");
		PyObject *member = position ? host_attribute(field, "type") : NULL;
		uint64_t begin = member ? host_number(field, "bitpos") / 8 : 0;
		if (!member || *offset < begin ||
			*offset - begin >= host_number(member, "sizeof")) {
			Py_XDECREF(member);
			continue;
		}
		AUTO_FREE char *name = host_string(field, "name");
		if (name && *name && !host_is_true(field, "is_base_class"))
			prof_text_print(text, ".%s", name);
		*offset -= begin;
		return member;
	}
	return NULL;
}

/* Adds the way from a variable of TYPE to the lock at OFFSET in it; false: there is none. */
static bool print_path(PyObject *type, uint64_t offset, struct prof_text *text)
{
	AUTO_PY PyObject *at = python_hold(type);

	for (int i = 0; i < DEEPEST && !(is_lock(at) && !offset); i++) {
		AUTO_PY PyObject *plain = call(at, "strip_typedefs");
		PyObject *next = NULL;
		if (!plain || (is_lock(plain) && !offset))
			return plain;
		if (is_code(plain, "TYPE_CODE_ARRAY"))
			next = enter_array(plain, &offset, text);
		else if (is_code(plain, "TYPE_CODE_STRUCT") || is_code(plain, "TYPE_CODE_UNION"))
			next = enter_structure(plain, &offset, text);
		else
			return !offset;
		if (!next)
			return !offset;
		Py_DECREF(at);
		at = next;
	}
	return true;
}

/* The value of the variable NAME that begins at ADDRESS: a new reference, or NULL. */
static PyObject *find_variable(const char *name, uint64_t address)
{
	static const char *const ways[] = {"lookup_global_symbol", "lookup_static_symbol"};
	PyObject *gdb = host_gdb();

	for (size_t i = 0; gdb && i < PROF_COUNT(ways); i++) {
		AUTO_PY PyObject *symbol = PyObject_CallMethod(gdb, ways[i], "s", name);
		PyObject *value = symbol && symbol != Py_None ? call(symbol, "value") : NULL;
		AUTO_PY PyObject *pointer = value ? host_attribute(value, "address") : NULL;
		AUTO_PY PyObject *number = pointer ? PyNumber_Long(pointer) : NULL;
		bool same = number && PyLong_AsUnsignedLongLong(number) == address;
		host_drop();
		if (same)
			return value;
		Py_XDECREF(value);
	}
	return NULL;
}

void variable_print(uint64_t address, struct prof_text *text)
{
	AUTO_TEXT struct prof_text symbol = {0};
	AUTO_TEXT struct prof_text path = {0};

	naming_address(address, &symbol);
	AUTO_FREE char *name = strdup(prof_text_get(&symbol));
	char *plus = name ? strstr(name, " + ") : NULL;
	uint64_t offset = plus ? strtoull(plus + strlen(" + "), NULL, 10) : 0;
	if (plus)
		*plus = '\0';
	AUTO_PY PyObject *value = name && *name ? find_variable(name, address - offset) : NULL;
	AUTO_PY PyObject *type = value ? host_attribute(value, "type") : NULL;
	if (type && print_path(type, offset, &path))
		prof_text_print(text, "%s%s", name, prof_text_get(&path));
	else
		prof_text_bytes(text, prof_text_get(&symbol), symbol.length);
}
