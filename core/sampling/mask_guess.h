/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Guesses whether a thread blocks the tick's signal.  Such a thread would not stop for the tick,
 * and the program's own sigwait() or signalfd would take the tick for one of the program's.  The
 * ticker sends it SIGSTOP instead if there is a watchdog, and nothing if there is none.
 *
 * In sigwait() the kernel lifts the mask: a thread that wakes up there looks as if it blocked no
 * signal, for as long as it has to wait for a CPU.  A thread that was seen in sigwait(), or seen to
 * block the signal, counts as blocking it until it has run several times without either: a few
 * times if it has stayed on its CPU from look to look, or slept elsewhere; many times if not,
 * because it may be waking up there.  With SIGSTOP a wrong guess loses nothing, so those times do
 * not count there.
 */
#ifndef PROF_SAMPLING_MASK_GUESS_H
#define PROF_SAMPLING_MASK_GUESS_H

#include <stdbool.h>

struct prof_schedstat;
struct prof_watch;

/*
 * What it takes to believe a thread that has blocked the signal; one that has done so no more when
 * it was looked at again at once; and what a look counts at which it has run, surely outside of
 * sigwait().  Any other counts 1.
 */
enum { PROF_MASK_GUESS_LOOKS = 100, PROF_MASK_GUESS_AGAIN = 20, PROF_MASK_GUESS_SURE = 10 };

/*
 * The masks of WATCH were just read, because it is watched for the first time or its host lets it
 * go on: does it count as blocking the signal from now on?
 */
void prof_mask_guess_begin(struct prof_watch *watch);

/*
 * Does WATCH block SIGNAL, or may it?  It is on a CPU or waits for one, its state was just read,
 * and SCHEDSTAT is its current one.
 */
bool prof_mask_guess_blocks(
	struct prof_watch *watch, int signal, const struct prof_schedstat *schedstat);

#endif
