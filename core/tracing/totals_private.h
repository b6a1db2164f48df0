/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of the totals share. */
#ifndef PROF_TRACING_TOTALS_PRIVATE_H
#define PROF_TRACING_TOTALS_PRIVATE_H

#include "tracing/totals.h"

/*
 * What the index finds the total of a thread, a hook and a stack by: numbers of 24, 12 and 28 bits.
 */
static inline uint64_t prof_totals_key(uint32_t thread, uint16_t what, uint32_t stack)
{
	return (uint64_t)thread << 40 | (uint64_t)what << 28 | (stack & 0xfffffff);
}

/*
 * What the other index finds waits by: those of KEY for OBJECT, which HOLDER had; and calls of MPI,
 * by their ranks.
 */
static inline uint64_t prof_totals_hash(uint64_t key, uint64_t object, uint64_t holder)
{
	const uint64_t fields[] = {key, object, holder};

	return prof_map_hash(fields, sizeof fields);
}

/* What TOTAL had when memory was at its peak. */
static inline uint64_t prof_totals_peak(
	const struct prof_totals *totals, const struct prof_total *total)
{
	return total->epoch == totals->epoch ? total->peak : total->left;
}

#endif
