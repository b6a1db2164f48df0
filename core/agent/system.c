/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/system.h"

#include <dlfcn.h>
#include <time.h>

uint64_t prof_system_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* glibc has them from 2.35 on. */
ptrdiff_t prof_system_sequences(void)
{
	const ptrdiff_t *offset = dlsym(RTLD_DEFAULT, "__rseq_offset");
	const unsigned *size = dlsym(RTLD_DEFAULT, "__rseq_size");

	return offset && size && *size ? *offset : 0;
}
