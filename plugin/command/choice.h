/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The user's choices for a view: options that several commands have, read and obeyed. */
#ifndef PROF_PLUGIN_COMMAND_CHOICE_H
#define PROF_PLUGIN_COMMAND_CHOICE_H

#include "plugin/option/filter.h"
#include "view/view.h"

/* What was chosen.  All zeroes before it is read. */
struct choice {
	struct prof_choice choice; /* its function and code are the caller's to set */

	/* Private part: the filter's texts, and what the choice has of its own. */
	struct filter filter;
	void *own;
};

/* Reads the options in VALUES, which the table OPTIONS has and a filter is among, and settings. */
struct prof_error *choice_read(const struct option_values *values,
	const struct prof_options *options, struct choice *ret) PROF_MUST_CHECK;

/* Frees what CHOICE holds. */
void choice_deinit(struct choice *choice);

/* Writes TEXT to the file that VALUES names, or to the screen. */
struct prof_error *choice_write(
	const struct option_values *values, const struct prof_text *text) PROF_MUST_CHECK;

/* How many columns a line on the screen may have; 0: any number. */
struct prof_error *choice_columns(size_t *ret) PROF_MUST_CHECK;

/* Prints that the file PATH is written. */
struct prof_error *choice_say_written(const char *path) PROF_MUST_CHECK;

#endif
