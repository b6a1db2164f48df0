/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Finds the frame of a function that keeps a frame pointer, when the frame pointer's value is not
 * known: of a thread that sleeps, the kernel shows only the program counter and the stack pointer.
 */
#ifndef PROF_TARGET_SCAN_H
#define PROF_TARGET_SCAN_H

#include "target/arch.h"
#include "target/cfi.h"

struct prof_space;
struct prof_window;

/* Whether ROW wants a frame pointer that REGISTERS do not have, and a scan can help. */
static inline bool prof_scan_is_needed(const struct prof_arch *arch, const struct prof_cfi_row *row,
	const struct prof_registers *registers)
{
	int32_t offset;

	return row->cfa.kind == PROF_CFI_REGISTER && row->cfa.source == arch->fp &&
		!(registers->valid >> arch->fp & 1) &&
		prof_cfi_find_frame_record(row, arch, &offset) && row->cfa.offset == -offset;
}

/*
 * Looks from the stack pointer of REGISTERS upwards for what the function around LOOKUP pushed as
 * it began: the caller's frame pointer, below a return address that belongs to a call of it.  Its
 * CFA is SIZE bytes above that.  Sets the frame pointer of REGISTERS.  False: there is nothing like
 * that.  ROWS can get more rows.
 */
bool prof_scan(struct prof_space *space, struct prof_cfi_rows *rows, struct prof_window *window,
	uint64_t lookup, uint64_t size, struct prof_registers *registers);

#endif
