/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Stubs: the code that a patched function is entered by.  A stub counts or records the call,
 * executes the instructions that the patch has replaced, and goes on in the function behind them.
 *
 * Functions that look at their return address, such as dlsym(), and those that return twice, such
 * as setjmp(), vfork() and swapcontext(), must not have a stub PROF_STUB_CALL.
 */
#ifndef PROF_PATCHING_STUBS_H
#define PROF_PATCHING_STUBS_H

#include "patching/entries.h"
#include "patching/stub_code.h"
#include "patching/stub_data.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The bits in which the address of a slot differs from that of its shadow, where the true return
 * address is.  Linux puts nothing there unless a program asks for it.
 */
#define PROF_STUB_SHADOW (UINT64_C(1) << 45)

/* What the stubs of a process have in common. */
struct prof_stub_settings {
	/*
	 * The address of a word of thread-local storage, relative to the thread pointer, that is at
	 * the same place in all threads and 0 in a new one.
	 */
	int32_t thread;
	uint64_t control; /* address of the control area, see patching/stub_data.h */
	uint64_t shadow;  /* PROF_STUB_SHADOW, or other bits above those of a granule */
	uint32_t records; /* bytes for records in a block, a power of two, at least 4096; 0: none */
	uint32_t functions; /* functions have numbers from 1 up to this, PROF_STUB_FUNCTIONS - 1 */
	/*
	 * Entries that a block has for callers, a power of two, from 16 to 2^24: at least twice as
	 * many as pairs of a function and a caller are expected.  0: none, and no stub
	 * PROF_STUB_COUNT_CALLERS.  Pages without callers use no memory.
	 */
	uint32_t callers;
};

/* Bytes of the block of a thread, and of the control area. */
size_t prof_stub_block_size(const struct prof_stub_settings *settings);
size_t prof_stub_control_size(const struct prof_stub_settings *settings);

/* Bytes from the beginning of a block to the counter of FUNCTION. */
size_t prof_stub_counter(const struct prof_stub_settings *settings, uint32_t function);

/* Bytes from the beginning of a block to its table of callers, and entries that this has. */
size_t prof_stub_callers(const struct prof_stub_settings *settings);
size_t prof_stub_caller_count(const struct prof_stub_settings *settings);

/* Bytes of records that may be claimed beyond those that were read; 0: none. */
uint32_t prof_stub_limit(const struct prof_stub_settings *settings);

/* The most bytes of a stub. */
enum { PROF_STUB_ROOM = 608 };

struct prof_stub {
	uint64_t low, high; /* its code */
	uint64_t from;      /* address of the function */
	uint32_t function;  /* its number */
	uint16_t entry;     /* where the patch leads to, bytes from LOW on */
	uint8_t kind;       /* enum prof_stub_part, below PROF_STUB_KINDS */
	uint8_t count;      /* of PLACES */
	struct prof_relocation_place places[PROF_RELOCATION_PLACES];
};

/* Addresses of code that all stubs of an island use. */
struct prof_stub_common {
	uint64_t attach, record, find;
};

/*
 * Writes the code of PART, which is no stub, for ADDRESS to CODE, which has room for
 * PROF_STUB_ROOM bytes.  The number of bytes; 0: this machine has none.
 */
size_t prof_stub_write_common(const struct prof_stub_settings *settings, enum prof_stub_part part,
	uint64_t address, unsigned char *code);

/*
 * Writes to CODE, likewise, the code of STUB, of which LOW, FUNCTION and KIND are given, and
 * fills in the rest.  BYTES are the original ones at the entry ENTRY, entry->taken of them; what
 * ENTRY has is BIAS bytes less than where it is.  PROF_OBSTACLE_NONE, or why it cannot be.
 */
enum prof_obstacle prof_stub_write(const struct prof_stub_settings *settings,
	const struct prof_stub_common *common, const struct prof_entry *entry, uint64_t bias,
	const unsigned char *bytes, struct prof_stub *stub, unsigned char *code);

/* A jump that is to be written to ADDRESS. */
struct prof_stub_jump {
	uint64_t address;
	uint8_t length;
	unsigned char code[5];
};

/*
 * Sets JUMPS to what patches ENTRY, likewise, so that it leads to TARGET, in the order in which
 * they are to be written.  How many these are: 1 or 2; 0: TARGET is too far away.
 */
size_t prof_stub_patch(const struct prof_entry *entry, uint64_t bias, uint64_t target,
	struct prof_stub_jump jumps[2]);

#endif
