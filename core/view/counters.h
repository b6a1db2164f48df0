/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The counters of this machine, as the Collector lists them. */
#ifndef PROF_VIEW_COUNTERS_H
#define PROF_VIEW_COUNTERS_H

#include "view/view.h"

struct prof_counter_list;

/*
 * Prints those of LIST whose names contain PATTERN, whatever the case of its letters; NULL: all,
 * but as text only how many tracepoints there are in which groups.
 */
struct prof_error *prof_counters_print(const struct prof_counter_list *list, const char *pattern,
	enum prof_format format, struct prof_text *text) PROF_MUST_CHECK;

#endif
