/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lists of names in messages: "samples, cpu, wall". */
#ifndef PROF_BASE_LIST_H
#define PROF_BASE_LIST_H

#include "base/text.h"

/* Adds NAME, as prof_text_name() prints it, to LIST, which is empty or has only names. */
void prof_list_add(struct prof_text *list, const char *name);

/*
 * The error of CODE that among LIST there is no KIND of the NAME of LENGTH bytes: "There is no
 * metric "x"; there are: samples, cpu."
 */
struct prof_error *prof_list_lacks(const struct prof_text *list, enum prof_error_code code,
	const char *kind, const char *name, size_t length) PROF_MUST_CHECK;

#endif
