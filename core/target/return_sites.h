/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Where functions whose returns are diverted were seen to return: return addresses by function.
 *
 * A copy of a stack is walked some milliseconds after it was made.  By then the shadow of a slot
 * may belong to another call.  These addresses are what it may have been.
 */
#ifndef PROF_TARGET_RETURN_SITES_H
#define PROF_TARGET_RETURN_SITES_H

#include "base/map.h"

/* Addresses that are kept for one function: those that were seen last. */
enum { PROF_RETURN_SITES = 8 };

struct prof_return_sites_of {
	uint64_t addresses[PROF_RETURN_SITES]; /* the last one first; 0: no more */
};

/* All zeroes is none. */
struct prof_return_sites {
	struct prof_map index; /* of ITEMS, by the address of the function */
	PROF_ARRAY(struct prof_return_sites_of) items;
};

/* Frees what SITES holds, and leaves none. */
void prof_return_sites_deinit(struct prof_return_sites *sites);

/* FUNCTION has returned to ADDRESS, or will.  Without memory it is not noted. */
void prof_return_sites_add(struct prof_return_sites *sites, uint64_t function, uint64_t address);

/* Those of FUNCTION, borrowed until one is added; NULL: none is known. */
const struct prof_return_sites_of *prof_return_sites_find(
	const struct prof_return_sites *sites, uint64_t function);

#endif
