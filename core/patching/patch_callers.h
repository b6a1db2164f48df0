/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How often functions were called from where. */
#ifndef PROF_PATCHING_PATCH_CALLERS_H
#define PROF_PATCHING_PATCH_CALLERS_H

#include "base/map.h"
#include "base/memory.h"

#include <stdint.h>

struct prof_patch_caller {
	uint64_t caller; /* the return address of the calls; 0: of those whose caller is unknown */
	uint64_t calls;
	uint32_t function; /* number of the function that was called */
};

/* All zeroes is none.  A pair of a function and a caller is there once; they are in no order. */
struct prof_patch_callers {
	PROF_ARRAY(struct prof_patch_caller) items;
	struct prof_map index;
};

/* Frees what CALLERS holds, and leaves it empty. */
void prof_patch_callers_deinit(struct prof_patch_callers *callers);

/* Adds CALLS of FUNCTION from CALLER.  False: no memory, and CALLERS are as they were. */
bool prof_patch_callers_add(
	struct prof_patch_callers *callers, uint32_t function, uint64_t caller, uint64_t calls);

/* How often FUNCTION was called from CALLER. */
uint64_t prof_patch_callers_calls(
	const struct prof_patch_callers *callers, uint32_t function, uint64_t caller);

#endif
