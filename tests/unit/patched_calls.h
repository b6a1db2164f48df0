/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the stubs of a test have recorded: calls and returns, in pairs. */
#ifndef PROF_TESTS_PATCHED_CALLS_H
#define PROF_TESTS_PATCHED_CALLS_H

#include "decoder.h"
#include "patched_program.h"

enum { CALLS_DEPTH = 1 << 18 };

/* All blocks together. */
struct calls {
	uint64_t calls[PATCHED_MOST + 1]; /* of each function, tail calls and entries included */
	uint64_t plain, tails, entered, returns;
	uint64_t abandoned; /* calls that were left by a jump */
	uint64_t strangers; /* returns without a call */
	uint64_t lost, threads, blocks;
	uint64_t open;   /* calls that have not returned */
	uint64_t broken; /* records that cannot be */
};

struct calls_frame {
	uint32_t function;
	uint64_t slot;
};

/* One thread's calls, which are all on one stack, that have not returned. */
struct calls_stack {
	struct calls_frame frames[CALLS_DEPTH];
	size_t depth;
};

/* A call whose slot is at SLOT, or above it if it is PASSED: those below were abandoned. */
static inline void calls_leave(
	struct calls *calls, struct calls_stack *stack, uint64_t slot, bool passed)
{
	while (stack->depth &&
		(stack->frames[stack->depth - 1].slot < slot ||
			(passed && stack->frames[stack->depth - 1].slot == slot))) {
		stack->depth--;
		calls->abandoned++;
	}
}

static inline void calls_add(
	struct calls *calls, struct calls_stack *stack, const struct prof_stub_record *record)
{
	uint32_t function = prof_stub_record_function(record);
	uint64_t slot = prof_stub_record_slot(record);
	struct calls_frame *top;

	calls->calls[function]++;
	switch (prof_stub_record_mark(record)) {
	case PROF_STUB_THREAD:
		calls->threads++;
		calls->open += stack->depth;
		stack->depth = 0;
		return;
	case PROF_STUB_ENTERED:
		calls->entered++;
		return;
	case PROF_STUB_TAIL:
		calls->tails++;
		calls_leave(calls, stack, slot, false);
		top = stack->depth ? &stack->frames[stack->depth - 1] : NULL;
		if (top && top->slot == slot)
			top->function = function;
		else
			calls->broken++;
		return;
	case PROF_STUB_PLAIN:
		break;
	}
	calls_leave(calls, stack, slot, function);
	if (function) {
		calls->plain++;
		if (stack->depth < CALLS_DEPTH)
			stack->frames[stack->depth++] = (struct calls_frame){function, slot};
		else
			calls->broken++;
		return;
	}
	calls->returns++;
	if (stack->depth && stack->frames[stack->depth - 1].slot == slot)
		stack->depth--;
	else
		calls->strangers++;
}

/* Reads all that PATCHED has recorded, none of which was overwritten. */
static inline struct calls *calls_read(const struct patched *patched)
{
	static struct calls calls;
	static struct calls_stack stack;

	calls = (struct calls){0};
	for (const struct prof_stub_thread *block = patched_first(patched); block;
		block = patched_next(block)) {
		const struct prof_stub_record *records =
			(const void *)((const char *)block + PROF_STUB_RECORDS);
		ck_assert_uint_le(block->next, patched->settings.records);
		stack.depth = 0;
		for (uint64_t i = 0; i < block->next / sizeof *records; i++) {
			calls.broken += !prof_stub_record_time(&records[i]);
			calls_add(&calls, &stack, &records[i]);
		}
		calls.open += stack.depth;
		calls.lost += block->lost;
		calls.blocks++;
	}
	return &calls;
}

/* Fails unless each of PLAIN calls has returned, and nothing was lost. */
static inline void calls_check_pairs(const struct calls *calls, uint64_t plain)
{
	ck_assert_uint_eq(calls->lost, 0);
	ck_assert_uint_eq(calls->broken, 0);
	ck_assert_uint_eq(calls->strangers, 0);
	ck_assert_uint_eq(calls->plain, plain);
	ck_assert_uint_eq(calls->returns + calls->abandoned + calls->open, plain);
}

#endif
