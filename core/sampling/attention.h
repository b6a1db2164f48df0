/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The host's attention.  A tick keeps its thread stopped until the host's thread comes to it, so
 * ticks are sent only while that waits for events.  While it does something else, for seconds
 * perhaps, the program goes on and the ticks that are due are lost.  If it is away only for a
 * moment, for example to deal with an event, the next tick comes late and counts as all samples
 * that were due.
 */
#ifndef PROF_SAMPLING_ATTENTION_H
#define PROF_SAMPLING_ATTENTION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct prof_figures;
struct prof_watch;

struct prof_attention {
	bool (*listens)(
		void); /* does the host?  NULL: it is not known, and ticks are always sent */
	bool now;      /* it does in this round */
	bool away;     /* it has not listened for longer than a moment */
	int64_t heard; /* ns: when it last listened, or the program last went on */
};

/* A tick that was sent and not met. */
struct prof_owed {
	pid_t thread;
	int64_t sent; /* ns of CLOCK_MONOTONIC */
};

/*
 * A round begins, at NOW in ns.  What is found counts for all of it: the first ticks of a round may
 * be met before the last ones are sent, and threads late in the round would hardly get any.
 */
void prof_attention_begin(struct prof_attention *attention, int64_t now);

/* A tick is due for WATCH: must it not be sent?  Counts it in FIGURES if it is lost. */
bool prof_attention_lacks(const struct prof_attention *attention, struct prof_watch *watch,
	struct prof_figures *figures);

#endif
