/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The builder: makes a tree of calls of the events in one thread, one after the other.
 *
 * A call suspends the node that runs, and an end resumes the one that called.  Those that are
 * suspended, the continuation, are the parents of the one that runs.  Of a node that is suspended
 * or over, `cost` is what it has spent until then; of the one that runs it is the cost that it
 * would have begun at if it had called nobody, so that each event takes one subtraction:
 *
 *	cost                  0       10        30        60       100       160
 *	event               call f  call g    call h     end       end       end
 *	costs, and who runs  f 0*   f 10      g 20       h 30      g 60      f 70
 *	                            g 10*     h 30*      g 40*     f 90*
 *
 * Cost is anything that is counted; time goes the same way beside it.  Whoever knows of calls can
 * feed it: it reads no files.
 */
#ifndef PROF_MODEL_CALL_BUILDER_H
#define PROF_MODEL_CALL_BUILDER_H

#include "model/call_tree.h"

#include <stdbool.h>

/* All zeroes is not a builder: see prof_builder_init(). */
struct prof_builder {
	struct prof_tree tree;
	uint32_t current;    /* the node that runs; 0: the top level, no call is going on */
	bool begun;          /* there was an event */
	int64_t cost, time;  /* of the last event: since the beginning; time in ns */
	uint64_t extra_ends; /* ends at the top level */
};

/* A builder at the top level, before the first event. */
struct prof_error *prof_builder_init(struct prof_builder *builder) PROF_MUST_CHECK;

/* Frees what BUILDER holds; all zeroes is fine. */
void prof_builder_deinit(struct prof_builder *builder);
#define AUTO_BUILDER PROF_AUTO(prof_builder_deinit)

/*
 * May the next event be at COST and TIME ns?  Neither is negative nor before that of the last one.
 * Where they do not fit, both functions below give an error and change nothing.
 */
bool prof_builder_fits(const struct prof_builder *builder, int64_t cost, int64_t time);

/* What runs calls NAME, a number of the caller's. */
struct prof_error *prof_builder_call(
	struct prof_builder *builder, uint32_t name, int64_t cost, int64_t time) PROF_MUST_CHECK;

/* What runs ends.  At the top level it changes nothing in the tree, and is counted. */
struct prof_error *prof_builder_end(
	struct prof_builder *builder, int64_t cost, int64_t time) PROF_MUST_CHECK;

/* What runs ends because a jump or an exception leaves it; otherwise the same. */
struct prof_error *prof_builder_leave(
	struct prof_builder *builder, int64_t cost, int64_t time) PROF_MUST_CHECK;

/*
 * There are no more events: closes all calls that are open, at COST and TIME, or at the last event
 * if that is later.  Returns how many.
 */
uint64_t prof_builder_finish(struct prof_builder *builder, int64_t cost, int64_t time);

#endif
