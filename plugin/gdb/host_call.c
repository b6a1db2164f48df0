/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/host_call.h"

#include "base/text.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "plugin/interpose/xstate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What gdb.NAME () returns, a new reference, or NULL; no exception. */
static PyObject *ask(const char *name)
{
	PyObject *gdb = host_gdb();
	PyObject *value = gdb ? PyObject_CallMethod(gdb, name, NULL) : NULL;

	host_drop();
	if (value != Py_None)
		return value;
	Py_DECREF(value);
	return NULL;
}

void host_selection_keep(struct host_selection *selection)
{
	selection->thread = ask("selected_thread");
	selection->frame = selection->thread ? ask("selected_frame") : NULL;
}

void host_selection_restore(struct host_selection *selection)
{
	AUTO_PY PyObject *now = ask("selected_thread");
	AUTO_PY PyObject *switched = selection->thread && now != selection->thread
		? PyObject_CallMethod(selection->thread, "switch", NULL)
		: NULL;

	host_drop();
	AUTO_PY PyObject *chosen =
		selection->frame ? PyObject_CallMethod(selection->frame, "select", NULL) : NULL;
	host_drop(); /* the thread may have left it */
	Py_CLEAR(selection->thread);
	Py_CLEAR(selection->frame);
}

static long lwp_of(PyObject *thread)
{
	AUTO_PY PyObject *ids = PyObject_GetAttrString(thread, "ptid");
	PyObject *lwp = ids ? PyTuple_GetItem(ids, 1) : NULL;
	long number = lwp ? PyLong_AsLong(lwp) : 0;

	host_drop();
	return number;
}

bool host_select(pid_t thread)
{
	AUTO_PY PyObject *inferior = ask("selected_inferior");
	AUTO_PY PyObject *threads =
		inferior ? PyObject_CallMethod(inferior, "threads", NULL) : NULL;
	Py_ssize_t count = threads ? PyTuple_Size(threads) : 0;
	bool done = host_thread() == thread;

	for (Py_ssize_t i = 0; i < count && !done; i++) {
		PyObject *item = PyTuple_GetItem(threads, i);
		if (lwp_of(item) != thread)
			continue;
		AUTO_PY PyObject *switched = PyObject_CallMethod(item, "switch", NULL);
		done = switched;
	}
	host_drop();
	return done;
}

/*
 * Is BREAKPOINT the user's, and enabled?  The plugin's are internal, with numbers below 0, and its
 * catchpoints have conditions of its own.
 */
static bool is_meant(PyObject *breakpoint)
{
	AUTO_FREE char *condition = host_string(breakpoint, "condition");
	AUTO_PY PyObject *number = PyObject_GetAttrString(breakpoint, "number");
	bool internal = number && PyLong_AsLong(number) < 0;

	host_drop();
	return !internal && host_is_true(breakpoint, "enabled") &&
		(!condition || strncmp(condition, "$_prof_", 7) != 0);
}

/* Does BREAKPOINT stop whoever comes to a place, and do nothing else? */
static bool is_of_code(PyObject *breakpoint)
{
	static const char *const kinds[] = {"BP_BREAKPOINT", "BP_HARDWARE_BREAKPOINT"};
	PyObject *gdb = host_gdb();
	uint64_t type = host_number(breakpoint, "type");
	bool found = false;

	for (size_t i = 0; i < PROF_COUNT(kinds) && gdb; i++)
		found |= host_number(gdb, kinds[i]) == type;
	return found;
}

static bool add_places(struct host_breakpoints *breakpoints, PyObject *breakpoint)
{
	AUTO_PY PyObject *locations = PyObject_GetAttrString(breakpoint, "locations");
	Py_ssize_t count = locations ? PySequence_Size(locations) : -1;

	for (Py_ssize_t i = 0; i < count; i++) {
		AUTO_PY PyObject *location = PySequence_GetItem(locations, i);
		uint64_t *place = location ? prof_array_push(&breakpoints->places) : NULL;
		if (place)
			*place = host_number(location, "address");
	}
	host_drop();
	return count > 0;
}

