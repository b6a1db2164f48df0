/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The functions whose calls the agent in a process can take, as its memory lists them: functions of
 * its families, and those that are traced one by one (traced_functions.h).
 */
#ifndef PROF_PLUGIN_TRACING_HOOKS_H
#define PROF_PLUGIN_TRACING_HOOKS_H

#include "base/error.h"
#include "tracing/ring.h"

#include <stddef.h>
#include <sys/types.h>

struct redirections_hook;
struct prof_traced_hook;

enum { HOOKS_MOST = 1024 }; /* the number of one has 12 bits in a record */

struct hooks {
	/* The hooks in use; room for HOOKS_MOST, so that redirections can point there. */
	struct redirections_hook *list;
	size_t count;                 /* of LIST */
	struct prof_traced_hook *all; /* by number; room for HOOKS_MOST */
	size_t all_count;             /* of ALL */
	/* By function that is traced: its number in LIST; SIZE_MAX: it cannot be, or is of a family
	   that goes before. */
	size_t traced[PROF_TRACED_FUNCTIONS];
	size_t traced_count; /* of TRACED */
	bool late;           /* the MPI library was loaded after the agent */
};

/* Frees what HOOKS holds; all zeroes is fine. */
void hooks_deinit(struct hooks *hooks);

/* Reads the new ones from DATA, of PROCESS, and what that leads to; FAMILIES are used. */
struct prof_error *hooks_read(struct hooks *hooks, pid_t process, const struct prof_agent *data,
	uint32_t families) PROF_MUST_CHECK;

/*
 * Looks for the functions of an MPI library that PROCESS has loaded after the agent, and writes
 * them to the agent.  *FOUND: they are others than before.
 */
struct prof_error *hooks_find_late(struct hooks *hooks, pid_t process, bool *found) PROF_MUST_CHECK;

/* Copies HOOKS to COPY, which is all zeroes.  False: out of memory. */
bool hooks_copy(struct hooks *copy, const struct hooks *hooks);

#endif
