/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which addresses of a process are taken, or will be: no island may lie there. */
#ifndef PROF_PATCHING_OCCUPIED_H
#define PROF_PATCHING_OCCUPIED_H

#include "base/error.h"
#include "patching/islands.h"

#include <sys/types.h>

/* All zeroes is nothing.  Ranges are sorted, as prof_island_room() wants them. */
struct prof_occupied {
	PROF_ARRAY(struct prof_island_range) items;
};

/* Frees what OCCUPIED holds, and leaves it empty. */
void prof_occupied_deinit(struct prof_occupied *occupied);

/*
 * Replaces OCCUPIED by what the process PID has mapped, with room for its heap and the stack of its
 * first thread to grow.  An error if that cannot be read.
 */
struct prof_error *prof_occupied_read(struct prof_occupied *occupied, pid_t pid) PROF_MUST_CHECK;

/*
 * The same by MAPS, the text of such a file.  HEAP is where the heap begins, or 0, and the stack
 * has at most STACK bytes.
 */
struct prof_error *prof_occupied_parse(struct prof_occupied *occupied, const char *maps,
	uint64_t heap, uint64_t stack) PROF_MUST_CHECK;

/* Also takes what is from ADDRESS up to ADDRESS + SIZE.  False: no memory. */
bool prof_occupied_add(struct prof_occupied *occupied, uint64_t address, uint64_t size);

#endif
