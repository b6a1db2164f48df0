/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a view of code shows: functions, or files of source. */
#ifndef PROF_VIEW_WANTED_H
#define PROF_VIEW_WANTED_H

#include "base/memory.h"

#include <stdbool.h>

struct prof_error;
struct prof_sheet;

struct prof_wanted {
	bool *functions; /* by function: its code is shown */
	size_t count;    /* of them */
	/* Files that are shown as a whole: by string; NULL: none are, functions were asked for. */
	bool *files;
};

/*
 * What NAME stands for in SHEET, whose items are lines or addresses: functions (metric/names.h), or
 * else, where the items are lines, files that NAME or the end of their paths is.  NULL is the
 * function with the most of the first metric, if any has some.
 */
struct prof_error *prof_wanted_find(struct prof_wanted *wanted, const struct prof_sheet *sheet,
	const char *name) PROF_MUST_CHECK;

/* Frees what WANTED holds; all zeroes is fine. */
void prof_wanted_deinit(struct prof_wanted *wanted);
#define AUTO_WANTED PROF_AUTO(prof_wanted_deinit)

#endif
