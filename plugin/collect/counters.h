/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Profiles by counters, beside or in place of the engine's samples: each process that GDB lets run
 * is sampled whenever one of the counters that were asked for overflows.
 *
 * Only GDB's own thread calls these.  Without counters all but counters_begin() do nothing.
 */
#ifndef PROF_PLUGIN_COLLECT_COUNTERS_H
#define PROF_PLUGIN_COLLECT_COUNTERS_H

#include "base/error.h"
#include "base/text.h"
#include "recording/queue.h"

#include <stdbool.h>
#include <sys/types.h>

struct counters_request {
	const char *what;                   /* as prof_counters_read() has it; NULL: none */
	bool names;                         /* no engine tells how threads are called */
	size_t max_depth;                   /* frames */
	struct prof_queue *queue;           /* borrowed until counters_end() */
	void (*note)(const char *sentence); /* see struct engine_request */
};

/* Can WHAT be counted here, of a target of the kind CONNECTION?  NULL: it can; else why not. */
struct prof_error *counters_check(const char *what, const char *connection) PROF_MUST_CHECK;

/* Begins, with no process. */
struct prof_error *counters_begin(const struct counters_request *request) PROF_MUST_CHECK;
void counters_end(void);

/* As the functions of struct engine.  NATIVE: it is a process of this machine. */
struct prof_error *counters_attach(pid_t process, bool native) PROF_MUST_CHECK;
void counters_release(pid_t process);
void counters_hold(pid_t process);
void counters_objects_changed(void);
void counters_detach(pid_t process);
void counters_tell(void);
void counters_say(struct prof_text *text);

#endif
