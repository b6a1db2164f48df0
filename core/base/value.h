/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The value of a metric: a count of millionths, in 128 bits.
 *
 * Sums are exact for integers up to 2^53 and far beyond, and for decimals to six places, in any
 * order; those of a double would be neither.  The metric defines its unit, such as one sample or
 * one ns.
 */
#ifndef PROF_BASE_VALUE_H
#define PROF_BASE_VALUE_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 prof_value;

enum { PROF_VALUE_ONE = 1000000 };

/* The longest text of prof_value_print(), its NUL included. */
enum { PROF_VALUE_TEXT = 48 };

/* UNITS whole units. */
static inline prof_value prof_value_of(int64_t units)
{
	return (prof_value)units * PROF_VALUE_ONE;
}

/* The nearest double, in units. */
double prof_value_double(prof_value value);

/* 100 * PART / WHOLE as a double; 0 where WHOLE is 0. */
double prof_value_percent(prof_value part, prof_value whole);

/* PART * NUMERATOR / DENOMINATOR, rounded to the nearest millionth; DENOMINATOR > 0. */
prof_value prof_value_scale(prof_value part, prof_value numerator, prof_value denominator);

/*
 * Writes VALUE, divided by UNITS (10^9 shows ns as seconds; 1 shows VALUE itself), as an exact
 * decimal without trailing zeroes, into BUFFER of PROF_VALUE_TEXT bytes.  Returns BUFFER.
 */
const char *prof_value_print(prof_value value, int64_t units, char *buffer);

/*
 * Reads the decimal TEXT of LENGTH bytes: digits, at most one point, at most 18 digits before it;
 * more than six places are rounded.  False: it is no such number, *RET is untouched.
 */
bool prof_value_parse(const char *text, size_t length, prof_value *ret);

#endif
