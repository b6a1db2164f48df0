/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The kinds of arcs. */
#ifndef PROF_MODEL_COUNTED_H
#define PROF_MODEL_COUNTED_H

enum prof_counted_kind {
	PROF_COUNTED_CALLS,     /* so many more from one place */
	PROF_COUNTED_BEGIN,     /* they are counted from now on */
	PROF_COUNTED_PART,      /* not all of them: from now on they are not counted */
	PROF_COUNTED_COST,      /* so many more, with what they cost; there are no stacks */
	PROF_COUNTED_OUTERMOST, /* the same, and nobody is known to call */
	PROF_COUNTED_KINDS,
};

#endif
