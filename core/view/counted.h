/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which functions' calls were counted while an experiment was recorded, and at what cost. */
#ifndef PROF_VIEW_COUNTED_H
#define PROF_VIEW_COUNTED_H

#include "base/text.h"

struct prof_call_counts;
struct prof_experiment;

/* Prints it in a few lines; nothing if no calls were counted. */
void prof_counted_print(const struct prof_experiment *experiment, struct prof_text *text);

/* Prints which functions of CALLS were traced, how many calls of them, and of which not all. */
void prof_counted_print_traced(const struct prof_experiment *experiment,
	const struct prof_call_counts *calls, struct prof_text *text);

/* Prints what counting cost. */
void prof_counted_print_cost(const struct prof_experiment *experiment, struct prof_text *text);

#endif
