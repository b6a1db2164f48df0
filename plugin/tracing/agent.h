/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The agent in one process, from outside: the hand-shake with it, see tracing/ring.h, its ring, and
 * the redirections that lead to it.
 *
 * What the process reports of itself is as untrusted as a file.
 */
#ifndef PROF_PLUGIN_TRACING_AGENT_H
#define PROF_PLUGIN_TRACING_AGENT_H

#include "base/error.h"
#include "base/text.h"

#include <sys/types.h>

struct prof_marker;
struct prof_queue;

/* The request to an agent. */
struct agent_request {
	uint32_t families;  /* enum prof_family */
	uint32_t chunks;    /* of the ring */
	bool counter;       /* times are of the time stamp counter */
	bool calibrate;     /* the agent finds the threshold */
	uint64_t threshold; /* clock units */
	uint64_t mpi_limit; /* bytes of records of MPI; 0: no limit */
	bool mpi_stacks;    /* calls of MPI have stacks */
	bool mpi_handshake; /* ranks compare their clocks */

	/* What happens to the ring: see tracing/ring_reader.h. */
	struct prof_queue *queue;   /* borrowed, as is the other */
	struct prof_marker *marker; /* whose marks divide it */
	uint64_t number;            /* of the reader */
	size_t max_depth;           /* frames */

	/* For functions that are traced one by one: see traced_functions_fill(). */
	double clock_rate; /* clock units in a ns */
};

struct agent;

/*
 * A thread of PROCESS has come to the function prof_agent_stage(), and DATA is the address of the
 * agent's data: answers it.  *RET is the agent, the caller's, if it is ready now, and the calls are
 * redirected; else NULL.
 */
struct prof_error *agent_meet(pid_t process, uint64_t data, const struct agent_request *request,
	struct agent **ret) PROF_MUST_CHECK;

/*
 * The same of PROCESS, a child that has the redirections of AGENT, but no ring: nothing is recorded
 * there.  NULL: out of memory.
 */
struct agent *agent_inherit(const struct agent *agent, pid_t process);

/* Frees AGENT; the process, if it is still there, goes on with its redirections.  NULL is fine. */
void agent_destroy(struct agent *agent);

/* Undoes the redirections in the process, all of whose threads stand still, and has it sleep. */
void agent_retire(struct agent *agent);

/* Its process. */
pid_t agent_process(const struct agent *agent);

/* Reports all that was recorded until now. */
void agent_report(struct agent *agent);

/* Is it still there, or has the process executed another program? */
bool agent_is_there(const struct agent *agent);

/* The load objects of the process have changed. */
struct prof_error *agent_update(struct agent *agent) PROF_MUST_CHECK;

/* What redirections_awaited() and redirections_settle() say and do. */
uint64_t agent_awaited(const struct agent *agent);
void agent_settle(struct agent *agent);

/* Whether what was asked for is recorded just now. */
void agent_record(struct agent *agent, bool recording);

/* Is something recorded there?  Not in a child that was made with its parent's redirections. */
bool agent_has_ring(const struct agent *agent);

/* Leaves out waits that last no more clock units. */
uint64_t agent_threshold(const struct agent *agent);

/* Bytes that records of MPI took or would have taken, and how many of them were dropped. */
void agent_mpi(const struct agent *agent, uint64_t *bytes, uint64_t *dropped);

/* Has the agent found an MPI library in the process? */
bool agent_has_mpi(const struct agent *agent);

/* Who the runtime of OpenMP in the process reports to. */
enum prof_ring_tool agent_tool(const struct agent *agent);

/* Adds how the events were taken, in sentences. */
void agent_say(struct agent *agent, struct prof_text *text);

/*
 * There may be more functions to be traced: *FUNCTION is the address of what the process has to
 * call, where it may allocate memory, before agent_extend(); 0: there are none.
 */
struct prof_error *agent_ask_more(struct agent *agent, const struct agent_request *request,
	uint64_t *function) PROF_MUST_CHECK;
struct prof_error *agent_extend(struct agent *agent) PROF_MUST_CHECK;

/* The number of functions that it traces. */
size_t agent_traced_count(const struct agent *agent);

/* The state of a function that is traced. */
enum agent_traced {
	AGENT_TRACED_NOT,  /* it cannot be, or its family is */
	AGENT_TRACED_NONE, /* no call of it goes through a table */
	AGENT_TRACED,
};

/* The state of the function number TRACED in the process. */
enum agent_traced agent_traced(const struct agent *agent, size_t traced);

/* How many slots are redirected, of how many objects. */
size_t agent_redirections(const struct agent *agent, size_t *objects);

#endif
