/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/host.h"

#include "base/clock.h"
#include "plugin/gdb/python.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How much GDB may need to read the symbols of a few files. */
enum { SPARE_MB = 32 };

PyObject *host_gdb(void)
{
	/* sys.modules keeps it alive. */
	AUTO_PY PyObject *gdb = PyImport_ImportModule("gdb");

	return gdb;
}

/* A new copy of the str OBJECT, or NULL with an exception. */
static char *text_of(PyObject *object)
{
	const char *text = PyUnicode_AsUTF8AndSize(object, NULL);
	char *copy = text ? strdup(text) : NULL;

	if (text && !copy)
		PyErr_NoMemory();
	return copy;
}

struct prof_error *host_error(void)
{
	PyObject *type, *value, *traceback;

	if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
		PyErr_Clear();
		return prof_error_interrupted();
	}
	if (PyErr_ExceptionMatches(PyExc_MemoryError)) {
		PyErr_Clear();
		return prof_error_nomem();
	}
	PyErr_Fetch(&type, &value, &traceback);
	AUTO_PY PyObject *text = value ? PyObject_Str(value) : NULL;
	AUTO_FREE char *message = text ? text_of(text) : NULL;
	PyErr_Clear();
	Py_XDECREF(type);
	Py_XDECREF(value);
	Py_XDECREF(traceback);
	/* Some of GDB's messages have several lines. */
	for (char *c = message; c && *c; c++)
		*c = *c == '\n' ? ' ' : *c;
	return prof_error_create(
		PROF_ERROR_UNSUPPORTED, "%s", message ? message : "GDB failed without a message.");
}

void host_drop(void)
{
	bool interrupted = PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);

	PyErr_Clear();
	if (interrupted)
		PyErr_SetInterrupt();
}

void host_forget(struct prof_error *error)
{
	if (error && prof_error_code(error) == PROF_ERROR_INTERRUPTED)
		PyErr_SetInterrupt();
	prof_error_destroy(error);
}

PyObject *host_raise(struct prof_error *error)
{
	AUTO_ERROR struct prof_error *raised = error;

	if (prof_error_code(error) == PROF_ERROR_INTERRUPTED) {
		PyErr_SetNone(PyExc_KeyboardInterrupt);
		return NULL;
	}
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *type = gdb ? PyObject_GetAttrString(gdb, "GdbError") : NULL;
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	/* The message may hold names of files and functions. */
	prof_text_name(&text, prof_error_message(raised));
	if (type)
		PyErr_SetString(type, prof_text_get(&text));
	return NULL;
}

struct prof_error *host_write(const char *text)
{
	PyObject *gdb = host_gdb();
	/* Writes lines one by one, so that the user can leave the pager in between. */
	while (gdb && *text) {
		size_t length = strcspn(text, "\n");
		length += text[length] == '\n';
		AUTO_PY PyObject *line = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
		AUTO_PY PyObject *done = line ? PyObject_CallMethod(gdb, "write", "O", line) : NULL;
		if (!done)
			return host_error();
		text += length;
	}
	return gdb ? NULL : host_error();
}

/* The output of COMMAND, without the line that `set trace-commands on` puts before it. */
static const char *skip_trace(const char *output, const char *command)
{
	size_t plus = strspn(output, "+");
	size_t length = strlen(command);

	if (!plus || strncmp(output + plus, command, length) || output[plus + length] != '\n')
		return output;
	return output + plus + length + 1;
}

struct prof_error *host_spare(void)
{
	if (prof_memory_is_there(SPARE_MB << 20))
		return NULL;
	return prof_error_create(PROF_ERROR_SYSTEM,
		"Fewer than %d MB of memory are left for GDB: raise its limit (ulimit -v).",
		SPARE_MB);
}

struct prof_error *host_execute(const char *command, struct prof_text *text)
{
	struct prof_error *error = host_spare();
	if (error)
		return error;
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *output = !gdb
		? NULL
		: PyObject_CallMethod(gdb, "execute", "sOO", command, Py_False, Py_True);

	if (!output)
		return host_error();
	AUTO_FREE char *copy = text_of(output);
	if (!copy)
		return host_error();
	prof_text_print(text, "%s", skip_trace(copy, command));
	return prof_text_error(text);
}

