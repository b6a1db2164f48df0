/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The phases of an experiment: what each thread did at its top level, one after the other.
 *
 * A phase is one call of an outermost function, and all that it called; a second call of the same
 * function is another phase.  In samples only a change of the outermost function can be seen.  What
 * was imported has a sample for each call, so that one of the outermost function alone begins a
 * phase.
 */
#ifndef PROF_METRIC_PHASES_H
#define PROF_METRIC_PHASES_H

#include "metric/items.h"

struct prof_error;
struct prof_selection;

struct prof_phase {
	uint32_t thread;   /* thread */
	uint32_t function; /* item: the outermost function */
	size_t samples;    /* of the selection */
};

struct prof_phases {
	PROF_ARRAY(struct prof_phase) items; /* thread by thread, in the order of time */
	uint32_t *of;                        /* by sample: its phase */
};

/* The phases of the experiment of ITEMS, which are functions; the samples of SELECTION, NULL for
 * all, are counted. */
struct prof_error *prof_phases_create(struct prof_items *items,
	const struct prof_selection *selection, struct prof_phases **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_phases_destroy(struct prof_phases *phases);

#endif
