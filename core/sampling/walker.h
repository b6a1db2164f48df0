/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The walker: walks the stacks of one process's threads, and reports them to the recorder.
 *
 * The engine's thread walks stopped threads, and the ticker's thread sleeping ones, without
 * touching them.  They share the rules that were compiled, so all functions may be called from any
 * thread; each has a stack of its own.
 */
#ifndef PROF_SAMPLING_WALKER_H
#define PROF_SAMPLING_WALKER_H

#include "target/unwind.h"

#include <sys/types.h>

struct prof_look;
struct prof_queue;

struct prof_walker;

/* A stack that was walked. */
struct prof_stack {
	uint64_t *frames; /* its own */
	size_t room;      /* for so many */
	size_t depth;
	enum prof_stack_end end;
	bool guessed;            /* see prof_unwinder_guessed() */
	enum prof_within within; /* what the thread was stopped */
};

/* For PROCESS; at most MAX_DEPTH frames of a stack are kept; QUEUE is borrowed. */
struct prof_error *prof_walker_create(pid_t process, size_t max_depth, struct prof_queue *queue,
	struct prof_walker **ret) PROF_MUST_CHECK;

/* Declares that the stacks put through WALKER have frames in the kernel: their mapping is put too.
 */
void prof_walker_report_kernel(struct prof_walker *walker);

/* The greatest number of frames that are kept. */
size_t prof_walker_max_depth(const struct prof_walker *walker);

/* NULL is fine. */
void prof_walker_destroy(struct prof_walker *walker);

/* Gives STACK room for MAX_DEPTH frames. */
struct prof_error *prof_stack_init(struct prof_stack *stack, size_t max_depth) PROF_MUST_CHECK;
void prof_stack_deinit(struct prof_stack *stack);

/* Makes STACK one of which nothing is known. */
void prof_stack_empty(struct prof_stack *stack);

/* Copies FROM to TO: as many of the innermost frames as there is room for. */
void prof_stack_copy(struct prof_stack *to, const struct prof_stack *from);

/* Reports LOOK, which was taken with STACK, to QUEUE. */
void prof_stack_put(
	const struct prof_stack *stack, struct prof_queue *queue, const struct prof_look *look);

/* Puts COUNT FRAMES, the innermost first, inside of STACK; if they do not fit, drops its outermost
 * ones, then the last of FRAMES. */
void prof_stack_push(struct prof_stack *stack, const uint64_t *frames, size_t count);

/* Walks the stack that REGISTERS belong to, as far as there is room in STACK. */
void prof_walker_walk(struct prof_walker *walker, const struct prof_registers *registers,
	struct prof_stack *stack);

/* The same where COPY is all that there is of the stack: see prof_unwinder_walk_copy(). */
void prof_walker_walk_copy(struct prof_walker *walker, const struct prof_registers *registers,
	struct prof_copy *copy, struct prof_stack *stack);

/* The registers of a thread that sleeps in the kernel, of which only these are known. */
struct prof_registers prof_walker_asleep(uint64_t sp, uint64_t pc);

/* Reports LOOK with STACK to the recorder, and what is mapped if that has changed. */
void prof_walker_put(
	struct prof_walker *walker, const struct prof_look *look, const struct prof_stack *stack);

/* The address space has changed, or may have: see prof_unwinder_flush(). */
void prof_walker_flush(struct prof_walker *walker);

/* See prof_unwinder_freeze() and prof_unwinder_read(). */
void prof_walker_freeze(struct prof_walker *walker);
void prof_walker_read(struct prof_walker *walker);

/* Is the file PATH mapped at ADDRESS, as far as the walks have looked? */
bool prof_walker_maps(struct prof_walker *walker, uint64_t address, const char *path);

/* Is there code in STACK that is of no file? */
bool prof_walker_generated(struct prof_walker *walker, const struct prof_stack *stack);

/* See prof_unwinder_bounds(). */
bool prof_walker_bounds(
	struct prof_walker *walker, uint64_t address, uint64_t *low, uint64_t *high);

/* See prof_unwinder_code(). */
bool prof_walker_code(struct prof_walker *walker, uint64_t address, void *buffer, size_t length);

/* Is a debugger's breakpoint, the byte BREAKPOINT, at ADDRESS now, in code that has none there? */
bool prof_walker_broken(struct prof_walker *walker, uint64_t address, unsigned char breakpoint);

/* A number that changes whenever the code that is mapped has changed: see
 * prof_unwinder_generation(). */
uint64_t prof_walker_generation(struct prof_walker *walker);

#endif
