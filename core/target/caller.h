/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The caller of a function that is about to execute its first instruction. */
#ifndef PROF_TARGET_CALLER_H
#define PROF_TARGET_CALLER_H

#include <stdint.h>

struct prof_arch;
struct prof_registers;
struct prof_target;

/*
 * The lookup address, see target/unwind.h, of the call; 0: nobody that is known.  REGISTERS are
 * those at the function's first instruction, and TARGET's memory is its process's.
 */
uint64_t prof_caller_at_entry(const struct prof_arch *arch, const struct prof_target *target,
	const struct prof_registers *registers);

/* The lookup address of the call that returns to ADDRESS, in code of TARGET's; 0: nobody. */
uint64_t prof_caller_of_return(
	const struct prof_arch *arch, const struct prof_target *target, uint64_t address);

#endif
