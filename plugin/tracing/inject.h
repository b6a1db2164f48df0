/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Brings a library into a process that is there already. */
#ifndef PROF_PLUGIN_TRACING_INJECT_H
#define PROF_PLUGIN_TRACING_INJECT_H

#include "base/error.h"

#include <stdint.h>
#include <sys/types.h>

struct injection {
	pid_t process;       /* all of whose threads stand still */
	const char *library; /* its file */
	uint64_t function;   /* instead of loading it, call this function, which takes and returns
				nothing */
	int64_t pause;       /* ns that it took */
};

/*
 * Has the process load the library, or make the call.  PROF_ERROR_STATE: that cannot be done now,
 * but perhaps when it stands still again.  What the user has selected and set stays.
 */
struct prof_error *inject_library(struct injection *injection) PROF_MUST_CHECK;

#endif
