/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/catchpoint.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"

#include <stdio.h>
#include <string.h>

/* All catchpoints that have a breakpoint in GDB, or had one that the user has deleted. */
static struct catchpoint *catchpoints;

static void list_remove(struct catchpoint *catchpoint)
{
	struct catchpoint **place = &catchpoints;

	while (*place && *place != catchpoint)
		place = &(*place)->next;
	if (*place)
		*place = catchpoint->next;
	catchpoint->next = NULL;
}

static void list_add(struct catchpoint *catchpoint)
{
	list_remove(catchpoint);
	catchpoint->next = catchpoints;
	catchpoints = catchpoint;
}

bool catchpoint_owns(long number)
{
	const struct catchpoint *each = catchpoints;

	while (each && each->number != number)
		each = each->next;
	return each != NULL;
}

/* Executes COMMAND, and discards its output. */
static struct prof_error *quietly(const char *command)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	return host_execute(command, &text);
}

/* From a table row: "SIGURG        No	No	Yes		Urgent I/O condition". */
struct prof_error *handling_read(const char *signal, struct handling *ret)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	char command[32], stop[8], print[8], pass[8];

	snprintf(command, sizeof command, "info signals %s", signal);
	struct prof_error *error = host_execute(command, &text);
	if (error)
		return error;
	snprintf(command, sizeof command, "\n%s ", signal);
	const char *row = strstr(prof_text_get(&text), command);
	if (!row || sscanf(row, "%*s %7s %7s %7s", stop, print, pass) != 3)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"This GDB does not report how it handles %s.", signal);
	*ret = (struct handling){stop[0] == 'Y', print[0] == 'Y', pass[0] == 'Y'};
	return NULL;
}

struct prof_error *handling_set(const char *signal, struct handling handling)
{
	char command[64];

	snprintf(command, sizeof command, "handle %s %sstop %sprint %spass", signal,
		handling.stop ? "" : "no", handling.print ? "" : "no", handling.pass ? "" : "no");
	return quietly(command);
}

/* The value of $bpnum, a new reference: None if it is void; or NULL with an exception. */
static PyObject *last_number(void)
{
	PyObject *gdb = host_gdb();

	return gdb ? PyObject_CallMethod(gdb, "convenience_variable", "s", "bpnum") : NULL;
}

/* The number VALUE, from last_number(); 0 if it is none. */
static long as_number(PyObject *value)
{
	AUTO_PY PyObject *number = value && value != Py_None ? PyNumber_Long(value) : NULL;
	long result = number ? PyLong_AsLong(number) : 0;

	host_drop();
	return result;
}

/* Sets $bpnum to VALUE, from last_number().  (A command would depend on the program's language.) */
static struct prof_error *set_number(PyObject *value)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *done = gdb && value
		? PyObject_CallMethod(gdb, "set_convenience_variable", "sO", "bpnum", value)
		: NULL;

	return done ? NULL : host_error();
}

/* The number of BREAKPOINT, a gdb.Breakpoint; 0 if it has none. */
static long number_of(PyObject *breakpoint)
{
	AUTO_PY PyObject *number = PyObject_GetAttrString(breakpoint, "number");
	long result = number ? PyLong_AsLong(number) : 0;

	host_drop();
	return result;
}

/* The breakpoint NUMBER, or NULL. */
static PyObject *find(long number)
{
	PyObject *gdb = host_gdb();
	AUTO_PY PyObject *all = gdb ? PyObject_CallMethod(gdb, "breakpoints", NULL) : NULL;
	Py_ssize_t count = all ? PyTuple_Size(all) : 0;

	for (Py_ssize_t i = 0; i < count; i++) {
		PyObject *breakpoint = PyTuple_GetItem(all, i);
		if (number_of(breakpoint) == number)
			return python_hold(breakpoint);
	}
	host_drop();
	return NULL;
}

/*
 * A breakpoint was modified, or is being deleted; SELF holds the catchpoint.  `commands` without a
 * number applies to the breakpoint that was created last, and users do not mean ours.
 */
static PyObject *changed(PyObject *self, PyObject *breakpoint)
{
	struct catchpoint *catchpoint = PyCapsule_GetPointer(self, NULL);
	bool ours = catchpoint && number_of(breakpoint) == catchpoint->number;

	if (ours && !catchpoint->harmed && catchpoint->on_harm)
		catchpoint->on_harm();
	if (ours)
		catchpoint->harmed = true;
	if (ours && catchpoint->before) {
		AUTO_PY PyObject *commands = PyObject_GetAttrString(breakpoint, "commands");
		AUTO_PY PyObject *meant = find(catchpoint->before);
		AUTO_PY PyObject *none = PyUnicode_FromString("");
		if (commands && meant && none && PyObject_IsTrue(commands) == 1 &&
			!PyObject_SetAttrString(breakpoint, "commands", none))
			PyObject_SetAttrString(meant, "commands", commands);
	}
	host_drop();
	Py_RETURN_NONE;
}

static PyMethodDef changed_method = {"gdbprof", changed, METH_O, NULL};

