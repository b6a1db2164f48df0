/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shell/environment.h"

#include "base/compiler.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * GDB starts the program through $SHELL, which must be a shell that it knows, and sets the size of
 * the terminal: the script gives the user's values to the program.
 */
static struct prof_error *keep_values(void)
{
	static const char *const names[] = {"SHELL", "LINES", "COLUMNS"};

	for (size_t i = 0; i < PROF_COUNT(names); i++) {
		char kept[sizeof "GDBPROF_COLUMNS"];
		const char *value = getenv(names[i]);
		snprintf(kept, sizeof kept, "GDBPROF_%s", names[i]);
		if (value ? setenv(kept, value, 1) : unsetenv(kept))
			return prof_error_nomem();
	}
	return NULL;
}

/* Does a shell drop ENTRY, "NAME=VALUE", because NAME is no name of a variable, or overwrite it? */
static bool is_lost(const char *entry)
{
	static const char *const own[] = {"IFS=", "OPTIND=", "PPID="};
	const char *end = strchr(entry, '=');

	/* env(1) cannot pass on what has no name. */
	if (!end || end == entry)
		return false;
	for (size_t i = 0; i < PROF_COUNT(own); i++) {
		if (!strncmp(entry, own[i], strlen(own[i])))
			return true;
	}
	for (const char *c = entry; c < end; c++) {
		if (*c != '_' && !isalpha((unsigned char)*c) &&
			(c == entry || !isdigit((unsigned char)*c)))
			return true;
	}
	return false;
}

/*
 * Copies the entries that the shell drops, such as bash's exported functions (BASH_FUNC_name%%), to
 * GDBPROF_ENTRY_0 and so on.  The shell starts the program through env(1), which restores them.
 */
static struct prof_error *keep_entries(void)
{
	char name[sizeof "GDBPROF_ENTRY_18446744073709551615"],
		count[sizeof "18446744073709551615"];
	size_t kept = 0;

	/* setenv() may move the environment, but only adds at its end. */
	for (size_t i = 0; environ[i]; i++) {
		if (!is_lost(environ[i]))
			continue;
		snprintf(name, sizeof name, "GDBPROF_ENTRY_%zu", kept++);
		if (setenv(name, environ[i], 1))
			return prof_error_nomem();
	}
	snprintf(count, sizeof count, "%zu", kept);
	return setenv("GDBPROF_ENTRIES", count, 1) ? prof_error_nomem() : NULL;
}

struct prof_error *environment_set(const char *options)
{
	struct prof_error *error = keep_values();

	if (!error)
		error = keep_entries();
	if (error)
		return error;
	return setenv("SHELL", "/bin/sh", 1) || setenv("GDBPROF_RECORD", options, 1)
		? prof_error_nomem()
		: NULL;
}
