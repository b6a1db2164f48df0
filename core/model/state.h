/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a thread does, as samples have it. */
#ifndef PROF_MODEL_STATE_H
#define PROF_MODEL_STATE_H

#include <stdbool.h>

/* What a thread does: its life is divided into these. */
enum prof_state {
	PROF_STATE_USER,     /* it is on a CPU, in code of the program */
	PROF_STATE_SYSTEM,   /* it is on a CPU, in a system call */
	PROF_STATE_RUNQUEUE, /* it waits for a CPU */
	PROF_STATE_LOCK,     /* it waits for another thread: a futex */
	PROF_STATE_FAULT,    /* it waits for a page of data, or of what is not known */
	PROF_STATE_OTHER,    /* it waits for anything else */
	PROF_STATE_TEXT,     /* it waits for a page of code */
	PROF_STATES,
};

/* The words for them. */
extern const char *const prof_state_names[PROF_STATES];

/* Does a thread in STATE sleep? */
static inline bool prof_state_sleeps(enum prof_state state)
{
	return state >= PROF_STATE_LOCK;
}

#endif
