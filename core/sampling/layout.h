/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Layouts: what processes have mapped where, each with the rules by which its stacks are walked.
 *
 * Processes that execute the same program often have the same layout, and share it; it lives on
 * when they have ended.  A file has its addresses from the layout that mapped it first, and keeps
 * them in all others: so one address means one place in the file, in every process.
 */
#ifndef PROF_SAMPLING_LAYOUT_H
#define PROF_SAMPLING_LAYOUT_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

struct prof_arch;
struct prof_copy;
struct prof_maps;
struct prof_queue;
struct prof_registers;
struct prof_stack;

struct prof_layout;
struct prof_layouts;

/* For processes of the machine ARCH, which puts what is mapped into QUEUE, borrowed. */
struct prof_error *prof_layouts_create(const struct prof_arch *arch, struct prof_queue *queue,
	struct prof_layouts **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_layouts_destroy(struct prof_layouts *layouts);

/*
 * Takes the addresses of files from MAPS, which another recorder reports of a process: the files
 * keep these in all layouts, unless they had addresses before.
 */
struct prof_error *prof_layouts_learn(
	struct prof_layouts *layouts, const struct prof_maps *maps) PROF_MUST_CHECK;

/*
 * The layout of MAPS, borrowed until the next call.  *DROPPED is true if another one that was
 * borrowed has gone: none must be used any more.
 */
struct prof_error *prof_layouts_find(struct prof_layouts *layouts, const struct prof_maps *maps,
	struct prof_layout **ret, bool *dropped) PROF_MUST_CHECK;

/* Like prof_walker_walk_copy(), with the addresses that messages have. */
void prof_layout_walk(struct prof_layout *layout, const struct prof_registers *registers,
	struct prof_copy *copy, struct prof_stack *stack);

/*
 * Reports to the recorder that PROCESS has LAYOUT, and has mapped nothing else except, with KERNEL,
 * the kernel.
 */
void prof_layout_put(
	struct prof_layouts *layouts, struct prof_layout *layout, pid_t process, bool kernel);

#endif
