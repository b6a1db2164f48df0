/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The ring: memory that the agent, inside the program, shares with gdbprof.
 *
 * The agent makes it, a sealed memfd, and writes what it sees; gdbprof maps it, and takes what is
 * there without stopping anybody.  What gdbprof reads there is as untrusted as a file.
 *
 *	struct prof_ring              the head
 *	struct prof_ring_thread []    PROF_RING_THREADS slots, one for each thread that is traced
 *	struct prof_row []            PROF_ROWS, see tracing/rows.h
 *	uint64_t []                   PROF_NODES, likewise
 *	struct prof_ring_chunk []     as many as the ring has memory for
 *
 * A thread writes records one behind the other into chunks that it takes from a pool, each leading
 * to the next; gdbprof gives them back.  Where the pool is empty, records are lost and counted: the
 * program never waits.
 *
 * Times are time stamps, in clock units: cycles of the CPU's time stamp counter, or ns of
 * CLOCK_MONOTONIC, as the request says (tracing/ring_clock.h).
 * This header is shared with the agent: it needs no function of the C library.
 */
#ifndef PROF_TRACING_RING_H
#define PROF_TRACING_RING_H

#include "tracing/rows.h"

#include <stddef.h>

enum {
	PROF_RING_VERSION = 10,
	PROF_RING_THREADS = 4096,
	PROF_RING_CHUNK = 1 << 16,    /* bytes, its head included */
	PROF_RING_RAW_MOST = 1 << 15, /* bytes of a raw stack */
};

#define PROF_RING_MAGIC UINT64_C(0x676e697266656f72)

/* What is traced: bits. */
enum prof_family {
	PROF_FAMILY_HEAP = 1,
	PROF_FAMILY_SYNC = 2,
	PROF_FAMILY_CALLS = 4,
	PROF_FAMILY_MPI = 8,
	PROF_FAMILY_OMP = 16,
	PROF_FAMILIES = 31,
};

/* The kinds of records; those of a thread are in the order of their times. */
enum prof_ring_kind {
	PROF_RING_RAW = 1, /* pc, sp, fp, length; then LENGTH bytes from sp on, to full words: the
			      stack of the next record, whose node is PROF_NODE_NONE; pc is a
			      return address, as the innermost frame's always is */
	PROF_RING_ALLOC,   /* time, address, size */
	PROF_RING_FREE,    /* time, address; no node */
	PROF_RING_MAP,     /* time, address, size: mmap() */
	PROF_RING_UNMAP,   /* time, address, size; no node: munmap() */
	PROF_RING_WAIT,    /* time of the grant, time of the request, object, holder (tid or 0) */
	PROF_RING_CALL,    /* time of the return, time of the call, then the values asked for */
	PROF_RING_MPI,     /* time of the return, time of the call, ranks (prof_ring_mpi_peers()), 1
			      for a call that neither sends nor receives, else 0, messages sent to
			      the peer, bytes of them, messages received from there, bytes of them;
			      a call with several peers has a record for each, and the first one has
			      its time */
	PROF_RING_OPERATION, /* of MPI, before the record of the call: time of the return, time of
				the call, time at which it was posted, communicator, bytes,
				prof_ring_operation_peer(), prof_ring_operation_word(); no node */
	PROF_RING_MESSAGE,   /* a call of MPI with its operation, a blocking send or receive in
				MPI_COMM_WORLD: time of the return, time of the call, bytes,
				prof_ring_operation_peer(), prof_ring_operation_word() */
	PROF_RING_OMP, /* of OpenMP, see enum prof_ring_omp: time of the end, time of the begin,
			  clock units in between that do not count, then what the kind has */
	PROF_RING_KINDS,
};

/* The bits of a node in a record's first word: PROF_NODE_NONE has all of them. */
#define PROF_RING_NODE ((UINT32_C(1) << 22) - 1)

/*
 * The first word of a record: KIND | WHAT << 4 | WORDS << 16 | NODE << 32 | CPU << 54.  WHAT is the
 * number of the hook (struct prof_hook) that was called; WORDS counts all of the record, this one
 * included; CPU is the number of the CPU plus 1, or 0 where that is not known or too large.  A raw
 * stack and the record that it is of are in one chunk, and become visible at once.
 */
