/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Stacks of threads that stand still: where one is stopped, or a mark is made while it stands.
 *
 * CPU time that no tick meets goes to the stack that its thread was last met with, but never across
 * a stop or a mark: there one interval would get what was found in another.  If a thread was not
 * met since, the stack in which it stands at the end names its callers, without a function that it
 * has just entered: no time was spent there.
 */
#ifndef PROF_SAMPLING_STANDING_H
#define PROF_SAMPLING_STANDING_H

#include "target/unwind.h"

#include <stdbool.h>

struct prof_look_builder;
struct prof_stack;
struct prof_watch;

/* Bytes: most prologues are no longer.  A thread that has come no further into a function has only
 * entered it, or stands at a breakpoint behind its prologue. */
enum { PROF_PROLOGUE = 16 };

/*
 * At a stop or a mark, before the time of WATCH until then is reported: if the thread has run
 * without being met since the last one, walks its stack into ROOM and reports it.  Does nothing
 * unless the thread stands still under a ptrace() of the caller's thread.
 */
void prof_standing_take(
	struct prof_look_builder *builder, struct prof_watch *watch, struct prof_stack *room);

/* The same in two steps, for a host that walks stacks itself: has WATCH run without being met since
 * the last stop or mark?  And if it has, its stack is FRAMES. */
bool prof_standing_lacks(struct prof_watch *watch);
void prof_standing_report(struct prof_look_builder *builder, struct prof_watch *watch,
	const uint64_t *frames, size_t depth, enum prof_stack_end end);

/* The time of WATCH until the stop or mark was reported: forgets stacks from before it. */
void prof_standing_forget(struct prof_look_builder *builder, struct prof_watch *watch);

#endif
