/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stacks and the code in them as a profile of pprof, see formats/pprof.proto. */
#ifndef PROF_EXPORT_PPROF_H
#define PROF_EXPORT_PPROF_H

#include "base/text.h"

struct prof_sheet;

/*
 * Prints the gzip'd profile: the metrics of SHEET, whose items are lines, as types of their names,
 * in "count" or, times, in "nanoseconds", rounded to whole numbers.  Samples of the same thread,
 * state and stack are added up; the labels "thread", "thread_id" and "state" name these.  Names are
 * as they are, unless they are no valid UTF-8: prof_text_name() stands for those.
 */
struct prof_error *prof_pprof_print(
	const struct prof_sheet *sheet, struct prof_text *text) PROF_MUST_CHECK;

#endif
