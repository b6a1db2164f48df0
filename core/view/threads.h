/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the lists of threads, of processes and of ranks have in common.  Private to these views. */
#ifndef PROF_VIEW_THREADS_H
#define PROF_VIEW_THREADS_H

#include "base/option.h"
#include "model/rank.h"
#include "view/measures.h"

struct prof_choice;
struct prof_sheet;

enum prof_threads_list {
	PROF_LIST_THREADS,
	PROF_LIST_PROCESSES,
	PROF_LIST_RANKS,
};

struct prof_threads_row {
	int64_t id;                   /* of the thread, the process or the rank */
	bool known;                   /* ID is */
	bool left_out;                /* the filter has no such rank: it is not listed */
	const char *name;             /* borrowed */
	const struct prof_rank *rank; /* whose it is; NULL: of none */
};

/* So many values there is room for behind those of the rows. */
enum { PROF_THREADS_MORE = 4 };

/* All zeroes, except SHEET and LIST, is none. */
struct prof_threads {
	const struct prof_sheet *sheet; /* borrowed */
	enum prof_threads_list list;
	uint32_t *of; /* by thread: its row */
	PROF_ARRAY(struct prof_threads_row) rows;
	prof_value *values[PROF_MEASURES]; /* by what is shown: by row */
	struct prof_measures measures;
	bool any;    /* value that is not 0 */
	int skipped; /* leading columns */
};

void prof_threads_deinit(struct prof_threads *threads);
#define AUTO_THREADS PROF_AUTO(prof_threads_deinit)

/* The options of the lists. */
extern const struct prof_options prof_threads_options;

/* Fills the table of THREADS, unless it is for text and there is nothing to show. */
struct prof_error *prof_threads_list(
	struct prof_threads *threads, const struct prof_choice *choice) PROF_MUST_CHECK;

/* Adds ROW with the values NUMBER, PROF_NONE for the total, to the table.  False: no memory. */
bool prof_threads_add(
	struct prof_threads *threads, uint32_t number, const struct prof_threads_row *row);

/* Prints the table, or why there is none. */
struct prof_error *prof_threads_print(const struct prof_threads *threads,
	const struct prof_choice *choice, struct prof_text *text) PROF_MUST_CHECK;

/* All of that. */
struct prof_error *prof_print_threads(const struct prof_sheet *sheet,
	const struct prof_choice *choice, enum prof_threads_list list,
	struct prof_text *text) PROF_MUST_CHECK;

#endif
