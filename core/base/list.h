/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists of names in messages: "samples, cpu, wall". */
#ifndef PROF_BASE_LIST_H
#define PROF_BASE_LIST_H

#include "base/text.h"

/* Adds NAME, as prof_text_name() prints it, to LIST, which is empty or has only names. */
void prof_list_add(struct prof_text *list, const char *name);

/* The names in a sentence, of which it has no more than the first: "a, b and 3 more". */
struct prof_list_names {
	struct prof_text *text;
	size_t most;  /* so many are printed */
	size_t count; /* of those that were added; 0 at first */
};

/* Adds NAME to the text, as above, unless there are too many. */
void prof_list_name(struct prof_list_names *names, const char *name);

/* Adds to the text how many are missing in it, if any are. */
void prof_list_end(const struct prof_list_names *names);

/*
 * The error of CODE that among LIST there is no KIND of the NAME of LENGTH bytes: "There is no
 * metric "x"; there are: samples, cpu."
 */
struct prof_error *prof_list_lacks(const struct prof_text *list, enum prof_error_code code,
	const char *kind, const char *name, size_t length) PROF_MUST_CHECK;

#endif
