/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Other threads ask GDB's own thread to do something soon.
 *
 * A thread of the plugin must not touch Python or GDB, so it cannot post to GDB.  It writes to an
 * eventfd, which GDB polls beside its own files: gdbprof's poll() stands in GDB's import slot, and
 * posts on GDB's own thread.
 */
#ifndef PROF_PLUGIN_GDB_WAKE_H
#define PROF_PLUGIN_GDB_WAKE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * From now on GDB calls ACT when it is asked to.  Only GDB's own thread may call this, before
 * anything else takes GDB's poll().  After an error only wake_post() works.  The slot and the
 * eventfd stay when the recording ends: what was hooked later can then leave in any order.
 */
struct prof_error *wake_begin(void (*act)(void)) PROF_MUST_CHECK;

/*
 * Any thread may call this; it neither blocks nor needs memory.  GDB calls ACT when it is not busy,
 * once for several requests that come together.  False: it will not, after an error of
 * wake_begin().
 */
bool wake_ask(void);

/* The same for GDB's own thread, at once.  Without memory it does nothing. */
void wake_post(void);

/*
 * Has GDB call DUE, when it is not busy, PERIOD ns after this and after each call of DUE has ended,
 * or later: at most a quarter of GDB's time goes into the calls.  NULL ends that.  False:
 * wake_begin() was not called yet, or has failed.
 */
bool wake_every(int64_t period, void (*due)(void));

/*
 * The next key goes to TYPED, on GDB's own thread, without Python's lock, and not to GDB.  What is
 * typed behind it stays unread until this is called with NULL: then it is GDB's.
 */
void wake_typed(void (*typed)(void));

/* Has GDB call DUE of wake_every() as soon as it is not busy. */
void wake_soon(void);

#endif
