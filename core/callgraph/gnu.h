/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The profile that GNU gprof makes of a gmon.out.
 *
 * callgraph/callgraph.h makes it with exact numbers.  This one follows gprof's arithmetic, to print
 * the same to the last digit: times are doubles, and are added up in gprof's order.
 *
 * A symbol is a function, or with `lines` a line of source too, numbered by address; after them
 * come the cycles as a whole.
 */
#ifndef PROF_CALLGRAPH_GNU_H
#define PROF_CALLGRAPH_GNU_H

#include "model/experiment.h"

#include <stdbool.h>
#include <stddef.h>

struct prof_gnu_symbol {
	const struct prof_image_symbol *place; /* NULL: a cycle as a whole */
	uint64_t calls;     /* but those by itself; of a cycle, those from outside */
	uint64_t selfcalls; /* by itself; of a cycle, among its members */
	double time;        /* its own, in samples of the histogram */
	double child_time;  /* of what it calls, likewise */
	double fraction;    /* the part of both that counts */
	double self, child; /* that part */
	bool shown;         /* it has an entry */
	uint32_t index;     /* of its entry, from 1 */
	uint32_t cycle;     /* number of the cycle that it is or belongs to, from 1; 0: none */
	uint32_t head;      /* symbol: the cycle as a whole, or itself */
	uint32_t next;      /* symbol: the next member of the cycle; PROF_NONE: the last */
	uint32_t order;     /* all that it calls has less; members of a cycle have the same */
	uint32_t callers, callees; /* arcs: the first of its list; PROF_NONE: there is none */
};

struct prof_gnu_arc {
	uint32_t caller, callee; /* symbols */
	uint64_t calls;
	double time, child_time;           /* that came along it, in samples of the histogram */
	uint32_t next_caller, next_callee; /* the next arcs of the same callee, and caller */
};

/* What the user chose: lists of names with commas, or NULL. */
struct prof_gnu_choice {
	bool lines;
	const char *cut;                      /* FROM/TO: calls that are left out */
	const char *only, *without;           /* functions that have entries, or not */
	const char *only_time, *without_time; /* the same, and whose time counts, or not */
};

/* Is there anything in CHOICE? */
bool prof_gnu_choice_is_set(const struct prof_gnu_choice *choice);

struct prof_gnu {
	const struct prof_experiment *experiment; /* borrowed */
	const struct prof_gmon *gmon;             /* those of it */
	bool lines;
	size_t places, cycles; /* the number of symbols that are none, and that are */
	PROF_ARRAY(struct prof_gnu_symbol) symbols;
	PROF_ARRAY(struct prof_gnu_arc) arcs;
	uint32_t *order;              /* symbols, by index less 1 */
	uint8_t *chosen;              /* by symbol: bits (1 << enum prof_gnu_table) */
	bool any_only, any_only_time; /* only what was named is shown, or counts */
	double total;                 /* time of all symbols, in samples of the histogram */
	double counted;               /* the part of it that counts */
};

/* The profile of the gmon.out of EXPERIMENT, whose program is known. */
struct prof_error *prof_gnu_create(const struct prof_experiment *experiment,
	const struct prof_gnu_choice *choice, struct prof_gnu **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_gnu_destroy(struct prof_gnu *gnu);

/* The text of STRING, borrowed, not to be trusted. */
static inline const char *prof_gnu_text(const struct prof_gnu *gnu, uint32_t string)
{
	return prof_experiment_text(gnu->experiment, string);
}

/* Is SYMBOL part of the flat profile? */
bool prof_gnu_is_flat(const struct prof_gnu *gnu, uint32_t symbol);

/*
 * Private part.
 *
 * All that follows is shared by the files gnu*.c only.
 */

/* Which names the user gave, and those that are always left out. */
enum prof_gnu_table {
	PROF_GNU_ONLY,
	PROF_GNU_WITHOUT,
	PROF_GNU_ONLY_TIME,
	PROF_GNU_WITHOUT_TIME,
	PROF_GNU_WITHOUT_FLAT,
	PROF_GNU_TABLES,
};

/* Is SYMBOL wanted by the tables ONLY, which may be empty, and WITHOUT? */
bool prof_gnu_is_wanted(const struct prof_gnu *gnu, uint32_t symbol, enum prof_gnu_table only,
	enum prof_gnu_table without);

/* Fills GNU's `chosen` by what CHOICE names. */
struct prof_error *prof_gnu_choose(
	struct prof_gnu *gnu, const struct prof_gnu_choice *choice) PROF_MUST_CHECK;

/* Stretches of code, a PROF_ARRAY(); see base/ranges.h. */
struct prof_gnu_stretches {
	struct prof_gnu_stretch {
		uint64_t low, high;
	} * items;
	size_t count, capacity;
};

/* Adds to STRETCHES the code of what TEXT names; an unknown name is an error. */
struct prof_error *prof_gnu_find(const struct prof_gnu *gnu, const char *text,
	struct prof_gnu_stretches *stretches) PROF_MUST_CHECK;

/* Pairs of places whose calls are left out. */
struct prof_gnu_cuts;
struct prof_error *prof_gnu_cuts_create(
	const struct prof_gnu *gnu, const char *cut, struct prof_gnu_cuts **ret) PROF_MUST_CHECK;
void prof_gnu_cuts_destroy(struct prof_gnu_cuts *cuts);
bool prof_gnu_cuts_have(const struct prof_gnu_cuts *cuts, const struct prof_image_symbol *caller,
	const struct prof_image_symbol *callee);

/* Finds the cycles, which become symbols, and the order of all. */
struct prof_error *prof_gnu_find_cycles(struct prof_gnu *gnu) PROF_MUST_CHECK;

/* Shares the times of functions out among their callers. */
struct prof_error *prof_gnu_propagate(struct prof_gnu *gnu) PROF_MUST_CHECK;

#endif
