/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The trigger of an event: the instruction that caused it.
 *
 * The kernel interrupts a thread some instructions after the one whose access to memory made a
 * counter overflow.  From there the search goes back, by the machine code alone, to the nearest
 * instruction that makes such an access.  It ends without a result where anything else may have
 * been executed in between.
 */
#ifndef PROF_TARGET_TRIGGER_H
#define PROF_TARGET_TRIGGER_H

#include "target/instruction.h"

/* The code of a program. */
struct prof_trigger_code {
	/* The bounds of the function, or of the part of one, that ADDRESS is in; false: unknown. */
	bool (*bounds)(void *context, uint64_t address, uint64_t *low, uint64_t *high);
	/* Reads LENGTH bytes at ADDRESS into BUFFER, as the linker left them; false: it cannot. */
	bool (*read)(void *context, uint64_t address, void *buffer, size_t length);
	void *context;
};

struct prof_trigger_result {
	enum prof_trigger trigger; /* what the rest is of is PROF_TRIGGER_FOUND only */
	uint64_t pc;               /* address of the instruction */
	uint8_t skid;              /* instructions from there to where it was interrupted */
	uint64_t changed; /* 1 << DWARF number: what these, and the trigger itself, may change */
	struct prof_instruction instruction;
};

/*
 * The instruction that has made an ACCESS before the thread was interrupted at PC, no more than
 * REACH instructions before.  NULL, or what has failed.
 */
struct prof_error *prof_trigger_search(const struct prof_trigger_code *code, uint64_t pc,
	enum prof_access access, unsigned reach, struct prof_trigger_result *ret) PROF_MUST_CHECK;

#endif
