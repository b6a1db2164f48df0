/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The agent: the library that traces from inside the program.  Loaded, it does nothing until
 * gdbprof, at the function prof_agent_stage(), asks for something; see tracing/ring.h.
 */
#ifndef PROF_AGENT_AGENT_H
#define PROF_AGENT_AGENT_H

#include "tracing/ring.h"

#define PROF_AGENT_EXPORTED __attribute__((visibility("default")))

extern PROF_AGENT_EXPORTED struct prof_agent prof_agent;

/* Where gdbprof has its breakpoint. */
PROF_AGENT_EXPORTED void prof_agent_stage(uint32_t stage);

/* Asks gdbprof what to trace, and begins to trace it, with a ring of its own. */
PROF_AGENT_EXPORTED void prof_agent_begin(void);

#endif
