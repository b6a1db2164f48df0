/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stretches of time as the user writes them: "1.5s-3s,800ms-1s,7s-". */
#ifndef PROF_METRIC_TIMES_H
#define PROF_METRIC_TIMES_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* ns since the start; the end is not in it. */
struct prof_time_range {
	int64_t begin, end;
};

/* All zeroes is none. */
struct prof_times {
	PROF_ARRAY(struct prof_time_range) list;
};

/*
 * Reads TEXT into TIMES: stretches with a comma between two, each of two numbers with a minus
 * between them, of which one may be missing; units are s, the default, h, m, ms and us.
 */
struct prof_error *prof_times_read(struct prof_times *times, const char *text) PROF_MUST_CHECK;

/* Reads TEXT, one such number.  False: it is none, *RET is untouched. */
bool prof_times_read_one(const char *text, int64_t *ret);

/* Frees what TIMES holds. */
void prof_times_deinit(struct prof_times *times);
#define AUTO_TIMES PROF_AUTO(prof_times_deinit)

/* Is any time from FIRST to LAST in any of them? */
bool prof_times_meet(const struct prof_times *times, int64_t first, int64_t last);

/* Is TIME in any of them? */
bool prof_times_have(const struct prof_times *times, int64_t time);

#endif
