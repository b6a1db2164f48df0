/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/breaks/breaks.h"

#include "base/memory.h"
#include "plugin/breaks/break_kind.h"
#include "plugin/breaks/catch_row.h"
#include "plugin/breaks/watcher.h"
#include "plugin/gdb/events.h"
#include "plugin/gdb/expression.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_call.h"
#include "plugin/gdb/host_target.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/trap.h"
#include "plugin/gdb/type.h"
#include "plugin/option/option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct break_kind *const break_kinds[] = {&break_call, NULL};

struct perf_break {
	struct watched_break watched;
	long number;     /* of its catchpoint */
	char *what;      /* it stops at */
	char *condition; /* the user's; "": none */
	char *said;      /* what its next stop shows; NULL: none is due */
	struct perf_break *next;
};

/* GDB's handlers come without a context, so there is one list. */
static struct {
	struct perf_break *first;
	bool connected;
	bool stood; /* the user may have changed something since the program last went on */
} breaks;

static void break_destroy(struct perf_break *item)
{
	watcher_remove(&item->watched);
	item->watched.kind->destroy(item->watched.own);
	free(item->what);
	free(item->condition);
	free(item->said);
	free(item);
}

static struct perf_break *find(long number)
{
	struct perf_break *item = breaks.first;

	while (item && item->number != number)
		item = item->next;
	return item;
}

/* The condition of the catchpoint NUMBER. */
static void print_condition(long number, char *buffer, size_t size)
{
	snprintf(buffer, size, "$_prof_break(%ld)", number);
}

/* Executes FORMAT of NUMBER and TAIL, and discards what it prints. */
static struct prof_error *quietly(const char *verb, long number, const char *tail)
{
	AUTO_TEXT struct prof_text command = {0};
	AUTO_TEXT struct prof_text text = {0};

	prof_text_print(&command, "%s %ld %s", verb, number, tail);
	struct prof_error *error = prof_text_error(&command);
	return error ? error : host_execute(prof_text_get(&command), &text);
}

/* The user has given ITEM's catchpoint the condition GIVEN: it is ITEM's own from now on. */
static void adopt_condition(struct perf_break *item, const char *given)
{
	char condition[40];
	char *copy = strdup(given);

	print_condition(item->number, condition, sizeof condition);
	if (!copy || !strcmp(given, condition)) {
		free(copy);
		return;
	}
	free(item->condition);
	item->condition = copy;
	host_forget(quietly("condition", item->number, condition));
}

/* Reads what the user has done with the catchpoints. */
static void refresh(void)
{
	struct perf_break **place = &breaks.first;

	while (*place) {
		struct perf_break *item = *place;
		PROF_AUTO(catch_row_deinit) struct catch_row row = {0};
		struct prof_error *error = catch_row_read(item->number, &row);
		if (!error && !row.exists) {
			*place = item->next;
			break_destroy(item);
			continue;
		}
		if (!error) {
			adopt_condition(item, row.condition);
			break_lock();
			item->watched.enabled = row.enabled;
			break_unlock();
		}
		host_forget(error);
		place = &item->next;
	}
}

static void go_on(void *unused, pid_t process)
{
	(void)unused;
	host_forget(watcher_go_on(process));
}

/* Events of GDB's, while there are performance breakpoints. */

static void on_cont(const struct event *event)
{
	AUTO_FREE char *all = NULL;
	AUTO_FREE char *connection = NULL;

	/* GDB also reports each time that it continues a thread by itself. */
	if (!breaks.stood)
		return;
	breaks.stood = false;
	refresh();
	struct prof_error *error = traps_return();
	if (!error)
		error = host_connection(&connection);
	if (!error)
		error = host_parameter("schedule-multiple", &all);
	bool native = !error && host_is_native(connection);
	if (native && !event->single && !strcmp(all, "True"))
		host_each_process(go_on, NULL);
	else if (native && event->process)
		go_on(NULL, event->process);
	host_forget(error);
}

/* The thread that EVENT is about, in non-stop mode, or 0. */
static pid_t thread_of(const struct event *event)
{
	AUTO_PY PyObject *thread = host_attribute(event->python, "inferior_thread");
	AUTO_PY PyObject *ids = thread ? host_attribute(thread, "ptid") : NULL;
	PyObject *id = ids ? PyTuple_GetItem(ids, 1) : NULL;
	long number = id ? PyLong_AsLong(id) : 0;

	host_drop();
	return number > 0 ? (pid_t)number : 0;
}

static void forget_thread(const struct event *event)
{
	pid_t thread = thread_of(event);

	if (!host_runs(event->process))
		watcher_stand(event->process);
	break_lock();
	for (struct perf_break *item = breaks.first; item && thread; item = item->next) {
		if (item->watched.kind->forget)
			item->watched.kind->forget(item->watched.own, event->process, thread);
	}
	break_unlock();
}

