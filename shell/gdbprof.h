/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The shell command `gdbprof`: a table of actions, such as `record` and `report`. */
#ifndef PROF_SHELL_GDBPROF_H
#define PROF_SHELL_GDBPROF_H

#include "base/error.h"
#include "base/option.h"

#include <stdbool.h>
#include <stdio.h>

/* The exit status, where it is not the program's own: as env(1) and timeout(1) have it. */
enum {
	GDBPROF_FAILED = 1,           /* a file could not be read, or written */
	GDBPROF_USAGE = 2,            /* the command line is malformed */
	GDBPROF_NOT_RECORDED = 125,   /* the recording could not begin */
	GDBPROF_NOT_EXECUTABLE = 126, /* the program is there, but cannot be executed */
	GDBPROF_NOT_FOUND = 127,      /* there is no such program */
};

struct action {
	const char *name;
	const char *usage;    /* what follows the name */
	const char *describe; /* one sentence */
	/* Does the work for ARGUMENTS, whose first is the name; returns the exit status. */
	int (*run)(int count, char **arguments);
	/* Prints what it does; some ARGUMENTS, which end with NULL, decide on the options. */
	void (*help)(char **arguments, FILE *to);
	/* The table of its options, decided on likewise, which the caller frees; NULL: not known.
	 */
	struct prof_option *(*rows)(char **arguments);
	bool runs; /* its arguments are a program and those of the program */
};

/* The rows of the table. */
extern const struct action action_record;
extern const struct action action_report;
extern const struct action action_export;
extern const struct action action_compare;
extern const struct action action_merge;

/* Prints on stderr that ACTION was not used correctly, and returns GDBPROF_USAGE. */
int action_usage(const struct action *action, const char *format, ...) PROF_PRINTF(2, 3);

/* Prints PROSE, whose lines it wraps, and the options of ROWS. */
void action_describe(const char *prose, const struct prof_option *rows, FILE *to);

/* Prints ERROR, which it takes, on stderr. */
void action_fail(struct prof_error *error);

#endif
