/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tracepoints: places in the kernel that its file system tracefs lists, as GROUP:NAME. */
#ifndef PROF_SAMPLING_COUNTER_TRACEPOINT_H
#define PROF_SAMPLING_COUNTER_TRACEPOINT_H

#include "base/error.h"

#include <stdbool.h>

struct prof_counter_entry;
struct prof_counter_list;

/* Like prof_counter_tracepoint_find() and _list(), but EVENTS is the folder `events` of tracefs. */
struct prof_error *prof_counter_tracepoint_find_in(const char *events, const char *name,
	struct prof_counter_entry *ret, bool *found) PROF_MUST_CHECK;
struct prof_error *prof_counter_tracepoint_list_in(
	const char *events, struct prof_counter_list *list) PROF_MUST_CHECK;

#endif