/* The breakpoints, a new tuple, or NULL. */
static PyObject *all_breakpoints(void)
{
	return ask("breakpoints");
}

struct prof_error *host_breakpoints_read(struct host_breakpoints *breakpoints)
{
	AUTO_PY PyObject *all = all_breakpoints();
	Py_ssize_t count = all ? PyTuple_Size(all) : 0;

	*breakpoints = (struct host_breakpoints){0};
	for (Py_ssize_t i = 0; i < count; i++) {
		PyObject *breakpoint = PyTuple_GetItem(all, i);
		if (!is_meant(breakpoint) || host_is_true(breakpoint, "pending"))
			continue;
		/* Before GDB 13 Python cannot see where a breakpoint is. */
		if (!is_of_code(breakpoint) || !add_places(breakpoints, breakpoint))
			breakpoints->others = true;
	}
	return NULL;
}

static void set_enabled(PyObject *breakpoint, bool enabled)
{
	AUTO_PY PyObject *value = PyBool_FromLong(enabled);

	if (PyObject_SetAttrString(breakpoint, "enabled", value))
		host_drop();
}

void host_breakpoints_disable(struct host_breakpoints *breakpoints)
{
	AUTO_PY PyObject *all = all_breakpoints();
	Py_ssize_t count = all ? PyTuple_Size(all) : 0;

	breakpoints->disabled = PyList_New(0);
	for (Py_ssize_t i = 0; breakpoints->disabled && i < count; i++) {
		PyObject *breakpoint = PyTuple_GetItem(all, i);
		if (is_meant(breakpoint) && !PyList_Append(breakpoints->disabled, breakpoint))
			set_enabled(breakpoint, false);
	}
	host_drop();
}

void host_breakpoints_enable(struct host_breakpoints *breakpoints)
{
	Py_ssize_t count = breakpoints->disabled ? PyList_Size(breakpoints->disabled) : 0;

	for (Py_ssize_t i = 0; i < count; i++)
		set_enabled(PyList_GetItem(breakpoints->disabled, i), true);
	Py_CLEAR(breakpoints->disabled);
}

void host_breakpoints_deinit(struct host_breakpoints *breakpoints)
{
	host_breakpoints_enable(breakpoints);
	free(breakpoints->places.items);
	*breakpoints = (struct host_breakpoints){0};
}

/* Executes COMMAND, whose output is a number with 0x. */
static struct prof_error *read_number(const char *command, uint64_t *ret)
{
	AUTO_TEXT struct prof_text text = {0};
	struct prof_error *error = host_execute(command, &text);

	if (error)
		return error;
	const char *number = strstr(prof_text_get(&text), "0x");
	if (!number)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"GDB cannot evaluate \"%s\": it prints \"%s\".", command,
			prof_text_get(&text));
	*ret = strtoull(number, NULL, 16);
	return NULL;
}

struct prof_error *host_call(uint64_t address, uint64_t first, uint64_t second, uint64_t *ret)
{
	static const char format[] =
		"with scheduler-locking on -- with unwindonsignal on -- with language c -- output/x ((unsigned long (*)(unsigned long, unsigned long))0x%" PRIx64
		")(0x%" PRIx64 ", 0x%" PRIx64 ")";
	char command[sizeof format + 64];

	snprintf(command, sizeof command, format, address, first, second);
	struct prof_error *error = xstate_complete();
	if (error)
		return error;
	error = read_number(command, ret);
	xstate_leave();
	return error;
}

void host_flush_registers(void)
{
	AUTO_TEXT struct prof_text text = {0};

	/*
	 * Before GDB 11 the new name stands for `maintenance flush-symbol-cache`, which is
	 * harmless.
	 */
	host_forget(host_execute(
		host_version() < 11 ? "flushregs" : "maintenance flush register-cache", &text));
}
