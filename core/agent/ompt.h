/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The interface between runtimes of OpenMP and tools (OMPT), as far as the agent uses it: chapter 4
 * of the OpenMP 5.0 specification, and what 5.1 adds.  Enumerations are passed as int there.
 */
#ifndef PROF_AGENT_OMPT_H
#define PROF_AGENT_OMPT_H

#include <stdint.h>

/* Numbers of callbacks. */
enum {
	PROF_OMPT_PARALLEL_BEGIN = 3,
	PROF_OMPT_PARALLEL_END = 4,
	PROF_OMPT_TASK_CREATE = 5,
	PROF_OMPT_TASK_SCHEDULE = 6,
	PROF_OMPT_IMPLICIT_TASK = 7,
	PROF_OMPT_SYNC_WAIT = 16,
	PROF_OMPT_WORK = 20,
	PROF_OMPT_MUTEX_ACQUIRE = 26,
	PROF_OMPT_MUTEX_ACQUIRED = 27,
};

enum { PROF_OMPT_BEGIN = 1, PROF_OMPT_END = 2 };

/* What a thread waits for. */
enum {
	PROF_OMPT_BARRIER = 1, /* deprecated, like the next one */
	PROF_OMPT_BARRIER_IMPLICIT = 2,
	PROF_OMPT_BARRIER_EXPLICIT = 3,
	PROF_OMPT_BARRIER_IMPLEMENTATION = 4,
	PROF_OMPT_TASKWAIT = 5,
	PROF_OMPT_TASKGROUP = 6,
	PROF_OMPT_BARRIER_WORKSHARE = 8,
	PROF_OMPT_BARRIER_PARALLEL = 9, /* at the end of a region */
	PROF_OMPT_WAITS,
};

enum { PROF_OMPT_MUTEX_CRITICAL = 5 };

/* How work is shared out.  OpenMP 5.2 has a number for each schedule of a loop. */
enum {
	PROF_OMPT_LOOP = 1,
	PROF_OMPT_SECTIONS = 2,
	PROF_OMPT_SINGLE_EXECUTOR = 3, /* the thread that executes it */
	PROF_OMPT_SINGLE_OTHER = 4,    /* all others */
	PROF_OMPT_LOOP_STATIC = 10,
	PROF_OMPT_LOOP_DYNAMIC = 11,
	PROF_OMPT_LOOP_GUIDED = 12,
	PROF_OMPT_LOOP_OTHER = 13,
	PROF_OMPT_WORKS,
};

/* Flags of tasks. */
enum { PROF_OMPT_TASK_INITIAL = 1, PROF_OMPT_TASK_EXPLICIT = 4 };

/* Why a task is left. */
enum {
	PROF_OMPT_TASK_COMPLETE = 1,
	PROF_OMPT_TASK_YIELD = 2,
	PROF_OMPT_TASK_CANCEL = 3,
	PROF_OMPT_TASK_DETACH = 4,
	PROF_OMPT_TASK_SWITCH = 7,
};

/* The tool's own, of a region or a task: all zeroes when it is new. */
union prof_ompt_data {
	uint64_t value;
	void *ptr;
};

/* The oldest version of OpenMP whose runtimes have this interface. */
enum { PROF_OMPT_OLDEST = 201611 };

typedef void (*prof_ompt_function)(void);
typedef prof_ompt_function (*prof_ompt_lookup)(const char *name);
typedef int (*prof_ompt_set_callback)(int which, prof_ompt_function callback);

/* What ompt_start_tool() returns. */
struct prof_ompt_tool {
	/* Called at once.  Not 0: the tool is active. */
	int (*initialize)(prof_ompt_lookup lookup, int device, union prof_ompt_data *data);
	void (*finalize)(union prof_ompt_data *data);
	union prof_ompt_data data;
};

typedef struct prof_ompt_tool *(*prof_ompt_start)(unsigned version, const char *runtime);

#endif
