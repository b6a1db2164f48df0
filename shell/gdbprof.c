/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/gdbprof.h"

#include "base/text.h"
#include "base/version.h"

#include <stdarg.h>
#include <string.h>

static const struct action *const actions[] = {
	&action_record,
	&action_report,
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
	fprintf(to, "\n`gdbprof ACTION --help' describes the options of an action.\n");
}

void action_help(const struct action *action, FILE *to)
{
	fprintf(to, "usage: gdbprof %s %s\n\n", action->name, action->usage);
	print_prose(action->describe, to);
	if (action->help)
		action->help(to);
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
	if (!strcmp(name, "--version")) {
		printf("gdbprof %s\n", PROF_VERSION);
		return 0;
	}
	for (size_t i = 0; actions[i]; i++) {
		if (strcmp(name, actions[i]->name) != 0)
			continue;
		if (count > 2 && !strcmp(arguments[2], "--help")) {
			action_help(actions[i], stdout);
			return 0;
		}
		return actions[i]->run(count - 1, arguments + 1);
	}
	if (*name)
		fprintf(stderr, "gdbprof: There is no action \"%s\".\n", name);
	print_help(stderr);
	return GDBPROF_USAGE;
}
