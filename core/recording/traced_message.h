/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What the agent's events add up to, as messages for the recorder.
 *
 * A total is what one thread did from one stack in a short stretch of time, between two marks.  A
 * message announces it when it is new; another has its values whenever they have changed.
 */
#ifndef PROF_RECORDING_TRACED_MESSAGE_H
#define PROF_RECORDING_TRACED_MESSAGE_H

#include "model/traced.h"

#include <stdbool.h>
#include <stdint.h>

/* How the agent's file is called. */
#define PROF_AGENT_FILE "libprofagent.so"

/* What is recorded of traced calls: arguments, or what they return. */
enum { PROF_ARGUMENTS = 8, PROF_ARGUMENT_NAME = 32 };

/* Data of a message of a total, one for each argument, behind its frames: not aligned. */
struct prof_argument_message {
	struct prof_argument_sum sum;
	char name[PROF_ARGUMENT_NAME];
};

/* Data of a message of a total, before its frames. */
struct prof_total_message {
	int64_t values[PROF_TRACED_VALUES]; /* whole numbers; times in ns */
	int64_t longest;                    /* ns of the longest wait or call */
	int64_t last;                       /* ns of CLOCK_MONOTONIC: of its last event */
	uint64_t object;                    /* address of what was waited for; 0: nothing */
	int64_t holder; /* the kernel's id of the thread that had it; 0: not known */
	/* Of calls of MPI: ranks in MPI_COMM_WORLD, plus 1; 0: not known, or no messages. */
	uint32_t rank, peer;
	uint32_t number; /* of the total, which no other has as long as it may change */
	uint32_t depth;  /* frames that follow, as of struct prof_look, if it is new */
	uint8_t end;     /* enum prof_stack_end */
	uint8_t state;   /* enum prof_state */
	uint8_t arguments;
	bool is_new; /* it is new: another total that had its number is over */
	uint8_t unused[2];
	uint16_t cpu; /* of its first event: its number plus 1; 0: not known */
};

/* What a total held at a mark, if not what it did at the one before. */
struct prof_held_message {
	uint64_t blocks, bytes; /* not freed */
	uint32_t total;         /* its number */
	uint32_t unused;
};

/* An operation of MPI, of a call that was added to a total. */
struct prof_operation_message {
	uint64_t comm; /* as of struct prof_mpi_operation, and so on */
	int64_t bytes;
	int64_t posted, begin, end; /* ns of CLOCK_MONOTONIC */
	uint32_t total;             /* its number: it was reported before */
	uint32_t number;
	int32_t rank, peer, tag;
	uint8_t kind; /* enum prof_mpi_operation_kind, or anything */
	uint8_t unused[3];
};

/* The tracing's own work, since the last message of it. */
struct prof_tracing_figures {
	uint64_t events;  /* taken from the ring, or calls that were met at breakpoints */
	uint64_t bytes;   /* of those of the ring */
	uint64_t lost;    /* events that it had no room for */
	uint64_t dropped; /* events of MPI that came when the buffer was flushed as often as it may
			   */
	uint64_t operations_lost; /* operations of MPI, or ends of them, that have no record */
	uint64_t families;        /* traced: bits of enum prof_family */
	int64_t threshold;        /* ns: waits that are longer were recorded */
	int64_t uncontended;      /* ns: mean of a call that does not wait; 0: not measured */
};

#endif
