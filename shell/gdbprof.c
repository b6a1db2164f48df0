/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/gdbprof.h"

#include "base/text.h"
#include "base/version.h"
#include "shell/complete.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

static const struct action *const actions[] = {
	&action_record,
	&action_report,
	&action_export,
	&action_compare,
	&action_merge,
	NULL,
};

/* Prints PROSE, whose lines are wrapped, and an empty line. */
static void print_prose(const char *prose, FILE *to)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_text_prose(&text, 0, prose);
	fprintf(to, "%s\n\n", prof_text_get(&text));
}

static void print_help(FILE *to)
{
	fprintf(to, "usage: gdbprof ACTION [OPTION]...\n\n");
	print_prose("Profile a program with GDB, without GDB's prompt.", to);
	for (size_t i = 0; actions[i]; i++)
		fprintf(to, "  gdbprof %s %s\n      %s\n", actions[i]->name, actions[i]->usage,
			actions[i]->describe);
	fprintf(to, "\n\"gdbprof ACTION --help\" describes the options of an action.\n");
}

/* Do ARGUMENTS ask for help?  Arguments after a program's name are the program's. */
static bool wants_help(char **arguments)
{
	for (; *arguments && **arguments == '-' && strcmp(*arguments, "--") != 0; arguments++) {
		if (!strcmp(*arguments, "--help"))
			return true;
	}
	return false;
}

void action_describe(const char *prose, const struct prof_option *rows, FILE *to)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_text_prose(&text, 0, prose);
	prof_option_describe(rows, &text);
	fprintf(to, "%s\n", prof_text_get(&text));
}

/* Prints how ACTION is used, with the options that ARGUMENTS ask about. */
static void print_action(const struct action *action, char **arguments, FILE *to)
{
	fprintf(to, "usage: gdbprof %s %s\n\n", action->name, action->usage);
	print_prose(action->describe, to);
	action->help(arguments, to);
}

int action_usage(const struct action *action, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "gdbprof %s: ", action->name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "\nusage: gdbprof %s %s\n", action->name, action->usage);
	return GDBPROF_USAGE;
}

void action_fail(struct prof_error *error)
{
	AUTO_TEXT struct prof_text text = {0};

	prof_text_name(&text, prof_error_message(error));
	fprintf(stderr, "gdbprof: %s\n", prof_text_get(&text));
	prof_error_destroy(error);
}

int main(int count, char **arguments)
{
	const char *name = count > 1 ? arguments[1] : "";

	if (!strcmp(name, "--help") || !strcmp(name, "help")) {
		print_help(stdout);
		return 0;
	}
	if (!strcmp(name, "--complete")) {
		complete(actions, arguments + 2, (size_t)count - 2);
		return 0;
	}
	if (!strcmp(name, "--version")) {
		printf("gdbprof %s\n", PROF_VERSION);
		return 0;
	}
	for (size_t i = 0; actions[i]; i++) {
		if (strcmp(name, actions[i]->name) != 0)
			continue;
		if (wants_help(arguments + 2)) {
			print_action(actions[i], arguments + 2, stdout);
			return 0;
		}
		return actions[i]->run(count - 1, arguments + 1);
	}
	if (*name)
		fprintf(stderr, "gdbprof: There is no action \"%s\".\n", name);
	print_help(stderr);
	return GDBPROF_USAGE;
}