/* The events to listen to. */
static const char *const changes[] = {"breakpoint_modified", "breakpoint_deleted"};

static struct prof_error *listen(struct catchpoint *catchpoint)
{
	AUTO_PY PyObject *self = PyCapsule_New(catchpoint, NULL, NULL);

	catchpoint->listener = self ? PyCFunction_New(&changed_method, self) : NULL;
	struct prof_error *error = catchpoint->listener ? NULL : host_error();
	for (size_t i = 0; i < PROF_COUNT(changes) && !error; i++)
		error = host_connect(changes[i], catchpoint->listener);
	return error;
}

/* Executes VERB for NUMBER, and then TAIL; false: GDB refuses. */
static bool execute(long number, const char *verb, const char *tail, struct prof_text *text)
{
	char command[64];

	snprintf(command, sizeof command, "%s %ld%s", verb, number, tail);
	struct prof_error *error = host_execute(command, text);
	bool done = !error;
	host_forget(error);
	return done;
}

static const char *condition_of(const struct catchpoint *catchpoint)
{
	return catchpoint->condition ? catchpoint->condition : "$_prof_tick()";
}

/* Sets CATCHPOINT's condition, and listens to what the user does with CATCHPOINT. */
static struct prof_error *arm(struct catchpoint *catchpoint)
{
	char command[64];

	snprintf(command, sizeof command, "condition %ld %s", catchpoint->number,
		condition_of(catchpoint));
	struct prof_error *error = quietly(command);
	if (!error && !catchpoint->listener)
		error = listen(catchpoint);
	catchpoint->harmed = false;
	return error;
}

/* Creates CATCHPOINT with its condition; *ARMED: that is set, perhaps even after an error. */
static struct prof_error *make(struct catchpoint *catchpoint, const char *signal, bool *armed)
{
	char command[64];
	AUTO_PY PyObject *last = last_number();
	struct prof_error *error = set_number(Py_None);

	if (error)
		return error;
	catchpoint->signal = signal;
	catchpoint->before = as_number(last);
	catchpoint->disabled = false;
	snprintf(command, sizeof command, "catch signal %s", signal);
	error = quietly(command);
	/* GDB may have created it, and then failed to tell the target. */
	AUTO_PY PyObject *made = last_number();
	catchpoint->number = as_number(made);
	if (catchpoint->number)
		list_add(catchpoint);
	struct prof_error *next = set_number(last);
	if (!next && catchpoint->number) {
		next = arm(catchpoint);
		*armed = !next;
	}
	if (!error)
		return next;
	host_forget(next);
	return error;
}

struct prof_error *catchpoint_set(struct catchpoint *catchpoint, const char *signal)
{
	bool armed = false;
	struct prof_error *error = make(catchpoint, signal, &armed);

	/* Without its condition it would show each tick. */
	if (error)
		catchpoint_delete(catchpoint);
	return error;
}

/* There is none, or none any more. */
static void remake(struct catchpoint *catchpoint)
{
	bool armed = false;

	/* If other breakpoints cannot be inserted now, it works nevertheless. */
	host_forget(make(catchpoint, catchpoint->signal, &armed));
	if (!armed)
		catchpoint_delete(catchpoint);
}

bool catchpoint_keep(struct catchpoint *catchpoint)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	char enabled = '?';

	/* An error here would end the user's command that waits for the program. */
	if (!catchpoint->number) {
		remake(catchpoint);
		return true;
	}
	/* "2       catchpoint     keep y                      signal "SIGURG"", below a heading. */
	execute(catchpoint->number, "info breakpoints", "", &text);
	const char *row = strchr(prof_text_get(&text), '\n');
	if (!row || sscanf(row, "%*d catchpoint %*s %c", &enabled) != 1) {
		remake(catchpoint);
		return true;
	}
	/* `condition N` removes the condition, and each tick would show. */
	bool conditional = strstr(prof_text_get(&text), condition_of(catchpoint));
	if (!conditional) {
		char tail[40];
		snprintf(tail, sizeof tail, " %s", condition_of(catchpoint));
		execute(catchpoint->number, "condition", tail, &text);
	}
	if (enabled != 'y')
		execute(catchpoint->number, "enable", "", &text);
	bool mended = !conditional || (enabled != 'y' && !catchpoint->disabled);
	catchpoint->disabled = false;
	catchpoint->harmed = false;
	return mended;
}

void catchpoint_disable(struct catchpoint *catchpoint)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	catchpoint->disabled = execute(catchpoint->number, "disable", "", &text);
	catchpoint->harmed = false;
}

void catchpoint_delete(struct catchpoint *catchpoint)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	/* The user may have deleted it before. */
	if (catchpoint->number && !host_is_ending())
		execute(catchpoint->number, "delete", "", &text);
	list_remove(catchpoint);
	catchpoint->number = 0;
	for (size_t i = 0; i < PROF_COUNT(changes) && catchpoint->listener; i++)
		host_forget(host_disconnect(changes[i], catchpoint->listener));
	Py_CLEAR(catchpoint->listener);
	catchpoint->harmed = false;
}
