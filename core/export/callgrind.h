/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Costs of functions and calls in the format of callgrind, as callgrind_annotate reads it: see
 * "Callgrind Format Specification" in Valgrind's technical documentation.
 */
#ifndef PROF_EXPORT_CALLGRIND_H
#define PROF_EXPORT_CALLGRIND_H

#include "base/text.h"

struct prof_sheet;

/*
 * Prints the metrics of SHEET, whose items are lines, with a profile each, as events in their own
 * units (ns for times), rounded to whole numbers.
 *
 * A call's inclusive cost counts each sample once for each function in its stack: at the outermost
 * instance, as called by what called that.  So the calls of a function add up to its inclusive
 * metric.  "<Total>" calls the outermost functions.  The number of calls is not known: it is 1.
 * What was read from such a file, and has no stacks, is written as it was.
 *
 * Names stay in their lines: prof_text_name() stands for them, and `?` for one of blanks alone.
 */
struct prof_error *prof_callgrind_print(
	const struct prof_sheet *sheet, struct prof_text *text) PROF_MUST_CHECK;

#endif
