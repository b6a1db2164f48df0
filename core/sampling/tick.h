/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * One tick of one thread: a signal that stops it so that it is met.
 *
 * The first of these that fits: SIGURG, unless the process catches it, or is a Go program, which
 * will, or the thread blocks it; SIGWINCH, unless the thread blocks that; SIGSTOP, which no thread
 * can block.  The first two are ignored by default, so that they do no harm if the debugger is
 * killed; for SIGSTOP there must be a watchdog.
 */
#ifndef PROF_SAMPLING_TICK_H
#define PROF_SAMPLING_TICK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct prof_figures;
struct prof_schedstat;
struct prof_watch;

/* ns: how long a tick may be neither pending nor met before it is taken for lost. */
#define PROF_TICK_LOST_AFTER INT64_C(200000000)

/* Is INFO, of a thread's stop, of a tick that this process, or an alarm of it, has sent? */
bool prof_tick_is_ours(const siginfo_t *info);

/* What timers of a program carry (sigev_value) if their signals are ticks of this process. */
void *prof_tick_value(void);

/* Is INFO of such a timer? */
bool prof_tick_is_of_timer(const siginfo_t *info);

/*
 * Does INFO lack the sender of the signal?  If the user has as many signals queued as he may, the
 * kernel forgets it.
 */
bool prof_tick_is_blank(const siginfo_t *info);

/*
 * Is INFO of a SIGSTOP that this process has sent for another reason, as debuggers do to stop
 * threads?
 */
bool prof_tick_is_of_host(const siginfo_t *info);

/* Does WATCH block SIGNAL, as its state was last read?  0 is no signal. */
bool prof_tick_blocks(const struct prof_watch *watch, int signal);

/* Is SIGNAL pending to the thread of WATCH alone?  That of a thread that is gone is not. */
bool prof_tick_is_pending(const struct prof_watch *watch, int signal);

/*
 * The signal for a tick of WATCH, whose state was just read: ASKED, if it is not 0; else the best
 * that it does not block.  0: there is none, and its time is counted unmet.  SCHEDSTAT is its own
 * of now.
 */
int prof_tick_choose(struct prof_watch *watch, int asked, const struct prof_schedstat *schedstat);

/* Sends SIGNAL to WATCH, which may turn out to be gone. */
void prof_tick_send(struct prof_watch *watch, int signal);

/*
 * A tick is outstanding for WATCH, and the next one is due at NOW, which FIGURES count as lost if
 * the host has not come to it yet.  Gives the tick up if it is lost.  False: the thread goes on and
 * has blocked the signal since: prof_tick_follow() has it met all the same, but needs the watchdog.
 */
bool prof_tick_await(struct prof_watch *watch, int64_t now, struct prof_figures *figures);

/* A tick of WATCH was due, and is none of those that were met: FIGURES count it as lost. */
void prof_tick_lose(struct prof_watch *watch, struct prof_figures *figures);

/* Sends SIGSTOP after the tick that WATCH has blocked. */
void prof_tick_follow(struct prof_watch *watch);

#endif
