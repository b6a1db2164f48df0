/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Opening counters: what the kernel accepts of them on this machine, and why not. */
#ifndef PROF_SAMPLING_COUNTER_OPEN_H
#define PROF_SAMPLING_COUNTER_OPEN_H

#include "sampling/perf_event.h"

struct perf_event_attr;
struct prof_counter;
struct prof_counter_entry;
struct prof_counters;

/* Sets the fields of ATTR so that it samples COUNTER, within SCOPE. */
void prof_counter_fill(const struct prof_counter *counter, enum prof_perf_scope scope,
	struct perf_event_attr *attr);

/*
 * Opens the entry's counter for the calling thread, and closes it.  Its `precise` becomes the
 * highest that the kernel accepts, unless it is fixed.  Returns 0, or the errno for which the
 * kernel refuses it.
 */
int prof_counter_try(struct prof_counter_entry *entry, enum prof_perf_scope scope);

/* Does this machine show hardware counters to programs? */
bool prof_counter_is_there(enum prof_perf_scope scope);

/* Why there is no hardware counter where prof_counter_is_there() says so. */
struct prof_error *prof_counter_absent(void) PROF_MUST_CHECK;

/* Why the kernel refused COUNTER for REASON, an errno. */
struct prof_error *prof_counter_refused(
	const struct prof_counter *counter, int reason, enum prof_perf_scope scope) PROF_MUST_CHECK;

/* How many counters a CPU counts at once: as many as the kernel accepts in one group. */
unsigned prof_counter_room(enum prof_perf_scope scope);

/*
 * Checks that the CPU can count all COUNTERS that are hardware's at once.  Where it can only when
 * they are not precise, they become so.
 */
struct prof_error *prof_counters_check(
	struct prof_counters *counters, enum prof_perf_scope scope) PROF_MUST_CHECK;

#endif
