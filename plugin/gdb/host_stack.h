/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stacks as GDB walks them.  See host.h. */
#ifndef PROF_PLUGIN_GDB_HOST_STACK_H
#define PROF_PLUGIN_GDB_HOST_STACK_H

#include "base/error.h"
#include "target/unwind.h"

#include <stdbool.h>

/*
 * GDB's settings can end its walk before the end of the stack: `backtrace past-main` is off unless
 * the user sets it.
 */
struct host_rest {
	bool is_left;                    /* the walk has ended so */
	const struct prof_arch *arch;    /* whose registers are wanted; NULL: none are */
	struct prof_registers registers; /* of the outermost frame, those that calls preserve; its
					  * pc is the lookup address */
};

/*
 * The program counters of the selected thread's frames by GDB's own walk, as
 * prof_unwinder_walk() gives them; *DEPTH is the room in FRAMES, and then what was found, also
 * where it fails.  REST can be NULL.
 */
struct prof_error *host_walk(uint64_t *frames, size_t *depth, enum prof_stack_end *end,
	struct host_rest *rest) PROF_MUST_CHECK;

/*
 * Has the selected thread just entered the function that it is in, and come no further than to
 * where GDB sets a breakpoint, behind the prologue?  False also if GDB does not know.
 */
bool host_is_entering(void);

/*
 * Has GDB other means to walk stacks than call frame information: enabled unwinders in Python, or
 * code that a program has announced to it, as compilers do that make it while they run?
 */
bool host_has_unwinders(void);

/* Can the program tell GDB of code that it makes, by the interface that GDB has for JIT compilers?
 */
bool host_has_compiler(void);

#endif
