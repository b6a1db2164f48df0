/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/command/command.h"

#include "base/memory.h"
#include "base/option_values.h"
#include "model/experiment.h"
#include "plugin/command/again.h"
#include "plugin/command/choice.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/methods.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/type.h"
#include "plugin/option/option.h"
#include "plugin/session/session.h"
#include "report/markup.h"
#include "view/view.h"

#include <stdlib.h>
#include <string.h>

/* All commands, in the order in which "help prof" lists them in their groups. */
static PROF_ARRAY(const struct command *) commands;

static const struct prof_option no_rows[] = {{.name = NULL}};

const struct prof_options command_no_options = {.rows = no_rows};

const struct command *command_find(const char *name, size_t length, const char *option)
{
	const struct command *found = NULL;
	size_t matches = 0;

	for (size_t i = 0; i < commands.count; i++) {
		const struct command *command = commands.items[i];
		const char *rest = command_name_rest(command->name);
		if (!rest || !prof_option_find(command->options->rows, option) ||
			strncmp(rest, name, length) != 0)
			continue;
		if (!rest[length])
			return command;
		found = command;
		matches++;
	}
	return matches == 1 ? found : NULL;
}

const struct command *const *command_rows(size_t *count)
{
	*count = commands.count;
	return commands.items;
}

bool command_has_json(const struct command *command)
{
	const struct prof_option *format = prof_option_find(command->options->rows, "format");
	bool text = false, json = false;

	for (size_t i = 0; format && prof_option_word(format, i); i++) {
		text |= !strcmp(prof_option_word(format, i), "text");
		json |= !strcmp(prof_option_word(format, i), "json");
	}
	return text && json;
}

struct prof_error *command_join(const struct option_values *values, size_t first, char **ret)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	for (size_t i = first; i < values->given.count; i++)
		prof_text_print(&text, "%s%s", i > first ? " " : "", values->given.arguments[i]);
	*ret = strdup(prof_text_get(&text));
	return *ret ? prof_text_error(&text) : prof_error_nomem();
}

/* GDB's own commands expand ~ in the same way. */
struct prof_error *command_expand(const char *path, char **ret)
{
	const char *home = getenv("HOME");
	bool tilde = home && path[0] == '~' && (path[1] == '/' || !path[1]);
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};

	prof_text_print(&text, "%s%s", tilde ? home : "", tilde ? path + 1 : path);
	*ret = strdup(prof_text_get(&text));
	return *ret ? prof_text_error(&text) : prof_error_nomem();
}

struct prof_error *command_file(const struct option_values *values, size_t number, char **ret)
{
	return command_expand(values->given.arguments[number], ret);
}

static struct prof_error *check_arguments(
	const struct command *command, const struct option_values *values)
{
	bool any = command->arguments != COMMAND_NO_ARGUMENT && !command->most;
	/* The dots of "FILE..." also end the sentence. */
	size_t length = strlen(command->usage);
	const char *stop = length && command->usage[length - 1] == '.' ? "" : ".";

	if (values->given.count < command->least)
		return prof_error_create(PROF_ERROR_USAGE, "%s needs %s: use %s %s%s",
			command->name, command->least > 1 ? "more arguments" : "an argument",
			command->name, command->usage, stop);
	if (values->given.count <= command->most || any)
		return NULL;
	const char *extra = values->given.arguments[command->most];
	if (!command->most)
		return prof_error_create(PROF_ERROR_USAGE,
			"%s takes no argument: leave out \"%s\".", command->name, extra);
	return prof_error_create(PROF_ERROR_USAGE,
		"%s has one argument too many, \"%s\": use %s %s%s", command->name, extra,
		command->name, command->usage, stop);
}

static struct prof_error *run(const struct command *command, const struct option_values *values)
{
	AUTO_TEXT struct prof_text text = {0};
	AUTO_TEXT struct prof_text shown = {0};
	struct prof_markup markup = {.screen = true};

	if (command->run)
		return command->run(command, values);
	struct prof_error *error = choice_columns(&markup.columns);
	if (!error)
		error = command->say(&text);
	if (error)
		return error;
	prof_markup_print(&markup, prof_text_get(&text), &shown);
	error = prof_text_error(&shown);
	return error ? error : host_write(prof_text_get(&shown));
}

