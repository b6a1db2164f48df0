/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Figures of single calls: how many, how long in all, percentiles, and the histogram. */
#ifndef PROF_VIEW_CALL_FIGURES_H
#define PROF_VIEW_CALL_FIGURES_H

#include "base/value.h"

#include <stddef.h>
#include <stdint.h>

struct prof_call_group;
struct prof_call_list;
struct prof_choice;
struct prof_durations;
struct prof_error;
struct prof_sheet;
struct prof_text;

/* What is printed; all is borrowed. */
struct prof_call_figures {
	const struct prof_sheet *sheet;
	const struct prof_choice *choice;
	const struct prof_call_list *list;
	uint64_t limit;   /* groups; 0: all */
	const char *name; /* what each group is called; NULL: as its function */
};

/* The mean duration of GROUP, of which a call ended; ns. */
prof_value prof_call_mean(const struct prof_call_group *group);

/* Adds a row for each group, without durations where no call ended, as text. */
void prof_call_figures_print(const struct prof_call_figures *figures, struct prof_text *text);

/* Prints the same as CSV or JSON. */
struct prof_error *prof_call_figures_print_data(
	const struct prof_call_figures *figures, struct prof_text *text) PROF_MUST_CHECK;

/* Adds the histogram of DURATIONS, sorted, as text; nothing if there are none. */
struct prof_error *prof_call_bins_print(
	const struct prof_durations *durations, struct prof_text *text) PROF_MUST_CHECK;

/* Prints the same as CSV or JSON. */
struct prof_error *prof_call_bins_print_data(const struct prof_call_figures *figures,
	const struct prof_durations *durations, struct prof_text *text) PROF_MUST_CHECK;

#endif
