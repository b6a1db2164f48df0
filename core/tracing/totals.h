/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Totals: the events of the ring added up by thread, by stack and by slice of time, waits by what
 * was waited for, too, and calls of MPI by whom they sent to or received from.  A slice lies
 * between two marks, and is short, so that events can be found by time; slices become longer as
 * there are more totals.
 *
 * A block belongs to the total that has allocated it, whoever frees it.  How much each total had
 * when memory was at its peak is known without looking at any of them then: see touch() in
 * totals.c.
 */
#ifndef PROF_TRACING_TOTALS_H
#define PROF_TRACING_TOTALS_H

#include "base/map.h"
#include "base/memory.h"
#include "recording/traced_message.h"
#include "tracing/blocks.h"
#include "tracing/extents.h"
#include "tracing/hook.h"

struct prof_stream;

/* Times are time stamps here, and spans are in clock units. */
struct prof_total {
	uint32_t thread; /* its stream's number */
	uint32_t stack;  /* see tracing/stacks.h */
	uint16_t what;   /* the hook that was called */
	uint8_t kind; /* enum prof_ring_kind: ALLOC for all of the heap, WAIT, CALL, MPI or OMP */
	bool dirty;   /* it is in the list of those that changed and were not reported */
	bool moved;   /* it is in the list of those whose blocks have changed since the mark */
	bool reported;
	bool unused;          /* there is no total of this number */
	uint16_t cpu;         /* of its first event: its number plus 1; 0: not known */
	uint32_t interval;    /* how many marks were before it */
	uint32_t slice;       /* how many slices were before its own */
	uint64_t first, last; /* times of its first and last event */
	union {
		struct {
			uint64_t allocations, bytes, temporary; /* as enum prof_traced_value */
			uint64_t blocks, left;                  /* not freed, and their bytes */
			uint64_t peak, epoch;   /* LEFT at the peak, if EPOCH is that of the peak */
			uint64_t reported_peak; /* the peak as it was reported */
			uint64_t held_blocks, held; /* as reported at a mark */
		};
		struct {
			uint64_t events, span, longest; /* of waits or calls; events of MPI are
							   those without a message */
			uint32_t arguments; /* the first of them among those of all totals */
			uint8_t argument_count;
			uint64_t object; /* address, of OpenMP the place of a region, or
					    prof_ring_mpi_peers(); 0: none */
			int64_t holder;  /* the kernel's id of the thread; 0: not known */
			uint64_t sends, sent, receives, received; /* messages and their bytes */
			uint64_t waited; /* at the end of a region of OpenMP, or in and behind
					    a loop */
		};
	};
};

struct prof_totals_thread {
	int64_t id;      /* the kernel's */
	uint64_t last;   /* the block that it allocated last, if not freed; or 0 */
	uint32_t totals; /* that it has in the list */
	bool ended;      /* it has no more events */
};

/* What a total holds at a mark, until it is reported. */
struct prof_totals_held {
	uint32_t interval; /* that the mark ends */
	struct prof_held_message data;
};

/* All zeroes but the hooks is the state before the first event. */
struct prof_totals {
	PROF_ARRAY(struct prof_total) list;
	PROF_ARRAY(uint32_t) unused;                   /* numbers of the list */
	PROF_ARRAY(struct prof_totals_thread) threads; /* by number */
	PROF_ARRAY(uint32_t) dirty;
	PROF_ARRAY(struct prof_totals_held) held;
	PROF_ARRAY(struct prof_argument_sum) arguments;
	const struct prof_traced_hook *hooks; /* borrowed */
	size_t hook_count;
	uint32_t interval; /* how many marks there were */
	uint64_t
		slice; /* clock units: what totals begin later than this after one are in another */
	uint64_t refused; /* events that there was no memory for */
	uint64_t made;    /* how many totals were made, including those that are unused by now */
	uint32_t last;    /* the one that the last wait or call is in; PROF_NONE: it was refused */

	uint64_t left, peak; /* bytes: not freed, and the most that ever were */
	uint64_t peak_time;  /* time stamp */
	uint64_t epoch;      /* how often there was a new peak */
	struct prof_heap heap;

	/* Private part. */
	bool any;              /* there was an allocation */
	uint64_t cut;          /* time at which the slice ends */
	uint32_t slices;       /* how many have ended */
	struct prof_map index; /* thread, what, stack -> total of this slice */
	struct prof_map waits; /* hash of these, object, holder -> the same; of MPI too */
	PROF_ARRAY(uint32_t) moved;
	/* First ones of so many arguments that no total has. */
	PROF_ARRAY(uint32_t) unused_arguments[PROF_ARGUMENTS + 1];
	struct prof_blocks blocks;
	struct prof_extents extents;
};

void prof_totals_deinit(struct prof_totals *totals);

/* Takes the next record of STREAM, whose stack has the number STACK, into account. */
void prof_totals_add(struct prof_totals *totals, const struct prof_stream *stream, uint32_t stack);

/* A mark: what comes next is of another interval. */
void prof_totals_mark(struct prof_totals *totals);

/* Makes those dirty whose share of the peak differs from what was reported. */
void prof_totals_compare_peaks(struct prof_totals *totals);

/* The thread NUMBER has no more events. */
void prof_totals_end(struct prof_totals *totals, uint32_t number);

/* Has the thread NUMBER a total?  If not, another may have its number. */
bool prof_totals_has(const struct prof_totals *totals, uint32_t number);

/*
 * Gives the room of totals that have been reported and will never change again to totals to come,
 * which get their numbers.  All that is held at marks must have been reported.
 */
void prof_totals_retire(struct prof_totals *totals);

/* The hook whose calls are in TOTAL; NULL: nothing is known of it. */
static inline const struct prof_traced_hook *prof_totals_hook(
	const struct prof_totals *totals, const struct prof_total *total)
{
	return total->what < totals->hook_count ? &totals->hooks[total->what] : NULL;
}

/* The values of TOTAL, of which times are in clock units. */
void prof_totals_values(const struct prof_totals *totals, const struct prof_total *total,
	uint64_t values[PROF_TRACED_VALUES]);

/* Brings TOTALS' heap up to date: sizes of leaks are only known by looking at all blocks. */
void prof_totals_update_heap(struct prof_totals *totals);

#endif
