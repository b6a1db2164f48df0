/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Tracing, beside or instead of sampling, while something is recorded: which processes have the
 * agent in them, how it gets there, and out again.
 *
 * A program that GDB starts has the agent preloaded; into a process that is there it is brought
 * while that stands still (inject.h).  A child that a traced process makes is not traced, but is
 * known for its patches.
 */
#ifndef PROF_PLUGIN_COLLECT_TRACING_H
#define PROF_PLUGIN_COLLECT_TRACING_H

#include "base/error.h"
#include "base/text.h"
#include "plugin/gdb/python.h"
#include "recording/queue.h"
#include "sampling/marker.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct tracing_request {
	uint32_t families; /* enum prof_family; 0: nothing is traced */
	size_t memory;     /* bytes that events wait in until they are taken */
	bool calibrate;    /* the shortest wait that is recorded is measured */
	int64_t threshold; /* ns: else it is more than this */
	bool children;     /* processes that traced ones make are traced, too, if GDB keeps them */

	/* Borrowed until tracing_end(): where what is traced goes, and whose marks divide it. */
	struct prof_queue *queue;
	struct prof_marker *marker;
	size_t max_depth; /* frames that are kept of a stack */
};

/* Can what REQUEST asks for be done here?  Nothing is changed. */
struct prof_error *tracing_check(const struct tracing_request *request) PROF_MUST_CHECK;

/* Begins, for processes that come. */
struct prof_error *tracing_begin(const struct tracing_request *request) PROF_MUST_CHECK;

/* Begins in PROCESS, which stands still, if it is not traced yet. */
struct prof_error *tracing_enter(pid_t process) PROF_MUST_CHECK;

/*
 * There are functions to be traced (traces.h): begins as REQUEST says, if nothing is traced yet,
 * and has the selected inferior's process, if there is one, trace them.
 */
struct prof_error *tracing_more(const struct tracing_request *request) PROF_MUST_CHECK;

/* Ends, and leaves all processes as they were. */
void tracing_end(void);

/* Nothing is recorded while PAUSED. */
void tracing_pause(bool paused);

/* Events of GDB's: PROCESS goes on; stands still; is gone; its load objects have changed. */
void tracing_go_on(pid_t process);
void tracing_stand(pid_t process);
void tracing_gone(pid_t process);
void tracing_objects_changed(void);

/* Has all that was traced until now told; the recorder is not locked. */
void tracing_tell(void);

/* Adds what is traced; ENDED: it is over. */
void tracing_say(struct prof_text *text, bool ended);

#endif