/* Has EVENT come of ITEM's catchpoint?  GDB before 14 reports the signal only. */
static bool is_of(const struct event *event, const struct perf_break *item)
{
	AUTO_FREE char *signal = host_string(event->python, "stop_signal");
	AUTO_PY PyObject *met = host_attribute(event->python, "breakpoints");
	Py_ssize_t count = met ? PySequence_Size(met) : 0;
	bool found = signal && strstr(WATCHER_SIGNALS, signal);

	for (Py_ssize_t i = 0; i < count && !found; i++) {
		AUTO_PY PyObject *breakpoint = PySequence_GetItem(met, i);
		found = breakpoint && host_number(breakpoint, "number") == (uint64_t)item->number;
	}
	host_drop();
	return found;
}

/* Prints what ITEM has confirmed, unless its commands are silent. */
static void say(struct perf_break *item)
{
	AUTO_TEXT struct prof_text text = {0};
	PROF_AUTO(catch_row_deinit) struct catch_row row = {0};
	struct prof_error *error = catch_row_read(item->number, &row);

	prof_text_print(&text, "Performance breakpoint %ld, %s\n", item->number, item->said);
	if (!error && !row.silent)
		error = host_write(prof_text_get(&text));
	host_forget(error);
}

static void on_stop(const struct event *event)
{
	breaks.stood = true;
	if (event->single)
		forget_thread(event);
	else
		watcher_stand_all();
	for (struct perf_break *item = breaks.first; item; item = item->next) {
		if (item->said && is_of(event, item))
			say(item);
		free(item->said);
		item->said = NULL;
	}
}

static void on_exited(const struct event *event)
{
	breaks.stood = true;
	traps_rest(event->process);
	watcher_forget(event->process);
}

static void on_exiting(const struct event *event)
{
	(void)event;
	host_end();
	for (struct perf_break *item = breaks.first; item; item = item->next)
		watcher_remove(&item->watched);
}

static void on_prompt(const struct event *event);

static const struct event_handler handlers[] = {
	{"cont", on_cont, true},
	{"stop", on_stop, true},
	{"exited", on_exited, false},
	{"before_prompt", on_prompt, false},
	{"gdb_exiting", on_exiting, false},
	{NULL, NULL, false},
};

static void disconnect_if_none(void)
{
	if (breaks.first || !breaks.connected)
		return;
	events_disconnect(handlers);
	breaks.connected = false;
}

static void on_prompt(const struct event *event)
{
	(void)event;
	if (!breaks.stood)
		return;
	refresh();
	disconnect_if_none();
}

/* Does the condition that the user has given ITEM hold, where GDB has stopped?  */
static bool holds(const struct perf_break *item)
{
	return !*item->condition || expression_holds(item->condition) == 1;
}

/* Has the selected thread met the signal for ITEM, for a reason that still is one? */
static bool is_met(struct perf_break *item)
{
	AUTO_TEXT struct prof_text text = {0};
	struct host_selection selection;
	pid_t process = host_process(), thread = host_thread();

	if (!watcher_meet(&item->watched, thread))
		return false;
	break_lock();
	int64_t now = watcher_clock(process);
	break_unlock();
	host_selection_keep(&selection);
	bool met = item->watched.kind->confirm(item->watched.own, process, thread, now, &text) &&
		holds(item);
	host_selection_restore(&selection);
	if (!met)
		return false;
	free(item->said);
	item->said = strdup(prof_text_get(&text));
	return item->said;
}

/* Implementation of $_prof_break (number) -> 1, or 0 so that the catchpoint does not stop. */
static PyObject *invoke(PyObject *self, PyObject *arguments)
{
	PyObject *value = PyTuple_Size(arguments) == 1 ? PyTuple_GetItem(arguments, 0) : NULL;
	AUTO_PY PyObject *number = value ? PyNumber_Long(value) : NULL;
	struct perf_break *item = number ? find(PyLong_AsLong(number)) : NULL;

	(void)self;
	host_drop();
	return PyLong_FromLong(item && is_met(item));
}

