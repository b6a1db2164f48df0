/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Threads: what the agent knows of each, and how a call of a traced function begins and ends.
 *
 * A session is the tracing into one ring.  The pointer to it is on a page of its own, which is
 * empty in every child of the program, however that was made: a child is not traced.
 */
#ifndef PROF_AGENT_THREAD_H
#define PROF_AGENT_THREAD_H

#include "agent/mpi_thread.h"
#include "agent/omp_thread.h"
#include "agent/system.h"
#include "tracing/ring.h"

enum {
	PROF_AGENT_DEEPEST = 4096, /* frames of a stack; of one that is deeper, only */
	PROF_AGENT_KEPT = 256,     /* the innermost are kept */
	PROF_AGENT_SITES = 16,     /* call sites that a thread remembers */
};

/* Memory of the program that was not written by us. */
typedef uint64_t __attribute__((may_alias)) prof_agent_word;

/* A frame as it was found, and where that was read which led to its caller. */
struct prof_agent_frame {
	uint64_t pc, sp, fp;
	const prof_agent_word *pc_slot, *fp_slot; /* of the caller's; without one, FP_SLOT is &fp */
	const prof_agent_word *sp_slot;           /* likewise; NULL: sp follows from PC_SLOT */
	uint32_t row, node;
	bool exact;    /* pc is where a signal came, no return address */
	bool needs_fp; /* what comes further out depends on fp */
};

/* A call site with the frame that it was in, and how it was reached. */
struct prof_agent_site {
	struct prof_agent_frame frame; /* the innermost */
	uint64_t gone;                 /* the ring's, then */
	/* Of the frames further out, as the last walk had them; 0: nothing is remembered. */
	uint32_t count;
	uint32_t outer; /* the node of these */
};

struct prof_agent_session {
	struct prof_ring *ring;
	size_t size;     /* of the ring, bytes */
	long process;    /* the kernel's number of it */
	uint32_t number; /* that no other session of the process has; never 0 */
	/* A wait that is longer is recorded: clock units; 0: all are, also calls that do not wait.
	 */
	uint64_t threshold;
	bool counter;
	bool numbered;                /* the CPU reports its number */
	ptrdiff_t sequences;          /* see prof_system_sequences() */
	struct prof_mpi_session *mpi; /* NULL: calls of MPI are not recorded */
	uint64_t mpi_limit;           /* bytes of records of MPI; 0: no limit */
	bool mpi_stacks;
	bool mpi_handshake;
	bool omp; /* what OpenMP does is recorded */
	/* By slot; what a finished thread had goes to the next one that has its slot. */
	struct prof_agent_thread *_Atomic threads[PROF_RING_THREADS];
};

struct prof_agent_thread {
	struct prof_agent_session *session;
	struct prof_ring_thread *slot;
	struct prof_ring_chunk *chunk; /* NULL: none yet */
	uint32_t used;                 /* bytes of it */
	void *volatile inside;         /* the frame of the wrapper that is at work */
	volatile bool writing;         /* it is about its record, not the real function */
	uint64_t last;                 /* time stamp of the last record */
	struct prof_omp_thread omp;

	/* The stack that is known to be readable. */
	uintptr_t low, high;
	uintptr_t end; /* what is known to be not; 0: unknown */

	/* The last walk, the outermost frame first, and what the current one adds, innermost first.
	 */
	uint64_t gone;  /* the ring's, then: frames of code that is gone since are not used */
	uint32_t count; /* of FRAMES */
	struct prof_agent_frame frames[PROF_AGENT_DEEPEST];
	struct prof_agent_frame fresh[PROF_AGENT_DEEPEST];

	struct prof_agent_site sites[PROF_AGENT_SITES]; /* by hash */
	struct prof_mpi_thread mpi;
};

/* What a child of the process does not have: the page. */
struct prof_agent_process {
	struct prof_agent_session *session;
};

extern struct prof_agent_process *prof_agent_process;
extern __thread struct prof_agent_thread *prof_agent_self;

/* Makes the page prof_agent_process, without a session yet; a negated errno if that fails. */
int prof_agent_process_init(void);

/*
 * A place in SESSION for the thread that calls.  NULL: it is of a child, or there is none, which is
 * counted as a lost record.
 */
struct prof_agent_thread *prof_agent_thread_claim(struct prof_agent_session *session);

/*
 * Has a jump, such as longjmp(), left the call that THREAD was in, at its frame INSIDE?  Then
 * THREAD calls again from FRAME, there or further out on the same stack.  If not, the call at FRAME
 * is part of the other.
 */
bool prof_agent_thread_left(struct prof_agent_thread *thread, const void *frame);

/* The session that records calls of FAMILY; NULL: none does. */
static inline struct prof_agent_session *prof_agent_session(enum prof_family family)
{
	struct prof_agent_session *session = prof_agent_process->session;

	if (!session ||
		!(atomic_load_explicit(&session->ring->families, memory_order_relaxed) & family))
		return NULL;
	return session;
}

/*
 * Begins a call by the wrapper with the frame FRAME that is of SESSION.  NULL: the call is part of
 * another, or there is no place for the thread.  Otherwise prof_agent_leave() must end what this
 * began.
 */
static inline struct prof_agent_thread *prof_agent_enter_session(
	struct prof_agent_session *session, void *frame)
{
	struct prof_agent_thread *thread = prof_agent_self;

	if (PROF_SELDOM(!thread || thread->session != session)) {
		thread = prof_agent_thread_claim(session);
		if (!thread)
			return NULL;
	}
	if (PROF_SELDOM(thread->inside) && !prof_agent_thread_left(thread, frame))
		return NULL;
	thread->inside = frame;
	return thread;
}

/* The same of a function of FAMILY.  NULL: nothing of it is recorded, too. */
static inline struct prof_agent_thread *prof_agent_enter(enum prof_family family, void *frame)
{
	struct prof_agent_session *session = prof_agent_session(family);

	return session ? prof_agent_enter_session(session, frame) : NULL;
}

/* The time of a record of SESSION. */
static inline struct prof_system_stamp prof_agent_stamp(const struct prof_agent_session *session)
{
	return prof_system_stamp(session->counter, session->numbered);
}

/* The same, some ns earlier at most, which costs half as much. */
static inline struct prof_system_stamp prof_agent_stamp_soon(
	const struct prof_agent_session *session)
{
	return session->sequences ? prof_system_stamp_soon(session->counter, session->sequences)
				  : prof_agent_stamp(session);
}

/* Ends what prof_agent_enter() began. */
static inline void prof_agent_leave(struct prof_agent_thread *thread)
{
	thread->inside = NULL;
}

#endif
