/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A thread in a stub, put back to where it would be without: to the function, with the registers
 * that it had there.  In stubs that do not only count, a thread can be put back where it has
 * executed nothing of the stub yet, and in the moved instructions.  For x86-64.
 */
#ifndef PROF_PATCHING_STUB_UNDO_H
#define PROF_PATCHING_STUB_UNDO_H

#include "patching/islands.h"
#include "target/target.h"

/* Registers that stubs change. */
struct prof_stub_registers {
	uint64_t pc, sp, flags;
	uint64_t rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11;
};

enum prof_stub_undone {
	PROF_STUB_UNTOUCHED, /* it is in no stub: nothing has changed */
	PROF_STUB_STUCK,     /* it is within one that records, or has no stack: likewise */
	PROF_STUB_UNCOUNTED, /* it is at the entry, and its call is not counted yet */
	PROF_STUB_COUNTED,   /* it is at the entry, or a little behind, and its call is counted, or
				recorded */
};

/* Puts REGISTERS of a thread whose memory is TARGET back if the thread stands in ISLAND. */
enum prof_stub_undone prof_stub_undo(const struct prof_island *island,
	const struct prof_target *target, struct prof_stub_registers *registers);

#endif
