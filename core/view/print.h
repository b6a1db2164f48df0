/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The views, each in the file of its name, and what they have in common. */
#ifndef PROF_VIEW_PRINT_H
#define PROF_VIEW_PRINT_H

#include "report/table.h"
#include "view/view.h"

/* The text of views of the heap that was not traced. */
#define PROF_PRINT_NO_HEAP "No allocations: prof-start --heap records them.\n"

/* The text of views if the filter lets no sample pass. */
#define PROF_PRINT_ALL_FILTERED "The filter leaves no sample.\n"

/* The rows of prof_views[], each in the file of its name. */
extern const struct prof_view prof_view_functions, prof_view_objects, prof_view_lines,
	prof_view_pcs, prof_view_source, prof_view_disas, prof_view_threads, prof_view_processes,
	prof_view_ranks, prof_view_regions, prof_view_metrics, prof_view_intervals,
	prof_view_overview, prof_view_callers, prof_view_tree, prof_view_hot, prof_view_phases,
	prof_view_leaks, prof_view_allocs, prof_view_heap, prof_view_locks, prof_view_messages,
	prof_view_data, prof_view_traces, prof_view_calls, prof_view_gprof;

/*
 * If the format is text and SHEET's profiles have no value, prints that instead of the view.  The
 * other formats print the rows, if any, as always.
 */
bool prof_print_nothing(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);

/* Prints why SHEET has nothing to show. */
void prof_print_why_nothing(const struct prof_sheet *sheet, struct prof_text *text);

/* Prints TABLE of VIEW as CSV or JSON. */
struct prof_error *prof_print_table(const char *view, const struct prof_sheet *sheet,
	const struct prof_table *table, enum prof_format format,
	struct prof_text *text) PROF_MUST_CHECK;

/* The options of the lists of functions, objects, lines and addresses. */
extern const struct prof_options prof_items_options;

/* Prints the list of functions, or of what else SHEET's profiles are made of. */
struct prof_error *prof_print_items(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);

struct prof_stack_rows;

/*
 * Prints the stacks ROWS of VIEW, counts of instances and of bytes, as CSV or JSON: LIMIT of them
 * at most, or all where it is 0.
 */
struct prof_error *prof_print_stack_rows(const char *view, const struct prof_sheet *sheet,
	const struct prof_choice *choice, uint64_t limit, const struct prof_stack_rows *rows,
	struct prof_text *text) PROF_MUST_CHECK;

/*
 * The three HEADS of a column of METRIC's values: WHAT they are (NULL: the heading has no such
 * line), its title, and its unit.
 */
void prof_print_heads(const char *what, const struct prof_metric *metric, const char **heads);

#endif