static inline uint64_t prof_ring_word(
	enum prof_ring_kind kind, unsigned what, unsigned words, uint32_t node)
{
	return (uint64_t)kind | (uint64_t)what << 4 | (uint64_t)words << 16 |
		(uint64_t)(node & PROF_RING_NODE) << 32;
}

/* Parts of the first word HEAD. */
static inline unsigned prof_ring_kind_of(uint64_t head)
{
	return head & 0xf;
}

static inline unsigned prof_ring_what_of(uint64_t head)
{
	return head >> 4 & 0xfff;
}

/*
 * The ranks of a record of MPI in one word: that of the process, and that of the peer it sent to or
 * received from, both in MPI_COMM_WORLD; -1: not known, or no message.  And these out of WORD.
 */
static inline uint64_t prof_ring_mpi_peers(int rank, int peer)
{
	return (uint64_t)(uint32_t)rank << 32 | (uint32_t)peer;
}

static inline int32_t prof_ring_mpi_rank(uint64_t word)
{
	return (int32_t)(uint32_t)(word >> 32);
}

static inline int32_t prof_ring_mpi_peer(uint64_t word)
{
	return (int32_t)(uint32_t)word;
}

/*
 * Operations: what a rank does by MPI that other ranks take part in.  The communicator has the same
 * number in all its ranks; 0: it is not known.  A send and a receive are posted at the time of the
 * call that begins them.
 */
enum prof_ring_operation {
	PROF_RING_OPERATION_INIT = 1, /* MPI_Init() has returned */
	PROF_RING_OPERATION_SEND,     /* begun */
	PROF_RING_OPERATION_BUFFERED, /* a send that waits for no receiver, begun */
	PROF_RING_OPERATION_SENT,     /* a send, of this number, that was begun by another call */
	PROF_RING_OPERATION_RECEIVE,  /* complete */
	PROF_RING_OPERATION_BARRIER,
	PROF_RING_OPERATION_ALL,       /* each rank sends to all */
	PROF_RING_OPERATION_FROM_ROOT, /* one rank sends to all */
	PROF_RING_OPERATION_TO_ROOT,   /* all send to one */
	PROF_RING_OPERATION_FINALIZE,  /* MPI_Finalize() has returned */
	PROF_RING_OPERATIONS,
};

/* The number of the record of MPI_Init(): those of the process are numbered from it on. */
enum { PROF_RING_OPERATION_FIRST = 1 };

/* The number of MPI_COMM_WORLD. */
enum { PROF_RING_WORLD = 1 };

/*
 * The communicator of the messages that the agents exchange to compare clocks: no message of the
 * program.  Such a send is posted when it begins, and such a receive when it is complete.
 */
enum { PROF_RING_HANDSHAKE = 3 };

/*
 * Words of an operation: the rank of its peer or root in MPI_COMM_WORLD, or -1, with the tag of the
 * message, or the number of ranks in the communicator; and its number and kind with the rank of the
 * process, -1 to 2^24 - 2.
 */
static inline uint64_t prof_ring_operation_peer(int peer, int tag)
{
	return (uint64_t)(uint32_t)peer << 32 | (uint32_t)tag;
}

static inline uint64_t prof_ring_operation_word(
	enum prof_ring_operation kind, int rank, uint32_t number)
{
	return (uint64_t)number << 32 | (uint64_t)((uint32_t)(rank + 1) & 0xffffff) << 8 |
		(uint64_t)kind;
}

/* Parts of them: the peer of WORD, and the rank and the kind of the other; no kind is checked. */
static inline uint8_t prof_ring_operation_kind_of(uint64_t word)
{
	return (uint8_t)word;
}

static inline int32_t prof_ring_operation_rank_of(uint64_t word)
{
	return (int32_t)(word >> 8 & 0xffffff) - 1;
}

static inline int32_t prof_ring_operation_peer_of(uint64_t word)
{
	return (int32_t)(uint32_t)(word >> 32);
}

/*
 * What a record of OpenMP is of: its WHAT.  The place of a region is the return address of the call
 * that has opened it.
 */
