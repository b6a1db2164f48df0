/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What benchmarks share. */
#ifndef PROF_BENCH_BENCH_H
#define PROF_BENCH_BENCH_H

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t chance_state = 1;

/* Below LIMIT, by xorshift64*, the same in every run. */
static inline uint32_t chance(uint32_t limit)
{
	chance_state ^= chance_state >> 12;
	chance_state ^= chance_state << 25;
	chance_state ^= chance_state >> 27;
	return (uint32_t)((chance_state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % limit;
}

/* Ends the program if there is an ERROR. */
static inline void check(struct prof_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "%s\n", prof_error_message(error));
	exit(1);
}

#endif