struct prof_error *command_run(const struct command *command, const char *text)
{
	PROF_AUTO(option_values_deinit) struct option_values values = {0};
	bool parsed = command->arguments != COMMAND_LOCATION && command->arguments != COMMAND_OTHER;
	struct prof_error *error = NULL;

	if (parsed)
		error = option_parse(command->name, command->options->rows, text, &values);
	values.text = text;
	if (!error)
		error = check_arguments(command, &values);
	return error ? error : run(command, &values);
}

/* Implementation of gdb.Command.invoke (self, argument, from_tty) -> None. */
static PyObject *invoke(PyObject *self, PyObject *arguments)
{
	const struct command *command = type_row(self);
	const char *text;
	PyObject *from_tty;

	if (!command || !PyArg_ParseTuple(arguments, "sO", &text, &from_tty))
		return NULL;
	if (!command->repeats && !methods_command_once(self))
		return NULL;
	if (command->continues && again_is_one(command, text, from_tty == Py_True) &&
		strcmp(text, "-") != 0)
		text = "";
	struct prof_error *error = command_run(command, text);
	if (error)
		return host_raise(error);
	Py_RETURN_NONE;
}

/* Would NAME be printed unchanged?  If not, users cannot type it either. */
static bool is_plain(const char *name)
{
	PROF_AUTO(prof_text_deinit) struct prof_text shown = {0};

	prof_text_name(&shown, name);
	return !strcmp(prof_text_get(&shown), name);
}

/* Adds the functions of the current experiment that begin with TOKEN. */
static void complete_function(const char *token, PyObject *matches)
{
	enum { ENOUGH = 200 };
	const struct prof_experiment *experiment = session_peek();
	size_t length = strlen(token);
	size_t found = 0;

	for (size_t i = 0; experiment && i < experiment->functions.count && found < ENOUGH; i++) {
		const char *name = prof_experiment_function_name(experiment, (uint32_t)i);
		if (strncmp(name, token, length) != 0 || !is_plain(name))
			continue;
		AUTO_PY PyObject *match = PyUnicode_FromString(name);
		if (!match || PyList_Append(matches, match))
			break;
		found++;
	}
	session_return();
}

/* MATCHES without the first SKIP characters of each: readline takes these for another word. */
static PyObject *shorten(PyObject *matches, Py_ssize_t skip)
{
	Py_ssize_t count = PyList_Size(matches);

	for (Py_ssize_t i = 0; i < count; i++) {
		PyObject *match = PyList_GetItem(matches, i);
		PyObject *rest = PyUnicode_Substring(match, skip, PyUnicode_GetLength(match));
		if (!rest || PyList_SetItem(matches, i, rest))
			return NULL;
	}
	return python_hold(matches);
}

/* Adds the names, without "prof-", of commands with the option OPTION that begin with TOKEN. */
static void complete_command(const char *option, const char *token, PyObject *matches)
{
	for (size_t i = 0; i < commands.count; i++) {
		const struct command *command = commands.items[i];
		const char *rest = command_name_rest(command->name);
		if (!rest || !prof_option_find(command->options->rows, option) ||
			strncmp(rest, token, strlen(token)) != 0)
			continue;
		AUTO_PY PyObject *match = PyUnicode_FromString(rest);
		if (!match || PyList_Append(matches, match))
			break;
	}
}

