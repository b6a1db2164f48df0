/*
 * The limits of a recording, where the user has set any: the time after which it ends, and the size
 * from which on it records nothing but marks.
 */
#ifndef PROF_PLUGIN_LIMITS_H
#define PROF_PLUGIN_LIMITS_H

#include "experiment/recorder.h"
#include "sample/marker.h"

#include <stdint.h>

struct limits {
	int64_t time;  /* ns that the program runs; 0: no limit */
	uint64_t size; /* bytes, see prof_recorder_limit(); 0: no limit */
	/*
	 * What is to be done at each: called once, on GDB's own thread, when GDB is not busy.  WHY
	 * is a sentence.
	 */
	void (*over)(const char *why);
	void (*full)(void);
};

/* Begins to watch LIMITS, of what MARKER and RECORDER record until limits_end(). */
void limits_begin(
	const struct limits *limits, struct prof_marker *marker, struct prof_recorder *recorder);

/* The recording is over, as if it had reached its time, but for the reason WHY, which is static. */
void limits_end_by(const char *why);

/*
 * Nothing is done any more.  MARKER and RECORDER may still be about to say that a limit is reached:
 * whoever ends their threads must not hold Python's lock meanwhile.
 */
void limits_end(void);

#endif
