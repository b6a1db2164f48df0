/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The making of processes: a mark before, at the functions that do it, and one after, when the
 * engine stop sees it.
 *
 * Traps stand at those functions, but not if GDB has attached to a process: it would not survive
 * them, if GDB were killed.
 */
#ifndef PROF_PLUGIN_MARKS_FORKS_H
#define PROF_PLUGIN_MARKS_FORKS_H

#include "base/error.h"

/* Begins to mark. */
struct prof_error *forks_watch(void) PROF_MUST_CHECK;

/* The program stands still, or is about to go on: takes the traps out if GDB has attached to a
 * process since. */
void forks_look(void);

/* A process was made just now. */
void forks_made(void);

/* May be called twice. */
void forks_unwatch(void);

#endif
