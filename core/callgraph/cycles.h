/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The cycles of a call graph: its strongly connected components of two or more functions.
 *
 * A function that only calls itself makes no cycle.
 */
#ifndef PROF_CALLGRAPH_CYCLES_H
#define PROF_CALLGRAPH_CYCLES_H

#include "base/memory.h"

#include <stdint.h>

struct prof_error;
struct prof_pairs;

struct prof_cycles {
	size_t count; /* of the cycles */
	/* By function: its cycle's number, or 0; from 1 in the order of their smallest functions.
	 */
	uint32_t *of;
	/*
	 * By function: its place in an order in which a function comes after all that it calls,
	 * except that the members of one cycle stand next to each other.
	 */
	uint32_t *rank;
};

/* The cycles among FUNCTIONS functions that call each other as PAIRS says. */
struct prof_error *prof_cycles_init(struct prof_cycles *cycles, size_t functions,
	const struct prof_pairs *pairs) PROF_MUST_CHECK;

/* Frees what CYCLES holds. */
void prof_cycles_deinit(struct prof_cycles *cycles);
#define AUTO_CYCLES PROF_AUTO(prof_cycles_deinit)

#endif
