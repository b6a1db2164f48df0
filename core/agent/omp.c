/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/omp.h"

#include "agent/agent.h"

#include <dlfcn.h>
#include <stdlib.h>

/* enum prof_ring_tool: who the runtime in this process reports to. */
static _Atomic uint64_t tool;

/* The kind of a wait; 0: it is not one of those that are recorded. */
static const uint16_t waits[PROF_OMPT_WAITS] = {
	[PROF_OMPT_BARRIER] = PROF_RING_OMP_IMPLICIT,
	[PROF_OMPT_BARRIER_IMPLICIT] = PROF_RING_OMP_IMPLICIT,
	[PROF_OMPT_BARRIER_EXPLICIT] = PROF_RING_OMP_EXPLICIT,
	[PROF_OMPT_BARRIER_IMPLEMENTATION] = PROF_RING_OMP_IMPLICIT,
	[PROF_OMPT_TASKWAIT] = PROF_RING_OMP_TASKWAIT,
	[PROF_OMPT_TASKGROUP] = PROF_RING_OMP_TASKWAIT,
	[PROF_OMPT_BARRIER_WORKSHARE] = PROF_RING_OMP_IMPLICIT,
};

/*
 * The thread that calls, in the callback with the frame FRAME; NULL: no session records OpenMP.
 * Regions are followed even while nothing is recorded, so that their ends are known.
 */
static struct prof_agent_thread *enter(void *frame)
{
	struct prof_agent_session *session = prof_agent_process->session;

	return session && session->omp ? prof_agent_enter_session(session, frame) : NULL;
}

#define ENTER() enter(__builtin_frame_address(0))

static void begin_parallel(union prof_ompt_data *task, const void *frame,
	union prof_ompt_data *parallel, unsigned wanted, int flags, const void *place)
{
	struct prof_agent_thread *thread = ENTER();

	(void)task, (void)frame, (void)wanted, (void)flags;
	parallel->ptr = NULL;
	if (!thread)
		return;
	parallel->ptr = prof_omp_region_begin(thread, place);
	prof_agent_leave(thread);
}

static void end_parallel(
	union prof_ompt_data *parallel, union prof_ompt_data *task, int flags, const void *place)
{
	struct prof_agent_thread *thread = ENTER();

	(void)parallel, (void)task, (void)flags, (void)place;
	if (!thread)
		return;
	prof_omp_region_end(thread);
	prof_agent_leave(thread);
}

/* A thread begins or ends its part in a region.  At the end PARALLEL is NULL. */
static void change_implicit_task(int point, union prof_ompt_data *parallel,
	union prof_ompt_data *task, unsigned size, unsigned index, int flags)
{
	struct prof_agent_thread *thread = flags & PROF_OMPT_TASK_INITIAL ? NULL : ENTER();

	(void)size;
	if (!thread)
		return;
	if (point == PROF_OMPT_BEGIN) {
		task->value = 0;
		prof_omp_share_begin(thread, parallel ? parallel->ptr : NULL, index == 0);
	} else if (point == PROF_OMPT_END) {
		prof_omp_share_end(thread, index == 0, __builtin_frame_address(0));
	}
	prof_agent_leave(thread);
}

/*
 * Is the barrier of KIND, called from PLACE, the one at the end of a region?  Runtimes before
 * OpenMP 5.1 give it no kind of its own: workers are in no code of the program there, and the
 * thread that has opened the region is where it has done so.
 */
static bool is_last_barrier(const struct prof_agent_thread *thread, int kind, const void *place)
{
	return kind == PROF_OMPT_BARRIER_PARALLEL ||
		(kind == PROF_OMPT_BARRIER_IMPLICIT &&
			(!place || prof_omp_region_is_at(thread, place)));
}

/* A worker leaves the barrier at the end of a region, whose PARALLEL is NULL, when it gets new
 * work. */
static void change_wait(int kind, int point, union prof_ompt_data *parallel,
	union prof_ompt_data *task, const void *place)
{
	unsigned what = kind > 0 && kind < PROF_OMPT_WAITS ? waits[kind] : 0;
	struct prof_agent_thread *thread = ENTER();

	(void)task;
	if (!thread)
		return;
	if (point == PROF_OMPT_BEGIN && is_last_barrier(thread, kind, place))
		prof_omp_share_arrive(thread);
	else if (point == PROF_OMPT_BEGIN && what)
		prof_omp_span_begin(thread, what);
	else if (point == PROF_OMPT_END && what && (parallel || kind != PROF_OMPT_BARRIER_IMPLICIT))
		prof_omp_wait_end(thread, __builtin_frame_address(0));
	prof_agent_leave(thread);
}

/* The kind of work that is shared out; 0: it is not one of those that are recorded. */
static const uint16_t works[PROF_OMPT_WORKS] = {
	[PROF_OMPT_LOOP] = PROF_RING_OMP_LOOP,
	[PROF_OMPT_SECTIONS] = PROF_RING_OMP_SECTIONS,
	[PROF_OMPT_SINGLE_EXECUTOR] = PROF_RING_OMP_SINGLE,
	[PROF_OMPT_SINGLE_OTHER] = PROF_RING_OMP_SINGLE,
	[PROF_OMPT_LOOP_STATIC] = PROF_RING_OMP_LOOP,
	[PROF_OMPT_LOOP_DYNAMIC] = PROF_RING_OMP_LOOP,
	[PROF_OMPT_LOOP_GUIDED] = PROF_RING_OMP_LOOP,
	[PROF_OMPT_LOOP_OTHER] = PROF_RING_OMP_LOOP,
};

