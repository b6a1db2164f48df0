/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The functions whose calls are counted by patches: of one native process, which is stopped for
 * none of them.
 */
#ifndef PROF_PLUGIN_CALLS_COUNTED_PATCHES_H
#define PROF_PLUGIN_CALLS_COUNTED_PATCHES_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Begins with none, and with what patches need of GDB; or notes why functions cannot be patched.
 * MANY: there will be whole load objects.
 */
void counted_patches_begin(bool many);

/* Takes all patches out, as soon as no thread goes on, and forgets them.  May be called twice. */
void counted_patches_end(void);

/* NULL, or that the last ones are still there, which no recording can begin with. */
struct prof_error *counted_patches_check(void) PROF_MUST_CHECK;

/* What was found out is forgotten: the program has gone on since, or GDB has changed something. */
void counted_patches_anew(void);

/*
 * Has the calls of the function NAME, which is entered at ADDRESS of PROCESS, the selected
 * inferior's, counted from when it goes on.  NULL, or why they are not, borrowed, a phrase that
 * completes "because"; *LATER: it can be tried again.  MET: they have been counted at a breakpoint
 * so far, and a thread may stand there.
 */
const char *counted_patches_add(
	pid_t process, uint64_t address, const char *name, bool met, bool *later);

/* Is it clear, since counted_patches_anew(), that no function can be added now? */
bool counted_patches_refuse(void);

/*
 * Does the same for all functions of the load object that is mapped at ADDRESS that are not counted
 * yet, and calls OTHER for those that are not counted, either, and why.  *COUNT gets the number of
 * those that are.
 */
const char *counted_patches_add_object(pid_t process, uint64_t address,
	void (*other)(void *context, const char *name, const char *why), void *context,
	size_t *count, bool *later);

/*
 * Calls LOST for each function that was added, and whose calls were not counted while its process
 * went on last: it is forgotten.
 */
void counted_patches_look(void (*lost)(uint64_t address, const char *name));

/* Load objects have come: unwinders among them are to find their way through stubs. */
void counted_patches_help(void);

/* Are the calls of the function at ADDRESS of the selected inferior counted so? */
bool counted_patches_has(uint64_t address);

/* PROCESS goes on for the user, or no longer does. */
void counted_patches_allow(pid_t process, bool allowed);

/* Reports the calls that were counted to callers.h. */
void counted_patches_report(void);

/* Load objects have gone, perhaps: forgets their functions. */
void counted_patches_prune(void);

/* The name of the function numbered INDEX, from 0 on, whose calls are counted so, borrowed, and its
 * address; NULL: it is none any more, or, where *ADDRESS is 0, there are no more. */
const char *counted_patches_at(size_t index, uint64_t *address);

/* Was that one added with its load object? */
bool counted_patches_is_of_object(size_t index);

/* A function that is recorded is to be counted only: see prof_patches_count_only(). */
bool counted_patches_count_only(uint32_t number);

#endif
