/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The machine code that stubs are made of, with holes for what differs from stub to stub.
 *
 * A stub keeps all registers and flags.  It saves what it needs in the red zone below the stack
 * pointer, at the far end, and calls nothing.  With SLOT for where the return address of the
 * function is:
 *
 *	from 0        the call has just been made: the stack pointer is SLOT
 *	from RAISED   likewise, but it is SLOT + 8: the stub calls the moved instructions
 *	from RETURNED the function has returned to the stub: the stack pointer is SLOT + 8
 *	from LOWERED  likewise, but it is SLOT again
 *	from LENGTH   the moved instructions
 */
#ifndef PROF_PATCHING_STUB_CODE_H
#define PROF_PATCHING_STUB_CODE_H

#include <stdbool.h>
#include <stdint.h>

/* What a hole wants.  It has 8 bytes from PROF_HOLE_CONTROL on, 1 byte if it is PROF_HOLE_SHIFT,
 * and otherwise 4. */
enum prof_hole_kind {
	PROF_HOLE_THREAD,   /* distance of the thread's word from the thread pointer */
	PROF_HOLE_COUNTER,  /* distance of the function's counter from the thread's block */
	PROF_HOLE_COUNTERS, /* distance of where the counter of the number 0 would be */
	PROF_HOLE_CALLERS,  /* distance of the table of callers from the thread's block */
	PROF_HOLE_HASH,     /* what the function adds to the hash of a return address */
	PROF_HOLE_SHIFT,    /* bits of a hash that the table of callers has no use for */
	PROF_HOLE_ID,       /* number of the function */
	PROF_HOLE_TAIL,     /* the same, marked as a tail call */
	PROF_HOLE_ENTRY,    /* and marked as an entry */
	PROF_HOLE_MASK,     /* bytes that a block has for records, minus 1 */
	PROF_HOLE_LIMIT,    /* bytes of records that may be written before any are read */
	PROF_HOLE_SIZE,     /* bytes of a thread's block */
	PROF_HOLE_MOVED,    /* distance to the moved instructions */
	PROF_HOLE_ATTACH,   /* distance to PROF_STUB_ATTACH */
	PROF_HOLE_RECORD,   /* distance to PROF_STUB_RECORD */
	PROF_HOLE_FIND,     /* distance to PROF_STUB_FIND */
	PROF_HOLE_CONTROL,  /* address of struct prof_stub_control */
	PROF_HOLE_GRANULES, /* address of the table of granules */
	PROF_HOLE_SHADOW,   /* the bits in which a slot and its shadow differ */
	PROF_HOLE_FRAME,    /* address of the frame description entry of all islands */
	PROF_HOLES
};

struct prof_hole {
	uint32_t at; /* bytes from the beginning of the code */
	uint32_t kind;
};

struct prof_stub_piece {
	const unsigned char *code; /* NULL: not compiled for x86-64 */
	uint32_t length;           /* bytes */
	uint32_t entry;            /* where callers come to */
	uint32_t raised, returned, lowered;
	/*
	 * Of PROF_STUB_COUNT, PROF_STUB_COUNT_CALLERS and PROF_STUB_FIND: from here on the call is
	 * counted.  Of PROF_STUB_ENTRY and PROF_STUB_CALL: here it goes on if it is to count only.
	 * Of PROF_STUB_ATTACH: from here on all registers that it changes are saved.
	 */
	uint32_t mark;
	const struct prof_hole *holes;
	uint32_t hole_count;
};

enum prof_stub_part {
	PROF_STUB_COUNT,         /* counts calls */
	PROF_STUB_COUNT_CALLERS, /* counts calls by return address */
	PROF_STUB_ENTRY,         /* records calls, and not their ends */
	PROF_STUB_CALL,          /* records calls and returns */
	PROF_STUB_FIND_FRAME,    /* of libgcc's _Unwind_Find_FDE(): finds the frames of islands */
	PROF_STUB_KINDS,         /* so much for stubs: the rest is common to those of an island */
	PROF_STUB_ATTACH = PROF_STUB_KINDS, /* gives a thread a block, and a stack its shadow */
	PROF_STUB_RECORD,                   /* records a tail call or an entry */
	PROF_STUB_FIND, /* finds the entry of a caller, or makes one, and counts there */
	PROF_STUB_PARTS
};

struct prof_stub_piece prof_stub_piece(enum prof_stub_part part);

/* Does a stub of KIND count only?  A thread can be put back from within such a stub. */
static inline bool prof_stub_counts(enum prof_stub_part kind)
{
	return kind == PROF_STUB_COUNT || kind == PROF_STUB_COUNT_CALLERS;
}

#endif
