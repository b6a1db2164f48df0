/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/option/settings.h"

#include "plugin/engine/tick_source.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/type.h"
#include "plugin/option/amount.h"
#include "plugin/option/filter.h"
#include "plugin/option/mpi_settings.h"
#include "plugin/option/word.h"

#include <stdlib.h>
#include <string.h>

static struct prof_error *check_rate_text(const char *text)
{
	double rate;

	return amount_read_rate(text, &rate);
}

static struct prof_error *check_share_text(const char *text)
{
	double share;

	return amount_read_share(text, &share);
}

static struct prof_error *check_depth_text(const char *text)
{
	size_t depth;

	return amount_read_depth(text, &depth);
}

static struct prof_error *check_verify_text(const char *text)
{
	size_t verify;

	return amount_read_verify(text, &verify);
}

static struct prof_error *check_memory_text(const char *text)
{
	size_t bytes;

	return amount_read_memory(text, &bytes);
}

static struct prof_error *check_size_text(const char *text)
{
	uint64_t size;

	return amount_read_size(text, &size);
}

struct setting {
	const char *name;  /* the name behind `set prof` */
	const char *value; /* the default */
	const char *set, *show, *describe;
	const char *says; /* the text of `show`, with %s for the value; "." is added */
	struct prof_error *(*check)(const char *text); /* NULL: any value */
	const char *(*word)(size_t index);             /* the allowed values; NULL: any */
};

