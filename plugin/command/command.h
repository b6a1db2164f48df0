/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Commands: a row for each, and what makes GDB's commands of the rows. */
#ifndef PROF_PLUGIN_COMMAND_COMMAND_H
#define PROF_PLUGIN_COMMAND_COMMAND_H

#include "base/option.h"
#include "base/text.h"

struct option_values;
struct prof_view;

enum command_arguments {
	COMMAND_NO_ARGUMENT,
	COMMAND_TEXT,      /* any */
	COMMAND_FILES,     /* file names */
	COMMAND_FUNCTIONS, /* functions of the experiment at hand */
	COMMAND_LOCATION,  /* a place in the program, and more: not parsed, see `text` */
	COMMAND_OTHER,     /* another command and what belongs to it: likewise, see `other` */
};

/* What "help prof" lists together. */
enum command_group {
	COMMAND_RECORD,
	COMMAND_SAMPLES, /* shows what was sampled */
	COMMAND_TRACED,  /* shows what was traced or counted */
	COMMAND_FILE,
	COMMAND_GROUPS,
};

struct command {
	const char *name;
	enum command_group group;
	const char *category; /* a constant of gdb, such as "COMMAND_DATA" */
	const char *usage;    /* its arguments, as the help shows them */
	/* The help: its first line is one sentence, that lists show alone. */
	const char *describe;
	const struct prof_options *options;
	enum command_arguments arguments;
	size_t least, most; /* how many of them; MOST 0 where there are any: any number */
	bool repeats;       /* an empty line executes it again */
	bool continues;     /* then without arguments, except "-", as GDB's `list` does */

	/*
	 * The function that does it, one of these: with what was typed, or without, but with a text
	 * to print.
	 */
	struct prof_error *(*run)(
		const struct command *command, const struct option_values *values);
	struct prof_error *(*say)(struct prof_text *text);

	/*
	 * Of COMMAND_OTHER: the command that TEXT stands for, where *REST is what is typed for it;
	 * NULL: its name is not complete, and *REST is where it begins.  Any command that has the
	 * option OPTION may be named.
	 */
	const struct command *(*other)(const char *text, const char **rest);
	const char *option;
};

/* Each is in a file of its own name, except those of views. */
extern const struct command command_stop;
extern const struct command command_pause;
extern const struct command command_resume;
extern const struct command command_mark;
extern const struct command command_mark_at;
extern const struct command command_status;
extern const struct command command_info; /* in status.c: "info prof" */
extern const struct command command_counters;
extern const struct command command_trace;
extern const struct command command_flame;
extern const struct command command_save;
extern const struct command command_load;
extern const struct command command_export;
extern const struct command command_compare;
extern const struct command command_since;
extern const struct command command_top;
extern const struct command command_list;

/* For commands that have no options. */
extern const struct prof_options command_no_options;

/*
 * The command of VIEW, in new memory that lives as long as GDB: the view's row has its name, its
 * options and its function.  NULL: out of memory.
 */
const struct command *command_of_view(const struct prof_view *view);

/* The command prof-start, likewise: its options are those of all collectors, and more. */
const struct command *command_of_start(void);

/* Makes all of them known to GDB.  False: a Python exception is pending. */
bool command_register_all(void);

/*
 * Makes the prefix "prof" known to GDB, whose help has the names of COMMANDS, so many as COUNT, in
 * their groups.  False: a Python exception is pending.
 */
bool command_register_prefix(const struct command *const *commands, size_t count);

/* All commands, so many as *COUNT, in the order in which "help prof" lists them in their groups. */
const struct command *const *command_rows(size_t *count);

/* Can COMMAND print an object of JSON instead of text? */
bool command_has_json(const struct command *command);

/* What begins the names of commands, and what follows it in NAME; NULL: it is not one of these. */
const char *command_name_rest(const char *name);

/*
 * The command "prof-NAME" that has the option OPTION, NAME being LENGTH bytes at NAME or the
 * beginning of one such name alone.  NULL: there is none.
 */
const struct command *command_find(const char *name, size_t length, const char *option);

/* Executes COMMAND with TEXT, what would be typed behind its name. */
struct prof_error *command_run(const struct command *command, const char *text) PROF_MUST_CHECK;

/* The arguments in VALUES from number FIRST on, with a space between two, in a new string. */
struct prof_error *command_join(
	const struct option_values *values, size_t first, char **ret) PROF_MUST_CHECK;

/* PATH with a leading ~ replaced, in a new string. */
struct prof_error *command_expand(const char *path, char **ret) PROF_MUST_CHECK;

/* The argument number NUMBER in VALUES as a file, a leading ~ replaced, in a new string. */
struct prof_error *command_file(
	const struct option_values *values, size_t number, char **ret) PROF_MUST_CHECK;

#endif
