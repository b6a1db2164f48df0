/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Units of time: their names, read and printed. */
#ifndef PROF_BASE_TIME_UNIT_H
#define PROF_BASE_TIME_UNIT_H

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

/* ns, for constants too. */
#define PROF_NS_PER_US INT64_C(1000)
#define PROF_NS_PER_MS INT64_C(1000000)
#define PROF_NS_PER_SECOND INT64_C(1000000000)

enum prof_time_unit {
	PROF_TIME_NS,
	PROF_TIME_US,
	PROF_TIME_MS,
	PROF_TIME_S,
	PROF_TIME_M,
	PROF_TIME_H,
	PROF_TIME_UNITS,
};

/* The ns of the unit called NAME, LENGTH bytes, "ms", one from LEAST to MOST; 0: there is none. */
int64_t prof_time_unit_find(
	const char *name, size_t length, enum prof_time_unit least, enum prof_time_unit most);

/* The ns of the unit that WORD is, "nanoseconds" to "seconds"; 0: there is none. */
int64_t prof_time_unit_word(const char *word);

/* Prints TIME ns in ns, us, ms or s, whichever fits, with four digits: "12.5 ms". */
void prof_time_unit_print(int64_t time, struct prof_text *text);

#endif