enum prof_ring_omp {
	/*
	 * A thread was in a parallel region, without regions nested in it.  Behind the three words
	 * of all: the kernel's id of the thread, clock units that it waited at the region's end, 1
	 * if it has opened the region, else 0, and the place of the region.  The stack is that of
	 * the code that has opened the region, where it ends.  No hook has this number.
	 */
	PROF_RING_OMP_INSIDE = 0xf00,
	/* A task was created by a stack that is raw: behind the three words its number, not 0. */
	PROF_RING_OMP_CREATE,
	/*
	 * A task was executed, without other tasks meanwhile: 0, and the node of the stack that has
	 * created it; or its number, and no node, if that stack was raw.
	 */
	PROF_RING_OMP_TASK,
	/*
	 * A thread was in a loop, in sections or at a `single`, without waits and regions in it: as
	 * a task, where the stack is that at the begin; then the place of the region, 1 for one
	 * thread of the instance, else 0, and clock units that it has waited in it and at its end.
	 */
	PROF_RING_OMP_LOOP,
	PROF_RING_OMP_SECTIONS,
	PROF_RING_OMP_SINGLE,
	/*
	 * What follows are waits, without tasks executed meanwhile: behind the three words the
	 * place of the region that the thread is in, or 0.
	 */
	PROF_RING_OMP_EXPLICIT, /* a barrier that the program has asked for */
	PROF_RING_OMP_IMPLICIT, /* one at the end of code that is shared out */
	PROF_RING_OMP_CRITICAL, /* a critical section */
	PROF_RING_OMP_LOCK,     /* a lock, an ordered section, or an atomic operation */
	PROF_RING_OMP_TASKWAIT, /* the end of tasks */
	PROF_RING_OMP_END,
};

/* Is a record of the kind WHAT one of shared code? */
static inline bool prof_ring_omp_is_loop(unsigned what)
{
	return what >= PROF_RING_OMP_LOOP && what <= PROF_RING_OMP_SINGLE;
}

/* Who the runtime of OpenMP reports to. */
enum prof_ring_tool {
	PROF_RING_TOOL_NONE,  /* no runtime has asked for a tool yet */
	PROF_RING_TOOL_AGENT, /* the agent */
	PROF_RING_TOOL_OTHER, /* the program, or its user, has a tool */
};

/* The CPU of a record, as a part of its first word. */
static inline uint64_t prof_ring_cpu(unsigned cpu)
{
	return cpu < 1023 ? (uint64_t)(cpu + 1) << 54 : 0;
}

struct prof_ring_chunk {
	_Atomic uint32_t used; /* bytes of DATA that are written */
	_Atomic uint32_t next; /* chunk that goes on, plus 1; 0: none yet */
	_Atomic uint32_t link; /* next in the pool, plus 1 */
	uint32_t unused[13];
	unsigned char data[PROF_RING_CHUNK - 64];
};

enum prof_ring_thread_state {
	PROF_RING_THREAD_FREE,
	PROF_RING_THREAD_TAKEN, /* by a thread, which fills it in */
	PROF_RING_THREAD_USED,  /* until gdbprof finds that the thread is gone, and frees it */
};

struct prof_ring_thread {
	_Atomic uint32_t state; /* enum prof_ring_thread_state */
	uint32_t id;            /* the kernel's */
	_Atomic uint32_t first; /* chunk, plus 1; 0: none */
	uint32_t unused;
	/* Not 0: the thread is about to write records that are not earlier than this. */
	_Atomic uint64_t busy;
	_Atomic uint64_t lost; /* records that there was no room for */
	uint64_t padding[4];
};

