/*
 * Stacks of threads that stand still, for engines that have GDB walk.
 *
 * CPU time that no tick meets goes to the stack that its thread was last met with, but never across
 * a stop or a mark (sample/standing.h).  Where a thread has run and was not met since, the stack in
 * which it stands at the end says what it was called from.
 */
#ifndef PROF_PLUGIN_STANDSTILL_H
#define PROF_PLUGIN_STANDSTILL_H

#include "plugin/engine.h"
#include "plugin/host_target.h"

/* THREAD of PROCESS was met by a tick: its stack is known until the next stop or mark. */
void standstill_met(pid_t process, pid_t thread);

/*
 * PROCESS is about to be told of, at a stop or a mark on GDB's thread: has GDB walk those of its
 * threads, or the selected one if not ALL, that stand still, have run and were not met since the
 * last one.  FRAMES is room for as many as REQUEST says.
 */
void standstill_take(
	const struct engine_request *request, pid_t process, bool all, uint64_t *frames);

/* It was told of: stacks from before the stop or mark are forgotten. */
void standstill_forget(const struct engine_request *request, pid_t process);

/*
 * The selected THREAD stands still, and spent RAN ns since it was met last: they are below the
 * stack in which it stands.
 */
void standstill_tell(const struct engine_request *request, const struct host_thread *thread,
	int64_t ran, uint64_t *frames);

/* Nothing is sampled any more. */
void standstill_end(void);

#endif
