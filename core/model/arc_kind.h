/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The kinds of arcs: calls, what else is known of the calls of a function, and calls with costs. */
#ifndef PROF_MODEL_ARC_KIND_H
#define PROF_MODEL_ARC_KIND_H

enum prof_arc_kind {
	PROF_ARC_CALLS,     /* so many more from one place */
	PROF_ARC_BEGIN,     /* they are counted from now on */
	PROF_ARC_PART,      /* some are missing in those that were counted, or traced */
	PROF_ARC_COST,      /* so many more, with what they cost; there are no stacks */
	PROF_ARC_OUTERMOST, /* the same, and nobody is known to call */
	PROF_ARC_KINDS,
};

#endif
