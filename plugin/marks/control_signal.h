/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Signals that control the recording.  The program does not get them: each one of `prof-start
 * --mark-signal` leaves a mark, each one of `--pause-signal` pauses or resumes.
 */
#ifndef PROF_PLUGIN_MARKS_CONTROL_SIGNAL_H
#define PROF_PLUGIN_MARKS_CONTROL_SIGNAL_H

#include <stdbool.h>

/* Makes the function $_prof_control_signal() known to GDB.  False: a Python exception is pending.
 */
bool control_signal_register(void);

#endif
