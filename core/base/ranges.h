/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables of address ranges: arrays of structs that begin with the two numbers of a range. */
#ifndef PROF_BASE_RANGES_H
#define PROF_BASE_RANGES_H

#include <stddef.h>
#include <stdint.h>

/* How the structs begin: the first address, and the one after the last. */
struct prof_ranges_head {
	uint64_t low, high;
};

/*
 * How many of the COUNT structs at ITEMS, SIZE bytes each and sorted by `low`, begin at or below
 * ADDRESS.
 */
size_t prof_ranges_below(const void *items, size_t count, size_t size, uint64_t address);

/* The last of those, one of ITEMS, if it holds ADDRESS, or NULL. */
const void *prof_ranges_find(const void *items, size_t count, size_t size, uint64_t address);

#endif
