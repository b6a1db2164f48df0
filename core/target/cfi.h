/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Call frame information (DWARF 5, section 6.4), compiled for one address into rules that are quick
 * to follow.
 */
#ifndef PROF_TARGET_CFI_H
#define PROF_TARGET_CFI_H

#include "base/map.h"
#include "base/memory.h"
#include "target/expression.h"
#include "target/target.h"

#include <elfutils/libdw.h>
#include <stdbool.h>

struct prof_arch;

/* What a register of the caller is, or where its value lies. */
enum prof_cfi_kind {
	PROF_CFI_SAME,          /* it was not changed */
	PROF_CFI_UNDEFINED,     /* it is lost */
	PROF_CFI_AT_CFA,        /* in memory at CFA + offset */
	PROF_CFI_CFA,           /* CFA + offset itself */
	PROF_CFI_REGISTER,      /* register SOURCE + offset */
	PROF_CFI_AT_EXPRESSION, /* in memory, at the value of the expression number OFFSET */
	PROF_CFI_EXPRESSION,    /* the value of that expression */
};

struct prof_cfi_rule {
	int32_t offset; /* bytes, or the number of an expression */
	uint8_t kind;   /* enum prof_cfi_kind */
	uint8_t number; /* of the register that it is about */
	uint8_t source; /* of another register */
	uint8_t unused; /* 0: rows are compared as bytes */
};

/* All rules for one address.  Many addresses share a row. */
struct prof_cfi_row {
	struct prof_cfi_rule cfa;            /* PROF_CFI_REGISTER or PROF_CFI_EXPRESSION */
	struct prof_cfi_rule return_address; /* PROF_CFI_UNDEFINED in the outermost frame */
	uint8_t signal;                      /* a signal handler returns here: what it interrupted
					      * comes next, at its exact address */
	uint8_t tangled;                     /* a rule needs the registers as they were before */
	uint16_t count;                      /* of RULES */
	uint32_t unused;
	/* Left out: saved registers that are the same, others that are lost, and sp = CFA. */
	struct prof_cfi_rule rules[PROF_REGISTERS];
};

/* All zeroes is the empty table. */
struct prof_cfi_rows {
	PROF_ARRAY(struct prof_cfi_row) rows;
	struct prof_map index; /* by the hash of their bytes */
	struct prof_expressions expressions;
};

/* Frees what ROWS holds, and leaves it empty. */
void prof_cfi_deinit(struct prof_cfi_rows *rows);

/*
 * Compiles the rules of CFI, of an object loaded BIAS bytes above its own addresses, for ADDRESS.
 * Returns the index of the row, which stays; PROF_NONE: CFI has no usable rules, or memory is
 * short.
 */
uint32_t prof_cfi_compile(struct prof_cfi_rows *rows, const struct prof_arch *arch, Dwarf_CFI *cfi,
	uint64_t bias, uint64_t address);

/*
 * The row for code that was called and has pushed WORDS since; where calls do not push the return
 * address, it is the first of them.  PROF_NONE: no memory.
 */
uint32_t prof_cfi_compile_pushed(
	struct prof_cfi_rows *rows, const struct prof_arch *arch, unsigned words);

/*
 * The row for code that keeps a frame pointer, as where calls push the return address: it points to
 * the caller's, which is below the return address.  PROF_NONE: no memory.
 */
uint32_t prof_cfi_compile_framed(struct prof_cfi_rows *rows, const struct prof_arch *arch);

/* The row for what signal handlers return to.  PROF_NONE: no memory. */
uint32_t prof_cfi_compile_signal(struct prof_cfi_rows *rows, const struct prof_arch *arch);

/*
 * Whether a function has saved, where ROW is, the frame pointer right below the return address, as
 * a frame record: at CFA + *OFFSET bytes.
 */
bool prof_cfi_find_frame_record(
	const struct prof_cfi_row *row, const struct prof_arch *arch, int32_t *offset);

#endif
