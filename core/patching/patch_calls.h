/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Calls that begin and end, made of what stubs have recorded: as a builder of call trees
 * (core/model) takes them, thread by thread.
 *
 * The address of its return address tells which call a return ends.  A call that a jump or an
 * exception has left is over as soon as the thread calls from above it on the stack, or a call
 * further out returns.
 *
 *	record           event
 *	call f, slot 80  call f
 *	call g, slot 60  call g
 *	call h, slot 40  call h
 *	call i, slot 60  leave h, leave g, call i
 *	tail j, slot 60  end i, call j
 *	return, slot 60  end j
 *
 * A thread that switches between stacks leaves calls on the one that it goes away from if a call
 * further out returns meanwhile.
 */
#ifndef PROF_PATCHING_PATCH_CALLS_H
#define PROF_PATCHING_PATCH_CALLS_H

#include "base/map.h"
#include "base/memory.h"
#include "patching/patch_records.h"

#include <stdbool.h>
#include <stdint.h>

enum prof_patch_event_kind {
	PROF_PATCH_CALL,
	PROF_PATCH_END,
	PROF_PATCH_LEAVE, /* by a jump or an exception */
	PROF_PATCH_OPEN,  /* it goes on, and what comes of it is not known */
};

/* The times of a thread's events never decrease. */
struct prof_patch_event {
	uint64_t time; /* in clock units */
	uint32_t thread, function;
	uint8_t kind; /* enum prof_patch_event_kind */
};

/* A call that goes on. */
struct prof_patch_open {
	uint64_t slot;
	uint32_t function;
};

struct prof_patch_calls_thread {
	uint32_t thread;
	uint64_t time; /* of its last event */
	PROF_ARRAY(struct prof_patch_open) open;
};

/* All zeroes, except for TAKE and CONTEXT, is one before the first record. */
struct prof_patch_calls {
	/* Takes an event.  False: no memory. */
	bool (*take)(void *context, const struct prof_patch_event *event);
	void *context;
	PROF_ARRAY(struct prof_patch_calls_thread) threads;
	struct prof_map index; /* of THREADS, by number */
	uint64_t returns;      /* without a call: that was left, or its record is lost */
};

void prof_patch_calls_deinit(struct prof_patch_calls *calls);

/* RECORD is the next one of its thread.  False: no memory. */
bool prof_patch_calls_add(struct prof_patch_calls *calls, const struct prof_patch_record *record);

/* THREAD, one of CALLS, has ended, and its calls are open.  False: no memory. */
bool prof_patch_calls_close(
	const struct prof_patch_calls *calls, struct prof_patch_calls_thread *thread);

/* There are no more records, at TIME, in clock units.  False: no memory. */
bool prof_patch_calls_finish(struct prof_patch_calls *calls, uint64_t time);

#endif
