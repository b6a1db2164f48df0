/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stacks that GDB itself walks wrongly; doc/explanation/unwinding.md lists the rules. */
#ifndef PROF_PLUGIN_ENGINE_WALK_EXCEPTIONS_H
#define PROF_PLUGIN_ENGINE_WALK_EXCEPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct prof_stack;
struct prof_walker;

/*
 * Whether GDB, which has found the frames of HOST, is known to be wrong from frame FIRST on, the
 * innermost one in which they differ from those of OWN; either may end there.
 */
bool walk_exceptions_at(struct prof_walker *walker, const struct prof_stack *own,
	const struct prof_stack *host, size_t first);

#endif
