/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Where functions are entered: the first instruction of each, not behind its prologue as for a
 * breakpoint.  GDB is asked for names as `break` knows them, or for all functions of a file.
 */
#ifndef PROF_PLUGIN_GDB_ENTRIES_H
#define PROF_PLUGIN_GDB_ENTRIES_H

#include "base/error.h"
#include "plugin/gdb/python_object.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct entry {
	uint64_t address; /* of the first instruction */
	const char *name; /* as GDB calls the function; borrowed */
};

/*
 * Splits TEXT at commas that are in no brackets and no quotes: the COUNT words of *RET, which
 * entries_free() frees.  A word that can name no functions is an error.
 */
struct prof_error *entries_split(const char *text, char ***ret, size_t *count) PROF_MUST_CHECK;
void entries_free(char **words, size_t count);

/*
 * Calls VISIT for the entries that WHAT stands for in the current program space: a function,
 * "f", "file.c:f", or with "file.c:*" all of a file.  There may be none yet.
 */
void entries_find(
	const char *what, void (*visit)(void *context, const struct entry *entry), void *context);

/* The same for ADDRESS, if a function is entered there. */
void entries_at(
	uint64_t address, void (*visit)(void *context, const struct entry *entry), void *context);

/*
 * Calls VISIT for each object in which entries_find() looks, in the current program space: its
 * FILE, or NULL if it has none, and OWNER, the file that FILE was split off from, or NULL.
 */
void entries_objects(
	void (*visit)(void *context, const char *file, const char *owner), void *context);

/*
 * The gdb.Symbol of the function that is entered at ADDRESS, a new reference; NULL: GDB does not
 * know it.  No exception.
 */
PyObject *entries_symbol(uint64_t address);

#endif
