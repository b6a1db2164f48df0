/*
 * When GDB has a thread go on, execute a single instruction, or stop: it tells nobody.  So it is
 * seen in GDB's calls of ptrace() and syscall(), in whose import slots this stands.
 */
#ifndef PROF_PLUGIN_STEPS_H
#define PROF_PLUGIN_STEPS_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * Calls RESUME from now on before GDB has THREAD go on, or, if it is STEPPED, execute one
 * instruction; and WANT before GDB sends it a SIGSTOP.  In the middle of GDB's work.
 */
struct prof_error *steps_watch(
	void (*resume)(pid_t thread, bool stepped), void (*want)(pid_t thread)) PROF_MUST_CHECK;

/* Nothing happens if they are not watched. */
void steps_unwatch(void);

#endif