static void change_work(int kind, int point, union prof_ompt_data *parallel,
	union prof_ompt_data *task, uint64_t count, const void *place)
{
	unsigned what = kind > 0 && kind < PROF_OMPT_WORKS ? works[kind] : 0;
	struct prof_agent_thread *thread = what ? ENTER() : NULL;

	(void)parallel, (void)task, (void)count, (void)place;
	if (!thread)
		return;
	if (point == PROF_OMPT_BEGIN)
		prof_omp_loop_begin(thread, what, kind == PROF_OMPT_SINGLE_EXECUTOR,
			__builtin_frame_address(0));
	else if (point == PROF_OMPT_END)
		prof_omp_loop_end(thread);
	prof_agent_leave(thread);
}

static void begin_mutex(
	int kind, unsigned hint, unsigned implementation, uint64_t mutex, const void *place)
{
	struct prof_agent_thread *thread = ENTER();

	(void)hint, (void)implementation, (void)mutex, (void)place;
	if (!thread)
		return;
	prof_omp_mutex_begin(thread,
		kind == PROF_OMPT_MUTEX_CRITICAL ? PROF_RING_OMP_CRITICAL : PROF_RING_OMP_LOCK);
	prof_agent_leave(thread);
}

static void end_mutex(int kind, uint64_t mutex, const void *place)
{
	struct prof_agent_thread *thread = ENTER();

	(void)kind, (void)mutex, (void)place;
	if (!thread)
		return;
	prof_omp_mutex_end(thread, __builtin_frame_address(0));
	prof_agent_leave(thread);
}

static void create_task(union prof_ompt_data *task, const void *frame, union prof_ompt_data *made,
	int flags, int dependences, const void *place)
{
	struct prof_agent_thread *thread = flags & PROF_OMPT_TASK_EXPLICIT ? ENTER() : NULL;

	(void)task, (void)frame, (void)dependences, (void)place;
	if (!thread)
		return;
	made->value = prof_omp_task_created(thread, __builtin_frame_address(0));
	prof_agent_leave(thread);
}

/* A thread goes from the task BEFORE to NEXT: only tasks that were created have a value. */
static void schedule_task(union prof_ompt_data *before, int status, union prof_ompt_data *next)
{
	bool ends = status == PROF_OMPT_TASK_COMPLETE || status == PROF_OMPT_TASK_CANCEL ||
		status == PROF_OMPT_TASK_DETACH;
	bool begins = status == PROF_OMPT_TASK_SWITCH || status == PROF_OMPT_TASK_YIELD;
	struct prof_agent_thread *thread = ENTER();

	if (!thread)
		return;
	if (ends && before && before->value)
		prof_omp_task_end(thread, before->value);
	else if (begins && next && next->value)
		prof_omp_span_begin(thread, PROF_RING_OMP_TASK);
	prof_agent_leave(thread);
}

static int initialize(prof_ompt_lookup lookup, int device, union prof_ompt_data *data)
{
	static const struct {
		int which;
		prof_ompt_function function;
	} callbacks[] = {
		{PROF_OMPT_PARALLEL_BEGIN, (prof_ompt_function)begin_parallel},
		{PROF_OMPT_PARALLEL_END, (prof_ompt_function)end_parallel},
		{PROF_OMPT_IMPLICIT_TASK, (prof_ompt_function)change_implicit_task},
		{PROF_OMPT_SYNC_WAIT, (prof_ompt_function)change_wait},
		{PROF_OMPT_WORK, (prof_ompt_function)change_work},
		{PROF_OMPT_MUTEX_ACQUIRE, (prof_ompt_function)begin_mutex},
		{PROF_OMPT_MUTEX_ACQUIRED, (prof_ompt_function)end_mutex},
		{PROF_OMPT_TASK_CREATE, (prof_ompt_function)create_task},
		{PROF_OMPT_TASK_SCHEDULE, (prof_ompt_function)schedule_task},
	};
	prof_ompt_set_callback set = (prof_ompt_set_callback)lookup("ompt_set_callback");

	(void)device, (void)data;
	for (unsigned i = 0; set && i < sizeof callbacks / sizeof *callbacks; i++)
		set(callbacks[i].which, callbacks[i].function);
	return set != NULL;
}

static void finalize(union prof_ompt_data *data)
{
	(void)data;
}

void prof_omp_report(struct prof_agent_session *session)
{
	atomic_store(&session->ring->tool, atomic_load(&tool));
}

/*
 * A tool that the program or another library has goes first, and so does one that the user has
 * named: the runtime would not look for it any more.
 */
struct prof_ompt_tool *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct prof_ompt_tool own = {initialize, finalize, {0}};
	struct prof_agent_session *session = prof_agent_process->session;
	const char *named = getenv("OMP_TOOL_LIBRARIES");
	prof_ompt_start next;

	*(void **)&next = dlsym(RTLD_NEXT, "ompt_start_tool");
	struct prof_ompt_tool *other = next ? next(version, runtime) : NULL;
	bool wanted = session && session->omp && version >= PROF_OMPT_OLDEST;
	bool taken = other || (named && *named);
	if (!wanted)
		return other;
	atomic_store(&tool, taken ? PROF_RING_TOOL_OTHER : PROF_RING_TOOL_AGENT);
	prof_omp_report(session);
	return taken ? other : &own;
}
