/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The builder: makes looks of what threads have done, and figures of the sampling itself, and puts
 * them into the queue.
 *
 * Time on a CPU belongs to stacks that were met there, waiting to those that were seen asleep. What
 * lies between two looks is known in total only: it goes to the last stack of its kind, because the
 * chance to be seen in a stack is the share of time spent there.
 */
#ifndef PROF_SAMPLING_LOOK_BUILDER_H
#define PROF_SAMPLING_LOOK_BUILDER_H

#include "recording/look.h"
#include "sampling/pace.h"
#include "sampling/switches.h"

struct prof_queue;
struct prof_schedstat;
struct prof_stack;
struct prof_wait;
struct prof_walker;
struct prof_watch;

struct prof_look_builder {
	struct prof_queue *queue;   /* borrowed */
	struct prof_walker *walker; /* borrowed; NULL: none, sleeping threads are not walked */
	bool wall;                  /* threads that wait are samples too */
	uint64_t round;             /* how often all threads were looked at */
	struct prof_pace pace;
	struct prof_figures figures; /* since the last message of them */
	int64_t counted;             /* until when their duration was */
	double owed; /* samples missing of threads that have ended; negative: they had too many */
	struct prof_switches switches; /* of all threads that clocks sample or tick */
	uint64_t missed; /* samples that the kernel had no room for, and no other stands for yet */
};

/*
 * All of these end the stretch since the last look at WATCH at NOW, with what SCHEDSTAT says.
 *
 * It sleeps, or ends, or stands still, and nothing is known but what was.
 */
void prof_look_builder_known(struct prof_look_builder *builder, struct prof_watch *watch,
	int64_t now, const struct prof_schedstat *schedstat);

/* It has ended: only what was read of it before is known. */
void prof_look_builder_ended(struct prof_look_builder *builder, struct prof_watch *watch);

/*
 * WATCH has ended, and all of its time was reported: other threads take over its missing samples.
 * Threads that live for less than a period would have too few, because they run while the host
 * deals with their beginning and gets no ticks.
 */
void prof_look_builder_pass_on(struct prof_look_builder *builder, struct prof_watch *watch);

/* It has gone to sleep: WAIT, with STACK if that was walked (NULL: the last one stays). */
void prof_look_builder_asleep(struct prof_look_builder *builder, struct prof_watch *watch,
	int64_t now, const struct prof_schedstat *schedstat, const struct prof_wait *wait,
	const struct prof_stack *stack);

/*
 * It was met by the tick that is outstanding, WITHIN something: fills in *LOOK, all but
 * the stack, which the caller puts.  One that had no CPU when it was looked at is no sample: where
 * it waits is where the kernel takes CPUs away, often the end of a system call, not where it works.
 * If it has had fewer samples than its CPU time asks for, the place where it was last met on a CPU
 * gets one more.
 */
void prof_look_builder_met(struct prof_look_builder *builder, struct prof_watch *watch, int64_t now,
	const struct prof_schedstat *schedstat, enum prof_within within, struct prof_look *look);

/*
 * It was sampled by the kernel at NOW, WITHIN something, when SCHEDSTAT would have said so: fills
 * in *LOOK, all but the stack, which the caller puts.  LATE, where CPUs are sampled: so many ns of
 * its CPU time until NOW may not be in SCHEDSTAT yet.
 */
void prof_look_builder_sampled(struct prof_look_builder *builder, struct prof_watch *watch,
	int64_t now, const struct prof_schedstat *schedstat, enum prof_within within, int64_t late,
	struct prof_look *look);

/* The debugger held the process from FROM, when a round began, until NOW. */
void prof_look_builder_stood(struct prof_look_builder *builder, int64_t from, int64_t now);

/* Reports the figures, and begins new ones; the process has gone on until NOW if RUNS. */
void prof_look_builder_figures(struct prof_look_builder *builder, int64_t now, bool runs);

#endif
