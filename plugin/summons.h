/*
 * The signal that asks for a mark, of `prof-start --mark-signal`: while something is recorded it
 * leaves a mark each time it is sent to the program, and the program does not get it.
 */
#ifndef PROF_PLUGIN_SUMMONS_H
#define PROF_PLUGIN_SUMMONS_H

#include "base/error.h"
#include "plugin/python.h"

#include <stdbool.h>

/* Makes the function $_prof_summons() known to GDB.  False: a Python exception is pending. */
bool summons_register(void);

/* Is NAME, with or without "SIG", a signal that can ask for marks? */
struct prof_error *summons_check(const char *name) PROF_MUST_CHECK;

/*
 * Begins to mark with NAME, for which summons_check() was asked.  TOLD: the engine calls
 * summons_signalled(); otherwise a catchpoint is needed, which the user sees.
 */
struct prof_error *summons_watch(const char *name, bool told) PROF_MUST_CHECK;

/* The program got the signal NUMBER.  In the middle of GDB's work. */
void summons_signalled(int number);

/* The program goes on: makes up for what the user's commands have changed. */
void summons_keep(void);

/* Has GDB treat the signal as before.  May be called twice. */
void summons_unwatch(void);

#endif
