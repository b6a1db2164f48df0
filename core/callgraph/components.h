/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The strongly connected components of a graph of calls: the sets of functions in which each calls
 * all others, directly or by way of others.
 */
#ifndef PROF_CALLGRAPH_COMPONENTS_H
#define PROF_CALLGRAPH_COMPONENTS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct prof_components {
	uint32_t functions; /* their number */
	size_t *next; /* by function: its place before its first callee; the search moves it */
	/* The callee of FUNCTION that is at *PLACE, which is moved to the next; PROF_NONE: none. */
	uint32_t (*callee)(void *context, uint32_t function, size_t *place);
	/*
	 * Is called with each component once, after all components that it calls.  Its COUNT
	 * MEMBERS stand in the order in which the search met them, which begins at the functions by
	 * number and follows callees in their order.
	 */
	void (*found)(void *context, const uint32_t *members, size_t count);
	void *context;
};

/* Finds them all. */
struct prof_error *prof_components_find(const struct prof_components *components) PROF_MUST_CHECK;

#endif
