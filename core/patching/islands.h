/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Islands: where the stubs of a load object lie, within 2 GB of its code.
 *
 * An island begins with the code that its stubs share.  It has granules (patching/stub_data.h) of
 * its own, so that one look at a table says whether an address is in an island.
 */
#ifndef PROF_PATCHING_ISLANDS_H
#define PROF_PATCHING_ISLANDS_H

#include "patching/stubs.h"

/* Addresses from LOW up to HIGH. */
struct prof_island_range {
	uint64_t low, high;
};

/*
 * An address for an island of SIZE bytes, a multiple of PROF_STUB_GRANULE, all of which is within
 * 2 GB of all of OBJECT: the nearest one below, where no heap grows, or else above.  USED has the
 * COUNT ranges that are mapped, sorted and extended by what will grow, such as the stack.  0: there
 * is no room.
 */
uint64_t prof_island_room(const struct prof_island_range *used, size_t count,
	struct prof_island_range object, uint64_t size);

/* All zeroes is no island. */
struct prof_island {
	struct prof_stub_settings settings;
	struct prof_stub_common common;
	uint64_t address;
	uint64_t bias; /* added to the addresses of the object's file */
	PROF_ARRAY(unsigned char) code;
	PROF_ARRAY(struct prof_stub) stubs; /* by address */
};

/*
 * Begins ISLAND, which is none, at ADDRESS, for the object that is BIAS bytes behind the addresses
 * of its file.  NULL, that there is no memory, or that this machine has no stubs.
 */
struct prof_error *prof_island_init(struct prof_island *island,
	const struct prof_stub_settings *settings, uint64_t address, uint64_t bias) PROF_MUST_CHECK;

/* Frees what ISLAND holds, and leaves none. */
void prof_island_deinit(struct prof_island *island);

/*
 * Adds a stub of KIND for ENTRY, whose number is FUNCTION and whose original bytes are BYTES, all
 * entry->taken of them, and sets *RET to the address that the patch is to lead to.  If *OBSTACLE is
 * not PROF_OBSTACLE_NONE then, nothing was added.  NULL, or that there is no memory.
 */
struct prof_error *prof_island_add(struct prof_island *island, enum prof_stub_part kind,
	const struct prof_entry *entry, const unsigned char *bytes, uint32_t function,
	enum prof_obstacle *obstacle, uint64_t *ret) PROF_MUST_CHECK;

/* What a thread that is in an island is doing. */
enum prof_island_state {
	PROF_ISLAND_ENTERING,  /* it has called the function, and has executed nothing of it */
	PROF_ISLAND_MOVED,     /* it executes instructions of the function */
	PROF_ISLAND_RETURNING, /* the function has returned */
	PROF_ISLAND_SHARED,    /* one of the above: it is in code that all stubs share */
};

/*
 * Where a thread would be without patches.  Its stack pointer would be SP bytes higher.  Of
 * PROF_ISLAND_RETURNING, the stack pointer is that of the slot then, the address is in its shadow,
 * and the thread would be behind its return, with 8 bytes less on the stack.  Of
 * PROF_ISLAND_SHARED, the slot is where the stack pointer points to, and holds the return address.
 */
struct prof_island_place {
	enum prof_island_state state;
	const struct prof_stub *stub; /* borrowed; NULL: PROF_ISLAND_SHARED */
	uint64_t pc;                  /* 0 if the state is one of the last two */
	int sp;
};

/* Sets *RET to what a thread at PC is doing.  False: PC is not in ISLAND. */
bool prof_island_find(const struct prof_island *island, uint64_t pc, struct prof_island_place *ret);

/*
 * The address to which STUB has moved the instruction of its function at PC; 0: it has not moved
 * it.
 */
uint64_t prof_island_copy(const struct prof_stub *stub, uint64_t pc);

/*
 * Does a function return to a stub of ISLAND if its return address is ADDRESS?  The true one is
 * then in the shadow of the slot.
 */
bool prof_island_returns(const struct prof_island *island, uint64_t address);

/* Bytes of an island's call frame information. */
enum { PROF_ISLAND_FRAMES = 68 };

/*
 * Writes to BYTES what __register_frame() wants, for all LENGTH bytes of ISLAND: unwinders in the
 * program get from where functions return to a stub to where they returned before.
 */
void prof_island_frames(
	const struct prof_island *island, uint64_t length, unsigned char bytes[PROF_ISLAND_FRAMES]);

#endif
