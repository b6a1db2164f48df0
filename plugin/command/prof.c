/* SPDX-License-Identifier: GPL-3.0-or-later */

/* prof, the prefix: "prof tree" is prof-tree. */
#include "plugin/command/command.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "plugin/gdb/type.h"

#include <string.h>

static const char *const titles[COMMAND_GROUPS] = {
	[COMMAND_RECORD] = "Record",
	[COMMAND_SAMPLES] = "Look at samples",
	[COMMAND_TRACED] = "Look at calls, memory and messages",
	[COMMAND_FILE] = "Files",
};

static const char dash[] = "prof-";

const char *command_name_rest(const char *name)
{
	return strncmp(name, dash, strlen(dash)) ? NULL : name + strlen(dash);
}

/* Implementation of gdb.Command.invoke for `prof` without a command that GDB knows. */
static PyObject *invoke(PyObject *self, PyObject *arguments)
{
	const char *text;
	PyObject *from_tty;

	(void)self;
	if (!PyArg_ParseTuple(arguments, "sO", &text, &from_tty))
		return NULL;
	if (*text) /* GDB's own sentence for such */
		return host_raise(prof_error_create(PROF_ERROR_USAGE,
			"Undefined prof command: \"%.*s\".  Try \"help prof\".",
			(int)strcspn(text, " \t"), text));
	AUTO_TEXT struct prof_text help = {0};
	struct prof_error *error = host_execute("help prof", &help);
	if (!error)
		error = host_write(prof_text_get(&help));
	if (error)
		return host_raise(error);
	Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
	{"invoke", invoke, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

/* Adds the title of GROUP, and the names of those of COMMANDS that are in it. */
static void describe_group(enum command_group group, const struct command *const *commands,
	size_t count, struct prof_text *help)
{
	AUTO_TEXT struct prof_text names = {0};

	for (size_t i = 0; i < count; i++) {
		const char *rest = command_name_rest(commands[i]->name);
		if (rest && commands[i]->group == group)
			prof_text_print(&names, "%s%s", names.length ? ", " : "", rest);
	}
	prof_text_print(help, "\n\n%s:\n", titles[group]);
	prof_text_prose(help, 2, prof_text_get(&names));
}

bool command_register_prefix(const struct command *const *commands, size_t count)
{
	AUTO_TEXT struct prof_text help = {0};

	prof_text_print(&help,
		"Profile the program being debugged.\n"
		"Usage: prof COMMAND [ARGUMENT]...\n\n"
		"\"prof tree\" and \"prof-tree\" are the same command.");
	for (enum command_group group = 0; group < COMMAND_GROUPS; group++)
		describe_group(group, commands, count, &help);
	AUTO_PY PyObject *type =
		type_create("_prof.Prefix", "Command", methods, prof_text_get(&help));

	return type && type_add_command(type, "prof", "COMMAND_DATA", "COMPLETE_NONE", true);
}
