/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * One machine instruction of x86-64, as far as memory and the flow of control go.
 *
 * Zydis decodes it.  Debian 11 has no package of Zydis that gdbprof could use: what is built there
 * decodes nothing, and says so.
 */
#ifndef PROF_TARGET_INSTRUCTION_H
#define PROF_TARGET_INSTRUCTION_H

#include "base/error.h"
#include "model/access.h"
#include "target/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum prof_flow {
	PROF_FLOW_ON,    /* the next instruction in memory follows */
	PROF_FLOW_FORKS, /* that one follows, or the one at TARGET */
	/* What follows in memory is never executed next: jumps; or something else is before it:
	   calls, system calls, traps. */
	PROF_FLOW_LEAVES,
};

/* No register. */
enum { PROF_REGISTER_NONE = 0xff };

/* One access to memory.  Registers are DWARF numbers. */
struct prof_operand {
	uint8_t access;  /* enum prof_access */
	bool computable; /* its address is BASE + INDEX * SCALE + DISPLACEMENT */
	uint8_t base, index, scale;
	uint16_t size;         /* bytes; 0: not known */
	uint64_t displacement; /* bytes */
};

enum { PROF_OPERANDS = 4 };

struct prof_instruction {
	uint8_t length;   /* bytes */
	uint8_t flow;     /* enum prof_flow */
	uint8_t access;   /* of all operands */
	bool aimed;       /* it may go to TARGET */
	bool wild;        /* it jumps to wherever a register or a table says */
	uint64_t target;  /* address */
	uint64_t written; /* 1 << DWARF number: general registers that it may change */
	uint8_t count;
	struct prof_operand operands[PROF_OPERANDS];
};

/* NULL: machine code can be decoded here; else why it cannot. */
struct prof_error *prof_instruction_available(void) PROF_MUST_CHECK;

/*
 * Decodes the instruction at ADDRESS, of which BYTES has LENGTH bytes or more than it needs.
 * False: it is none, or nothing can be decoded here.
 */
bool prof_instruction_decode(
	const unsigned char *bytes, size_t length, uint64_t address, struct prof_instruction *ret);

/*
 * The address that OPERAND, which is computable, has with REGISTERS.  False: it needs a register
 * that is not known, or one of those in CHANGED, 1 << DWARF number.
 */
bool prof_operand_address(const struct prof_operand *operand,
	const struct prof_registers *registers, uint64_t changed, uint64_t *ret);

#endif
