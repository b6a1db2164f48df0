/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Calls of traced functions that do not go through a table, met at breakpoints: where a function is
 * entered, and where its instructions return.
 *
 * Each call has a message of its own, with the stack that it was made from.  A call that ends in
 * another way, by a jump to another function or out of it, has no time.  For x86-64.
 */
#ifndef PROF_PLUGIN_CALLS_VISITS_H
#define PROF_PLUGIN_CALLS_VISITS_H

#include "base/error.h"
#include "target/target.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct prof_queue;

/* Calls go to QUEUE, borrowed until visits_end(), with MAX_DEPTH frames. */
void visits_begin(struct prof_queue *queue, size_t max_depth);

/* Reports calls that are still going on, without their end. */
void visits_end(void);

/*
 * The addresses at which the function that is entered at ADDRESS of PROCESS, the selected
 * inferior's, returns: a new array of *COUNT, which the caller frees; NULL: out of memory, or none.
 */
uint64_t *visits_find_exits(pid_t process, uint64_t address, size_t *count);

/* THREAD of PROCESS, with REGISTERS, enters the function TRACED, or is about to leave it. */
void visits_enter(
	size_t traced, pid_t process, pid_t thread, const struct prof_registers *registers);
void visits_leave(size_t traced, pid_t thread, const struct prof_registers *registers);

/* Load objects of PROCESS have come or gone; it has gone. */
void visits_objects_changed(void);
void visits_gone(pid_t process);

#endif
