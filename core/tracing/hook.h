/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A function whose calls the agent takes, as gdbprof knows it. */
#ifndef PROF_TRACING_HOOK_H
#define PROF_TRACING_HOOK_H

#include "recording/traced_message.h"

struct prof_traced_hook {
	uint64_t function; /* its address; 0: not known */
	unsigned count;    /* of the arguments that are recorded */
	/* By argument: the letter of its type (struct prof_traced_function in tracing/ring.h), its
	 * name. */
	char letters[PROF_ARGUMENTS];
	char names[PROF_ARGUMENTS][PROF_ARGUMENT_NAME];
};

#endif
