/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Walks the stack of a thread by call frame information. */
#ifndef PROF_TARGET_UNWIND_H
#define PROF_TARGET_UNWIND_H

#include "base/error.h"
#include "target/target.h"

#include <stdbool.h>
#include <sys/types.h>

struct prof_maps;
struct prof_rule;

/* How a walk ended. */
enum prof_stack_end {
	PROF_STACK_WHOLE,     /* at the outermost frame */
	PROF_STACK_TRUNCATED, /* the stack is deeper than was asked for */
	PROF_STACK_FAILED,    /* it went no further: the frames that were found are right */
};

/*
 * An unwinder holds the address space of one process, the call frame information of what is mapped
 * there, and a cache of compiled rules.  It is used by one thread at a time.
 */
struct prof_unwinder;

struct prof_arch;

/* For process PID, whose memory TARGET reads; TARGET is copied, its context borrowed. */
struct prof_error *prof_unwinder_create(
	pid_t pid, const struct prof_target *target, struct prof_unwinder **ret) PROF_MUST_CHECK;

/*
 * For what was recorded: of a program for ARCH, with TARGET as above.  MAPS is the text of its
 * /proc/PID/maps; of objects, only [vdso] is looked at, which is in TARGET's memory.
 */
struct prof_error *prof_unwinder_create_recorded(const struct prof_arch *arch, const char *maps,
	const struct prof_target *target, struct prof_unwinder **ret) PROF_MUST_CHECK;

/*
 * For a process that may have ended, of a program for ARCH: it has mapped what MAPS says, which is
 * taken unless this fails.  TARGET, as above, has the code, and [vdso].
 */
struct prof_error *prof_unwinder_create_mapped(const struct prof_arch *arch, struct prof_maps *maps,
	const struct prof_target *target, struct prof_unwinder **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_unwinder_destroy(struct prof_unwinder *unwinder);

/*
 * Walks the stack from REGISTERS.  FRAMES, room for DEPTH of them, gets a lookup address per frame,
 * the innermost first: the program counter itself where it was interrupted (the innermost frame,
 * and the one outside of a signal frame), one less than the return address elsewhere, so that a
 * call at the end of a function counts for that function.  (A function that was never called, but
 * that a stack was made to return to, as makecontext() does, has its first byte.)  Returns the
 * number of frames (at least 1 if DEPTH is), and how the walk ended in *END.
 */
size_t prof_unwinder_walk(struct prof_unwinder *unwinder, const struct prof_registers *registers,
	uint64_t *frames, size_t depth, enum prof_stack_end *end);

/*
 * The same for a stack of which STACK is a copy, from the stack pointer up.  Where more of it would
 * have been needed, the walk ends as PROF_STACK_TRUNCATED.
 */
size_t prof_unwinder_walk_copy(struct prof_unwinder *unwinder,
	const struct prof_registers *registers, struct prof_copy *stack, uint64_t *frames,
	size_t depth, enum prof_stack_end *end);

/*
 * How to go on from a frame with the lookup address ADDRESS, by the stack and frame pointers alone.
 * False: there is no code, for all that is known.
 */
bool prof_unwinder_rule(struct prof_unwinder *unwinder, uint64_t address, struct prof_rule *ret);

/*
 * Whether the last walk of UNWINDER came through code that no call frame information describes, and
 * so may be wrong from there on.  The beginning of a program is known to have nothing outside.
 */
bool prof_unwinder_guessed(const struct prof_unwinder *unwinder);

/*
 * The address space has changed, or may have (exec, dlopen, dlclose): forgets what depends on it;
 * it is read again at the next walk.
 */
void prof_unwinder_flush(struct prof_unwinder *unwinder);

/*
 * The process executes another program, while copies of earlier stacks still have to be walked: the
 * address space that is known stays, whatever changes, until prof_unwinder_read().
 */
void prof_unwinder_freeze(struct prof_unwinder *unwinder);

/* Reads the address space now: copies of stacks that are walked later belong to this one. */
void prof_unwinder_read(struct prof_unwinder *unwinder);

/*
 * The address space as last read (now, if it never was), borrowed until the next call for
 * UNWINDER.
 */
const struct prof_maps *prof_unwinder_maps(struct prof_unwinder *unwinder);

/* A number that changes whenever prof_unwinder_maps() would return something else. */
uint64_t prof_unwinder_generation(const struct prof_unwinder *unwinder);

/*
 * The bounds of the code around ADDRESS that one FDE describes, a function in all but rare cases:
 * the first byte in *LOW and the byte after the last in *HIGH.  False: nothing is known there.
 */
bool prof_unwinder_bounds(
	struct prof_unwinder *unwinder, uint64_t address, uint64_t *low, uint64_t *high);

/*
 * Reads LENGTH bytes of code at ADDRESS into BUFFER, as they are in the file that is mapped there:
 * without breakpoints.  False: it cannot, or there is no file.
 */
bool prof_unwinder_code(
	struct prof_unwinder *unwinder, uint64_t address, void *buffer, size_t length);

/*
 * The build id, in hex, of the object that is mapped at ADDRESS; "" if it has none.  Borrowed until
 * the next call for UNWINDER.
 */
const char *prof_unwinder_build_id(struct prof_unwinder *unwinder, uint64_t address);

#endif
