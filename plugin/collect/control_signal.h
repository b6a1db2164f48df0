/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Signals that control the recording.  The program does not get them: each one of `prof-start
 * --mark-signal` leaves a mark, each one of `--pause-signal` pauses or resumes.
 */
#ifndef PROF_PLUGIN_COLLECT_CONTROL_SIGNAL_H
#define PROF_PLUGIN_COLLECT_CONTROL_SIGNAL_H

#include "base/error.h"
#include "plugin/gdb/python.h"

#include <stdbool.h>

enum control_signal_kind { CONTROL_SIGNAL_MARK, CONTROL_SIGNAL_PAUSE, CONTROL_SIGNAL_KINDS };

/* Makes the function $_prof_control_signal() known to GDB.  False: a Python exception is pending.
 */
bool control_signal_register(void);

/*
 * Can each of NAMES, with or without "SIG", be the signal of its kind?  NULL is none.
 */
struct prof_error *control_signal_check(
	const char *const names[CONTROL_SIGNAL_KINDS]) PROF_MUST_CHECK;

/*
 * Begins to obey NAMES, for which control_signal_check() was asked.  TOLD: the engine calls
 * control_signal_signalled(), which is enough for marks; else a catchpoint is needed, which the
 * user sees.
 */
struct prof_error *control_signal_watch(
	const char *const names[CONTROL_SIGNAL_KINDS], bool told) PROF_MUST_CHECK;

/* The program got the signal NUMBER.  In the middle of GDB's work. */
void control_signal_signalled(int number);

/* The program goes on: makes up for what the user's commands have changed. */
void control_signal_keep(void);

/* Has GDB treat the signals as before.  May be called twice. */
void control_signal_unwatch(void);

#endif
