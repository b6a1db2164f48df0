/* The marks of a recording: made on GDB's own thread, by all that can ask for one. */
#ifndef PROF_PLUGIN_MARKS_H
#define PROF_PLUGIN_MARKS_H

#include "base/error.h"
#include "experiment/recorder.h"
#include "sample/marker.h"

/*
 * Begins, with a marker that puts its marks into QUEUE, from which RECORDER takes them; both are
 * borrowed until marks_end().
 */
struct prof_error *marks_begin(
	struct prof_queue *queue, struct prof_recorder *recorder) PROF_MUST_CHECK;

/* Ends; nothing happens if it had not begun. */
void marks_end(void);

/* The marker, for those who look at the processes; borrowed. */
struct prof_marker *marks_marker(void);

/* Makes a mark now; it has begun. */
struct prof_error *marks_make(enum prof_mark_kind kind, const char *label) PROF_MUST_CHECK;

#endif
