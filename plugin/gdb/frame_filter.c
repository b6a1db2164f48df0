/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/frame_filter.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"

#include <stdio.h>
#include <string.h>

/* The filter's name in "info frame-filter", and the lowest of priorities: it is the last. */
static const char NAME[] = "gdbprof";
enum { PRIORITY = -1000000 };

/* Of a decorator: what it has found out, a str or None. */
static const char NOTE[] = "_note";

static frame_filter_note *ask;

/* The text of what METHOD of OBJECT returns: a new reference, or NULL for None too. */
static PyObject *text_of(PyObject *object, const char *method)
{
	AUTO_PY PyObject *result = object ? PyObject_CallMethod(object, method, NULL) : NULL;
	PyObject *text = result && result != Py_None ? PyObject_Str(result) : NULL;

	host_drop();
	return text;
}

/* The note on the frame of SELF, a decorator, or None: a new reference. */
static PyObject *find_note(PyObject *self)
{
	AUTO_PY PyObject *frame = PyObject_CallMethod(self, "inferior_frame", NULL);
	AUTO_PY PyObject *name = text_of(frame, "name");
	const char *function = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
	AUTO_TEXT struct prof_text text = {0};

	host_drop();
	if (function && ask)
		ask(function, &text);
	return text.length ? PyUnicode_FromString(prof_text_get(&text)) : python_hold(Py_None);
}

/* The same, found out once. */
static PyObject *note_of(PyObject *self)
{
	PyObject *known = PyObject_GetAttrString(self, NOTE);

	if (known)
		return known;
	PyErr_Clear();
	PyObject *note = find_note(self);
	if (note && PyObject_SetAttrString(self, NOTE, note))
		Py_CLEAR(note);
	return note;
}

/* What METHOD of FrameDecorator returns for SELF, which asks what it decorates. */
static PyObject *call_base(PyObject *self, const char *method)
{
	PyObject *base = PyType_GetSlot(Py_TYPE(self), Py_tp_base);

	return PyObject_CallMethod(base, method, "O", self);
}

/*
 * Implementation of FrameDecorator.filename (self) -> str or None.  GDB prints the line, a number,
 * behind it: with a note, the line is here.
 */
static PyObject *filename(PyObject *self, PyObject *unused)
{
	AUTO_PY PyObject *note = note_of(self);
	AUTO_PY PyObject *file = note ? call_base(self, "filename") : NULL;
	AUTO_PY PyObject *line = file ? call_base(self, "line") : NULL;

	(void)unused;
	if (!line)
		return NULL;
	if (note == Py_None || file == Py_None)
		return python_hold(file);
	if (line == Py_None)
		return PyUnicode_FromFormat("%S [%U]", file, note);
	return PyUnicode_FromFormat("%S:%S [%U]", file, line, note);
}

/* Implementation of FrameDecorator.line (self) -> int or None. */
static PyObject *line(PyObject *self, PyObject *unused)
{
	AUTO_PY PyObject *note = note_of(self);
	AUTO_PY PyObject *file = note ? call_base(self, "filename") : NULL;

	(void)unused;
	if (!file)
		return NULL;
	if (note != Py_None && file != Py_None)
		Py_RETURN_NONE;
	return call_base(self, "line");
}

static PyMethodDef decorator_methods[] = {
	{"filename", filename, METH_NOARGS, NULL},
	{"line", line, METH_NOARGS, NULL},
	{NULL, NULL, 0, NULL},
};

/* A new type NAME derived from PARENT, which may be NULL, with METHODS; or NULL. */
static PyObject *make_type(const char *name, PyObject *parent, PyMethodDef *methods)
{
	PyType_Slot slots[] = {{Py_tp_methods, methods}, {0, NULL}};
	/* A size of 0 is that of the base. */
	PyType_Spec spec = {.name = name, .flags = Py_TPFLAGS_DEFAULT, .slots = slots};
	AUTO_PY PyObject *bases = parent ? PyTuple_Pack(1, parent) : NULL;

	return bases ? PyType_FromSpecWithBases(&spec, bases) : NULL;
}

/* The type of decorators, made once and kept: borrowed. */
static PyObject *decorator_type(void)
{
	static PyObject *type;
	AUTO_PY PyObject *module = type ? NULL : PyImport_ImportModule("gdb.FrameDecorator");
	AUTO_PY PyObject *parent = module ? PyObject_GetAttrString(module, "FrameDecorator") : NULL;

	if (!type && parent)
		type = make_type("_prof.FrameDecorator", parent, decorator_methods);
	return type;
}

/* Does a front end read what GDB writes?  Then an argument of GDB's names its interpreter. */
static bool has_front_end(void)
{
	FILE *file = fopen("/proc/self/cmdline", "re");
	char bytes[4096];
	size_t length = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
	bool next = false, found = false;

	if (file)
		fclose(file);
	bytes[length] = '\0';
	for (const char *at = bytes; at < bytes + length && !found; at += strlen(at) + 1) {
		const char *word = at + strspn(at, "-");
		const char *equal = strchr(word, '=');
		const char *value = next ? at : equal ? equal + 1 : "";
		size_t name = equal ? (size_t)(equal - word) : strlen(word);
		bool option = word > at && name && !strncmp(word, "interpreter", name);
		found = (next || option) && (*value == 'm' || *value == 'd');
		next = option && !equal;
	}
	return found;
}

/* Implementation of the frame filter's filter (self, frames) -> an iterator of decorators. */
static PyObject *filter(PyObject *self, PyObject *arguments)
{
	AUTO_PY PyObject *builtins = PyImport_ImportModule("builtins");
	PyObject *decorator = builtins ? decorator_type() : NULL;
	PyObject *frames;

	(void)self;
	if (!decorator || !PyArg_ParseTuple(arguments, "O", &frames))
		return NULL;
	return PyObject_CallMethod(builtins, "map", "OO", decorator, frames);
}

static PyMethodDef filter_methods[] = {
	{"filter", filter, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

/* A new filter, as GDB wants it. */
static PyObject *make_filter(void)
{
	AUTO_PY PyObject *types = PyImport_ImportModule("types");
	AUTO_PY PyObject *parent = types ? PyObject_GetAttrString(types, "SimpleNamespace") : NULL;
	AUTO_PY PyObject *type = make_type("_prof.FrameFilter", parent, filter_methods);
	AUTO_PY PyObject *made = type ? PyObject_CallObject(type, NULL) : NULL;
	AUTO_PY PyObject *name = made ? PyUnicode_FromString(NAME) : NULL;
	AUTO_PY PyObject *priority = name ? PyLong_FromLong(PRIORITY) : NULL;

	if (!priority || PyObject_SetAttrString(made, "name", name) ||
		PyObject_SetAttrString(made, "priority", priority) ||
		PyObject_SetAttrString(made, "enabled", Py_True))
		return NULL;
	return python_hold(made);
}

/* GDB's dictionary of filters that are always there: a new reference. */
static PyObject *filters(void)
{
	PyObject *gdb = host_gdb();

	return gdb ? PyObject_GetAttrString(gdb, "frame_filters") : NULL;
}

bool frame_filter_add(frame_filter_note *note)
{
	if (has_front_end())
		return true;
	AUTO_PY PyObject *all = filters();
	AUTO_PY PyObject *made = all && decorator_type() ? make_filter() : NULL;

	ask = note;
	return made && !PyDict_SetItemString(all, NAME, made);
}

bool frame_filter_remove(void)
{
	AUTO_PY PyObject *all = filters();

	if (all && !PyDict_GetItemString(all, NAME))
		return true;
	return all && !PyDict_DelItemString(all, NAME);
}
