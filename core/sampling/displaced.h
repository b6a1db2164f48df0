/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Displaced stepping: a debugger has a thread that stands at a breakpoint execute the instruction
 * of that place elsewhere, so that the breakpoint can stay inserted for others, and then puts its
 * registers right.  Until it has, the thread is not where its program counter says: it would be
 * sampled in what GDB writes such instructions over, the first bytes of _start(), or, after a
 * relative jump, in any function at all.  Before that it is behind the breakpoint, as if it had
 * executed what is there.
 *
 * The steps of the last while are kept here, for samples are read later than they are taken.  All
 * functions may be called from any thread.
 */
#ifndef PROF_SAMPLING_DISPLACED_H
#define PROF_SAMPLING_DISPLACED_H

#include "base/error.h"

#include <stdint.h>
#include <sys/types.h>

struct prof_copy;
struct prof_perf_record;
struct prof_registers;
struct prof_stack;
struct prof_walker;

struct prof_displaced;

/* A new one, which knows of no steps. */
struct prof_error *prof_displaced_create(struct prof_displaced **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_displaced_destroy(struct prof_displaced *displaced);

/* At TIME, in ns of CLOCK_MONOTONIC, THREAD begins to execute at TO the instruction that is at
 * FROM. */
void prof_displaced_begin(
	struct prof_displaced *displaced, pid_t thread, uint64_t from, uint64_t to, int64_t time);

/* Until TIME THREAD was at TO, behind the breakpoint at FROM that it has met, since it went on
 * last. */
void prof_displaced_trap(
	struct prof_displaced *displaced, pid_t thread, uint64_t from, uint64_t to, int64_t time);

/* At TIME the registers of THREAD are right again.  False: they were. */
bool prof_displaced_end(struct prof_displaced *displaced, pid_t thread, int64_t time);

/* Forgets all steps: nobody will report the end of those under way.  NULL is fine. */
void prof_displaced_forget(struct prof_displaced *displaced);

/*
 * From now on UNDO makes registers what they are for the program where functions are executed
 * elsewhere for another reason: see core/patching.  It is called from any thread, also a little
 * later than another one was set.  NULL: there are no such functions.
 */
void prof_displaced_set_undo(
	struct prof_displaced *displaced, void (*undo)(struct prof_registers *registers));

/*
 * Makes REGISTERS, which THREAD had at TIME, what they are for the program, whose code WALKER
 * knows: before the instruction, or after one that goes to the next.  COPY is the stack from its
 * pointer up; NULL: the thread stands still for a signal, and has not yet left the copy of the
 * instruction.  DISPLACED can be NULL.
 *
 * Returns the program counter that is right if no stack can be walked from this one; 0: there is no
 * other.
 */
uint64_t prof_displaced_undo(struct prof_displaced *displaced, pid_t thread, int64_t time,
	struct prof_walker *walker, const struct prof_copy *copy, struct prof_registers *registers);

/* The same for the sample RECORD, whose stack is walked into STACK. */
void prof_displaced_walk(struct prof_displaced *displaced, struct prof_walker *walker,
	struct prof_perf_record *record, struct prof_stack *stack);

#endif
