/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The patches in a process: slots of its load objects (target/slots.h) that lead to the agent's
 * wrappers instead of the functions.
 *
 * They are written from outside, so that read-only pages are no obstacle, and while no thread goes
 * on, or into objects that are just being loaded.  A slot is changed only if it has what the linker
 * put there, and changed back only if it has what was written: what the program itself has written
 * stays.
 */
#ifndef PROF_PLUGIN_TRACING_PATCHES_H
#define PROF_PLUGIN_TRACING_PATCHES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A function, by its addresses in the process. */
struct patches_hook {
	char *name;             /* the owner's */
	uint64_t real, wrapper; /* the function, and what is called instead */
	uint64_t place;         /* where the agent keeps REAL */
	size_t number;          /* among all hooks of the agent */
	bool mpi;               /* of the MPI library, which may be loaded later */
};

struct patches;

/* For PROCESS, whose agent has its data at AGENT; HOOKS, COUNT of them, are borrowed. */
struct prof_error *patches_create(pid_t process, uint64_t agent, const struct patches_hook *hooks,
	size_t count, struct patches **ret) PROF_MUST_CHECK;

/*
 * The same of PROCESS, a child that was made with all present and former PATCHES, for HOOKS, which
 * are the same; NULL: out of memory.
 */
struct patches *patches_inherit(
	const struct patches *patches, pid_t process, const struct patches_hook *hooks);

/* NULL is fine; the process is left as it is. */
void patches_destroy(struct patches *patches);

/*
 * Patches the objects that have come, and forgets those that have gone.  The dynamic linker reports
 * an object before it fills its slots (dlopen()): such an object is patched by a later call.
 */
struct prof_error *patches_update(struct patches *patches) PROF_MUST_CHECK;

/*
 * The address of the function that the dynamic linker calls, with a first argument of 0, when it
 * has filled the slots of the objects that it is loading, and also at other times.  0: it is
 * loading none, or there is no such function.
 */
uint64_t patches_awaited(const struct patches *patches);

/* No object is being loaded any more. */
void patches_settle(struct patches *patches);

/* The hooks are COUNT now: those that are new are patched as well. */
struct prof_error *patches_extend(struct patches *patches, size_t count) PROF_MUST_CHECK;

/* The functions of some hooks were found: patches the objects that were there before them. */
struct prof_error *patches_repeat(struct patches *patches) PROF_MUST_CHECK;

/* Writes back what stood there before, now and later again, if needed: it stays known. */
void patches_remove(struct patches *patches);

/* How many slots lead to the hook HOOK. */
size_t patches_of(const struct patches *patches, size_t hook);

/* How many slots are patched, of how many objects. */
size_t patches_count(const struct patches *patches, size_t *objects);

#endif