/* The table; ends with a row without a name. */
static const struct setting settings[] = {
	{"rate", "100", "Set the sampling rate, in samples a second.",
		"Show the sampling rate, in samples a second.",
		"The value is a number from 0.1 to 20000, or hi, on or lo for 1000, 100 and 10.",
		"The sampling rate is %s", check_rate_text, NULL},
	{"engine", "auto", "Set the engine that samples programs.",
		"Show the engine that samples programs.",
		"auto takes the best engine that works here; prof-status reports which.",
		"The sampling engine is %s", NULL, word_of_engine},
	{"ticks", "auto", "Set the source of the ticks of the engines stop and catch.",
		"Show the source of the ticks of the engines stop and catch.",
		"kernel stops a thread by the kernel's clock of its CPU time, right where it works.\n"
		"This needs perf events: the kernel must permit them.  look sends a signal to each thread\n"
		"that gdbprof sees running; short work between two waits is over by then.  timer stops\n"
		"a thread by a timer of its CPU time that gdbprof makes in the program; only the engine\n"
		"stop does so.  auto uses kernel if it is permitted.  Otherwise the engine stop uses timer\n"
		"for threads that work for less than 500 us between waits, and look for all others; the\n"
		"engine catch uses look.",
		"The source of the ticks of the engines stop and catch is %s", NULL,
		tick_source_word},
	{"clock", "cpu", "Set which threads count as samples.",
		"Show which threads count as samples.",
		"cpu counts threads that are on a CPU at a tick; wall also counts threads that wait.",
		"The clock of samples is %s", NULL, word_of_clock},
	{"kernel", "off", "Set whether stacks include the kernel's functions.",
		"Show whether stacks include the kernel's functions.",
		"With on, the stack of a system call or a page fault also has the functions that the\n"
		"kernel was in.  This needs the engine perf, and the kernel's permission.",
		"Kernel functions in stacks are %s", NULL, word_of_switch},
	{"max-depth", "4096", "Set the greatest number of frames that are kept of a stack.",
		"Show the greatest number of frames that are kept of a stack.",
		"gdbprof keeps the innermost frames of a deeper stack.",
		"The greatest number of frames kept is %s", check_depth_text, NULL},
	{"max-stopped", "10",
		"Set the share of time, in percent, that samples may keep a program from running.",
		"Show the share of time, in percent, that samples may keep a program from running.",
		"Above this share gdbprof lowers the sampling rate, and every view reports it.",
		"The program may be kept from running for %s percent of its time", check_share_text,
		NULL},
	{"count-limit", "10", "Set the share of time, in percent, that counting calls may take.",
		"Show the share of time, in percent, that counting calls may take.",
		"gdbprof stops counting functions that are called too often for this share, and\n"
		"prof-status names them.  100 means no limit.",
		"Counting calls may take %s percent of the time", check_share_text, NULL},
	{"calls-limit", "50", "Set the share of time, in percent, that recording calls may take.",
		"Show the share of time, in percent, that recording calls may take.",
		"gdbprof counts the calls of functions that are called too often for this share of the\n"
		"program's CPU time, without times, and prof-status names them.  100 means no limit.",
		"Recording calls may take %s percent of the time", check_share_text, NULL},
	{"verify", "off", "Set how often GDB walks a stack too, for comparison.",
		"Show how often GDB walks a stack too, for comparison.",
		"N compares every Nth sample of the engine stop, and prof-status reports the result.\n"
		"0 or off compares none.",
		"The interval of the stacks that GDB walks too is %s", check_verify_text, NULL},
	{"trace-memory", "256", "Set the size, in MB, of the buffer for traced events.",
		"Show the size, in MB, of the buffer for traced events.",
		"The program and GDB share this memory; only the part in use is allocated.  When it is\n"
		"full, gdbprof drops events, and every view reports how many.",
		"The size of the buffer for traced events is %s MB", check_memory_text, NULL},
	{"max-output", "64", "Set the greatest size, in MB, of a view, a picture or an export.",
		"Show the greatest size, in MB, of a view, a picture or an export.",
		"gdbprof refuses to print or write more than that.  Without a limit, a small file from\n"
		"a stranger could fill your memory or disk.",
		"The greatest size of a view, a picture or an export is %s MB", check_memory_text,
		NULL},
	{"trace-children", "off",
		"Set whether gdbprof also traces the children of a traced process.",
		"Show whether gdbprof also traces the children of a traced process.",
		"on traces the children that GDB keeps, from their first stop on: see\n"
		"\"set detach-on-fork\" and \"set follow-fork-mode\".",
		"Tracing the children of a traced process is %s", NULL, word_of_switch},
	{"mpi-stacks", "1", "Set whether traced calls of MPI have stacks.",
		"Show whether traced calls of MPI have stacks.",
		"1 records the stack of each call, and 0 only its function.",
		"Recording the stacks of traced calls of MPI is %s", NULL,
		mpi_settings_stacks_word},
	{"mpi-buffer-size", "64M", "Set the size of the buffer for traced calls of MPI.",
		"Show the size of the buffer for traced calls of MPI.",
		"The value is a number of bytes, or a number with K, M or G.",
		"The size of the buffer for traced calls of MPI is %s", mpi_settings_check_buffer,
		NULL},
	{"mpi-max-flushes", "0", "Set how often the buffer for traced calls of MPI may be flushed.",
		"Show how often the buffer for traced calls of MPI may be flushed.",
		"gdbprof drops the further calls of a process that has filled the buffer this many times,\n"
		"and every view reports that the trace is incomplete.  0 means no limit.",
		"The limit of flushes of the buffer for traced calls of MPI is %s",
		mpi_settings_check_flushes, NULL},
	{"mpi-verbose", "1", "Set how much prof-status reports of MPI tracing.",
		"Show how much prof-status reports of MPI tracing.",
		"0 reports nothing, 1 reports that calls are dropped, and 2 also reports how full the\n"
		"buffer is.",
		"The verbosity of MPI tracing is %s", NULL, mpi_settings_verbose_word},
	{"mark-stops", "on", "Set whether each stop of the program makes a mark.",
		"Show whether each stop of the program makes a mark.",
		"Marks divide a recording into intervals; see prof-intervals.",
		"Marks at stops are %s", NULL, word_of_switch},
	{"tips", "off", "Set whether gdbprof prints a line after each stop while it records.",
		"Show whether gdbprof prints a line after each stop while it records.",
		"The line is on the time since the stop before: how long the program ran, how much CPU\n"
		"time it used, and which functions had the most samples; of a traced heap also the number\n"
		"of allocations, and by how much it has grown.  GDB prints it before its next prompt.\n"
		"This needs \"set prof mark-stops\".",
		"The line after each stop is %s", NULL, word_of_switch},
	{"annotate", "off", "Set whether backtraces show the share of samples of each frame.",
		"Show whether backtraces show the share of samples of each frame.",
		"If it is on, \"backtrace\" shows behind each frame the inclusive share of its function in\n"
		"the experiment at hand, such as \"[61 %]\", and prof-disas and prof-source without an\n"
		"argument show the function of the selected frame.  This is a frame filter: \"info frame-filter\"\n"
		"lists it, other filters go on working, and off takes it away.",
		"The share of samples in backtraces is %s", NULL, word_of_switch},
	{"collapse", "none", "Set how prof-tree collapses recursion.",
		"Show how prof-tree collapses recursion.", "See \"help prof-tree\".",
		"The degree to which prof-tree collapses recursion is %s", NULL, word_of_degree},
	{"filter", "", "Set which samples the views select.",
		"Show which samples the views select.",
		"The value is a list of filter options, such as --state=lock --thread=12.  An option\n"
		"that you give with a view replaces the option of the same name.  The default is no\n"
		"value, which selects all samples.",
		"The filter of the views is \"%s\"", filter_check, NULL},
	{"output", "", "Set the file that prof-start records into.",
		"Show the file that prof-start records into.",
		"The default is no value, which keeps recordings in memory; see prof-save.",
		"The file that prof-start records into is \"%s\"", NULL, NULL},
	{"store", "", "Set the folder in which prof-start creates numbered files.",
		"Show the folder in which prof-start creates numbered files.",
		"Each recording goes into a new file in this folder, named after the program, with a\n"
		"number: name.1, name.2 and so on.  --output and \"set prof output\" take precedence.\n"
		"The default is no value: prof-start creates no numbered files.",
		"The folder in which prof-start creates numbered files is \"%s\"", NULL, NULL},
	{"limit", "unlimited", "Set the size, in MB, at which a recording stops taking samples.",
		"Show the size, in MB, at which a recording stops taking samples.",
		"The size is that of the file, or of the memory that a recording without a file takes.\n"
		"At this size sampling, tracing and counting stop; marks go on.  The value is a number\n"
		"from 0.1 on, or unlimited, which is the default.",
		"The size, in MB, at which a recording stops taking samples is %s", check_size_text,
		NULL},
	{NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};

/* See settings_notify(). */
static struct {
	const char *name;
	struct prof_error *(*changed)(const char *value);
} listener;

void settings_notify(const char *name, struct prof_error *(*changed)(const char *value))
{
	listener.name = name;
	listener.changed = changed;
}

/* Implementation of gdb.Parameter.get_set_string (self) -> "", or refuses the value. */
static PyObject *get_set_string(PyObject *self, PyObject *unused)
{
	const struct setting *setting = type_row(self);
	AUTO_PY PyObject *value = setting ? PyObject_GetAttrString(self, "value") : NULL;
	/* GDB passes None if the value is empty. */
	AUTO_PY PyObject *given =
		value && value != Py_None ? PyObject_Str(value) : PyUnicode_FromString("");
	/* `with` passes on the blank before its "--". */
	AUTO_PY PyObject *text = given ? PyObject_CallMethod(given, "strip", NULL) : NULL;
	const char *bytes = text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;

	(void)unused;
	if (!setting || !value || !bytes)
		return NULL;
	struct prof_error *error = setting->check ? setting->check(bytes) : NULL;
	if (error) {
		/* The type keeps the last valid value, because instances cannot. */
		AUTO_PY PyObject *before = PyObject_GetAttrString(self, "_before");
		if (before && PyObject_SetAttrString(self, "value", before))
			PyErr_Clear();
		return host_raise(error);
	}
	if (PyObject_SetAttrString(self, "value", text) ||
		PyObject_SetAttrString((PyObject *)Py_TYPE(self), "_before", text))
		return NULL;
	if (listener.changed && !strcmp(listener.name, setting->name))
		error = listener.changed(bytes);
	if (error)
		return host_raise(error);
	return PyUnicode_FromString("");
}

/* Implementation of gdb.Parameter.get_show_string (self, value) -> a sentence. */
static PyObject *get_show_string(PyObject *self, PyObject *arguments)
{
	const struct setting *setting = type_row(self);
	const char *value;

	if (!setting || !PyArg_ParseTuple(arguments, "s", &value))
		return NULL;
	AUTO_PY PyObject *format = PyUnicode_FromFormat("%s.", setting->says);
	const char *says = format ? PyUnicode_AsUTF8AndSize(format, NULL) : NULL;
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	if (!says)
		return NULL;
	const char *place = strstr(says, "%s");
	prof_text_bytes(&text, says, (size_t)(place - says));
	prof_text_name(&text, value);
	prof_text_print(&text, "%s", place + 2);
	return PyUnicode_FromString(prof_text_get(&text));
}

static PyMethodDef setting_methods[] = {
	{"get_set_string", get_set_string, METH_NOARGS, NULL},
	{"get_show_string", get_show_string, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

/* The words of SETTING as a new list. */
static PyObject *word_list(const struct setting *setting)
{
	PyObject *list = PyList_New(0);
	const char *word;

	for (size_t i = 0; list && (word = setting->word(i)); i++) {
		AUTO_PY PyObject *item = PyUnicode_FromString(word);
		if (!item || PyList_Append(list, item))
			Py_CLEAR(list);
	}
	return list;
}

static bool set_text(PyObject *object, const char *name, const char *text)
{
	AUTO_PY PyObject *value = PyUnicode_FromString(text);

	return value && !PyObject_SetAttrString(object, name, value);
}

/* The default value of SETTING. */
static const char *first_value(const struct setting *setting)
{
	const char *variable = mpi_settings_variable(setting->name);
	const char *given = variable ? getenv(variable) : NULL;
	struct prof_error *error = NULL;
	const char *word = NULL;

	if (!given)
		return setting->value;
	for (size_t i = 0; setting->word && (word = setting->word(i)) && strcmp(word, given);)
		i++;
	if (setting->check)
		error = setting->check(given);
	bool valid = setting->word ? word != NULL : !error;
	prof_error_destroy(error);
	return valid ? given : setting->value;
}

static bool register_setting(const struct setting *setting)
{
	const char *value = first_value(setting);
	PROF_AUTO(prof_text_deinit) struct prof_text name = {0};
	AUTO_TEXT struct prof_text help = {0};

	prof_text_prose(&help, 0, setting->describe);
	AUTO_PY PyObject *type =
		type_create("_prof.Setting", "Parameter", setting_methods, prof_text_get(&help));
	AUTO_PY PyObject *words = type && setting->word ? word_list(setting) : NULL;

	prof_text_print(&name, "prof %s", setting->name);
	if (!type || (setting->word && !words) || !type_set_row(type, setting) ||
		!set_text(type, "set_doc", setting->set) ||
		!set_text(type, "show_doc", setting->show) || !set_text(type, "_before", value))
		return false;
	AUTO_PY PyObject *made = type_add_parameter(type, prof_text_get(&name), words);
	return made && set_text(made, "value", value);
}

/* The error that the name in ARGUMENTS, of `invoke`, after PREFIX is no setting. */
static PyObject *refuse_name(const char *prefix, PyObject *arguments)
{
	const char *text;
	PyObject *from_tty;

	if (!PyArg_ParseTuple(arguments, "sO", &text, &from_tty))
		return NULL;
	if (!*text)
		return host_raise(prof_error_create(PROF_ERROR_USAGE,
			"\"%s\" must be followed by the name of a setting; see \"help %s\".",
			prefix, prefix));
	return host_raise(prof_error_create(PROF_ERROR_USAGE,
		"There is no setting \"%.*s\"; see \"help %s\".", (int)strcspn(text, " \t"), text,
		prefix));
}

/* Implementation of gdb.Command.invoke for `show prof`: prints all settings. */
static PyObject *invoke_show(PyObject *self, PyObject *arguments)
{
	AUTO_PY PyObject *name = PySequence_GetItem(arguments, 0);

	(void)self;
	if (!name)
		return NULL;
	if (PyUnicode_GetLength(name) > 0)
		return refuse_name("show prof", arguments);
	for (const struct setting *setting = settings; setting->name; setting++) {
		PROF_AUTO(prof_text_deinit) struct prof_text command = {0};
		PROF_AUTO(prof_text_deinit) struct prof_text line = {0};
		prof_text_print(&command, "show prof %s", setting->name);
		prof_text_print(&line, "%s:  ", setting->name);
		struct prof_error *error = host_execute(prof_text_get(&command), &line);
		if (!error)
			error = host_write(prof_text_get(&line));
		if (error)
			return host_raise(error);
	}
	Py_RETURN_NONE;
}

/* Implementation of gdb.Command.invoke for `set prof`, which needs a setting. */
static PyObject *invoke_set(PyObject *self, PyObject *arguments)
{
	(void)self;
	return refuse_name("set prof", arguments);
}

static PyMethodDef show_methods[] = {
	{"invoke", invoke_show, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

static PyMethodDef set_methods[] = {
	{"invoke", invoke_set, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

static bool register_prefix(const char *name, PyMethodDef *methods, const char *doc)
{
	AUTO_PY PyObject *type = type_create("_prof.Prefix", "Command", methods, doc);

	return type && type_add_command(type, name, "COMMAND_DATA", "COMPLETE_NONE", true);
}

bool settings_register(void)
{
	if (!register_prefix("set prof", set_methods, "Set a profiler default.") ||
		!register_prefix("show prof", show_methods, "Show the profiler defaults."))
		return false;
	for (const struct setting *setting = settings; setting->name; setting++) {
		if (!register_setting(setting))
			return false;
	}
	return true;
}

struct prof_error *settings_get(const char *name, char **ret)
{
	PROF_AUTO(prof_text_deinit) struct prof_text whole = {0};

	prof_text_print(&whole, "prof %s", name);
	struct prof_error *error = prof_text_error(&whole);
	return error ? error : host_parameter(prof_text_get(&whole), ret);
}

struct prof_error *settings_bound(struct prof_text *text)
{
	AUTO_FREE char *size = NULL;
	struct prof_error *error = settings_get("max-output", &size);

	return error ? error : amount_read_memory(size, &text->most);
}

struct prof_error *settings_get_tracing(size_t *memory, bool *children)
{
	AUTO_FREE char *size = NULL;
	AUTO_FREE char *wanted = NULL;
	struct prof_error *error = settings_get("trace-memory", &size);

	if (!error)
		error = amount_read_memory(size, memory);
	if (!error)
		error = settings_get("trace-children", &wanted);
	if (!error)
		*children = !strcmp(wanted, "on");
	return error;
}
