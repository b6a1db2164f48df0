/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Wrappers of any function: libffi makes one for each that is traced, whatever it takes and
 * returns.
 *
 * A wrapper is never changed or freed, because code that has its address may call it at any time.
 */
#ifndef PROF_AGENT_TRACED_FUNCTIONS_H
#define PROF_AGENT_TRACED_FUNCTIONS_H

#include "agent/agent.h"

extern struct prof_traced_function prof_agent_traced_functions[PROF_TRACED_FUNCTIONS];

/*
 * Makes hooks of the functions that are new: those of prof_agent.traced from
 * prof_agent.traced_built to prof_agent.traced_count, which it raises.  libffi allocates memory, so
 * call this only where the program may allocate.
 */
void prof_agent_traced_functions_build(void);

#endif
