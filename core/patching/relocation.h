/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Machine code at another address: the instructions that a patch at the entry of a function
 * replaces, moved so that they do there what they did at their own place.
 *
 * Operands relative to the program counter and the targets of branches are adjusted, and short
 * branches become long ones.  A moved call returns to where it did before, so that the stack shows
 * no address of moved code.
 */
#ifndef PROF_PATCHING_RELOCATION_H
#define PROF_PATCHING_RELOCATION_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why code cannot be moved, or an entry cannot be patched. */
enum prof_obstacle {
	PROF_OBSTACLE_NONE,
	PROF_OBSTACLE_UNKNOWN, /* bytes that are no instruction, or one that is not understood */
	PROF_OBSTACLE_FAR,     /* what it refers to is more than 2 GB from the new place */
	PROF_OBSTACLE_SHORT,   /* the function ends too soon, and other code follows */
	PROF_OBSTACLE_TARGET,  /* a branch leads into the bytes that the patch takes */
	PROF_OBSTACLE_LOOP,    /* a branch leads back to the entry: it would count as a call */
	PROF_OBSTACLE_PART,    /* it is no function, but the cold part of one */
	PROF_OBSTACLE_CALL,    /* an indirect call, which would return into the patch */
	PROF_OBSTACLE_FILE,    /* its code is not that of an ELF file */
	PROF_OBSTACLE_BOUNDS,  /* no function is known to begin there */
	PROF_OBSTACLE_ROOM,    /* nothing is free within 2 GB of its load object */
	PROF_OBSTACLE_START,   /* it is where the program begins */
	PROF_OBSTACLES
};

/* In words that complete "it cannot be patched: ". */
extern const char *const prof_obstacle_reasons[PROF_OBSTACLES];

enum {
	/* The most bytes that instructions can take of which a patch replaces the first five. */
	PROF_RELOCATION_TAKEN = 5 - 1 + 15,
	/* The most bytes that they have elsewhere, the jump back included. */
	PROF_RELOCATION_ROOM = 64,
	PROF_RELOCATION_PLACES = 7,
};

/*
 * Where an instruction was, and is now: bytes from the first one of each.  Within a moved call the
 * stack pointer is SP bytes lower than it was at FROM.
 */
struct prof_relocation_place {
	uint8_t from, to, sp;
};

struct prof_relocation {
	uint8_t taken; /* bytes of the originals */
	uint8_t size;  /* bytes of CODE */
	uint8_t count; /* of PLACES: one for each instruction, two for a call, one for the jump back
			*/
	struct prof_relocation_place places[PROF_RELOCATION_PLACES];
	unsigned char code[PROF_RELOCATION_ROOM]; /* it ends with a jump behind the originals */
};

/*
 * Moves the instructions in the first LEAST bytes, 1 to 5, of those at the address FROM, of which
 * BYTES has LENGTH, to the address TO.
 */
enum prof_obstacle prof_relocation_move(const unsigned char *bytes, size_t length, uint64_t from,
	size_t least, uint64_t to, struct prof_relocation *ret);

/*
 * The bytes that the instructions in the first LEAST bytes take.  0: they are not known, for a
 * reason that prof_relocation_move() gives.
 */
size_t prof_relocation_taken(
	const unsigned char *bytes, size_t length, uint64_t from, size_t least);

#endif
