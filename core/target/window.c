/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/window.h"

#include <stdlib.h>

enum {
	LIMIT = 1 << 20, /* no window is larger: deeper stacks take several, one after another */
	GAP = 1 << 16,   /* the most bytes that are read in passing, to get at what lies beyond */
	BELOW = 256, /* a frame's return address is asked for before the registers saved below it */
};

void prof_window_init(struct prof_window *window, const struct prof_target *target)
{
	*window = (struct prof_window){.target = target, .expected = PROF_TARGET_PAGE};
}

void prof_window_deinit(struct prof_window *window)
{
	free(window->bytes);
	*window = (struct prof_window){0};
}

static void move(struct prof_window *window, uint64_t low)
{
	window->low = low;
	window->length = 0;
	window->ended = false;
}

void prof_window_begin(struct prof_window *window, uint64_t sp, unsigned red_zone)
{
	/* The page below may not exist: reading both would fail. */
	window->start = sp - (sp % PROF_TARGET_PAGE < red_zone ? sp % PROF_TARGET_PAGE : red_zone);
	move(window, window->start);
}

void prof_window_end(struct prof_window *window, uint64_t stop)
{
	uint64_t used = stop - window->start;
	size_t least = window->expected - window->expected / 8;

	window->used = used < LIMIT ? used : LIMIT;
	if (used > LIMIT)
		return;
	size_t rounded = (used + PROF_TARGET_PAGE - 1) / PROF_TARGET_PAGE * PROF_TARGET_PAGE;
	window->expected = rounded > least ? rounded : least;
	if (window->expected < PROF_TARGET_PAGE)
		window->expected = PROF_TARGET_PAGE;
}

/* Makes the window LENGTH bytes long, or as long as readable memory. */
static void extend(struct prof_window *window, size_t length)
{
	if (length > LIMIT)
		length = LIMIT;
	/* An address space ends at its last byte: do not wrap around. */
	if (length > -window->low && window->low)
		length = -window->low;
	if (length > window->capacity) {
		unsigned char *bytes = realloc(window->bytes, length);
		if (!bytes)
			return;
		window->bytes = bytes;
		window->capacity = length;
	}
	if (length <= window->length)
		return;
	size_t more = length - window->length;
	size_t got = window->target->read_memory(window->target->context,
		window->low + window->length, window->bytes + window->length, more);
	window->length += got < more ? got : more;
	window->ended = got < more;
}

static bool holds(const struct prof_window *window, uint64_t address)
{
	uint64_t offset = address - window->low;

	return window->length >= sizeof(uint64_t) && offset <= window->length - sizeof(uint64_t);
}

/* Reads on from the end of the window if ADDRESS is not far from there. */
static void reach(struct prof_window *window, uint64_t address)
{
	uint64_t offset = address - window->low;

	if (window->ended || offset > window->length + GAP || offset > LIMIT - sizeof address)
		return;
	size_t length = window->length ? window->length * 2 : window->expected;
	if (length < offset + PROF_TARGET_PAGE)
		length = offset + PROF_TARGET_PAGE;
	extend(window, length);
}

bool prof_window_fetch(struct prof_window *window, uint64_t address, uint64_t *ret)
{
	reach(window, address);
	/* Somewhere else: another stack, or far up.  The page below may not exist. */
	if (!holds(window, address) && address >= BELOW) {
		move(window, address - BELOW);
		extend(window, PROF_TARGET_PAGE);
	}
	if (!holds(window, address)) {
		move(window, address);
		extend(window, PROF_TARGET_PAGE);
	}
	if (!holds(window, address))
		return false;
	memcpy(ret, window->bytes + (address - window->low), sizeof *ret);
	return true;
}
