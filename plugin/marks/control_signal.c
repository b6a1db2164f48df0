/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Signals that control the recording; the program does not get them. */
#include "plugin/collect/collector.h"

#include "base/option.h"
#include "base/text.h"
#include "plugin/engine/engine.h"
#include "plugin/gdb/python.h"
#include "plugin/marks/marks.h"
#include "plugin/gdb/catchpoint.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/type.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum control_signal_kind { CONTROL_SIGNAL_MARK, CONTROL_SIGNAL_PAUSE, CONTROL_SIGNAL_KINDS };

/* The options that only this collector reads. */
struct control_signal_choice {
	const char *mark, *pause; /* signals, with or without "SIG"; NULL: none */
};

static const struct prof_option rows[] = {
	{.name = "mark-signal",
		.value = "SIGNAL",
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct control_signal_choice, mark),
		.describe =
			"Make a mark whenever SIGNAL, such as SIGUSR2, is sent to the program, which does not receive it.  "
			"The default is no signal."},
	{.name = "pause-signal",
		.value = "SIGNAL",
		.kind = PROF_OPTION_TEXT,
		.offset = offsetof(struct control_signal_choice, pause),
		.describe =
			"Pause when SIGNAL is sent to the program, which does not receive it, and resume when it is sent again.  "
			"The default is no signal."},
	{.name = NULL},
};

static const struct prof_options own_options = PROF_OPTIONS(rows, struct control_signal_choice);

/* A signal, and what it controls. */
struct control_signals {
	const char *condition; /* of its catchpoint */
	char name[24];         /* "": none */
	int number;            /* reported by the engine; 0: by the catchpoint */
	struct handling before;
	struct catchpoint catchpoint;
};

/* There is one GDB, so one of each of these. */
static struct control_signals control_signals[CONTROL_SIGNAL_KINDS] = {
	[CONTROL_SIGNAL_MARK] = {.condition = "$_prof_control_signal(0)"},
	[CONTROL_SIGNAL_PAUSE] = {.condition = "$_prof_control_signal(1)"},
};

static void mark(void)
{
	prof_error_destroy(
		marks_automatic(PROF_MARK_SIGNAL, control_signals[CONTROL_SIGNAL_MARK].name));
}

static struct prof_error *toggle(const char *signal)
{
	PROF_AUTO(prof_text_deinit) struct prof_text label = {0};
	bool paused = marks_are_paused();

	prof_text_print(&label, "%s (%s)", paused ? "resume" : "pause", signal);
	struct prof_error *error = prof_text_error(&label);
	return error ? error : marks_pause(!paused, prof_text_get(&label));
}

/* Implementation of $_prof_control_signal (kind) -> 0, so that the catchpoint does not stop. */
static PyObject *invoke(PyObject *self, PyObject *arguments)
{
	AUTO_PY PyObject *kind = PySequence_GetItem(arguments, 0);
	AUTO_PY PyObject *number = kind ? PyNumber_Long(kind) : NULL;
	long index = number ? PyLong_AsLong(number) : -1;

	(void)self;
	if (PyErr_Occurred())
		return NULL;
	if (index == CONTROL_SIGNAL_MARK && *control_signals[index].name)
		mark();
	else if (index == CONTROL_SIGNAL_PAUSE && *control_signals[index].name)
		host_forget(toggle(control_signals[index].name));
	return PyLong_FromLong(0);
}