struct prof_ring {
	uint64_t magic;            /* PROF_RING_MAGIC */
	uint32_t version;          /* PROF_RING_VERSION */
	uint32_t chunks;           /* how many it has */
	_Atomic uint32_t families; /* what is recorded now: gdbprof writes it */
	_Atomic uint32_t fresh;    /* chunks from this on were never used */
	_Atomic uint64_t pool;     /* chunks given back: count of changes << 32 | first, plus 1 */
	_Atomic uint64_t homeless; /* records lost since there was no slot for their thread */
	uint64_t threshold;        /* clock units: a wait that is longer is recorded */
	uint64_t uncontended; /* clock units: mean of a call that does not wait, if calibrated */
	/* How often rows have become PROF_ROW_GONE: gdbprof adds one after each time. */
	_Atomic uint64_t gone;
	_Atomic uint64_t mpi_bytes; /* that records of MPI take, or would if they were permitted */
	_Atomic uint64_t dropped;   /* records of MPI that are not permitted */
	_Atomic uint64_t pauses;    /* how often gdbprof has had the agent record nothing */
	/* Sends of MPI that will have no record of their end: there was no room for the request. */
	_Atomic uint64_t operations_lost;
	_Atomic uint64_t tool;    /* enum prof_ring_tool */
	_Atomic uint64_t claimed; /* how many threads have taken a slot, each counted after that */
	uint64_t padding;
};

#define PROF_RING_HEAD ((size_t)4096)

/* The bytes of a ring with so many CHUNKS. */
static inline size_t prof_ring_size(uint32_t chunks)
{
	return PROF_RING_HEAD + PROF_RING_THREADS * sizeof(struct prof_ring_thread) +
		PROF_ROWS * sizeof(struct prof_row) + PROF_NODES * sizeof(uint64_t) +
		chunks * sizeof(struct prof_ring_chunk);
}

/* The parts of RING, see above. */
static inline struct prof_ring_thread *prof_ring_threads(struct prof_ring *ring)
{
	return (struct prof_ring_thread *)((unsigned char *)ring + PROF_RING_HEAD);
}

static inline struct prof_row *prof_ring_rows(struct prof_ring *ring)
{
	return (struct prof_row *)(prof_ring_threads(ring) + PROF_RING_THREADS);
}

static inline _Atomic uint64_t *prof_ring_nodes(struct prof_ring *ring)
{
	return (_Atomic uint64_t *)(prof_ring_rows(ring) + PROF_ROWS);
}

static inline struct prof_ring_chunk *prof_ring_chunks(struct prof_ring *ring)
{
	return (struct prof_ring_chunk *)(prof_ring_nodes(ring) + PROF_NODES);
}

/* Takes a chunk from the pool; 0: it is empty.  Otherwise its number, plus 1. */
static inline uint32_t prof_ring_take(struct prof_ring *ring)
{
	struct prof_ring_chunk *chunks = prof_ring_chunks(ring);
	uint64_t pool = atomic_load_explicit(&ring->pool, memory_order_acquire);

	while ((uint32_t)pool) {
		uint32_t first = (uint32_t)pool;
		uint64_t rest = ((pool >> 32) + 1) << 32 |
			atomic_load_explicit(&chunks[first - 1].link, memory_order_relaxed);
		if (atomic_compare_exchange_weak_explicit(
			    &ring->pool, &pool, rest, memory_order_acquire, memory_order_acquire))
			return first;
	}
	uint32_t fresh = atomic_load_explicit(&ring->fresh, memory_order_relaxed);
	while (fresh < ring->chunks) {
		if (atomic_compare_exchange_weak_explicit(&ring->fresh, &fresh, fresh + 1,
			    memory_order_relaxed, memory_order_relaxed))
			return fresh + 1;
	}
	return 0;
}

/* Gives CHUNK, a number plus 1, back: gdbprof alone does so. */
static inline void prof_ring_give(struct prof_ring *ring, uint32_t chunk)
{
	struct prof_ring_chunk *given = &prof_ring_chunks(ring)[chunk - 1];
	uint64_t pool = atomic_load_explicit(&ring->pool, memory_order_relaxed);

	atomic_store_explicit(&given->used, 0, memory_order_relaxed);
	atomic_store_explicit(&given->next, 0, memory_order_relaxed);
	do {
		atomic_store_explicit(&given->link, (uint32_t)pool, memory_order_relaxed);
	} while (!atomic_compare_exchange_weak_explicit(&ring->pool, &pool,
		((pool >> 32) + 1) << 32 | chunk, memory_order_release, memory_order_relaxed));
}