/* Does GDB read expressions in Modula-2, in which it knows no numbers above 32 bits? */
static bool reads_modula(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	struct prof_error *error = host_execute("show language", &text);

	/* The current source language is "auto; currently modula-2". */
	bool modula = !error && strstr(prof_text_get(&text), "modula-2\".");
	host_forget(error);
	return modula;
}

/* Is output shown on a terminal that can do more than a typewriter? */
static bool is_on_terminal(void)
{
	const char *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

bool host_obeys_escapes(void)
{
	AUTO_TEXT struct prof_text said = {0};

	if (!is_on_terminal() || !isatty(STDIN_FILENO))
		return is_on_terminal();
	/* Typed lines are edited on GDB's own screen, but not if a front end uses MI. */
	host_forget(host_execute("show editing", &said));
	return strstr(prof_text_get(&said), " on.");
}

bool host_shows_blocks(void)
{
	AUTO_TEXT struct prof_text said = {0};

	if (!is_on_terminal())
		return false;
	/* As it says: the host character set is "auto; currently UTF-8". */
	struct prof_error *error = host_execute("show host-charset", &said);
	if (error) {
		host_forget(error);
		return false;
	}
	return strstr(prof_text_get(&said), "UTF-8") != NULL;
}

long host_version(void)
{
	PyObject *gdb = host_gdb();
	AUTO_FREE char *text = gdb ? host_string(gdb, "VERSION") : NULL;
	const char *digits = text ? strpbrk(text, "0123456789") : NULL;

	return digits ? strtol(digits, NULL, 10) : 0;
}

bool host_evaluates(pid_t process)
{
	/* GDB aborts if what it has selected is gone by then; GDB 13 does not. */
	return !kill(process, 0) || errno != ESRCH || host_version() >= 13;
}

struct prof_error *host_symbol(uint64_t address, struct prof_text *text)
{
	char command[64];

	snprintf(command, sizeof command, "%sinfo symbol 0x%" PRIx64,
		reads_modula() ? "with language c -- " : "", address);
	return host_execute(command, text);
}

/* The text of OBJECT, which it releases: "" for NULL (and releases its exception) and for None. */
static struct prof_error *optional_text(PyObject *object, char **ret)
{
	AUTO_PY PyObject *held = object;

	if (!object)
		host_drop();
	AUTO_PY PyObject *text = object && object != Py_None ? PyObject_Str(object) : NULL;
	char *copy = text ? text_of(text) : strdup("");
	if (!copy) {
		host_drop();
		return prof_error_nomem();
	}
	*ret = copy;
	return NULL;
}

struct prof_error *host_parameter(const char *name, char **ret)
{
	PyObject *gdb = host_gdb();
	PyObject *value = gdb ? PyObject_CallMethod(gdb, "parameter", "s", name) : NULL;

	return value ? optional_text(value, ret) : host_error();
}

PyObject *host_space(void)
{
	PyObject *gdb = host_gdb();
	PyObject *space = gdb ? PyObject_CallMethod(gdb, "current_progspace", NULL) : NULL;

	host_drop();
	return space;
}

bool host_has_programs(void)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *spaces = gdb ? PyObject_CallMethod(gdb, "progspaces", NULL) : NULL;
	Py_ssize_t count = spaces ? PySequence_Size(spaces) : 0;
	AUTO_FREE char *first = NULL;
	bool differ = false;

	for (Py_ssize_t i = 0; i < count; i++) {
		AUTO_PY PyObject *space = PySequence_GetItem(spaces, i);
		AUTO_FREE char *program = space ? host_string(space, "filename") : NULL;
		differ |= first && program && strcmp(first, program) != 0;
		if (!first)
			first = steal(&program);
	}
	host_drop();
	return differ;
}

bool host_is_current(PyObject *space)
{
	AUTO_PY PyObject *current = host_space();

	return current == space;
}

struct prof_error *host_program(char **ret)
{
	AUTO_PY PyObject *space = host_space();

	return optional_text(space ? PyObject_GetAttrString(space, "filename") : NULL, ret);
}

static bool ending;

void host_end(void)
{
	ending = true;
}

bool host_is_ending(void)
{
	return ending;
}

