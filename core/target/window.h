/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stack memory, read in few large pieces during one walk. */
#ifndef PROF_TARGET_WINDOW_H
#define PROF_TARGET_WINDOW_H

#include "target/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A piece of TARGET's memory as it was when the walk came there. */
struct prof_window {
	const struct prof_target *target; /* borrowed */
	unsigned char *bytes;
	size_t length;   /* bytes that were read, from LOW on */
	size_t capacity; /* bytes that there is room for */
	uint64_t low;    /* address */
	uint64_t start;  /* where the walk began */
	size_t used; /* bytes that the last walk came up by; after a change of stacks the most */
	size_t expected; /* bytes that a walk is likely to need: what recent ones did */
	bool ended;      /* what follows the window cannot be read */
};

/* An empty window on TARGET's memory, which is borrowed. */
void prof_window_init(struct prof_window *window, const struct prof_target *target);
void prof_window_deinit(struct prof_window *window);

/*
 * Begins a walk at the stack pointer SP, RED_ZONE bytes below which may be needed too.  Reads
 * nothing yet.
 */
void prof_window_begin(struct prof_window *window, uint64_t sp, unsigned red_zone);

/* Ends a walk that came up to STOP, which shows how much the next may need. */
void prof_window_end(struct prof_window *window, uint64_t stop);

/* What prof_window_word() does where the word is not in the window: reads more. */
bool prof_window_fetch(struct prof_window *window, uint64_t address, uint64_t *ret);

/* The word of 8 bytes at ADDRESS in *RET.  False: it cannot be read. */
static inline bool prof_window_word(struct prof_window *window, uint64_t address, uint64_t *ret)
{
	uint64_t offset = address - window->low;

	if (window->length < sizeof *ret || offset > window->length - sizeof *ret)
		return prof_window_fetch(window, address, ret);
	memcpy(ret, window->bytes + offset, sizeof *ret);
	return true;
}

#endif
