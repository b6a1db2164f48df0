/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Chains: the rows of a tree in which single callees stand on the line of their callers. */
#ifndef PROF_VIEW_TREE_CHAINS_H
#define PROF_VIEW_TREE_CHAINS_H

#include "base/memory.h"
#include "report/grid.h"
#include "report/markup.h"

struct prof_tree_chain {
	size_t first;   /* of its names, which end where those of the next chain begin */
	uint32_t level; /* of its first function, from 1 */
	uint32_t depth; /* how many chains are above it */
	bool stub, hot;
};

/* All zeroes is none. */
struct prof_tree_chains {
	PROF_ARRAY(struct prof_tree_chain) rows;

	/* Private part. */
	PROF_ARRAY(const char *) names;
};

/* Frees what CHAINS holds. */
void prof_tree_chains_deinit(struct prof_tree_chains *chains);

/* A new last chain, CHAIN without its number, which begins with NAME, borrowed.  False: no memory.
 */
bool prof_tree_chains_begin(
	struct prof_tree_chains *chains, const struct prof_tree_chain *chain, const char *name);

/* Adds NAME, borrowed, to the last chain.  False: no memory. */
bool prof_tree_chains_join(struct prof_tree_chains *chains, const char *name);

/*
 * Adds to GRID, whose cells before them are there, the last two columns of chain NUMBER: whether it
 * is hot, and its level and its names.  Names for which LOOK has no room beside the BEFORE columns
 * of those before stand on further lines.
 */
void prof_tree_chains_print(const struct prof_tree_chains *chains, size_t number,
	const struct prof_markup *markup, size_t before, struct prof_grid *grid);

#endif