static PyMethodDef methods[] = {
	{"invoke", invoke, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

bool breaks_register(void)
{
	return type_add_function("_prof.Break", "_prof_break", methods,
		"Confirm what a performance breakpoint of gdbprof has found.\n"
		"Usage: $_prof_break (NUMBER)\n\n"
		"This is the condition of the catchpoint that prof-break makes.  The value is 1 if the\n"
		"program stops there.  Do not call it yourself.");
}

/* Makes the catchpoint of ITEM. */
static struct prof_error *place(struct perf_break *item, bool temporary)
{
	AUTO_TEXT struct prof_text text = {0};
	AUTO_TEXT struct prof_text number = {0};
	char condition[40];
	struct prof_error *error = host_execute(
		temporary ? "tcatch signal " WATCHER_SIGNALS : "catch signal " WATCHER_SIGNALS,
		&text);

	if (!error)
		error = host_execute("output $bpnum", &number);
	if (error)
		return error;
	item->number = strtol(prof_text_get(&number), NULL, 10);
	print_condition(item->number, condition, sizeof condition);
	error = quietly("condition", item->number, condition);
	if (error)
		host_forget(quietly("delete", item->number, ""));
	return error;
}

/* The only kind that VALUES choose. */
static struct prof_error *choose(const struct option_values *values, const struct break_kind **ret)
{
	const struct break_kind *found = NULL;

	for (size_t i = 0; break_kinds[i]; i++) {
		if (!option_get(values, break_kinds[i]->name))
			continue;
		if (found)
			return prof_error_create(PROF_ERROR_USAGE,
				"A performance breakpoint has one condition: give either --%s or --%s.",
				found->name, break_kinds[i]->name);
		found = break_kinds[i];
	}
	if (!found)
		return prof_error_create(PROF_ERROR_USAGE,
			"prof-break needs to know when to stop: use prof-break --call=FUNCTION --longer=TIME, or see \"help prof-break\".");
	*ret = found;
	return NULL;
}

static struct prof_error *check_target(void)
{
	AUTO_FREE char *connection = NULL;
	struct prof_error *error = host_connection(&connection);

	if (error || host_is_native(connection))
		return error;
	return prof_error_create(PROF_ERROR_UNSUPPORTED,
		"Performance breakpoints need a process of this machine, and GDB is connected to \"%s\".",
		connection);
}

static struct prof_error *connect(void)
{
	struct prof_error *error = breaks.connected ? NULL : events_connect(handlers);

	breaks.connected |= !error;
	breaks.stood = true;
	return error;
}

/* Makes ITEM's parts, all but its number; KIND has its own part. */
static struct prof_error *fill(
	struct perf_break *item, const struct option_values *values, const char *condition)
{
	AUTO_TEXT struct prof_text what = {0};
	struct prof_error *error = item->watched.kind->create(values, &what, &item->watched.own);

	if (error)
		return error;
	item->what = strdup(prof_text_get(&what));
	item->condition = strdup(condition);
	item->watched.enabled = true;
	return item->what && item->condition ? NULL : prof_error_nomem();
}

struct prof_error *breaks_add(const struct option_values *values, const char *condition,
	bool temporary, struct prof_text *text)
{
	const struct break_kind *kind = NULL;
	struct prof_error *error = choose(values, &kind);

	if (!error)
		error = check_target();
	if (!error)
		error = connect();
	if (error)
		return error;
	struct perf_break *item = calloc(1, sizeof *item);
	if (!item)
		return prof_error_nomem();
	item->watched.kind = kind;
	error = fill(item, values, condition);
	if (!error)
		error = watcher_add(&item->watched);
	if (!error)
		error = place(item, temporary);
	if (error) {
		break_destroy(item);
		disconnect_if_none();
		return error;
	}
	struct perf_break **end = &breaks.first;
	while (*end)
		end = &(*end)->next;
	*end = item;
	prof_text_print(text, "Performance breakpoint %ld: %s.\n", item->number, item->what);
	return NULL;
}

struct prof_error *breaks_list(struct prof_text *text)
{
	refresh();
	disconnect_if_none();
	if (!breaks.first)
		prof_text_print(
			text, "There are no performance breakpoints: see \"help prof-break\".\n");
	else
		prof_text_print(text, "Num  Enb  Hits  What\n");
	for (struct perf_break *item = breaks.first; item; item = item->next) {
		PROF_AUTO(catch_row_deinit) struct catch_row row = {0};
		struct prof_error *error = catch_row_read(item->number, &row);
		if (error)
			return error;
		prof_text_print(text, "%-4ld %-4s %4lu  %s", item->number, row.enabled ? "y" : "n",
			row.hits, item->what);
		if (*item->condition)
			prof_text_print(text, ", if %s", item->condition);
		prof_text_print(text, "%s\n", row.temporary ? " (temporary)" : "");
	}
	return NULL;
}

/* Copies ROWS to TO, unless that is NULL; returns how many there are. */
static size_t copy_rows(const struct prof_option *rows, struct prof_option *to)
{
	size_t count = 0;

	for (; rows[count].name; count++) {
		if (to)
			to[count] = rows[count];
	}
	return count;
}

static size_t copy_all(struct prof_option *to)
{
	size_t count = 0;

	for (size_t i = 0; break_kinds[i]; i++)
		count += copy_rows(break_kinds[i]->rows, to ? to + count : NULL);
	return count;
}

const struct prof_option *breaks_options(void)
{
	struct prof_option *rows = calloc(copy_all(NULL) + 1, sizeof *rows);

	if (rows)
		copy_all(rows);
	return rows;
}
