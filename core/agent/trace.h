/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Any function: libffi makes a wrapper for each that is traced, whatever it takes and returns.
 *
 * What a wrapper is made for stays as it is: who has its address may call it at any time.
 */
#ifndef PROF_AGENT_TRACE_H
#define PROF_AGENT_TRACE_H

#include "agent/agent.h"

extern struct prof_trace prof_agent_traces[PROF_TRACES];

/*
 * Makes hooks of the traces that are new: those of prof_agent.traces from prof_agent.trace_built to
 * prof_agent.trace_count, which it raises.  It allocates memory as libffi does: to be called where
 * the program may.
 */
void prof_agent_trace(void);

#endif
