/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Single calls as rows: the longest first, each with what it called. */
#ifndef PROF_VIEW_CALL_ROWS_H
#define PROF_VIEW_CALL_ROWS_H

#include "base/error.h"

struct prof_call_list;
struct prof_choice;
struct prof_sheet;
struct prof_text;

/* Adds the listed calls of LIST, which is of SHEET's experiment, as text. */
void prof_call_rows_print(
	const struct prof_sheet *sheet, const struct prof_call_list *list, struct prof_text *text);

/* Prints them as CSV or JSON: a row for each function that a call called, or one if it is none. */
struct prof_error *prof_call_rows_print_data(const struct prof_sheet *sheet,
	const struct prof_choice *choice, const struct prof_call_list *list,
	struct prof_text *text) PROF_MUST_CHECK;

#endif
