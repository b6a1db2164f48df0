/* SPDX-License-Identifier: GPL-3.0-or-later */

/* gprof's flat profile and call graph, of any call graph: from stacks or from call counts. */
#ifndef PROF_VIEW_GPROF_H
#define PROF_VIEW_GPROF_H

#include "callgraph/gnu.h"
#include "metric/call_counts.h"
#include "report/table.h"

struct prof_callgraph;
struct prof_choice;

enum prof_style {
	PROF_STYLE_MANUAL, /* as the examples in gprof's manual */
	PROF_STYLE_GNU,    /* as GNU gprof prints */
	PROF_STYLES,
};

extern const char *const prof_style_names[PROF_STYLES];

/* What gprof has users choose. */
struct prof_gprof_choice {
	bool flat, graph; /* only this of the two; neither: both */
	enum prof_style style;
	bool all;                       /* functions too that were never called, nor met */
	struct prof_gnu_choice counted; /* borrowed texts */
	uint64_t limit;                 /* rows, entries of the call graph; 0: all */
};

/* Prints GRAPH in CHOICE's format and style: the flat profile, the call graph, or both. */
struct prof_error *prof_gprof_print(const struct prof_callgraph *graph,
	const struct prof_choice *choice, struct prof_text *text) PROF_MUST_CHECK;

/*
 * Private part.
 *
 * All that follows is shared by the files gprof*.c only.
 */

/* Room for the name of a cycle as a whole. */
enum { PROF_GPROF_NAME = 40 };

/* In the order in which an entry's lines are printed. */
enum prof_gprof_role {
	PROF_GPROF_SPONTANEOUS, /* called by nobody that is known */
	PROF_GPROF_CALLER,
	PROF_GPROF_PRIMARY,
	PROF_GPROF_MEMBER,
	PROF_GPROF_CALLEE,
};

/* How the two ends of an arc stand to each other. */
enum prof_gprof_place {
	PROF_GPROF_OUTSIDE,
	PROF_GPROF_INSIDE, /* in the same cycle: time is not defined */
	PROF_GPROF_SELF,   /* the same function: neither */
};

/* One line of the call graph.  Entries are numbered as in struct prof_callgraph. */
struct prof_gprof_line {
	uint32_t entry; /* the one that it is part of */
	uint32_t named; /* the one that it names; PROF_NONE: spontaneous */
	enum prof_gprof_role role;
	enum prof_gprof_place place;
	prof_value self, children; /* unless INSIDE, SELF or SPONTANEOUS */
	prof_value called;         /* unless SPONTANEOUS */
	prof_value
		of; /* of a primary line, the recursive ones; else what CALLED is a part of, or 0 */
	enum prof_known known, of_known; /* how much of CALLED and OF is */
};

/* The call graph's lines in the order to print. */
struct prof_gprof {
	const struct prof_callgraph *graph; /* borrowed */
	enum prof_style style;
	uint32_t *order; /* entries that are seen, in the order of their index */
	uint32_t *index; /* by entry: its number in brackets, from 1; 0: it is not seen */
	size_t entries;  /* the number of those in ORDER */
	PROF_ARRAY(struct prof_gprof_line) lines;
};

/* The lines of GRAPH in CHOICE's style, up to its limit of entries. */
struct prof_error *prof_gprof_init(struct prof_gprof *gprof, const struct prof_callgraph *graph,
	const struct prof_gprof_choice *choice) PROF_MUST_CHECK;
void prof_gprof_deinit(struct prof_gprof *gprof);
#define AUTO_GPROF PROF_AUTO(prof_gprof_deinit)

/* The name of ENTRY: its function's, borrowed, or, written into BUFFER, that of the whole cycle. */
const char *prof_gprof_name(
	const struct prof_callgraph *graph, uint32_t entry, char buffer[PROF_GPROF_NAME]);

/* Prints the lines as gprof does. */
void prof_gprof_text(const struct prof_gprof *gprof, struct prof_text *text);

/* Fills TABLE, all zeroes, with the flat profile; prints it as gprof does. */
struct prof_error *prof_gprof_flat(const struct prof_callgraph *graph,
	const struct prof_gprof_choice *choice, struct prof_table *table) PROF_MUST_CHECK;
void prof_gprof_flat_text(
	const struct prof_callgraph *graph, const struct prof_table *table, struct prof_text *text);

/* A cell of calls, which where they are not counted are values of the metric. */
struct prof_cell prof_gprof_calls(const struct prof_callgraph *graph, prof_value calls);

/*
 * The same as text, written into BUFFER of PROF_NUMBER_TEXT bytes, which is returned: ">3" where
 * there were more than were counted.
 */
const char *prof_gprof_calls_text(
	const struct prof_callgraph *graph, prof_value calls, enum prof_known known, char *buffer);

/* A cell of that, in the last column of tables where calls of some functions were counted. */
struct prof_cell prof_gprof_counted(enum prof_known known);

#endif
