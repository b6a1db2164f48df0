/*
 * Being wary: is a thread to be taken to block the tick's signal?  It would not be met, but the
 * program's own sigwait() or signalfd would take the tick for one of the program's.
 *
 * In sigwait() the kernel lifts the mask: a thread that wakes up there looks as if it blocked none,
 * for as long as it has to wait for a CPU.  One that was seen to block the signal is believed when
 * it has been on a CPU several times without; one that was seen in sigwait(), only when it has
 * stayed there.
 */
#ifndef PROF_SAMPLE_WARY_H
#define PROF_SAMPLE_WARY_H

#include "sample/watch.h"

/*
 * How often a thread that has blocked the signal is seen not to do so before it is ticked; and one
 * that has done so no more when it was looked at again at once.
 */
enum { PROF_WARY_LOOKS = 10, PROF_WARY_AGAIN = 2 };

/*
 * Does WATCH block SIGNAL, or must it be feared to?  It is on a CPU or waits for one, its state was
 * just read, and SCHEDSTAT is its own of now.
 */
bool prof_wary_blocks(struct prof_watch *watch, int signal, const struct prof_schedstat *schedstat);

#endif
