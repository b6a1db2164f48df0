/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Work that must wait until GDB is done with an event.  GDB 13 reports the stop of `attach` from
 * within a function that it runs again if the program is made to call something meanwhile: both GDB
 * and the program die of that.  An event handler that gives one of our commands may be called there
 * as well.
 */
#ifndef PROF_PLUGIN_GDB_LATE_H
#define PROF_PLUGIN_GDB_LATE_H

#include "base/error.h"
#include "plugin/gdb/python_object.h"

#include <sys/types.h>

/* GDB calls ACT, once after any number of late_post(), when it is done with what it does now. */
struct prof_error *late_begin(void (*act)(void)) PROF_MUST_CHECK;
void late_end(void);

/* Is this, where PROCESS has stopped, the stop of `attach`?  True once for each process. */
bool late_is_attaching(pid_t process);

/* PROCESS is gone from GDB: it can be attached to again. */
void late_forget(pid_t process);

/*
 * Does Python code that is neither a command nor a script, such as an event handler, wait for us?
 */
bool late_is_in_handler(void);

/* Asks for a call of ACT; an error says why there will be none. */
struct prof_error *late_post(void) PROF_MUST_CHECK;

#endif
