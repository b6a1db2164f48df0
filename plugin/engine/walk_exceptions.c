/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/engine/walk_exceptions.h"

#include "plugin/gdb/host.h"
#include "plugin/gdb/python.h"
#include "sampling/walker.h"
#include "target/unwind.h"

/* Does call frame information describe the code at ADDRESS? */
static bool is_described(struct prof_walker *walker, uint64_t address)
{
	uint64_t low, high;

	return prof_walker_bounds(walker, address, &low, &high);
}

/* Is ADDRESS in code that is in no file? */
static bool is_of_no_file(struct prof_walker *walker, uint64_t address)
{
	const struct prof_stack one = {.frames = &address, .room = 1, .depth = 1};

	return prof_walker_generated(walker, &one);
}

/*
 * The first function of a program, with a frame pointer of 0 and no call frame information, is its
 * outermost frame; GDB takes the kernel's data on the stack for more frames.  It does the same if a
 * stack was made to return to the first byte of a function, as makecontext() does.
 */
static bool is_beginning(struct prof_walker *walker, const struct prof_stack *own)
{
	uint64_t low, high;

	if (!own->depth || own->end != PROF_STACK_WHOLE)
		return false;
	uint64_t outermost = own->frames[own->depth - 1];
	return !prof_walker_bounds(walker, outermost, &low, &high) ||
		(own->depth > 1 && low == outermost);
}

/* An address, and whether it is in a file that GDB knows. */
struct place {
	struct prof_walker *walker;
	uint64_t address;
	bool known;
};

static void look(void *context, const char *file)
{
	struct place *place = context;

	place->known = place->known || prof_walker_maps(place->walker, place->address, file);
}

/*
 * Is ADDRESS in a file that GDB does not know?  While libraries are loaded, those that are mapped
 * already run code, and GDB learns of them at the end.
 */
static bool is_unknown(struct prof_walker *walker, PyObject *space, uint64_t address)
{
	struct place place = {walker, address, prof_walker_maps(walker, address, "[vdso]")};

	if (place.known || is_of_no_file(walker, address))
		return false;
	host_objects(space, look, &place);
	return !place.known;
}

/* Is one of the first COUNT frames of OWN in such a file? */
static bool has_unknown(struct prof_walker *walker, const struct prof_stack *own, size_t count)
{
	AUTO_PY PyObject *space = host_space();
	bool unknown = false;

	for (size_t i = 0; space && i < count && !unknown; i++)
		unknown = is_unknown(walker, space, own->frames[i]);
	return unknown;
}

bool walk_exceptions_at(struct prof_walker *walker, const struct prof_stack *own,
	const struct prof_stack *host, size_t first)
{
	if (first == own->depth && is_beginning(walker, own))
		return true;
	if (!first)
		return false;
	/*
	 * GDB analyzes code without a description by its instructions: it takes what was pushed for
	 * an address.
	 */
	if (own->end == PROF_STACK_WHOLE && first < host->depth &&
		!is_described(walker, own->frames[first - 1]) &&
		is_of_no_file(walker, host->frames[first]))
		return true;
	return has_unknown(walker, own, first);
}
