/*
 * The import slots of the host program: where its calls to a libc function go through.
 *
 * A slot that is set sends the host's own calls elsewhere, and those of no library.
 */
#ifndef PROF_PLUGIN_SLOT_H
#define PROF_PLUGIN_SLOT_H

#include "base/error.h"

/* A slot, what stood in it, and the function that calls through it reach. */
struct slot {
	void **place;
	void *before; /* not always FUNCTION: a slot that was never used leads to the linker */
	void *function;
};

/* Finds the slot of the host program for the imported FUNCTION. */
struct prof_error *slot_find(const char *function, struct slot *ret) PROF_MUST_CHECK;

/* Puts TARGET into SLOT. */
struct prof_error *slot_set(const struct slot *slot, void *target) PROF_MUST_CHECK;

#endif
