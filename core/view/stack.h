/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stacks as text: a list of those that have most of something, each frame with its place. */
#ifndef PROF_VIEW_STACK_H
#define PROF_VIEW_STACK_H

#include "base/error.h"
#include "base/value.h"

#include <stdbool.h>

struct prof_experiment;
struct prof_text;

/* The values of each stack, by path; borrowed. */
struct prof_stacks_values {
	const prof_value *first;  /* by which they are sorted, the largest first */
	const prof_value *second; /* and then by this; NULL: there is no other */
};

/* A stack that is listed. */
struct prof_stack_row {
	uint32_t path;            /* of the experiment */
	prof_value first, second; /* as above */
};

struct prof_stack_rows {
	PROF_ARRAY(struct prof_stack_row) list;
	prof_value first, second; /* of all */
};

/* A count, or bytes, of which there are no parts. */
static inline int64_t prof_stack_whole(prof_value value)
{
	return (int64_t)(value / PROF_VALUE_ONE);
}

void prof_stack_rows_deinit(struct prof_stack_rows *rows);
#define AUTO_STACK_ROWS PROF_AUTO(prof_stack_rows_deinit)

/* The rows of EXPERIMENT's stacks that have any of VALUES. */
struct prof_error *prof_stack_rows_init(struct prof_stack_rows *rows,
	const struct prof_experiment *experiment,
	const struct prof_stacks_values *values) PROF_MUST_CHECK;

/*
 * Adds a line for each frame of PATH, the innermost first: its function, the offset there, and the
 * line of source.  FOLDED: without inlined functions.
 */
void prof_stack_print(const struct prof_experiment *experiment, uint32_t path, bool folded,
	struct prof_text *text);

/* Adds the same in one line, the outermost first, with a semicolon between two: for data. */
void prof_stack_join(const struct prof_experiment *experiment, uint32_t path, bool folded,
	struct prof_text *text);

#endif
