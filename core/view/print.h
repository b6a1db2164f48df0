/* The views, each in the file of its name, and what they have in common. */
#ifndef PROF_VIEW_PRINT_H
#define PROF_VIEW_PRINT_H

#include "report/table.h"
#include "view/view.h"

/* What views of the heap say where it was not traced. */
#define PROF_PRINT_NO_HEAP "No allocations: prof-start --heap records them.\n"

/* Rows of prof_views[], see there. */
struct prof_error *prof_print_items(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);
struct prof_error *prof_print_threads(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);
struct prof_error *prof_print_processes(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);
struct prof_error *prof_print_phases(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);
struct prof_error *prof_print_metrics(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);
struct prof_error *prof_print_intervals(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);
struct prof_error *prof_print_overview(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);
struct prof_error *prof_print_callers(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);
struct prof_error *prof_print_tree(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);
struct prof_error *prof_print_gprof(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);

struct prof_error *prof_print_leaks(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);
struct prof_error *prof_print_allocs(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);
struct prof_error *prof_print_heap(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);
struct prof_error *prof_print_locks(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);
struct prof_error *prof_print_traces(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);

struct prof_error *prof_print_data(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);

struct prof_error *prof_print_source(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);
struct prof_error *prof_print_disas(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);

/*
 * Where the format is text and SHEET's profiles have no value to show, says so instead of the view.
 * The other formats show the rows, if any, as always.
 */
bool prof_print_nothing(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text);

/* Says why SHEET has nothing to show. */
void prof_print_why_nothing(const struct prof_sheet *sheet, struct prof_text *text);

/* Prints TABLE of VIEW as CSV or JSON. */
struct prof_error *prof_print_table(const char *view, const struct prof_sheet *sheet,
	const struct prof_table *table, enum prof_format format,
	struct prof_text *text) PROF_MUST_CHECK;

struct prof_stack_rows;

/* Prints the stacks ROWS of VIEW, counts of instances and of bytes, as CSV or JSON. */
struct prof_error *prof_print_stack_rows(const char *view, const struct prof_sheet *sheet,
	const struct prof_choice *choice, const struct prof_stack_rows *rows,
	struct prof_text *text) PROF_MUST_CHECK;

/*
 * The three HEADS of a column of METRIC's values: WHAT they are (NULL: no more is to be said), its
 * title, and its unit.
 */
void prof_print_heads(const char *what, const struct prof_metric *metric, const char **heads);

#endif
