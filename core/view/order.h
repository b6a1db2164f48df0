/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The order in which a view lists functions, or other items. */
#ifndef PROF_VIEW_ORDER_H
#define PROF_VIEW_ORDER_H

#include "view/options.h"

struct prof_functions;

/*
 * The ITEMS that were seen, sorted by SORT, in a new array of *COUNT, which the caller frees.  The
 * default is by exclusive metric, the largest first; where values are equal names decide.
 */
struct prof_error *prof_order_items(const struct prof_functions *functions,
	const struct prof_items *items, enum prof_sort sort, uint32_t **ret,
	size_t *count) PROF_MUST_CHECK;

#endif
