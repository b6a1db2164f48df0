/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The redirections in a process: slots of its load objects (target/slots.h) that lead to wrappers
 * of the agent's instead of the functions.
 *
 * They are written from outside, so that read-only pages are no obstacle, and while no thread goes
 * on, or into objects that are just being loaded.  A slot is changed only if it has what the linker
 * put there, and changed back only if it has what was written: what the program itself has written
 * stays.
 */
#ifndef PROF_PLUGIN_TRACING_REDIRECTIONS_H
#define PROF_PLUGIN_TRACING_REDIRECTIONS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A function, by its addresses in the process. */
struct redirections_hook {
	char *name;             /* the owner's */
	uint64_t real, wrapper; /* the function, and what is called instead */
	uint64_t place;         /* where the agent keeps REAL */
	size_t number;          /* among all hooks of the agent */
	bool mpi;               /* of the MPI library, which may be loaded later */
};

struct redirections;

/* For PROCESS, whose agent has its data at AGENT; HOOKS, COUNT of them, are borrowed. */
struct prof_error *redirections_create(pid_t process, uint64_t agent,
	const struct redirections_hook *hooks, size_t count,
	struct redirections **ret) PROF_MUST_CHECK;

/*
 * The same of PROCESS, a child that was made with all present and former REDIRECTIONS, for HOOKS,
 * which are the same; NULL: out of memory.
 */
struct redirections *redirections_inherit(const struct redirections *redirections, pid_t process,
	const struct redirections_hook *hooks);

/* NULL is fine; the process is left as it is. */
void redirections_destroy(struct redirections *redirections);

/*
 * Redirects the calls of the objects that have come, and forgets those that have gone.  The
 * dynamic linker reports an object before it fills its slots (dlopen()): the slots of such an
 * object are redirected by a later call.
 */
struct prof_error *redirections_update(struct redirections *redirections) PROF_MUST_CHECK;

/*
 * The address of the function that the dynamic linker calls, with a first argument of 0, when it
 * has filled the slots of the objects that it is loading, and also at other times.  0: it is
 * loading none, or there is no such function.
 */
uint64_t redirections_awaited(const struct redirections *redirections);

/* No object is being loaded any more. */
void redirections_settle(struct redirections *redirections);

/* The hooks are COUNT now: calls of those that are new are redirected as well. */
struct prof_error *redirections_extend(
	struct redirections *redirections, size_t count) PROF_MUST_CHECK;

/* The functions of some hooks were found: redirects their calls in objects that were there before.
 */
struct prof_error *redirections_repeat(struct redirections *redirections) PROF_MUST_CHECK;

/* Writes back what stood there before, now and later again, if needed: it stays known. */
void redirections_remove(struct redirections *redirections);

/* How many slots lead to the hook HOOK. */
size_t redirections_of(const struct redirections *redirections, size_t hook);

/* How many slots are redirected, of how many objects. */
size_t redirections_count(const struct redirections *redirections, size_t *objects);

#endif
