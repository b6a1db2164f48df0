/* One tick of one thread: a signal that stops it so that it is met. */
#ifndef PROF_SAMPLE_TICK_H
#define PROF_SAMPLE_TICK_H

#include "sample/sample.h"
#include "sample/watch.h"

#include <stdint.h>

/* ns: how long a tick may be neither pending nor met before it is taken for lost. */
#define PROF_TICK_LOST_AFTER INT64_C(200000000)

/*
 * The signal for a tick of WATCH, whose state was just read: ASKED, if it is not 0.  SIGURG is
 * ignored by default, and hardly used; where it is caught, SIGWINCH is the next best: one that the
 * program sends while a tick of the same is pending would be lost.
 */
int prof_tick_signal(const struct prof_watch *watch, int asked);

/* Signals WATCH, whose state was just read; it may turn out to be gone. */
void prof_tick_send(struct prof_watch *watch, int asked);

/*
 * A tick is outstanding for WATCH, and the next one is due at NOW, which FIGURES count as lost if
 * the host has not come to it yet.  Gives it up if it is lost; finds out if WATCH blocks it.
 */
void prof_tick_await(struct prof_watch *watch, int64_t now, struct prof_figures *figures);

#endif
