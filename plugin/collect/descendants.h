/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The processes that the program makes, which GDB lets go of: they are sampled beside those that
 * GDB has, if that is asked for (prof-start --children), and others that
 * the user names (--processes, --cgroup).
 *
 * Only GDB's own thread calls these.  Where it is not asked for, or the kernel does not permit it,
 * all but descendants_begin() do nothing.
 */
#ifndef PROF_PLUGIN_COLLECT_DESCENDANTS_H
#define PROF_PLUGIN_COLLECT_DESCENDANTS_H

#include "base/error.h"
#include "base/text.h"
#include "recording/queue.h"
#include "recording/recorder.h"
#include "sampling/marker.h"

#include <stdbool.h>
#include <sys/types.h>

struct session_request;

/* Begins as REQUEST says, with no process; QUEUE, MARKER and RECORDER are borrowed until the end.
 * That the kernel permits no perf events is no error. */
struct prof_error *descendants_begin(const struct session_request *request,
	struct prof_queue *queue, struct prof_marker *marker,
	struct prof_recorder *recorder) PROF_MUST_CHECK;
void descendants_end(void);

/* GDB has PROCESS, which stands still: what it makes is sampled.  NATIVE: it is of this machine. */
struct prof_error *descendants_attach(pid_t process, bool native) PROF_MUST_CHECK;

/* While they are PAUSED nothing is sampled. */
void descendants_pause(bool paused);

/* Are there any that are sampled, as far as is known?  And how many of them go on? */
bool descendants_sampled(void);
size_t descendants_living(void);

/* See struct engine. */
void descendants_tell(void);
void descendants_say(struct prof_text *text);

#endif