/* Implementation of gdb.Command.complete (self, text, word) -> list, int or None. */
static PyObject *complete(PyObject *self, PyObject *arguments)
{
	const struct command *command = type_row(self);
	const char *text, *word;

	if (!command || !PyArg_ParseTuple(arguments, "sz", &text, &word))
		return NULL;
	if (!word) /* GDB only asks where words break */
		Py_RETURN_NONE;
	const char *rest = text;
	const struct command *other = command->other ? command->other(text, &rest) : command;
	const char *space = strrchr(rest, ' ');
	const char *token = space ? space + 1 : rest;
	const char *end = space;
	while (end && end > rest && end[-1] == ' ')
		end--;
	const char *begin = end;
	while (begin && begin > rest && begin[-1] != ' ')
		begin--;
	AUTO_PY PyObject *before =
		PyUnicode_FromStringAndSize(begin ? begin : "", begin ? end - begin : 0);
	AUTO_PY PyObject *matches = PyList_New(0);
	const char *before_text = before ? PyUnicode_AsUTF8AndSize(before, NULL) : NULL;
	if (!before_text || !matches)
		return NULL;
	if (command->arguments == COMMAND_OTHER)
		option_complete(command->options->rows, before_text, token, matches);
	if (!other) {
		complete_command(command->option, token, matches);
	} else if (!option_complete(other->options->rows, before_text, token, matches)) {
		if (other->arguments == COMMAND_FILES)
			return type_constant("COMPLETE_FILENAME");
		if (other->arguments == COMMAND_LOCATION)
			return type_constant("COMPLETE_LOCATION");
		if (other->arguments == COMMAND_FUNCTIONS)
			complete_function(token, matches);
	}
	if (PyErr_Occurred())
		return NULL;
	AUTO_PY PyObject *whole = PyUnicode_FromString(token);
	AUTO_PY PyObject *part = PyUnicode_FromString(word);
	if (!whole || !part)
		return NULL;
	return shorten(matches, PyUnicode_GetLength(whole) - PyUnicode_GetLength(part));
}

static PyMethodDef methods[] = {
	{"invoke", invoke, METH_VARARGS, NULL},
	{"complete", complete, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

/* The help text of COMMAND: the first sentence, the usage, the rest, the options. */
static void describe(const struct command *command, struct prof_text *text)
{
	size_t first = strcspn(command->describe, "\n");
	const char *options = command->options->rows->name ? " [OPTION]..." : "";
	const char *space = *command->usage ? " " : "";

	prof_text_bytes(text, command->describe, first);
	prof_text_print(text, "\nUsage: %s%s%s%s", command->name, options, space, command->usage);
	if (command->describe[first]) {
		prof_text_print(text, "\n\n");
		prof_text_prose(text, 0, command->describe + first);
	}
	prof_option_describe(command->options->rows, text);
}

/* Makes COMMAND known to GDB, one of "prof-" also with a blank in the place of the dash. */
static bool register_command(const struct command *command)
{
	AUTO_TEXT struct prof_text help = {0};
	AUTO_TEXT struct prof_text blank = {0};
	const char *rest = command_name_rest(command->name);

	describe(command, &help);
	AUTO_PY PyObject *type =
		type_create("_prof.Command", "Command", methods, prof_text_get(&help));
	if (!type || !type_set_row(type, command) ||
		!type_add_command(type, command->name, command->category, NULL, false))
		return false;
	prof_text_print(&blank, "prof %s", rest ? rest : "");
	return !rest ||
		type_add_command(type, prof_text_get(&blank), command->category, NULL, false);
}

/* Adds COMMAND; NULL, or false: out of memory. */
static bool add(const struct command *command)
{
	const struct command **place = command ? prof_array_push(&commands) : NULL;

	if (place)
		*place = command;
	return place;
}

/* Adds all commands in the order in which "help prof" lists them in their groups. */
static bool add_all(void)
{
	static const struct command *const single[] = {&command_stop, &command_pause,
		&command_resume, &command_mark, &command_mark_at, &command_trace, &command_status,
		&command_info, &command_counters, &command_top, &command_since, &command_list,
		&command_flame, &command_compare, &command_save, &command_load, &command_export};
	bool added = add(command_of_start());

	for (size_t i = 0; added && prof_views[i]; i++)
		added = add(command_of_view(prof_views[i]));
	for (size_t i = 0; added && i < PROF_COUNT(single); i++)
		added = add(single[i]);
	return added;
}

bool command_register_all(void)
{
	if (!add_all()) {
		PyErr_NoMemory();
		return false;
	}
	if (!command_register_prefix(commands.items, commands.count))
		return false;
	for (size_t i = 0; i < commands.count; i++) {
		if (!register_command(commands.items[i]))
			return false;
	}
	return true;
}
