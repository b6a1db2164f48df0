/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Rows and nodes: how the agent, inside the program, walks a stack and gives it a number.
 *
 * A row leads from one program counter to the frame of the caller.  gdbprof compiles rows from call
 * frame information; the agent only looks them up.  A node is a stack: a row's place, called from
 * another node.  Its number is where it stands in the table, so that a stack of any depth is a
 * number of 32 bits, equal for equal stacks of all threads.
 *
 * Both tables are open hash tables in the ring (tracing/ring.h): read without locks, never grown.
 * This header is shared with the agent: it needs no function of the C library.
 */
#ifndef PROF_TRACING_ROWS_H
#define PROF_TRACING_ROWS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	PROF_ROWS = 1 << 17,  /* slots for rows */
	PROF_NODES = 1 << 21, /* slots for nodes */
	/* How many slots from where its hash leads to an entry may stand. */
	PROF_ROWS_REACH = 64,
};

/* How to get from a frame to its caller's.  CFA: the stack pointer before the call. */
enum prof_row_kind {
	PROF_ROW_SP = 1,    /* CFA is sp + offset */
	PROF_ROW_FP,        /* CFA is fp + offset */
	PROF_ROW_AT_FP,     /* CFA is in memory at fp + offset: of a stack that was aligned */
	PROF_ROW_SIGNAL,    /* a signal handler returns here; sp points at what it interrupted */
	PROF_ROW_OUTERMOST, /* there is no caller */
	PROF_ROW_STUCK,     /* the caller cannot be found by these rules */
};

/* A rule as it stands in a row's word; the return address is below the CFA. */
struct prof_row_rule {
	enum prof_row_kind kind;
	int32_t offset; /* bytes */
	/* The caller's fp is in memory at CFA + fp_offset, of PROF_ROW_AT_FP at fp + fp_offset;
	   else it is the same. */
	bool fp_saved;
	int16_t fp_offset;
};

struct prof_row {
	/* The program counter: a return address less 1, or where a signal came; 0: the slot is
	   free; 1: it was of code that is no longer there, and stays so. */
	_Atomic uint64_t pc;
	_Atomic uint64_t rule; /* see prof_row_pack(); written before pc */
};

#define PROF_ROW_GONE UINT64_C(1)
#define PROF_ROW_NONE UINT32_MAX

/*
 * The first node is the empty stack.  Another is PARENT << 32 | row, where row is the number of the
 * frame's row plus 1, so that 0 is a free slot.  A stack is whole if its outermost row is of the
 * kind PROF_ROW_OUTERMOST: one that was too deep, or led nowhere, begins with another.
 */
#define PROF_NODE_EMPTY 0u
#define PROF_NODE_NONE UINT32_MAX

/* A rule as the word of a row, and back. */
static inline uint64_t prof_row_pack(struct prof_row_rule rule)
{
	return (uint64_t)(uint32_t)rule.offset | (uint64_t)(uint16_t)rule.fp_offset << 32 |
		(uint64_t)rule.kind << 48 | (uint64_t)rule.fp_saved << 56;
}

static inline struct prof_row_rule prof_row_unpack(uint64_t word)
{
	return (struct prof_row_rule){
		.kind = (enum prof_row_kind)(word >> 48 & 0xff),
		.offset = (int32_t)(uint32_t)word,
		.fp_saved = word >> 56 & 1,
		.fp_offset = (int16_t)(uint16_t)(word >> 32),
	};
}

/* Where KEY, a program counter or a node, is looked for first, modulo the number of slots. */
static inline uint64_t prof_rows_hash(uint64_t key)
{
	key *= UINT64_C(0x9e3779b97f4a7c15);
	return key ^ key >> 32;
}

/* The number of the row for PC; PROF_ROW_NONE: there is none yet. */
static inline uint32_t prof_rows_find(struct prof_row *rows, uint64_t pc)
{
	uint64_t slot = prof_rows_hash(pc);

	for (unsigned i = 0; i < PROF_ROWS_REACH; i++, slot++) {
		uint64_t found =
			atomic_load_explicit(&rows[slot % PROF_ROWS].pc, memory_order_acquire);
		if (found == pc)
			return (uint32_t)(slot % PROF_ROWS);
		if (!found)
			break;
	}
	return PROF_ROW_NONE;
}

/*
 * The node of the row ROW called from the node PARENT, added if new; any number of threads may do
 * so.  PROF_NODE_NONE: there is no room for it.
 */
static inline uint32_t prof_nodes_intern(_Atomic uint64_t *nodes, uint32_t parent, uint32_t row)
{
	uint64_t key = (uint64_t)parent << 32 | (row + 1);
	uint64_t slot = prof_rows_hash(key);

	for (unsigned i = 0; i < PROF_ROWS_REACH; i++, slot++) {
		uint32_t number = (uint32_t)(slot % PROF_NODES);
		if (number == PROF_NODE_EMPTY)
			continue;
		uint64_t found = atomic_load_explicit(&nodes[number], memory_order_relaxed);
		if (!found &&
			atomic_compare_exchange_strong_explicit(&nodes[number], &found, key,
				memory_order_relaxed, memory_order_relaxed))
			return number;
		if (found == key)
			return number;
	}
	return PROF_NODE_NONE;
}

#endif
