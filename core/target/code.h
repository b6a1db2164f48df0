/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the code around an address shows. */
#ifndef PROF_TARGET_CODE_H
#define PROF_TARGET_CODE_H

#include "target/arch.h"
#include "target/target.h"

#include <stdbool.h>
#include <stdint.h>

struct prof_elf;

/*
 * Reads the code around ADDRESS, PROF_ARCH_CODE_PAST bytes of it before: from the file of MODULE,
 * if there is one, else from TARGET.  False: it cannot be.
 */
bool prof_code_read(const struct prof_target *target, const struct prof_elf *module,
	uint64_t address, unsigned char code[PROF_ARCH_CODE]);

/*
 * The same of PROF_ARCH_STARTUP bytes, PROF_ARCH_STARTUP_PAST of them before; what cannot be read
 * is zeroes.
 */
void prof_code_read_startup(const struct prof_target *target, const struct prof_elf *module,
	uint64_t address, unsigned char code[PROF_ARCH_STARTUP]);

/* Whether ADDRESS, or the one after it, is in what signal handlers return to. */
bool prof_code_is_signal_return(
	const struct prof_arch *arch, const struct prof_target *target, uint64_t address);

/* Is RETURN_ADDRESS behind a call?  *DESTINATION is what it calls; 0: the code does not show it. */
bool prof_code_is_behind_call(const struct prof_arch *arch, const struct prof_target *target,
	uint64_t return_address, uint64_t *destination);

#endif