pid_t host_thread(void)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *thread = gdb ? PyObject_CallMethod(gdb, "selected_thread", NULL) : NULL;
	AUTO_PY PyObject *ids =
		thread && thread != Py_None ? PyObject_GetAttrString(thread, "ptid") : NULL;
	/* (process, LWP, thread); the LWP is 0 for some targets. */
	PyObject *lwp = ids ? PyTuple_GetItem(ids, 1) : NULL;
	long number = lwp ? PyLong_AsLong(lwp) : 0;

	host_drop();
	return number > 0 ? (pid_t)number : 0;
}

static struct prof_error *change_event(const char *name, const char *method, PyObject *function)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *events = gdb ? PyObject_GetAttrString(gdb, "events") : NULL;
	AUTO_PY PyObject *registry = events ? PyObject_GetAttrString(events, name) : NULL;

	/* An older GDB has fewer. */
	if (events && !registry && PyErr_ExceptionMatches(PyExc_AttributeError)) {
		PyErr_Clear();
		return NULL;
	}
	AUTO_PY PyObject *done =
		registry ? PyObject_CallMethod(registry, method, "O", function) : NULL;
	return done ? NULL : host_error();
}

struct prof_error *host_connect(const char *name, PyObject *function)
{
	return change_event(name, "connect", function);
}

struct prof_error *host_disconnect(const char *name, PyObject *function)
{
	return change_event(name, "disconnect", function);
}

/* Functions that were posted and not called yet. */
static size_t posted;

/*
 * GDB is ending.  Up to 13 at least it frees posted functions after Python has ended, and crashes.
 * It has put everything else in order by now.
 */
static void leave(int status, void *unused)
{
	(void)unused;
	if (!posted)
		return;
	fflush(NULL);
	_exit(status);
}

/* Calls the function whose PyMethodDef is in SELF. */
static PyObject *call_posted(PyObject *self, PyObject *unused)
{
	PyMethodDef *method = PyCapsule_GetPointer(self, NULL);

	posted--;
	return method ? method->ml_meth(NULL, unused) : NULL;
}

static PyMethodDef call_posted_method = {"gdbprof", call_posted, METH_NOARGS, NULL};

struct prof_error *host_post(PyMethodDef *method)
{
	static bool watches;
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *self = gdb ? PyCapsule_New(method, NULL, NULL) : NULL;
	AUTO_PY PyObject *function = self ? PyCFunction_New(&call_posted_method, self) : NULL;
	AUTO_PY PyObject *done =
		function ? PyObject_CallMethod(gdb, "post_event", "O", function) : NULL;

	if (!done)
		return host_error();
	posted++;
	if (!watches)
		watches = !on_exit(leave, NULL);
	return NULL;
}

void host_objects(PyObject *space, void (*visit)(void *context, const char *file), void *context)
{
	AUTO_PY PyObject *list = PyObject_CallMethod(space, "objfiles", NULL);
	Py_ssize_t count = list ? PyList_Size(list) : 0;

	for (Py_ssize_t i = 0; i < count; i++) {
		AUTO_PY PyObject *name =
			PyObject_GetAttrString(PyList_GetItem(list, i), "filename");
		const char *file = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
		if (file)
			visit(context, file);
		host_drop(); /* an object without a file raises an exception */
	}
	host_drop();
}

PyObject *host_attribute(PyObject *object, const char *name)
{
	/* Python interns each string by which an attribute was looked up: always use the same. */
	AUTO_PY PyObject *key = PyUnicode_InternFromString(name);
	PyObject *value = key ? PyObject_GetAttr(object, key) : NULL;

	if (!value)
		host_drop();
	if (value != Py_None)
		return value;
	Py_DECREF(value);
	return NULL;
}

bool host_is_true(PyObject *object, const char *name)
{
	AUTO_PY PyObject *value = host_attribute(object, name);
	bool result = value && PyObject_IsTrue(value) == 1;

	host_drop();
	return result;
}

char *host_string(PyObject *object, const char *name)
{
	AUTO_PY PyObject *value = host_attribute(object, name);
	char *copy = value ? text_of(value) : NULL;

	host_drop();
	return copy;
}

uint64_t host_number(PyObject *object, const char *name)
{
	AUTO_PY PyObject *value = host_attribute(object, name);
	uint64_t number = value ? PyLong_AsUnsignedLongLong(value) : 0;

	host_drop();
	return number;
}

PyObject *host_split(const char *text)
{
	PyObject *gdb = host_gdb();

	return gdb ? PyObject_CallMethod(gdb, "string_to_argv", "s", text) : NULL;
}
