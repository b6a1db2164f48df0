/*
 * Signals to the recording, which the program does not get: that of `prof-start --mark-signal`
 * leaves a mark each time it is sent to the program, that of `--pause-signal` pauses or resumes.
 */
#ifndef PROF_PLUGIN_COLLECT_SUMMONS_H
#define PROF_PLUGIN_COLLECT_SUMMONS_H

#include "base/error.h"
#include "plugin/gdb/python.h"

#include <stdbool.h>

enum summons_kind { SUMMONS_MARK, SUMMONS_PAUSE, SUMMONS_KINDS };

/* Makes the function $_prof_summons() known to GDB.  False: a Python exception is pending. */
bool summons_register(void);

/*
 * Can each of NAMES, with or without "SIG", be the signal of its kind?  NULL is none.
 */
struct prof_error *summons_check(const char *const names[SUMMONS_KINDS]) PROF_MUST_CHECK;

/*
 * Begins to obey NAMES, for which summons_check() was asked.  TOLD: the engine calls
 * summons_signalled(), which is enough for marks; else a catchpoint is needed, which the user sees.
 */
struct prof_error *summons_watch(const char *const names[SUMMONS_KINDS], bool told) PROF_MUST_CHECK;

/* The program got the signal NUMBER.  In the middle of GDB's work. */
void summons_signalled(int number);

/* The program goes on: makes up for what the user's commands have changed. */
void summons_keep(void);

/* Has GDB treat the signals as before.  May be called twice. */
void summons_unwatch(void);

#endif
