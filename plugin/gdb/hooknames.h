/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The names by which programs call the functions that are traced.  GDB, which knows them from
 * within the C library, has others: a user looks for malloc, and not for __GI___libc_malloc.
 *
 * They are kept beyond the processes, whose last events are named when these are gone.
 */
#ifndef PROF_PLUGIN_GDB_HOOKNAMES_H
#define PROF_PLUGIN_GDB_HOOKNAMES_H

#include <stdint.h>

/* The function at ADDRESS is called NAME; the first name of several counts. */
void hooknames_note(uint64_t address, const char *name);

/* The name of the function at ADDRESS, borrowed until hooknames_forget(); NULL: it is none of them.
 */
const char *hooknames_find(uint64_t address);

/* Forgets all: another recording begins. */
void hooknames_forget(void);

#endif
