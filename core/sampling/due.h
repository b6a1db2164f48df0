/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What is due: the samples that a thread's CPU time asks for and that it has not had, and how many
 * of them stand where it is met, or sampled.
 */
#ifndef PROF_SAMPLING_DUE_H
#define PROF_SAMPLING_DUE_H

#include <stdbool.h>
#include <stdint.h>

struct prof_look_builder;
struct prof_watch;

/*
 * Samples: a thread that has this many more than its CPU time yields has probably been waiting when
 * it seemed to run.
 */
extern const double prof_due_doubtful;

/* What has the thread met, or sampled. */
enum prof_due_by {
	PROF_DUE_LOOK,   /* a tick that the ticker has sent */
	PROF_DUE_SAMPLE, /* a sample of the kernel's: it may be running */
	PROF_DUE_RING,   /* its alarm or its CPU timer: it stands still */
};

/* Was WATCH seen asleep shortly before NOW, so that it has waited there since? */
bool prof_due_has_slept(const struct prof_watch *watch, int64_t now);

/* What WATCH has inherited, and has not had or made up for. */
double prof_due_inherited(const struct prof_watch *watch);

/* The most samples of WATCH that are missing because of switches. */
double prof_due_switching(const struct prof_look_builder *builder, const struct prof_watch *watch);

/* Was what WATCH is met, or sampled, by at NOW due before it went on? */
bool prof_due_is_late(
	const struct prof_look_builder *builder, const struct prof_watch *watch, int64_t now);

/* WATCH has had SAMPLES. */
void prof_due_have(struct prof_watch *watch, uint32_t samples);

/*
 * The samples, ROUNDS at most, that WATCH's CPU time requires and that it has not had; it has them
 * now.
 *
 * The thread that looks needs a CPU as well, and takes it from another one if all are busy: that
 * one seems to have waited for its CPU, and was running until it was looked at.
 */
uint32_t prof_due_make_up(struct prof_watch *watch, uint32_t rounds);

/*
 * How many of the ROUNDS since WATCH was counted last it was running for, judging by its CPU time:
 * it is met, or sampled, BY something.  It may have slept and not been looked at in every round, or
 * have been met long after it had stopped, if the host had to wait for a CPU.  INDEBTED: it has
 * just taken over that threads that have ended had too many samples.
 */
uint32_t prof_due_rounds(const struct prof_look_builder *builder, const struct prof_watch *watch,
	uint64_t rounds, enum prof_due_by by, bool indebted);

#endif
