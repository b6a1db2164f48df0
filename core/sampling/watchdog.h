/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The watchdog: a small process that outlives the debugger.
 *
 * A tick by SIGSTOP is harmless only as long as the debugger lives to swallow it: if the debugger
 * is killed while one is pending, the kernel delivers it, and the program is left stopped.  The
 * watchdog waits for the debugger's end and then continues the programs that had a tick pending.
 * The process starts at the first tick by SIGSTOP.
 */
#ifndef PROF_SAMPLING_WATCHDOG_H
#define PROF_SAMPLING_WATCHDOG_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <sys/types.h>

struct prof_watchdog_entry;

/* The name of its program. */
#define PROF_WATCHDOG_FILE "gdbprof-watchdog"

struct prof_watchdog;

/* PROGRAM, the path of gdbprof-watchdog, is copied; nothing is started yet. */
struct prof_error *prof_watchdog_create(
	const char *program, struct prof_watchdog **ret) PROF_MUST_CHECK;

/* Ends the process, if it was started.  NULL is fine. */
void prof_watchdog_destroy(struct prof_watchdog *watchdog);

/*
 * An entry for PROCESS, to be given back with prof_watchdog_remove(); NULL: all are taken.  From
 * any thread, as the functions below.
 */
struct prof_watchdog_entry *prof_watchdog_add(struct prof_watchdog *watchdog, pid_t process);

/* NULL is fine. */
void prof_watchdog_remove(struct prof_watchdog_entry *entry);

/* Adds a sentence if the process could not be started. */
void prof_watchdog_say(struct prof_watchdog *watchdog, struct prof_text *text);

/* Starts the process unless it runs.  False: it could not be started, now or earlier. */
bool prof_watchdog_start(struct prof_watchdog *watchdog);

#endif
