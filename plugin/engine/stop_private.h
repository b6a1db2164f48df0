/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the files of the engine stop share: stop.c stands in for GDB's system calls, stop_meet.c
 * meets ticks. */
#ifndef PROF_PLUGIN_ENGINE_STOP_PRIVATE_H
#define PROF_PLUGIN_ENGINE_STOP_PRIVATE_H

#include "plugin/engine/engine.h"
#include "plugin/engine/tick_source.h"
#include "plugin/interpose/slot.h"
#include "plugin/interpose/subject.h"
#include "sampling/walker.h"
#include "sampling/watch.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

typedef long ptrace_function(long request, pid_t thread, void *address, void *data);

enum { STOP_WAITPID, STOP_PTRACE, STOP_SYSCALL, STOP_HOOKS };

/* GDB calls the functions in its slots without a context: there is one of these. */
struct stopping {
	struct slot slots[STOP_HOOKS];
	bool installed; /* the slots are ours */
	bool ending;    /* it was stopped with ticks under way; the last one met ends it */
	pthread_t host; /* the tracer's thread */

	struct engine_request request;
	struct prof_stack stack; /* of the thread that is met */
	struct tick_source ticks;
	struct prof_watchdog *watchdog;
	struct subjects subjects;
};

extern struct stopping stopping;

/* ptrace(), past the slots. */
static inline ptrace_function *stop_real_ptrace(void)
{
	return (ptrace_function *)stopping.slots[STOP_PTRACE].function;
}

/* Puts everything in GDB back as it was. */
void stop_remove_hooks(void);

/* Gives the recorder the stack of THREAD, stopped before it has done anything, for the time until
 * it is met or sleeps. */
void stop_seed(struct subject *subject, pid_t thread);

/* After prof-stop: the last tick that was under way has been met, or its thread has ended. */
void stop_end_when_met(void);

/* THREAD, which was met by MEETING, or earlier if that is NULL, and has STACK, goes on since NOW.
 */
void stop_settle(struct subject *subject, pid_t thread, int64_t now, const struct prof_stack *stack,
	const struct prof_meeting *meeting);

/* THREAD has stopped by SIGNAL, see children.h: if that is a tick, it is met. */
bool stop_meet(pid_t thread, int signal);

/* GDB is about to show a stop of the selected thread: see struct engine. */
bool stop_ticked(void);

#endif
