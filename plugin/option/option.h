/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The options of commands: each command has a table of them (base/option.h), which is parsed
 * (base/option_values.h), completed and described in its help from one place.
 *
 * GDB's habits: one or two dashes, `--name=value` or `--name value`, unambiguous abbreviations,
 * and `--` ends the options.
 */
#ifndef PROF_PLUGIN_OPTION_OPTION_H
#define PROF_PLUGIN_OPTION_OPTION_H

#include "base/option_values.h"
#include "base/text.h"
#include "plugin/gdb/python_object.h"

#include <stdbool.h>
#include <stddef.h>

/* What was given. */
struct option_values {
	struct prof_option_values given;
	const char *text; /* all that was typed, where the command does not have it parsed */
	PyObject *words;  /* the list of all strings, which keeps the texts alive */
};

void option_values_deinit(struct option_values *values);

/* Parses TEXT, what stands behind the command NAME. */
struct prof_error *option_parse(const char *name, const struct prof_option *rows, const char *text,
	struct option_values *ret) PROF_MUST_CHECK;

/* The value of the option NAME, a row of the table; NULL: not given. */
const char *option_get(const struct option_values *values, const char *name);

/*
 * Stores each of VALUES in the member of COMMON or OWN that its row names, and of an option that
 * was not given the value of its setting, if it has one.  Texts are borrowed from VALUES.
 */
struct prof_error *option_store(
	const struct option_values *values, void *common, void *own) PROF_MUST_CHECK;

/* The same of the options of ROWS alone, which are among those that were parsed. */
struct prof_error *option_store_rows(const struct option_values *values,
	const struct prof_option *rows, void *common, void *own) PROF_MUST_CHECK;

/*
 * Adds to the list MATCHES what may stand for TOKEN, the last word typed: option names, or values
 * of the option that TOKEN or the word BEFORE it names.  Returns false if TOKEN can only be an
 * argument; an exception may be pending.
 */
bool option_complete(
	const struct prof_option *rows, const char *before, const char *token, PyObject *matches);

#endif