enum {
	PROF_TRACED_FUNCTIONS = 64, /* functions that can be traced */
	PROF_TRACED_NAME = 256,     /* bytes of a name, its NUL included */
	PROF_SIGNATURE = 256,       /* and of a signature */
	PROF_CALL_VALUES = 8,       /* that a record can hold */
	PROF_CALL_RETURNED = 255,   /* instead of an argument: what it returns */
	/* Words that are handed on of the stack to a function with "...", and the registers. */
	PROF_CALL_WORDS = 32,
};

/*
 * A function whose calls are traced with their values.  Its signature: the type of what it returns,
 * then those of its arguments in brackets, "i(pL)":
 *
 *	v        void
 *	b h i l  signed, and B H I L unsigned integers of 1, 2, 4 and 8 bytes
 *	p        a pointer
 *	f d D    float, double, long double
 *	{...}    a struct by value: its members
 *	.        as the last argument: any more
 *
 * The values of a record are as wide as a word: integers with their sign, float as double.
 */
struct prof_traced_function {
	char name[PROF_TRACED_NAME]; /* of the symbol */
	char signature[PROF_SIGNATURE];
	uint64_t real;        /* where it is, if the dynamic linker does not find it; or 0 */
	uint32_t indirect;    /* not 0: the function at REAL returns the address of the function */
	uint64_t limit;       /* clock units: a call that takes longer is recorded; 0: any */
	uint32_t value_count; /* of the values that are recorded of a call */
	uint8_t values[PROF_CALL_VALUES]; /* arguments, from 1 on, or PROF_CALL_RETURNED */
	uint32_t failed;                  /* answer: not 0: libffi cannot */
};

/*
 * How the agent and gdbprof come together.  The agent, once it is loaded, calls the empty function
 * `void prof_agent_stage(uint32_t stage)`, where gdbprof has a breakpoint, with the number of the
 * stage; in between both read and write `prof_agent`, a variable of the agent.  Without gdbprof
 * nothing comes of it.  `void prof_agent_begin(void)` does the same again, with another ring.
 *
 * A program that loads the agent as it starts has it as the first of LD_PRELOAD: just AGENT where
 * the user had no such variable, and AGENT:VALUE where it was VALUE, even if empty, as in
 * `LD_PRELOAD=AGENT${LD_PRELOAD+:$LD_PRELOAD}`.  The agent puts the user's value, or none, back.
 */
enum prof_agent_stage {
	PROF_AGENT_LOADED = 1, /* gdbprof fills in the request; left as it is, the agent sleeps */
	PROF_AGENT_READY,      /* fd is the ring's: gdbprof opens it, and redirects the calls; the
				  agent then closes it */
	PROF_AGENT_FAILED,     /* there is no ring: errno is the reason */
};

/* A function whose calls the agent can take: gdbprof writes WRAPPER where REAL stood. */
struct prof_hook {
	const char *name;
	void *wrapper;
	void *real;      /* NULL: the program has no such function */
	uint64_t family; /* enum prof_family */
};

struct prof_agent {
	uint32_t version; /* PROF_RING_VERSION */
	uint32_t stage;   /* enum prof_agent_stage */

	/* The request. */
	uint32_t families;   /* bits of enum prof_family */
	uint32_t chunks;     /* of the ring */
	uint32_t counter;    /* 1: times are of the time stamp counter; 0: ns of CLOCK_MONOTONIC */
	uint32_t calibrate;  /* 1: the agent finds the threshold */
	uint64_t threshold;  /* clock units */
	uint64_t mpi_limit;  /* bytes of records of MPI that are written, no more; 0: any number */
	uint32_t mpi_stacks; /* 1: calls of MPI have stacks */
	uint32_t mpi_handshake; /* 1: ranks compare their clocks */

	/* Functions to be traced: those from TRACED_BUILT on are new, and taken on with the rest of
	   the request, or later by a call of MORE. */
	struct prof_traced_function *traced; /* room for PROF_TRACED_FUNCTIONS, when LOADED */
	uint32_t traced_count;

	/* The answer. */
	uint32_t traced_built;
	void (*more)(void);
	int32_t fd, error; /* of PROF_AGENT_READY, an errno of PROF_AGENT_FAILED */
	struct prof_ring *ring;
	const struct prof_hook *hooks;
	uint64_t hook_count; /* the last TRACED_BUILT of them are the functions that are traced */
};

#endif
