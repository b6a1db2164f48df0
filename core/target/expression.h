/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * DWARF expressions (DWARF 5, section 2.5) of call frame information, copied and checked, and the
 * machine for them.
 */
#ifndef PROF_TARGET_EXPRESSION_H
#define PROF_TARGET_EXPRESSION_H

#include "base/map.h"
#include "base/memory.h"

#include <elfutils/libdw.h>

struct prof_registers;
struct prof_window;

struct prof_operation {
	uint8_t atom;    /* DW_OP_... */
	uint64_t number; /* its operand; where it goes to, as an index, for jumps */
	uint64_t second; /* its second operand */
};

struct prof_expression {
	uint32_t first, count; /* of the operations */
};

/* All zeroes is the empty table. */
struct prof_expressions {
	PROF_ARRAY(struct prof_operation) operations;
	PROF_ARRAY(struct prof_expression) expressions;
};

/* Frees what TABLE holds, and leaves it empty. */
void prof_expressions_deinit(struct prof_expressions *table);

/*
 * Adds a copy of the COUNT operations at OPERATIONS, of an object that is loaded BIAS bytes above
 * its own addresses.  Returns its index, or PROF_NONE if it is nothing that can be computed, or
 * memory is short.
 */
uint32_t prof_expressions_add(
	struct prof_expressions *table, const Dwarf_Op *operations, size_t count, uint64_t bias);

/*
 * Computes the expression INDEX for a frame with REGISTERS and CFA, with memory through WINDOW.
 * False: it has no result (it divides by zero, loops, or needs what is not known).
 */
bool prof_expressions_compute(const struct prof_expressions *table, uint32_t index,
	const struct prof_registers *registers, uint64_t cfa, struct prof_window *window,
	uint64_t *ret);

#endif
