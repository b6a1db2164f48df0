/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "view/options.h"

const char *const prof_sort_names[PROF_SORTS] = {
	[PROF_SORT_DEFAULT] = "default",
	[PROF_SORT_FIRST] = "first",
	[PROF_SORT_INCLUSIVE] = "inclusive",
	[PROF_SORT_EXCLUSIVE] = "exclusive",
	[PROF_SORT_NAME] = "name",
};

static const struct prof_option option_rows[] = {
	PROF_ROWS_OPTIONS(struct prof_rows_choice){.name = NULL}};

const struct prof_options prof_rows_options = PROF_OPTIONS(option_rows, struct prof_rows_choice);
