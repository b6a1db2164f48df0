/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Types of values, as files of other tools name them: which quantities of a sample they are.
 *
 * A time in a state has the state's name; "delay" is time that locks cost; "cpu" is time on a CPU,
 * which is ignored if there is user or system time; of "wall" only what the others leave counts.
 */
#ifndef PROF_FORMATS_TYPES_H
#define PROF_FORMATS_TYPES_H

#include "base/value.h"
#include "model/sample_row.h"

#include <stdbool.h>

enum prof_type_role {
	PROF_TYPE_NONE, /* of no time that is known */
	PROF_TYPE_STATE,
	PROF_TYPE_CPU,
	PROF_TYPE_WALL,
};

struct prof_type {
	enum prof_type_role role;
	enum prof_state state; /* of PROF_TYPE_STATE */
	int64_t ns;            /* that its unit is; 0: it is no time */
};

/* Adds up a sample's values: all zeroes, except what is known of the file. */
struct prof_type_sum {
	enum prof_state state;              /* that the thread was in */
	bool known;                         /* that is known */
	prof_value wall;                    /* ns */
	prof_value values[PROF_QUANTITIES]; /* when it ends: each 0 or more */
};

/* The type NAME, in UNIT: "nanoseconds", "ns" ... */
struct prof_type prof_type_of(const char *name, const char *unit);

/* The state NAME.  False: there is none. */
bool prof_type_state(const char *name, enum prof_state *ret);

/* Leaves out of the COUNT TYPES of a sample what others have in part. */
void prof_type_settle(struct prof_type *types, size_t count);

/* Adds VALUE, 0 or more, of TYPE. */
void prof_type_add(const struct prof_type *type, prof_value value, struct prof_type_sum *sum);

/*
 * Ends the SUM: adds the rest of wall time, and takes the longest state for the thread's if the
 * file had none.  False: a value is too large for a sample.
 */
bool prof_type_end(struct prof_type_sum *sum);

#endif
