/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What GNU gprof prints of a gmon.out, to the last column. */
#ifndef PROF_VIEW_GNU_H
#define PROF_VIEW_GNU_H

#include "base/error.h"

#include <stdint.h>

struct prof_choice;
struct prof_gnu;
struct prof_gprof_choice;
struct prof_sheet;
struct prof_text;

/* Prints the gmon.out of SHEET's experiment, which has one, as prof-gprof does. */
struct prof_error *prof_gnu_print(const struct prof_sheet *sheet, const struct prof_choice *choice,
	struct prof_text *text) PROF_MUST_CHECK;

/*
 * The error that CHOICE has options that only GNU's style of a gmon.out obeys; NULL: it has none.
 * --cut is not one of them.
 */
struct prof_error *prof_gnu_refuse_options(const struct prof_gprof_choice *choice) PROF_MUST_CHECK;

/*
 * Private part.
 *
 * All that follows is shared by the files gnu*.c only.
 */

struct prof_error *prof_gnu_flat(const struct prof_gnu *gnu, const struct prof_gprof_choice *choice,
	struct prof_text *text) PROF_MUST_CHECK;
struct prof_error *prof_gnu_graph(const struct prof_gnu *gnu,
	const struct prof_gprof_choice *choice, struct prof_text *text) PROF_MUST_CHECK;
struct prof_error *prof_gnu_index(const struct prof_gnu *gnu,
	const struct prof_gprof_choice *choice, struct prof_text *text) PROF_MUST_CHECK;

/* The name of SYMBOL, which is no cycle, in a new string, not to be trusted; NULL: no memory. */
char *prof_gnu_name(const struct prof_gnu *gnu, uint32_t symbol);

#endif
