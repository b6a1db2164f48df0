/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Where calls leave the return address in a register, and no call frame information shows whether
 * it is still there.
 */
#ifndef PROF_TARGET_LINK_H
#define PROF_TARGET_LINK_H

#include <stdbool.h>

struct prof_arch;
struct prof_registers;
struct prof_window;

/*
 * Whether, in code that was interrupted with REGISTERS, the return address is in its register: the
 * function makes no frame of its own, or has none now.  If in doubt, false.  Stack memory is read
 * through WINDOW, code from its target.
 */
bool prof_link_is_live(const struct prof_arch *arch, struct prof_window *window,
	const struct prof_registers *registers);

#endif
