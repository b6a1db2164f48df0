/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The places where a thread leaves: the C library's functions that end the process or replace its
 * program.  Traps stand there, but not where GDB has attached to a process: this would not survive
 * the end of GDB by SIGKILL, with a trap left in it.
 */
#ifndef PROF_PLUGIN_ENGINE_EXITS_H
#define PROF_PLUGIN_ENGINE_EXITS_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/* Calls LEAVE for each thread that comes there, now and in programs to be loaded. */
struct prof_error *exits_watch(void (*leave)(pid_t thread)) PROF_MUST_CHECK;

/*
 * Takes the traps out if GDB has attached to a process since.  False: it has, and exits are not
 * watched any more.
 */
bool exits_look(void);

/* Has the program had no function _exit, as one that is linked statically, and stripped? */
bool exits_are_unknown(void);

/* May be called twice. */
void exits_unwatch(void);

#endif
