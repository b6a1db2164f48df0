/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What GDB reads and writes where functions of a process are patched: the program's own code, and
 * GDB's breakpoints in it.
 *
 * While patches are in, the instructions that they replace are executed elsewhere.  So this is
 * where a breakpoint has to be then that GDB has written to one of them, or writes while threads go
 * on.  As soon as the patches are out, it is where GDB has written it.
 */
#ifndef PROF_PLUGIN_INTERPOSE_PATCHED_MEMORY_H
#define PROF_PLUGIN_INTERPOSE_PATCHED_MEMORY_H

#include "base/memory.h"
#include "base/ranges.h"
#include "patching/patched.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A byte that GDB has written over one of a function. */
struct patched_byte {
	uint64_t address;
	unsigned char value, original;
	bool away;            /* it is not there, because a patch is, or is about to be */
	uint64_t copy;        /* where it is instead; 0: nowhere */
	unsigned char copied; /* what was there */
};

/* All zeroes is none. */
struct patched_memory {
	pid_t process;
	struct prof_patched *patched;                  /* borrowed */
	PROF_ARRAY(struct prof_ranges_head) functions; /* their first instructions, sorted */
	PROF_ARRAY(struct patched_byte) bytes;
};

/* Frees what MEMORY holds, and leaves none. */
void patched_memory_deinit(struct patched_memory *memory);

/*
 * The function at ADDRESS is patched, too.  It begins with CODE, LENGTH bytes, over some of which
 * GDB may have written.  False: no memory.
 */
bool patched_memory_add(
	struct patched_memory *memory, uint64_t address, const unsigned char *code, size_t length);

/* GDB has read LENGTH BYTES at ADDRESS: makes them what GDB must see. */
void patched_memory_read(
	const struct patched_memory *memory, uint64_t address, void *bytes, size_t length);

/*
 * GDB writes LENGTH BYTES to ADDRESS.  True: that was done here.  False: GDB must write them
 * itself, because no function that is patched is there.
 */
bool patched_memory_write(
	struct patched_memory *memory, uint64_t address, const void *bytes, size_t length);

/* Patches are about to be put in, while all threads stand still: they must find the program's own
 * code. */
void patched_memory_clear(struct patched_memory *memory);

/* Patches were put in or taken out, or could not be: puts what GDB has written where it belongs. */
void patched_memory_settle(struct patched_memory *memory);

/* The address of GDB's breakpoint that is at COPY instead; 0: there is none. */
uint64_t patched_memory_copied(const struct patched_memory *memory, uint64_t copy);

#endif
