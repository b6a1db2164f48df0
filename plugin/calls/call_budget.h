/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What recorded calls may cost: which functions are called too often to be recorded. */
#ifndef PROF_PLUGIN_CALLS_CALL_BUDGET_H
#define PROF_PLUGIN_CALLS_CALL_BUDGET_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

struct call_budget_function {
	uint64_t calls; /* since the last look */
	bool counted;   /* its calls are not recorded any more */
};

/* All zeroes is one without functions, and without a limit. */
struct call_budget {
	double limit; /* share of the program's CPU time; 0: none */
	uint64_t calls;
	PROF_ARRAY(struct call_budget_function) functions; /* by number - 1 */
};

/* Frees what BUDGET holds. */
void call_budget_deinit(struct call_budget *budget);

/* The function NUMBER, from 1 on, was called.  Without memory the call does not count. */
void call_budget_add(struct call_budget *budget, uint32_t number);

/*
 * The program has used CPU ns of CPU time since the last look, and LOST more calls came faster than
 * they could be read.  Fills NUMBERS with up to MOST functions that are to be counted only from now
 * on, those that are called most often, so that the rest keeps to the limit.  How many these are.
 */
size_t call_budget_look(
	struct call_budget *budget, int64_t cpu, uint64_t lost, uint32_t *numbers, size_t most);

#endif
