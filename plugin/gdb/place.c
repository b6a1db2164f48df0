/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/place.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"

#include <string.h>

/* The text of OBJECT's attribute NAME, or of what its method NAME returns; NULL: it has none. */
static PyObject *text_of(PyObject *object, const char *name)
{
	AUTO_PY PyObject *attribute =
		object && object != Py_None ? PyObject_GetAttrString(object, name) : NULL;
	AUTO_PY PyObject *called = attribute && PyCallable_Check(attribute)
		? PyObject_CallObject(attribute, NULL)
		: python_hold(attribute);
	PyObject *text = called && called != Py_None ? PyObject_Str(called) : NULL;

	host_drop();
	return text;
}

static const char *bytes_of(PyObject *text)
{
	const char *bytes = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;

	host_drop();
	return bytes;
}

static void print_line(PyObject *frame, struct prof_text *text)
{
	AUTO_PY PyObject *sal = PyObject_CallMethod(frame, "find_sal", NULL);
	AUTO_PY PyObject *table = sal ? PyObject_GetAttrString(sal, "symtab") : NULL;
	AUTO_PY PyObject *file_text = text_of(table, "filename");
	AUTO_PY PyObject *line_text = text_of(sal, "line");
	const char *file = bytes_of(file_text);
	const char *line = bytes_of(line_text);

	host_drop();
	if (!file || !line)
		return;
	const char *slash = strrchr(file, '/');
	prof_text_print(text, " at %s:%s", slash ? slash + 1 : file, line);
}

void place_print(struct prof_text *text)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *frame = gdb ? PyObject_CallMethod(gdb, "newest_frame", NULL) : NULL;
	AUTO_PY PyObject *name_text = text_of(frame, "name");
	const char *name = bytes_of(name_text);
	AUTO_PY PyObject *pc = frame ? PyObject_CallMethod(frame, "pc", NULL) : NULL;

	if (name)
		prof_text_print(text, "%s", name);
	else if (pc)
		prof_text_print(text, "0x%llx", PyLong_AsUnsignedLongLong(pc));
	if (frame)
		print_line(frame, text);
	host_drop();
}

/* The word for BREAKPOINT, a gdb.Breakpoint. */
static const char *kind_of(PyObject *breakpoint)
{
	static const struct {
		const char *constant, *word;
	} kinds[] = {
		{"BP_WATCHPOINT", "watchpoint"},
		{"BP_HARDWARE_WATCHPOINT", "watchpoint"},
		{"BP_READ_WATCHPOINT", "watchpoint"},
		{"BP_ACCESS_WATCHPOINT", "watchpoint"},
		{"BP_CATCHPOINT", "catchpoint"},
	};
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *type = PyObject_GetAttrString(breakpoint, "type");
	const char *word = "breakpoint";

	for (size_t i = 0; gdb && type && i < PROF_COUNT(kinds); i++) {
		AUTO_PY PyObject *constant = PyObject_GetAttrString(gdb, kinds[i].constant);
		if (constant && PyObject_RichCompareBool(type, constant, Py_EQ) == 1)
			word = kinds[i].word;
		host_drop(); /* an older GDB does not have all of them */
	}
	host_drop();
	return word;
}

/* Adds the reason of EVENT: the first of its breakpoints, its signal, or just that it stopped. */
static void print_reason(PyObject *event, struct prof_text *text)
{
	AUTO_PY PyObject *breakpoints = PyObject_GetAttrString(event, "breakpoints");
	host_drop();
	AUTO_PY PyObject *first = breakpoints ? PySequence_GetItem(breakpoints, 0) : NULL;
	host_drop();
	AUTO_PY PyObject *number_text = text_of(first, "number");
	AUTO_PY PyObject *signal_text = text_of(event, "stop_signal");
	const char *number = bytes_of(number_text);
	const char *signal = bytes_of(signal_text);

	if (number)
		prof_text_print(text, "%s %s", kind_of(first), number);
	else
		prof_text_print(text, "%s", signal ? signal : "stop");
}

/* In non-stop mode EVENT can be about a thread that is not the selected one. */
static bool is_selected(PyObject *event)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *thread = PyObject_GetAttrString(event, "inferior_thread");
	AUTO_PY PyObject *selected = gdb ? PyObject_CallMethod(gdb, "selected_thread", NULL) : NULL;
	bool same = thread == Py_None || thread == selected;

	host_drop();
	return same;
}

void place_print_stop(PyObject *event, struct prof_text *text)
{
	PROF_AUTO(prof_text_deinit) struct prof_text place = {0};

	print_reason(event, text);
	if (!is_selected(event))
		return;
	place_print(&place);
	if (place.length)
		prof_text_print(text, ", %s", prof_text_get(&place));
}

struct prof_error *place_listed_file(char **ret)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *result = gdb ? PyObject_CallMethod(gdb, "decode_line", NULL) : NULL;
	AUTO_PY PyObject *places = result ? PySequence_GetItem(result, 1) : NULL;
	AUTO_PY PyObject *place = places ? PySequence_GetItem(places, 0) : NULL;
	AUTO_PY PyObject *table = place ? PyObject_GetAttrString(place, "symtab") : NULL;

	if (!table)
		return host_error();
	*ret = host_string(table, "filename");
	return *ret
		? NULL
		: prof_error_create(PROF_ERROR_USAGE,
			  "GDB does not know the source file at the position of \"list\": name a place, as in \"prof-list main\".");
}

char *place_function(void)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *frame = gdb ? PyObject_CallMethod(gdb, "selected_frame", NULL) : NULL;
	AUTO_PY PyObject *name = text_of(frame, "name");
	const char *bytes = bytes_of(name);

	host_drop();
	return bytes ? strdup(bytes) : NULL;
}
