/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * GDB's attention: does its thread wait for events of the program?  It does in poll(), sigsuspend()
 * and waitpid(), and meets ticks there at once.  While it does anything else, none is sent; those
 * that were sent just before are met first.
 *
 * A replacement for sigsuspend() in GDB's import slots, and those for the other two, report when
 * GDB waits.  If GDB has no such slots, this reads from /proc which system call GDB's thread is in;
 * then a tick that was sent just before GDB turned away stays unmet until GDB waits again.  Any
 * thread may call attention_listens() and attention_seen(); only GDB's own thread may call the
 * others.
 */
#ifndef PROF_PLUGIN_INTERPOSE_ATTENTION_H
#define PROF_PLUGIN_INTERPOSE_ATTENTION_H

#include "base/error.h"
#include "plugin/interpose/children.h"

#include <stdbool.h>

struct subjects;

/* Begins to watch it; ticks of SUBJECTS are met by MEET.  Fails where GDB has no such slot. */
struct prof_error *attention_watch(
	const struct subjects *subjects, children_meet *meet) PROF_MUST_CHECK;

/* May be called twice. */
void attention_unwatch(void);

/* For the tickers: does GDB wait for events?  Asks the slots, or /proc if there are none; true if
 * /proc does not show it either. */
bool attention_listens(void);

/* By /proc: does GDB's main thread wait for events?  Also false if /proc does not show it. */
bool attention_seen(void);

/* GDB is about to wait for events. */
void attention_begin(void);

/* It does so no more, if it did: ticks that are under way are met, except those of BUT. */
void attention_end(pid_t but);

/* GDB is about to learn from waitpid() that THREAD has STATUS. */
void attention_reported(pid_t thread, int status);

#endif
