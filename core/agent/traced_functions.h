/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Any function: libffi makes a wrapper for each that is traced, whatever it takes and returns.
 *
 * What a wrapper is made for stays as it is: who has its address may call it at any time.
 */
#ifndef PROF_AGENT_TRACED_FUNCTIONS_H
#define PROF_AGENT_TRACED_FUNCTIONS_H

#include "agent/agent.h"

extern struct prof_traced_function prof_agent_traced_functions[PROF_TRACED_FUNCTIONS];

/*
 * Makes hooks of the functions that are new: those of prof_agent.traced from
 * prof_agent.traced_built to prof_agent.traced_count, which it raises.  It allocates memory as
 * libffi does: to be called where the program may.
 */
void prof_agent_traced_functions_build(void);

#endif
