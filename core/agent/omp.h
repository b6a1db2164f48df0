/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * OpenMP: parallel regions, waits and tasks, as the runtime reports them to its tool.
 *
 * The runtime asks for a tool once, when it begins: the agent is its tool from then on, in whatever
 * session, if the request of that time wants OpenMP and nobody else is.
 */
#ifndef PROF_AGENT_OMP_H
#define PROF_AGENT_OMP_H

#include "agent/ompt.h"
#include "agent/thread.h"

/* What a runtime of OpenMP calls to find its tool. */
__attribute__((visibility("default"))) struct prof_ompt_tool *ompt_start_tool(
	unsigned version, const char *runtime);

/* Tells the ring of SESSION who the runtime reports to. */
void prof_omp_report(struct prof_agent_session *session);

/* THREAD opens a region by the call that returns to PLACE.  NULL: it is nested too deep. */
struct prof_omp_region *prof_omp_region_begin(struct prof_agent_thread *thread, const void *place);

/* The innermost region that THREAD has opened is over. */
void prof_omp_region_end(struct prof_agent_thread *thread);

/*
 * THREAD takes part in REGION, or, if that is NULL, in one that is not recorded.  FIRST: of all
 * threads of a region it is the one with the number 0.
 */
void prof_omp_share_begin(
	struct prof_agent_thread *thread, struct prof_omp_region *region, bool first);

/* THREAD is at the barrier at the end of its innermost region. */
void prof_omp_share_arrive(struct prof_agent_thread *thread);

/*
 * THREAD does not take part in its innermost region any more.  OPENER: it has opened it, and writes
 * the records of all its threads; FRAME is that of the callback.
 */
void prof_omp_share_end(struct prof_agent_thread *thread, bool opener, const void *frame);

/*
 * THREAD begins a loop, or whatever is shared out among the threads of its innermost region: WHAT,
 * enum prof_ring_omp.  OWN: it is the thread that executes what only one does.  FRAME is that of
 * the callback.  And it has no more of it.
 */
void prof_omp_loop_begin(
	struct prof_agent_thread *thread, unsigned what, bool own, const void *frame);
void prof_omp_loop_end(struct prof_agent_thread *thread);

/* Is PLACE where the innermost region of THREAD, which it has opened, was called? */
bool prof_omp_region_is_at(const struct prof_agent_thread *thread, const void *place);

/* THREAD begins a wait of the kind WHAT, enum prof_ring_omp, or a task; 0: one not recorded. */
void prof_omp_span_begin(struct prof_agent_thread *thread, unsigned what);

/*
 * Ends the innermost wait of THREAD, and writes its record with the stack of FRAME, that of the
 * callback.
 */
void prof_omp_wait_end(struct prof_agent_thread *thread, const void *frame);

/* THREAD asks for a mutex, for WHAT likewise; and it has it. */
void prof_omp_mutex_begin(struct prof_agent_thread *thread, unsigned what);
void prof_omp_mutex_end(struct prof_agent_thread *thread, const void *frame);

/* The same as of a wait of a task that was created as CREATED, what prof_omp_task_created()
 * returned. */
void prof_omp_task_end(struct prof_agent_thread *thread, uint64_t created);

/* THREAD has created a task.  Returns what must be known when it ends; never 0. */
uint64_t prof_omp_task_created(struct prof_agent_thread *thread, const void *frame);

#endif
