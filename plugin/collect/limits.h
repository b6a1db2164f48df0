/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The limits of a recording, where the user has set any: the time after which it ends, and the size
 * from which on it records nothing but marks.
 */
#ifndef PROF_PLUGIN_COLLECT_LIMITS_H
#define PROF_PLUGIN_COLLECT_LIMITS_H

#include <stdint.h>

struct prof_marker;
struct prof_recorder;

struct limits {
	int64_t time;  /* ns that the program runs; 0: no limit */
	uint64_t size; /* bytes, see prof_recorder_limit(); 0: no limit */
	/*
	 * The session's function for the end of each: called once, on GDB's own thread, when GDB is
	 * not busy.  WHY is a sentence.  FULL is called too when the file cannot be written any
	 * more.
	 */
	void (*over)(const char *why);
	void (*full)(void);
};

/*
 * Begins to watch LIMITS, of what MARKER and RECORDER record until limits_end().  It asks for
 * limits_look() by wake_ask().
 */
void limits_begin(
	const struct limits *limits, struct prof_marker *marker, struct prof_recorder *recorder);

/* Calls the function of a limit that was reached, if GDB has not called it yet. */
void limits_look(void);

/* Ends the recording as if it had reached its time, with the reason WHY, which is static. */
void limits_end_by(const char *why);

/* Calls no function any more.  The threads of MARKER and RECORDER have ended. */
void limits_end(void);

#endif
