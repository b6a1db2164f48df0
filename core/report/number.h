/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers as text: a few places for people, all that there is for programs. */
#ifndef PROF_REPORT_NUMBER_H
#define PROF_REPORT_NUMBER_H

#include "base/value.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_metric;

/* The longest text of a number, its NUL included. */
enum { PROF_NUMBER_TEXT = 64 };

/*
 * Each writes into BUFFER of PROF_NUMBER_TEXT bytes, and returns it.
 */

/* VALUE divided by UNITS, rounded to PLACES decimals, halves away from zero. */
const char *prof_number_fixed(prof_value value, int64_t units, int places, char *buffer);

/*
 * VALUE as text views show values of METRIC.  An exact zero among numbers with decimals is `0.`,
 * followed by spaces that keep the points in one column: it differs from a rounded 0.000.
 */
const char *prof_number_value(prof_value value, const struct prof_metric *metric, char *buffer);

/* PERCENT with two decimals, or none if it is ROUGH; an exact zero as in prof_number_value(). */
const char *prof_number_percent(double percent, bool rough, char *buffer);

/* REAL with as many digits as it takes to read the same number back. */
const char *prof_number_real(double real, char *buffer);

#endif
