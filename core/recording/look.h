/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One look at one thread: the message that every engine makes. */
#ifndef PROF_RECORDING_LOOK_H
#define PROF_RECORDING_LOOK_H

#include "model/access.h"
#include "model/arc_kind.h"
#include "model/state.h"
#include "target/unwind.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * One look.  FRAMES are lookup addresses as prof_unwinder_walk() makes them, the innermost first.
 * A look without time and samples only has the stack, for looks without one that follow: their time
 * was spent in callees of that stack.  Without frames either, it means that no stack of the thread
 * on a CPU is known any more.
 */
struct prof_look {
	int64_t time;    /* ns of CLOCK_MONOTONIC */
	int64_t thread;  /* the kernel's thread id */
	int64_t process; /* whose address space FRAMES are of; 0 where there is but one */
	/* ns since the last look at the thread, the profiler's own stops left out, by state. */
	int64_t spent[PROF_STATES];
	uint32_t samples; /* how many samples it stands for */
	/* Number of frames; 0: the stack of the thread's last look that had one and slept, if this
	 * one sleeps, or was on a CPU, if not; none, if that is not known. */
	uint32_t depth;
	uint8_t state; /* enum prof_state: what it did in this moment */
	uint8_t end;   /* enum prof_stack_end */
	uint16_t cpu;  /* the number of the CPU that it was on last, plus 1; 0: not known */
	/* It was taken since a counter overflowed: the number of that counter plus 1, and the
	   events that it stands for.  Such a look has no time and no samples.  0: by the clock. */
	uint32_t counter;
	int64_t value; /* events */
	/* What is known of the access to memory that made it overflow, if that was looked for.
	   Where the instruction is known it is the innermost frame. */
	uint8_t trigger; /* enum prof_trigger */
	uint8_t access;  /* enum prof_access */
	uint8_t skid;    /* instructions from there to where the thread was interrupted */
	bool addressed;  /* the address of the data is ADDRESS */
	uint64_t address;
};

/* The sampling's own work and cost, since the last message of it. */
struct prof_figures {
	uint64_t rounds;  /* how often all threads were looked at */
	uint64_t ticks;   /* sent, or due */
	uint64_t lost;    /* of them, not met */
	int64_t duration; /* ns that the program went on */
	int64_t until;    /* ns of CLOCK_MONOTONIC: the end of that time */
	int64_t kept;     /* ns that threads were kept stopped, added up */
	int64_t stopped;  /* of that, what they would have run */
	int64_t running;  /* ns that threads were on a CPU, added up */
	int64_t delayed;  /* ns that threads waited for a CPU, added up */
	int64_t blocked;  /* ns on a CPU of threads that could not be met */
	int64_t bursts;   /* ns in short runs without a timer, see sampling/bursts.h */
	int64_t looking;  /* ns of CPU time that looking at threads took */
	uint64_t stride;  /* sleeping threads are looked at in one of so many rounds now */
	uint64_t unread;  /* threads that are not watched, for want of descriptors, at the most */
	double rate;      /* Hz: what is tried now; it is lowered to keep the stopped share */
};

/* An arc as PROF_MESSAGE_COUNTED has it: its addresses are of one process. */
struct prof_counted_arc {
	uint64_t callee; /* where the function is entered */
	uint64_t caller; /* lookup address of the call, 0: not known; CALLEE, if not of a call */
	uint64_t calls;  /* calls since the last message; 0, if it is not of calls */
	uint32_t kind;   /* enum prof_arc_kind */
};

#endif
