/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/system.h"

#include <time.h>

uint64_t prof_system_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
