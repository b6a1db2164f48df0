/*
 * The host's attention.  A tick keeps its thread stopped until the host's thread comes to it, so
 * ticks are sent only while that waits for events: while it does something else, for seconds
 * perhaps, the program goes on, and ticks that are due are lost.  Where it does so for a moment, as
 * to deal with an event, a tick comes late instead, and is as many samples as were due.
 */
#ifndef PROF_SAMPLE_ATTENTION_H
#define PROF_SAMPLE_ATTENTION_H

#include "sample/watch.h"

#include <stdbool.h>

struct prof_attention {
	bool (*listens)(void); /* does the host?  NULL: that is not known, and taken for so */
	bool now;              /* it does in this round */
	bool away;             /* it does not, and has not for longer than a moment */
	int64_t heard;         /* ns: when it was last found to listen */
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

/* Is WATCH, for which a tick is due, to be sent none?  FIGURES count one that is lost. */
bool prof_attention_lacks(const struct prof_attention *attention, struct prof_watch *watch,
	struct prof_figures *figures);

#endif