static PyMethodDef methods[] = {
	{"invoke", invoke, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

static bool load(PyObject *module)
{
	(void)module;
	return type_add_function("_prof.ControlSignal", "_prof_control_signal", methods,
		"Mark, pause or resume the recording when a signal comes.\n"
		"Usage: $_prof_control_signal (KIND)\n\n"
		"This is the condition of a catchpoint that prof-start --mark-signal and\n"
		"--pause-signal make: KIND is 0 to mark, 1 to pause or resume.  The value is 0, so\n"
		"that the program does not stop.  Do not call it yourself.");
}

/* Writes NAME with its "SIG" into FULL of SIZE bytes. */
static void complete(const char *name, char *full, size_t size)
{
	snprintf(full, size, "%s%s", strncmp(name, "SIG", 3) ? "SIG" : "", name);
}

static struct prof_error *check_name(const char *name)
{
	static const char *const taken[] = {"SIGINT", "SIGTRAP", "SIGKILL", "SIGSTOP", "SIGCONT",
		"SIGURG", "SIGWINCH", "SIGCHLD"};
	char full[sizeof control_signals->name];
	struct handling handling;

	complete(name, full, sizeof full);
	for (size_t i = 0; i < PROF_COUNT(taken); i++) {
		if (!strcmp(full, taken[i]))
			return prof_error_create(PROF_ERROR_USAGE,
				"%s cannot control the recording, because GDB or sampling needs it: give another, such as SIGUSR2.",
				full);
	}
	bool known = strspn(full, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == strlen(full);
	struct prof_error *error = known ? handling_read(full, &handling) : NULL;
	if (known && !error)
		return NULL;
	prof_error_destroy(error);
	return prof_error_create(PROF_ERROR_MISSING,
		"There is no signal \"%s\": give a name such as SIGUSR2.", name);
}

static struct prof_error *check(const void *own)
{
	const struct control_signal_choice *choice = own;
	const char *const names[CONTROL_SIGNAL_KINDS] = {
		[CONTROL_SIGNAL_MARK] = choice->mark, [CONTROL_SIGNAL_PAUSE] = choice->pause};
	char full[CONTROL_SIGNAL_KINDS][sizeof control_signals->name];
	struct prof_error *error = NULL;

	for (int i = 0; i < CONTROL_SIGNAL_KINDS && !error; i++) {
		complete(names[i] ? names[i] : "", full[i], sizeof full[i]);
		error = names[i] ? check_name(names[i]) : NULL;
	}
	if (error || !names[CONTROL_SIGNAL_MARK] || !names[CONTROL_SIGNAL_PAUSE] ||
		strcmp(full[CONTROL_SIGNAL_MARK], full[CONTROL_SIGNAL_PAUSE]) != 0)
		return error;
	return prof_error_create(PROF_ERROR_USAGE,
		"%s cannot both mark and pause: --mark-signal and --pause-signal must differ.",
		full[CONTROL_SIGNAL_MARK]);
}

/* The number of the signal NAME on this machine, from Python or GDB: "SIG34"; 0: unknown. */
static int number_of(const char *name)
{
	AUTO_PY PyObject *module = PyImport_ImportModule("signal");
	AUTO_PY PyObject *value = module ? host_attribute(module, name) : NULL;
	long number = value ? PyLong_AsLong(value) : strtol(name + strlen("SIG"), NULL, 10);

	host_drop();
	return number > 0 && number < NSIG ? (int)number : 0;
}

static void unwatch(struct control_signals *of)
{
	if (!*of->name)
		return;
	catchpoint_delete(&of->catchpoint);
	host_forget(handling_set(of->name, of->before));
	*of->name = '\0';
}

static struct prof_error *watch(struct control_signals *of, const char *name, bool reported)
{
	complete(name, of->name, sizeof of->name);
	of->catchpoint.condition = of->condition;
	struct prof_error *error = handling_read(of->name, &of->before);
	if (error) {
		*of->name = '\0';
		return error;
	}
	error = handling_set(of->name, (struct handling){0});
	of->number = reported ? number_of(of->name) : 0;
	if (!error && !of->number)
		error = catchpoint_set(&of->catchpoint, of->name);
	if (error)
		unwatch(of);
	return error;
}

/*
 * For marks it is enough that the engine reports signals; everything else needs a catchpoint, which
 * the user can see.
 */
static struct prof_error *begin(const struct collector_request *request, const void *own)
{
	const struct control_signal_choice *choice = own;
	const char *const names[CONTROL_SIGNAL_KINDS] = {
		[CONTROL_SIGNAL_MARK] = choice->mark, [CONTROL_SIGNAL_PAUSE] = choice->pause};
	bool reported = request->engine->reports_signals;
	struct prof_error *error = NULL;

	for (int i = 0; i < CONTROL_SIGNAL_KINDS && !error; i++)
		error = names[i]
			? watch(&control_signals[i], names[i], reported && i == CONTROL_SIGNAL_MARK)
			: NULL;
	return error;
}

static void signalled(pid_t thread, int number)
{
	(void)thread;
	if (*control_signals[CONTROL_SIGNAL_MARK].name &&
		number == control_signals[CONTROL_SIGNAL_MARK].number)
		mark();
}

/* Repairs what the user's commands have changed. */
static void keep(void)
{
	for (int i = 0; i < CONTROL_SIGNAL_KINDS; i++) {
		if (*control_signals[i].name && !control_signals[i].number)
			catchpoint_keep(&control_signals[i].catchpoint);
	}
}

/* Restores how GDB treated the signals before. */
static void end(void)
{
	for (int i = 0; i < CONTROL_SIGNAL_KINDS; i++)
		unwatch(&control_signals[i]);
}

const struct collector collector_control_signal = {
	.name = "control-signals",
	.options = &own_options,
	.load = load,
	.check = check,
	.begin = begin,
	.end = end,
	.resume = keep,
	.signalled = signalled,
};
