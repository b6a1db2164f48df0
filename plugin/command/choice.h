/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What views have the user choose: options that several commands have, read and obeyed. */
#ifndef PROF_PLUGIN_COMMAND_CHOICE_H
#define PROF_PLUGIN_COMMAND_CHOICE_H

#include "plugin/option/filter.h"
#include "plugin/option/option.h"
#include "view/options.h"

/* What was chosen.  All zeroes before it is read. */
struct choice {
	struct prof_choice choice; /* its function is the caller's to set */

	/* Private part: holds the texts of the filter. */
	struct filter filter;
};

/* Reads the options in VALUES, of which a command may have some only, and settings. */
struct prof_error *choice_read(
	const struct option_values *values, struct choice *ret) PROF_MUST_CHECK;

/* Frees what CHOICE holds. */
void choice_deinit(struct choice *choice);

/* The index of the option's value, 0 if it was not given, or the command has no such option. */
unsigned choice_index(const struct option_values *values, const char *name);

/* Writes TEXT to the file that VALUES names, or to the screen. */
struct prof_error *choice_write(
	const struct option_values *values, const struct prof_text *text) PROF_MUST_CHECK;

/* Says that the file PATH is written. */
struct prof_error *choice_say_written(const char *path) PROF_MUST_CHECK;

#endif
