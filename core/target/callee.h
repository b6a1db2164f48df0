/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which function a call instruction calls, and with what, by the code and the tables of its file.
 * Of x86-64. */
#ifndef PROF_TARGET_CALLEE_H
#define PROF_TARGET_CALLEE_H

#include <stdbool.h>
#include <stdint.h>

struct prof_arch;
struct prof_elf;

/*
 * The name of the function that the instruction before RETURN_ADDRESS, in MODULE, calls: one of
 * MODULE itself, or one that the dynamic linker finds, through a stub or a slot.  Borrowed and not
 * to be trusted; NULL: it is not a call, or the code does not show what it calls.
 */
const char *prof_callee_name(
	struct prof_elf *module, const struct prof_arch *arch, uint64_t return_address);

/*
 * Whether the code before RETURN_ADDRESS, where the call instruction ends, shows *ADDRESS, that of
 * something of MODULE that is passed as the first argument.
 */
bool prof_callee_argument(struct prof_elf *module, const struct prof_arch *arch,
	uint64_t return_address, uint64_t *address);

#endif
