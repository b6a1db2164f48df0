/*
 * What the agent's events add up to, as it is told to the recorder.
 *
 * A cell is what one thread did from one stack in a short stretch of time, between two marks: it is
 * told when it is new, and again, with its values as they are then, whenever they have changed.
 */
#ifndef PROF_SAMPLE_TRACED_H
#define PROF_SAMPLE_TRACED_H

#include "base/value.h"

#include <stdbool.h>
#include <stdint.h>

/* The values of a cell, each 0 or more. */
enum prof_traced_value {
	PROF_TRACED_ALLOCATIONS,
	PROF_TRACED_BYTES,     /* allocated */
	PROF_TRACED_LEAKS,     /* blocks of those that are not freed */
	PROF_TRACED_LEAKED,    /* bytes of them */
	PROF_TRACED_PEAK,      /* bytes of those that were not freed when memory was at its peak */
	PROF_TRACED_TEMPORARY, /* allocations freed before the thread's next one */
	PROF_TRACED_DELAYS,    /* waits for other threads */
	PROF_TRACED_WAITED,    /* ns in them */
	PROF_TRACED_CALLS,     /* of functions that are traced */
	PROF_TRACED_INSIDE,    /* ns in them */
	PROF_TRACED_VALUES,
};

/* The words for them. */
extern const char *const prof_traced_names[PROF_TRACED_VALUES];

/* What is recorded of traced calls: arguments, or what they return. */
enum { PROF_ARGUMENTS = 8, PROF_ARGUMENT_NAME = 32 };

/* A function whose calls the agent takes. */
struct prof_traced_hook {
	uint64_t function; /* its address; 0: not known */
	unsigned count;    /* of the arguments that are recorded */
	/* By argument: the letter of its type (struct prof_trace in sample/ring.h), its name. */
	char letters[PROF_ARGUMENTS];
	char names[PROF_ARGUMENTS][PROF_ARGUMENT_NAME];
};

/* What the values of an argument add up to; each within PROF_ARGUMENT_MOST of 0. */
struct prof_argument_sum {
	prof_value sum, least, most;
};

#define PROF_ARGUMENT_MOST prof_value_of(INT64_MAX / 2)

/* Data of a record of a cell, one for each argument, behind its frames: not aligned. */
struct prof_told_argument {
	struct prof_argument_sum sum;
	char name[PROF_ARGUMENT_NAME];
};

/* Data of a record of a cell, before its frames. */
struct prof_told_cell {
	int64_t values[PROF_TRACED_VALUES];
	int64_t longest; /* ns of the longest wait or call */
	int64_t last;    /* ns of CLOCK_MONOTONIC: of its last event */
	uint64_t object; /* address of what was waited for; 0: nothing */
	int64_t holder;  /* the kernel's id of the thread that had it; 0: not known */
	uint32_t number; /* of the cell, which no other has as long as it may change */
	uint32_t depth;  /* frames that follow, as of struct prof_look, if it is new */
	uint8_t end;     /* enum prof_stack_end */
	uint8_t state;   /* enum prof_state */
	uint8_t arguments;
	bool is_new; /* it was not told before: another that had its number is over */
	uint8_t unused[2];
	uint16_t cpu; /* of its first event: its number plus 1; 0: not known */
};

/* What a cell held at a mark, if not what it did at the one before. */
struct prof_told_held {
	uint64_t blocks, bytes; /* not freed */
	uint32_t cell;          /* its number */
	uint32_t unused;
};

/* Statistics by size: classes of sizes, of which CLASS begins at prof_heap_class(CLASS) bytes. */
enum { PROF_HEAP_CLASSES = 14 };

/* What is known of a process's heap as a whole. */
struct prof_heap {
	int64_t peak;      /* bytes: the most that were not freed at a time */
	int64_t peak_time; /* ns of CLOCK_MONOTONIC */
	int64_t unmatched; /* frees of what was allocated unseen */
	/* Sizes in bytes; of leaks as they are now.  Without any, the smallest is -1. */
	int64_t smallest, largest, leak_smallest, leak_largest;
	int64_t allocations[PROF_HEAP_CLASSES], leaks[PROF_HEAP_CLASSES];
};

/* The first size of CLASS; of PROF_HEAP_CLASSES, UINT64_MAX. */
static inline uint64_t prof_heap_class(unsigned class)
{
	static const uint64_t first[PROF_HEAP_CLASSES] = {
		0,
		1 << 10,
		8 << 10,
		32 << 10,
		128 << 10,
		256 << 10,
		512 << 10,
		1000 << 10,
		10 << 20,
		100 << 20,
		1 << 30,
		UINT64_C(10) << 30,
		UINT64_C(100) << 30,
		UINT64_C(1) << 40,
	};

	return class < PROF_HEAP_CLASSES ? first[class] : UINT64_MAX;
}

/* What the tracing did, since it was last told. */
struct prof_traced {
	uint64_t events, bytes; /* taken from the ring */
	uint64_t lost;          /* events that it had no room for */
	uint64_t families;      /* traced: bits of enum prof_family */
	int64_t threshold;      /* ns: waits that are longer were recorded */
	int64_t uncontended;    /* ns: mean of a call that does not wait; 0: not measured */
};

#endif
