/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/agent.h"

/* What gdbprof does here it does from outside: to the compiler, anything may have changed. */
__attribute__((noinline)) void prof_agent_stage(uint32_t stage)
{
	__asm__ volatile("" : : "r"(stage) : "memory");
}
