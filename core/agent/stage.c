/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/agent.h"

/*
 * gdbprof changes memory here, unseen by the compiler, which must assume that anything may have
 * changed.
 */
__attribute__((noinline)) void prof_agent_stage(uint32_t stage)
{
	__asm__ volatile("" : : "r"(stage) : "memory");
}
