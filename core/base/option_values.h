/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What options were given, as words of a command line.
 *
 * GDB's habits: one or two dashes, `--name=value` or `--name value`, unambiguous abbreviations,
 * and `--` ends the options.  -o is --output, where there is that.
 */
#ifndef PROF_BASE_OPTION_VALUES_H
#define PROF_BASE_OPTION_VALUES_H

#include "base/memory.h"
#include "base/option.h"

/* All zeroes holds nothing. */
struct prof_option_values {
	const struct prof_option *rows; /* the table, borrowed; ends with a row without a name */
	/* By row: the text, "" for one without a value; NULL: not given.  Borrowed from the words
	 * that were read, as ARGUMENTS are. */
	const char **values;
	/*
	 * By row: what was given first, and last, of an option that was given twice; the first is
	 * NULL for others.
	 */
	struct prof_option_pair {
		const char *first, *last;
	} * pairs;
	size_t count; /* of what is no option */
	const char **arguments;

	/* Private part: values of lists that were given in several parts. */
	PROF_ARRAY(char *) joined;
	unsigned *times; /* by row: how often it was given */
};

void prof_option_values_deinit(struct prof_option_values *values);

/*
 * Reads WORDS, COUNT of them, as options of ROWS and as arguments.  They must live as long as *RET;
 * the array itself is reordered.  The first is the name of the command, for errors; HELP is how one
 * asks for its help, as "help prof-tree".
 */
struct prof_error *prof_option_values_read(struct prof_option_values *ret,
	const struct prof_option *rows, char **words, int count, const char *help) PROF_MUST_CHECK;

/* The two values of the option NAME, a row of the table; NULL: it was not given twice. */
const struct prof_option_pair *prof_option_values_pair(
	const struct prof_option_values *values, const char *name);

/* The value of the option NAME, a row of the table; NULL: not given. */
const char *prof_option_values_get(const struct prof_option_values *values, const char *name);

#endif
