/* What one look at one thread tells: the record that every engine makes. */
#ifndef PROF_SAMPLE_SAMPLE_H
#define PROF_SAMPLE_SAMPLE_H

#include "target/unwind.h"

#include <stdint.h>

/* What the thread was doing. */
enum prof_state {
	PROF_STATE_RUNNING,  /* it was on a CPU, or wanted to be */
	PROF_STATE_SLEEPING, /* it waited for something; its stack is the last one known */
	PROF_STATES,
};

/*
 * One look.  FRAMES are lookup addresses as prof_unwinder_walk() makes them, the innermost first.
 * The time since the last look at the thread is split into CPU and OTHER.  A look without time and
 * samples only tells the stack, for looks without one that follow.
 */
struct prof_look {
	int64_t time;     /* ns of CLOCK_MONOTONIC */
	int64_t thread;   /* the kernel's thread id */
	int64_t process;  /* whose address space FRAMES are of; 0 where there is but one */
	int64_t cpu;      /* ns on a CPU */
	int64_t other;    /* ns not on a CPU, the profiler's own stops left out */
	uint32_t samples; /* how many samples it stands for: 1 on a CPU, 0 asleep */
	uint32_t depth;   /* number of frames; 0: the stack of the thread's previous look */
	uint8_t state;    /* enum prof_state */
	uint8_t end;      /* enum prof_stack_end */
};

/* What the sampling itself did and cost, since it was last told. */
struct prof_figures {
	uint64_t rounds;  /* how often all threads were looked at */
	uint64_t ticks;   /* sent, or due */
	uint64_t lost;    /* of them, not met */
	int64_t duration; /* ns that the program went on */
	int64_t stopped;  /* ns that threads were kept stopped, added up */
	int64_t running;  /* ns that threads were on a CPU, added up */
	double rate;      /* Hz: what is tried now; it is lowered to keep the stopped share */
};

#endif
